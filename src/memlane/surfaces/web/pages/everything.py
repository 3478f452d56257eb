"""One box for everything: pages by name, what was said in Runs, and Memories that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.domain import Memory, State
from memlane.surfaces.api import Want
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.lane import Lane

FOUND = 20


def page(lane: Lane, want: Want) -> View:
    from memlane.lane import RunFilter  # noqa: PLC0415 - loaded with the first question

    words = field(want, "q")
    found = lane.reading.search(words, RunFilter(limit=1_000_000), FOUND) if words else None
    return view(
        "search.html",
        f"{words} · Search" if words else "Search",
        words=words,
        hits=found.search.best[:FOUND] if found else (),
        runs=found.search.runs if found else 0,
        turns=found.search.turns if found else 0,
        by=found.by if found else "",
        meant=found.search.meant if found else {},
        memories=_memories(lane, words) if words else (),
    )


def _memories(lane: Lane, words: str) -> Sequence[Memory]:
    wanted = words.casefold().split()
    every = lane.remembering.memories([State.ACTIVE, State.HELD, State.PAUSED])
    said = ((memory, f"{memory.title}\n{memory.content}".casefold()) for memory in every)
    counted = [(sum(word in text for word in wanted), memory) for memory, text in said]
    best = sorted((pair for pair in counted if pair[0] * 2 > len(wanted)), key=lambda pair: -pair[0])
    return [memory for _count, memory in best[:FOUND]]
