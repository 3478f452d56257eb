"""Which Turn comes first: what words and meaning say of each Chunk, lifted to its Turn and its Run, and added.

Numbers in, order out. It reads no storage and no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from memlane.domain import Author, Chunk
from memlane.search.bm25 import Worth

ANSWER = 4.0  # a Turn is about so many Chunks long
FADE = 0.5  # in a Run the best Chunk counts half, the next a quarter, and so on
_ASKERS = frozenset({Author.PERSON.value, Author.PROGRAM.value})


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score counts; every part is from 0 to 1. Chosen in round numbers on both sets of
    `benchmarks.longmemeval` and `benchmarks.known_item`: around these the figures hardly change."""

    chunk: float = 0.5  # words, in the best Chunk of the Turn
    turn: float = 1.0  # words, in all of the Turn
    run: float = 1.0  # words, in the best Chunks of the Run
    meaning: float = 0.75  # the nearest Chunk of the Turn
    asker: float = 0.25  # the nearest of what a person typed there: answers are long and say everything
    time: float = 0.3  # it was when the question says it was
    quote: float = 0.5  # what stands in quotes stands there

    @property
    def whole(self) -> float:
        return self.chunk + self.turn + self.run + self.meaning + self.asker + self.time + self.quote


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A Chunk an engine chose, and what is known of it."""

    chunk: Chunk
    times: Mapping[str, int]
    length: int
    likeness: float | None  # None: it has no vector, or nobody asked for meaning
    timely: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A Turn, by the Chunk that speaks for it."""

    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None


@dataclass(frozen=True, slots=True)
class _Weighed:
    one: Candidate
    lexical: float
    likeness: float


def ranked(candidates: Sequence[Candidate], worth: Worth, weights: Weights = WEIGHTS) -> Sequence[Ranked]:
    """Best first; of equal ones the first by key, whatever order they came in."""
    runs: dict[str, dict[int, list[_Weighed]]] = {}
    for each in _weighed(candidates, worth):
        chunk = each.one.chunk
        runs.setdefault(chunk.run, {}).setdefault(chunk.turn, []).append(each)
    turns = [turn for by_turn in runs.values() for turn in _turns(by_turn, worth, weights)]
    return sorted(turns, key=lambda turn: (-turn.score, turn.chunk.key))


def _weighed(candidates: Sequence[Candidate], worth: Worth) -> Iterable[_Weighed]:
    """A Chunk that has no vector yet counts as one of middling likeness: it is neither here nor there."""
    known = [one.likeness for one in candidates if one.likeness is not None]
    middling = median(known) if known else 0.0
    for one in sorted(candidates, key=lambda one: one.chunk.key):
        likeness = middling if one.likeness is None else one.likeness
        yield _Weighed(one, worth.of(one.times, one.length / worth.typical), max(0.0, likeness))


def _turns(by_turn: Mapping[int, Sequence[_Weighed]], worth: Worth, weights: Weights) -> Iterable[Ranked]:
    run = faded(each.lexical for turn in by_turn.values() for each in turn)
    for turn in by_turn.values():
        yield _turn(turn, weights.run * run, worth, weights)


def faded(values: Iterable[float]) -> float:
    """Many good ones are better than one, and no number of poor ones is."""
    total, counts = 0.0, 1 - FADE
    for value in sorted(values, reverse=True):
        total += counts * value
        counts *= FADE
    return total


def _turn(turn: Sequence[_Weighed], run: float, worth: Worth, weights: Weights) -> Ranked:
    best = max(turn, key=lambda each: weights.chunk * each.lexical + weights.meaning * each.likeness)
    lexical = max(each.lexical for each in turn)
    near = [each.one.likeness for each in turn if each.one.likeness is not None]
    asked = (each.likeness for each in turn if each.one.chunk.author in _ASKERS)
    score = (
        run
        + weights.chunk * lexical
        + weights.turn * _said(turn, worth)
        + weights.meaning * max(each.likeness for each in turn)
        + weights.asker * max(asked, default=0.0)
        + weights.time * any(each.one.timely for each in turn)
        + weights.quote * any(each.one.quoted for each in turn)
    )
    return Ranked(best.one.chunk, score, lexical, max(near, default=None))


def _said(turn: Sequence[_Weighed], worth: Worth) -> float:
    """The words, in the Turn as a whole."""
    times, length = Counter[str](), 0
    for each in turn:
        times.update(each.one.times)
        length += each.one.length
    return worth.of(times, length / worth.typical / ANSWER)
