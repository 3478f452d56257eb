"""Which Turn comes first: what words and meaning say of each Chunk, lifted to its Turn and its Run, and added.

Numbers in, order out. It reads no storage and no text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memlane.domain import Author, Chunk
from memlane.search.bm25 import Worth

ANSWER = 4.0  # a Turn is about so many Chunks long
FADE = 0.5  # in a Run the best Chunk counts half, the next a quarter, and so on
EXACT = 9  # digits: engines name a Chunk's terms in any order, and a sum's last bits depend on it
_ASKERS = frozenset({Author.PERSON.value, Author.PROGRAM.value})


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a score counts; every part is from 0 to 1. Chosen in round numbers on both sets of
    `benchmarks.longmemeval` and `benchmarks.known_item`: around these the figures hardly change."""

    chunk: float = 0.5  # words, in the best Chunk of the Turn
    turn: float = 1.0  # words, in all of the Turn
    run: float = 1.0  # words, in the best Chunks of the Run
    meaning: float = 0.75  # the nearest Chunk of the Turn
    asker: float = 0.25  # words and meaning of what a person typed there, once more: answers say everything
    time: float = 0.3  # it was when the question says it was
    quote: float = 0.2  # what stands in quotes stands there

    @property
    def whole(self) -> float:
        return self.chunk + self.turn + self.run + self.meaning + 2 * self.asker + self.time + self.quote


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Choice:
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


class _Weighed(NamedTuple):
    one: Choice
    lexical: float
    likeness: float


def ranked(choices: Sequence[Choice], worth: Worth, weights: Weights = WEIGHTS) -> Sequence[Ranked]:
    """Best first; of equal ones the first by key, whatever order they came in."""
    runs: dict[str, dict[int, list[_Weighed]]] = {}
    for each in _weighed(choices, worth):
        chunk = each.one.chunk
        runs.setdefault(chunk.run, {}).setdefault(chunk.turn, []).append(each)
    turns = [turn for by_turn in runs.values() for turn in _turns(by_turn, worth, weights)]
    return sorted(turns, key=lambda turn: (-turn.score, turn.chunk.key))


def _weighed(choices: Sequence[Choice], worth: Worth) -> Iterable[_Weighed]:
    """A Chunk that has no vector yet counts as one of middling likeness: it is neither here nor there."""
    known = [one.likeness for one in choices if one.likeness is not None]
    middling = _middle(known) if known else 0.0
    for one in sorted(choices, key=lambda one: one.chunk.key):
        likeness = middling if one.likeness is None else one.likeness
        yield _Weighed(one, worth.of(one.times, one.length / worth.typical), max(0.0, likeness))


def _middle(values: Iterable[float]) -> float:
    """Of two in the middle, what lies between them."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


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
    best = turn[0] if len(turn) == 1 else max(turn, key=lambda each: _alone(each, weights))
    lexical, likeness = _highest(turn)
    asked = [each for each in turn if each.one.chunk.author in _ASKERS]
    score = run + weights.chunk * lexical + weights.meaning * likeness + weights.turn * _said(turn, worth)
    if asked:
        score += weights.asker * sum(_highest(asked))
    score += weights.time * any(each.one.timely for each in turn)
    score += weights.quote * any(each.one.quoted for each in turn)
    near = [each.one.likeness for each in turn if each.one.likeness is not None]
    return Ranked(best.one.chunk, round(score, EXACT), lexical, max(near, default=None))


def _alone(each: _Weighed, weights: Weights) -> float:
    return weights.chunk * each.lexical + weights.meaning * each.likeness


def _highest(some: Sequence[_Weighed]) -> tuple[float, float]:
    """The best by words, and the nearest by meaning: they need not be the same."""
    if len(some) == 1:
        return some[0].lexical, some[0].likeness
    return max(each.lexical for each in some), max(each.likeness for each in some)


def _said(turn: Sequence[_Weighed], worth: Worth) -> float:
    """The words, in the Turn as a whole."""
    if len(turn) == 1:
        return worth.of(turn[0].one.times, turn[0].one.length / worth.typical / ANSWER)
    times, length = dict[str, int](), 0
    for each in turn:
        length += each.one.length
        for term, n in each.one.times.items():
            times[term] = times.get(term, 0) + n
    return worth.of(times, length / worth.typical / ANSWER)
