"""Which Turn comes first: what words and meaning say of each Chunk, lifted to its Turn and its Run, and added.

Numbers in, order out. It reads no storage and no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Chunk
from memlane.search.bm25 import Worth


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score counts. Parts are from 0 to 1."""

    chunk: float = 1.0  # words, in the best Chunk of the Turn
    run: float = 0.5  # words, in all of the Run's Chunks that were found
    meaning: float = 1.5  # the nearest Chunk of the Turn


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A Chunk an engine chose, and what is known of it."""

    chunk: Chunk
    times: Mapping[str, int]
    length: int
    likeness: float | None  # None: it has no vector, or nobody asked for meaning


@dataclass(frozen=True, slots=True)
class Ranked:
    """A Turn, by the Chunk that speaks for it."""

    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None


def ranked(candidates: Iterable[Candidate], worth: Worth, weights: Weights = WEIGHTS) -> Sequence[Ranked]:
    """Best first; of equal ones the first by key, whatever order they came in."""
    runs: dict[str, dict[int, list[Candidate]]] = {}
    for one in sorted(candidates, key=lambda one: one.chunk.key):
        runs.setdefault(one.chunk.run, {}).setdefault(one.chunk.turn, []).append(one)
    turns = [turn for by_turn in runs.values() for turn in _turns(by_turn, worth, weights)]
    return sorted(turns, key=lambda turn: (-turn.score, turn.chunk.key))


def _turns(by_turn: Mapping[int, Sequence[Candidate]], worth: Worth, weights: Weights) -> Iterable[Ranked]:
    said = Counter[str]()
    for turn in by_turn.values():
        for one in turn:
            said.update(one.times)
    run = worth.of(said, worth.typical * max(1, len(by_turn)))
    for turn in by_turn.values():
        yield _turn(turn, run, worth, weights)


def _turn(turn: Sequence[Candidate], run: float, worth: Worth, weights: Weights) -> Ranked:
    words = [worth.of(one.times, one.length) for one in turn]
    near = [one.likeness for one in turn if one.likeness is not None]
    lexical, semantic = max(words), max(near, default=None)
    score = weights.chunk * lexical + weights.run * run + weights.meaning * max(0.0, semantic or 0.0)
    best = max(zip(turn, words, strict=True), key=lambda pair: _of_chunk(pair[0], pair[1], weights))
    return Ranked(best[0].chunk, score, lexical, semantic)


def _of_chunk(one: Candidate, lexical: float, weights: Weights) -> float:
    return weights.chunk * lexical + weights.meaning * max(0.0, one.likeness or 0.0)
