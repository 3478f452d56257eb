"""Search: everything that fits, run by run, and what the box at the top offers while one types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from memlane.domain import STANDING, Memory, RunSummary, Selection
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.formats import called, one_line, spoken
from memlane.surfaces.web.views import PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.search import FoundTurn

FOUND = 40


def page(lane: Lane, want: RouteRequest) -> PageView:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    words = field(want, "q")
    found = lane.search.find(words, RunFilter(), FOUND) if words else None
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


FEW = 4  # of each sort
OF_A_SNIPPET = 110  # characters in one line of the box
TITLED = 5000  # of the newest Runs, by what they are called
QUICK: Mapping[str, Schema] = {"q": schema.text("the first letters or words", 200, least=0)}


@dataclass(frozen=True, slots=True)
class SearchOffer:
    """One line to choose."""

    to: str
    text: str
    about: str = ""
    kind: str = ""  # the type of a Memory
    pieces: Sequence[tuple[str, bool]] = ()  # the text, cut at what was looked for


def quick(lane: Lane, want: RouteRequest) -> PageView:
    words = field(want, "q")
    groups = [(name, list(offers)) for name, offers in _groups(lane, words)] if words else []
    return view("quick.html", "", words=words, groups=[(name, some) for name, some in groups if some])


def _groups(lane: Lane, words: str) -> Iterator[tuple[str, Sequence[SearchOffer]]]:
    """Names first: they are there at once. What was said comes after them and moves none of them."""
    from memlane.app.search import Mode  # noqa: PLC0415 - loaded with the first question
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    wanted = words.casefold().split()
    runs = [run for run in lane.runs.select(RunFilter(limit=TITLED)) if _has(called(run), wanted)]
    yield "Runs", [SearchOffer(f"/runs/{run.id}", one_line(called(run), 90), _where(run)) for run in runs[:FEW]]
    memories = lane.memories.select(Selection(words, STANDING, limit=FEW))
    yield (
        "Memories",
        [
            SearchOffer(f"/m/{one.id}", one_line(one.title, 90), spoken(one.type.value), one.type.value)
            for one in memories
        ],
    )
    known = [one for one in lane.entities.directory().entities if _has(one.name, wanted)]
    yield (
        "Entities",
        [SearchOffer(f"/entity?of={quote(one.key)}", one_line(one.name, 60), one.type) for one in known[:FEW]],
    )
    hits = lane.search.find(words, RunFilter(), FEW, Mode.WORDS).search.best[:FEW]
    yield (
        "Said in runs",
        [
            SearchOffer(
                f"/runs/{hit.run.id}?at=t{hit.chunk.turn}.{hit.chunk.step}#t{hit.chunk.turn}.{hit.chunk.step}",
                one_line(hit.snippet, OF_A_SNIPPET),
                _where(hit.run),
                pieces=_begin(hit, OF_A_SNIPPET),
            )
            for hit in hits
        ],
    )


def _begin(hit: FoundTurn, most: int) -> Sequence[tuple[str, bool]]:
    found = list[tuple[str, bool]]()
    for text, is_hit in hit.pieces:
        room = most - sum(len(piece) for piece, _hit in found)
        found += [(text if len(text) <= room else f"{text[:room].rstrip()}…", is_hit)] if room > 0 else []
    return found


def _has(name: str, wanted: Sequence[str]) -> bool:
    folded = name.casefold()
    return all(word in folded for word in wanted)


def _where(run: RunSummary) -> str:
    return run.project.name or run.agent
