"""`lane recall`: what a prompt would recall; `lane why` and `lane recalls`: what was recalled, and why."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from memlane.domain import Feedback, Outcome, Recall, RecallMoment
from memlane.domain.recall import RULE
from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen, until_interrupted
from memlane.surfaces.cli.output import encoded, print_line
from memlane.surfaces.cli.recall_report import recall_lines, touched, would_be
from memlane.surfaces.cli.text import ago, clock, iso, many, one_line
from memlane.surfaces.documents import of_earlier, of_match, of_recall

RECALL_EXAMPLES = """
lane recall "add a package to the worker"
lane recall "make it more robust" --file src/mail/send.py
"""


@frame.command(examples=RECALL_EXAMPLES)
@click.argument("prompt", nargs=-1, required=True)
@click.option("--cwd", type=click.Path(path_type=Path, file_okay=False), default=".", help="The project's folder.")
@click.option("--file", "file", default="", metavar="PATH", help="As if the agent had just touched this file.")
def recall(screen: Screen, prompt: tuple[str, ...], cwd: Path, file: str) -> None:
    """Show what would be recalled for PROMPT in this folder, and why. Records nothing."""
    folder = cwd.expanduser().resolve()
    with screen.lane() as lane:
        words = " ".join(prompt)
        thin = lane.home.thin
        found = lane.thin.recall(words, str(folder), file) if thin else lane.recall.asked(words, folder, file=file)
        off = lane.recall.off(str(folder))
    screen.remember_list([match.memory.id for match in found.shown])
    if screen.json:
        meta = {
            "silent": found.outcome is not Outcome.SHOWN,
            "why": found.why,
            "ms": found.milliseconds,
            "tokens": found.tokens,
            "off": off,
            "near": [of_match(match) for match in found.near],
            "asks": [{"raw": one.raw, "choices": one.choices} for one in found.asks],
            "earlier": [of_earlier(one) for one in found.earlier],
        }
        screen.emit("lane.recall/1", [{"memory": m.memory.id, **of_match(m)} for m in found.shown], meta)
        return
    if screen.terminal:
        for line in recall_lines(screen, found, recorded=False):
            screen.line(line)
    else:
        if not found.shown:
            screen.say(would_be(found))  # an empty answer has a reason, in a pipe too
        for match in found.shown:
            screen.record(
                match.memory.id, f"{match.score:.4f}", match.source, match.memory.type.value, match.memory.title
            )
    if off:
        screen.flush()
        screen.note(f"recall is off here: {off}")


RECALLS = ".recalls"  # the list that `lane why 2` counts in, also after `lane why 1`
TOLD = ".told"  # the recall on the screen: a thumb is given on that one
WHY_EXAMPLES = """
lane why
lane why 2
lane why --run r_9x2m --near-misses
"""


@frame.command(examples=WHY_EXAMPLES)
@click.argument("which", required=False, default="")
@click.option("--run", default="", metavar="RUN", help="The last recall in this run.")
@click.option("--near-misses", is_flag=True, help="All near misses, with their scores.")
def why(screen: Screen, which: str, run: str, near_misses: bool) -> None:
    """Show the last recall here or in RUN, and why. WHICH: a recall's id, or a number from `lane recalls`."""
    given = screen.meant(which, RECALLS) if which else ""
    with screen.lane() as lane:
        if not given and not lane.recall.newest(1):
            _nothing_yet(screen)
            return
        wanted = lane.recall.run_called(screen.meant(run)) if run else ""
        recall = lane.recall.recorded(given) if given.startswith("l_") else lane.recall.why(Path.cwd(), run=wanted)
        if given.startswith("m_"):
            recall = _only(recall, given)
        verdicts = lane.recall.feedback.on(recall)
    screen.remember_list([match.memory.id for match in recall.shown])
    screen.remember_list([recall.id], TOLD)
    if screen.json:
        screen.emit("lane.why/1", {**of_recall(recall), "verdicts": [_verdict(one) for one in verdicts]})
        return
    for line in recall_lines(screen, recall, near_misses=near_misses, verdicts=verdicts):
        screen.line(line)


def _verdict(one: Feedback) -> dict[str, object]:
    return {"memory": one.memory, "up": one.up, "by": one.by or None, "because": one.because, "at": one.at}


def _nothing_yet(screen: Screen) -> None:
    if screen.json:
        screen.emit("lane.why/1", None)
    else:
        screen.say("No recalls yet. They happen when you prompt an agent.")


def _only(recall: Recall, memory: str) -> Recall:
    shown = tuple(match for match in recall.shown if match.memory.id.startswith(memory))
    if not shown:
        raise NotFoundError(f"{memory} was not in that recall", hint="lane recalls")
    return replace(recall, shown=shown)


@frame.command(lists=True)
@click.option("--follow", "-f", is_flag=True, help="Follow: print each one as it happens.")
@click.option("--run", default="", metavar="RUN", help="Only in this run.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="At most this many.")
def recalls(screen: Screen, follow: bool, run: str, limit: int) -> None:
    """List recalls, newest first."""
    with screen.lane() as lane:
        wanted = lane.recall.run_called(screen.meant(run)) if run else ""
        if follow:
            with until_interrupted(screen):
                _follow(screen, lane.recall.follow(run=wanted))
            return
        found = list(lane.recall.newest(limit, run=wanted))
    screen.remember_list([recall.id for recall in found])
    screen.remember_list([recall.id for recall in found], RECALLS)
    screen.listing("lane.recalls/1", found, of_recall, _columns(screen, found), {"recalls": len(found)})
    if not found and not screen.json:
        screen.say("No recalls yet. They happen when you prompt an agent.")
    elif screen.terminal and not screen.json:
        screen.flush()
        screen.say("Why: lane why 1")


def said(recall: Recall) -> str:
    """What came of it: four different things, four different texts."""
    match recall.outcome:
        case Outcome.SHOWN if recall.earlier:
            return "earlier run"
        case Outcome.SHOWN if recall.query.moment is RecallMoment.START:
            what = "standing rule" if recall.shown[0].source == RULE else "title"
            return many(len(recall.shown), what) + (" (withheld)" if recall.holdout else "")
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
    if recall.query.moment is RecallMoment.FILE:
        return f"({touched(recall)})"
    if recall.query.moment is RecallMoment.COMMAND:
        return f"({recall.query.activity})"
    return one_line(recall.query.words) or f"({recall.query.moment.value})"


def _follow(screen: Screen, recalls: Iterable[Recall]) -> None:
    if not screen.json:
        screen.say("waiting for recalls; press Ctrl+C to stop")
    for recall in recalls:
        if screen.json or screen.form.lines:
            print_line(encoded(of_recall(recall)))
        elif screen.terminal:
            head = f"{clock(recall.at)}  {recall.query.agent}  {said(recall)}  "
            screen.line(screen.cut(head + _asked(recall), screen.columns))
        else:
            screen.record(recall.id, iso(recall.at), recall.query.agent, recall.outcome.value, _asked(recall))
        sys.stdout.flush()
