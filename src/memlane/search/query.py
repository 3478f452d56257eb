"""Where was it said? Engines choose Chunks by words and by meaning; `rank` says which Turn comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memlane.domain import Chunk, Reader, RunSummary
from memlane.domain.words import terms
from memlane.search.bm25 import worth
from memlane.search.meant import meant
from memlane.search.rank import Candidate, Ranked, ranked
from memlane.search.snippet import snippet
from memlane.storage import Key, RunFilter, Storage, Worded

if TYPE_CHECKING:
    from memlane.storage.ports import Vector

MOST_WORDS = 400  # of a query; what stands behind them changes nothing any more
CHUNKS = 600  # looked at by their words, at least
NEAR = 300  # looked at by their meaning, at least
GENEROUS = 20  # Chunks looked at for each Turn wanted


class Mode(StrEnum):
    """What counts. `auto`: both, as far as there are vectors."""

    AUTO = "auto"
    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as one model understands it."""

    model: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class How:
    """How to look. `now` is what "last week" is counted from; without it time words are only words."""

    mode: Mode = Mode.AUTO
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A Turn that was found, by its best Step."""

    run: RunSummary
    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None
    snippet: str


@dataclass(frozen=True, slots=True)
class Search:
    """What was found, and what a person should know about the looking."""

    best: Sequence[FoundTurn]
    turns: int
    runs: int
    meant: Mapping[str, str]  # words nothing has, with the nearest that something has


def find(
    words: str,
    which: RunFilter,
    limit: int,
    reader: Reader,
    storage: Storage,
    asked: Asked | None = None,
    how: How = How(),  # noqa: B008 - frozen
) -> Search:
    wanted = list(terms(words[: MOST_WORDS * 100]))[:MOST_WORDS]
    if not wanted:
        return Search([], 0, 0, {})
    known = storage.chunks.statistics(wanted, reader)
    candidates = _candidates(wanted, replace(which, limit=limit * GENEROUS), reader, storage, asked, how.mode)
    turns = ranked(candidates, worth(wanted, known))
    best = [found for turn in turns[:limit] if (found := _found(turn, frozenset(wanted), reader, storage))]
    unknown = [] if any(one.times for one in candidates) else [term for term in wanted if term not in known.having]
    return Search(best, len(turns), len({turn.chunk.run for turn in turns}), meant(unknown, reader, storage))


def _candidates(
    wanted: Sequence[str], which: RunFilter, reader: Reader, storage: Storage, asked: Asked | None, mode: Mode
) -> Sequence[Candidate]:
    worded: Sequence[Worded] = ()
    if mode is not Mode.MEANING or asked is None:
        worded = storage.chunks.matching(wanted, replace(which, limit=max(CHUNKS, which.limit)), reader)
    if asked is None or mode is Mode.WORDS:
        return [Candidate(one.chunk, one.times, one.length, None) for one in worded]
    near = storage.vectors.nearest(asked.vector, asked.model, replace(which, limit=max(NEAR, which.limit)), reader)
    likeness: dict[Key, float] = {one.chunk.key: one.likeness for one in near}
    others = [one.chunk for one in worded if one.chunk.key not in likeness]
    likeness |= storage.vectors.likeness(others, asked.vector, asked.model, reader)
    candidates = [Candidate(one.chunk, one.times, one.length, likeness.get(one.chunk.key)) for one in worded]
    seen = {one.chunk.key for one in worded}
    return candidates + [Candidate(one.chunk, {}, 0, one.likeness) for one in near if one.chunk.key not in seen]


def _found(turn: Ranked, wanted: frozenset[str], reader: Reader, storage: Storage) -> FoundTurn | None:
    run = storage.runs.get(turn.chunk.run, reader)
    if run is None:
        return None
    semantic = None if turn.semantic is None else round(turn.semantic, 4)
    shown = snippet(turn.chunk.text, wanted)
    return FoundTurn(run, turn.chunk, round(turn.score, 4), round(turn.lexical, 4), semantic, shown)
