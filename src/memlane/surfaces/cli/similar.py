"""`lane similar`: runs that were about the same as this one, the likest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from memlane.domain import RunSummary
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.choices import chosen, filters, named
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.runs import title
from memlane.surfaces.cli.text import ago, iso
from memlane.surfaces.documents import of_run

Scored = tuple[RunSummary, float]


@frame.command(lists=True)
@click.argument("run")
@filters
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="At most this many.")
def command(screen: Screen, run: str, limit: int, **given: Any) -> None:
    """Runs that were about the same as RUN, of any agent in any project."""
    with screen.lane() as lane:
        this = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        found = lane.search.similar(this.id, chosen(screen, lane, given), limit)
        meant = lane.search.progress()
        ids = lane.runs.short_ids([other.id for other, _score in found] if screen.terminal else [])
    screen.remember_list([other.id for other, _score in found])
    screen.listing("lane.similar/1", found, _document, _columns(screen, found, ids), {"run": this.id})
    if screen.json:
        return
    if not found:
        filtered = f" with {named(given)}" if named(given) else ""
        screen.say(f"Nothing here is like it{filtered}.")
    if meant.why or meant.done < meant.all:
        share = (
            f"{meant.done * 100 // meant.all} % is indexed for meaning" if meant.done else "meaning is not built yet"
        )
        screen.note(meant.why or f"{share}: more may come")
    elif found and screen.terminal:
        screen.say("Read: lane show 1")


def _document(scored: Scored) -> Mapping[str, object]:
    run, score = scored
    return {**of_run(run), "score": round(score, 4)}


def _columns(screen: Screen, found: Sequence[Scored], ids: Mapping[str, str]) -> list[Column]:
    numbers = {run.id: str(n) for n, (run, _score) in enumerate(found, 1)}
    most = 24 if screen.columns >= 100 else 14
    return [
        Column(lambda one: numbers[one[0].id], None, "dim", right=True),
        Column(lambda one: f"{one[1] * 100:.0f} %", lambda one: f"{one[1]:.4f}", right=True),
        Column(None, lambda one: one[0].id),
        Column(lambda one: ago(one[0].ended, screen.now), lambda one: iso(one[0].started), right=True),
        Column(lambda one: one[0].agent, lambda one: one[0].agent, "cyan", from_width=70),
        Column(lambda one: one[0].project.name, lambda one: one[0].project.name, "green", from_width=80, most=most),
        Column(lambda one: f"{one[0].turns}t", lambda one: str(one[0].turns), right=True),
        Column(lambda one: title(one[0]) or "(no words yet)", lambda one: title(one[0]), stretch=True),
        Column(lambda one: ids[one[0].id], None, "dim"),
    ]
