"""Where was it said? A question in, Turns out, best first, each with why it was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.domain.words import terms
from memlane.search.bm25 import worth
from memlane.search.gather import Asked, How, Mode, Question, choices
from memlane.search.meant import meant
from memlane.search.rank import Ranked, ranked
from memlane.search.snippet import snippet
from memlane.storage import Statistics, Storage

MOST_WORDS = 400  # of a question; what stands behind them changes nothing any more
EVERYWHERE = 5  # a word that more than one Chunk in so many has tells nothing
MOST_LETTERS = 40_000
NEAR_ENOUGH = 0.5  # meaning a Turn must have to be an answer to words that stand nowhere: misspelt, or made up
AS_USUAL = How()


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
    how: How = AS_USUAL,
) -> Search:
    wanted = list(terms(words[:MOST_LETTERS]))[:MOST_WORDS]
    if not wanted:
        return Search([], 0, 0, {})
    known = storage.chunks.statistics(wanted, reader)
    question = Question(words[:MOST_LETTERS], wanted, asked, how)
    found = choices(question, replace(which, limit=limit), reader, storage)
    turns = ranked(found, worth(wanted, known))
    telling = _telling(wanted, known)
    best = [one for turn in turns[:limit] if (one := _found(turn, telling, reader, storage))]
    unknown = [] if any(one.times for one in found) else [term for term in wanted if term not in known.having]
    other = meant(unknown, reader, storage)
    if how.mode is Mode.AUTO and asked is not None and not any(one.lexical for one in best):
        near = _near_enough(best, wanted)
        return Search(near, len(near), len({one.run.id for one in near}), other)
    return Search(best, len(turns), len({turn.chunk.run for turn in turns}), other)


def _near_enough(best: Sequence[FoundTurn], wanted: Sequence[str]) -> Sequence[FoundTurn]:
    """Something is always nearest: to words that nothing has, only what is really near is an answer."""
    spoken = any(term.isalpha() for term in wanted)  # the meaning of an error code is its letters
    return [one for one in best if spoken and (one.semantic or 0.0) >= NEAR_ENOUGH]


def _telling(wanted: Sequence[str], known: Statistics) -> frozenset[str]:
    """The words worth marking: not those that every fifth Chunk has, unless there are no others."""
    rare = frozenset(term for term in wanted if known.having.get(term, 0) * EVERYWHERE <= known.chunks)
    return rare if rare & set(known.having) else frozenset(wanted)


def _found(turn: Ranked, wanted: frozenset[str], reader: Reader, storage: Storage) -> FoundTurn | None:
    run = storage.runs.get(turn.chunk.run, reader)
    if run is None:
        return None
    semantic = None if turn.semantic is None else round(turn.semantic, 4)
    shown = snippet(turn.chunk.text, wanted)
    return FoundTurn(run, turn.chunk, round(turn.score, 4), round(turn.lexical, 4), semantic, shown)
