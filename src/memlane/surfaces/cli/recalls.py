"""`lane recalls`: everything agents were told, or not told and why, newest first; live with `--follow`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import click

from memlane.domain import Moment, Outcome, Recall
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.following import until_interrupted
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.printing import encoded, print_line
from memlane.surfaces.cli.text import ago, clock, iso, many, one_line
from memlane.surfaces.cli.told import touched
from memlane.surfaces.cli.why import RECALLS
from memlane.surfaces.documents import of_recall

EVERY = 1.0  # seconds between two looks


@frame.command(lists=True)
@click.option("--follow", "-f", is_flag=True, help="Go on: print each one as it happens.")
@click.option("--run", default="", metavar="RUN", help="Only in this run.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="At most this many.")
def command(screen: Screen, follow: bool, run: str, limit: int) -> None:
    """Everything that was recalled, newest first."""
    with screen.lane() as lane:
        wanted = lane.recall.run_called(screen.meant(run)) if run else ""
        found = list(lane.recall.newest(limit, run=wanted))
        if follow:
            with until_interrupted(screen):
                _follow(screen, lambda: lane.recall.newest(limit, run=wanted), found)
            return
    screen.remember_list([recall.id for recall in found])
    screen.remember_list([recall.id for recall in found], RECALLS)
    screen.listing("lane.recalls/1", found, of_recall, _columns(screen, found), {"recalls": len(found)})
    if not found and not screen.json:
        screen.say("Nothing was recalled yet. It happens when an agent is asked something.")
    elif screen.terminal and not screen.json:
        screen.flush()
        screen.say("Why: lane why 1")


def said(recall: Recall) -> str:
    """What came of it: four different things, four different texts."""
    match recall.outcome:
        case Outcome.SHOWN if recall.earlier:
            return "earlier run"
        case Outcome.SHOWN if recall.query.moment is Moment.START:
            return many(len(recall.shown), "title")
        case Outcome.SHOWN:
            return many(len(recall.shown), "memory", "memories") + (" (withheld)" if recall.holdout else "")
        case Outcome.QUESTION:
            return "which one?"
        case Outcome.SILENT:
            return "nothing fits"
        case Outcome.NOT_LOOKED:
            return "not looked"
        case Outcome.TOO_SLOW:
            return "too slow"


def _columns(screen: Screen, found: list[Recall]) -> list[Column]:
    numbers = {recall.id: str(n) for n, recall in enumerate(found, 1)}
    return [
        Column(lambda r: numbers[r.id], None, "dim", right=True),
        Column(None, lambda r: r.id),
        Column(lambda r: ago(r.at, screen.now), lambda r: iso(r.at), right=True),
        Column(lambda r: r.query.agent, lambda r: r.query.agent, "cyan", from_width=80),
        Column(lambda r: r.query.project.name, lambda r: r.query.project.name, "green", from_width=100, most=20),
        Column(said, lambda r: r.outcome.value),
        Column(None, lambda r: str(len(r.shown))),
        Column(_asked, _asked, stretch=True),
    ]


def _asked(recall: Recall) -> str:
    if recall.query.moment is Moment.FILE:
        return f"({touched(recall)})"
    return one_line(recall.query.words) or f"({recall.query.moment.value})"


def _follow(screen: Screen, newest: Callable[[], Sequence[Recall]], before: Sequence[Recall]) -> None:
    seen = {recall.id for recall in before}
    if not screen.json:
        screen.say("waiting for agents to ask; Ctrl+C ends")
    while True:
        fresh = [recall for recall in reversed(newest()) if recall.id not in seen]
        for recall in fresh:
            seen.add(recall.id)
            if screen.json or screen.form.lines:
                print_line(encoded(of_recall(recall)))
            elif screen.terminal:
                head = f"{clock(recall.at)}  {recall.query.agent}  {said(recall)}  "
                screen.line(screen.cut(head + _asked(recall), screen.columns))
            else:
                screen.record(recall.id, iso(recall.at), recall.query.agent, recall.outcome.value, _asked(recall))
        if fresh:
            sys.stdout.flush()
        time.sleep(EVERY)
