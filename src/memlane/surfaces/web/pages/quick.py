"""What the box at the top offers while one types: pages, Runs and Memories by name, Entities, and what was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from memlane.domain import STANDING, RunSummary, Selection
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.look import called, one_line, spoken
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

FEW = 4  # of each sort
TITLED = 5000  # of the newest Runs, by what they are called
TAKES: Mapping[str, Schema] = {"q": schema.text("the first letters or words", 200, least=0)}


@dataclass(frozen=True, slots=True)
class Offer:
    """One line to choose."""

    to: str
    text: str
    about: str = ""
    kind: str = ""  # the type of a Memory


def page(lane: Lane, want: Want) -> View:
    words = field(want, "q")
    groups = [(name, list(offers)) for name, offers in _groups(lane, words)] if words else []
    return view("quick.html", "", words=words, groups=[(name, some) for name, some in groups if some])


def _groups(lane: Lane, words: str) -> Iterator[tuple[str, Sequence[Offer]]]:
    """Names first: they are there at once. What was said comes after them and moves none of them."""
    from memlane.app.search import Mode  # noqa: PLC0415 - loaded with the first question
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    wanted = words.casefold().split()
    runs = [run for run in lane.runs.select(RunFilter(limit=TITLED)) if _has(called(run), wanted)]
    yield "Runs", [Offer(f"/runs/{run.id}", one_line(called(run), 90), _where(run)) for run in runs[:FEW]]
    memories = lane.memories.select(Selection(words, STANDING, limit=FEW))
    yield (
        "Memories",
        [Offer(f"/m/{one.id}", one_line(one.title, 90), spoken(one.type.value), one.type.value) for one in memories],
    )
    known = [one for one in lane.entities.directory().entities if _has(one.name, wanted)]
    yield "Entities", [Offer(f"/entity?of={quote(one.key)}", one_line(one.name, 60), one.type) for one in known[:FEW]]
    hits = lane.search.find(words, RunFilter(limit=TITLED), FEW, Mode.WORDS).search.best[:FEW]
    yield (
        "Said in runs",
        [
            Offer(
                f"/runs/{hit.run.id}?at=t{hit.chunk.turn}.{hit.chunk.step}#t{hit.chunk.turn}.{hit.chunk.step}",
                one_line(hit.snippet, 110),
                _where(hit.run),
            )
            for hit in hits
        ],
    )


def _has(name: str, wanted: Sequence[str]) -> bool:
    folded = name.casefold()
    return all(word in folded for word in wanted)


def _where(run: RunSummary) -> str:
    return run.project.name or run.agent
