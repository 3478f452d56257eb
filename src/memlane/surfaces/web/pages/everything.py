"""Everything that fits: what was said in Runs, run by run, and Memories that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Memory, RunSummary, Selection
from memlane.surfaces.api import Want
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.search import FoundTurn

FOUND = 40


def page(lane: Lane, want: Want) -> View:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    words = field(want, "q")
    found = lane.search.find(words, RunFilter(limit=1_000_000), FOUND) if words else None
    return view(
        "search.html",
        f"{words} · Search" if words else "Search",
        words=words,
        hits=_by_run(found.search.best[:FOUND]) if found else (),
        runs=found.search.runs if found else 0,
        turns=found.search.turns if found else 0,
        by=found.by if found else "",
        meant=found.search.meant if found else {},
        memories=_memories(lane, words) if words else (),
    )


def _by_run(hits: Sequence[FoundTurn]) -> Sequence[tuple[RunSummary, list[FoundTurn]]]:
    """The best Run first; of each, its best places, all of them where `find` looks in it."""
    found = dict[str, tuple[RunSummary, list["FoundTurn"]]]()
    for hit in hits:
        found.setdefault(hit.run.id, (hit.run, []))[1].append(hit)
    return list(found.values())


def _memories(lane: Lane, words: str) -> Sequence[Memory]:
    """Those that have every word."""
    return lane.memories.select(Selection(words, STANDING, limit=20))
