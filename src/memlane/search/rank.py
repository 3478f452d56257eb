"""Which Turn comes first: BM25 and likeness of each Chunk, lifted to its Turn and its Run, and added."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memlane.domain import Author, Chunk
from memlane.storage import Statistics

ANSWER = 4.0  # a Turn is about so many Chunks long
FADE = 0.5  # in a Run the best Chunk counts half, the next a quarter, and so on
EXACT = 9  # digits: engines name a Chunk's terms in any order, and a sum's last bits depend on it
_ASKERS = frozenset({Author.PERSON.value, Author.PROGRAM.value})


@dataclass(frozen=True, slots=True)
class SearchWeights:
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


WEIGHTS = SearchWeights()


@dataclass(frozen=True, slots=True)
class ChunkMatch:
    """A Chunk an engine chose, and what is known of it."""

    chunk: Chunk
    times: Mapping[str, int]
    length: int
    likeness: float | None  # None: it has no vector, or nobody asked for meaning
    timely: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class RankedTurn:
    """A Turn, by the Chunk that speaks for it."""

    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None


class _WeighedChunk(NamedTuple):
    one: ChunkMatch
    lexical: float
    likeness: float


def ranked(choices: Sequence[ChunkMatch], worth: Worth, weights: SearchWeights = WEIGHTS) -> Sequence[RankedTurn]:
    """Best first; of equal ones the first by key, whatever order they came in."""
    runs: dict[str, dict[int, list[_WeighedChunk]]] = {}
    for each in _weighed(choices, worth):
        chunk = each.one.chunk
        runs.setdefault(chunk.run, {}).setdefault(chunk.turn, []).append(each)
    turns = [turn for by_turn in runs.values() for turn in _turns(by_turn, worth, weights)]
    return sorted(turns, key=lambda turn: (-turn.score, turn.chunk.key))


def _weighed(choices: Sequence[ChunkMatch], worth: Worth) -> Iterable[_WeighedChunk]:
    """A Chunk that has no vector yet counts as one of middling likeness: it is neither here nor there."""
    known = [one.likeness for one in choices if one.likeness is not None]
    middling = _middle(known) if known else 0.0
    for one in sorted(choices, key=lambda one: one.chunk.key):
        likeness = middling if one.likeness is None else one.likeness
        yield _WeighedChunk(one, worth.of(one.times, one.length / worth.typical), max(0.0, likeness))


def _middle(values: Iterable[float]) -> float:
    """Of two in the middle, what lies between them."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _turns(
    by_turn: Mapping[int, Sequence[_WeighedChunk]], worth: Worth, weights: SearchWeights
) -> Iterable[RankedTurn]:
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


def _turn(turn: Sequence[_WeighedChunk], run: float, worth: Worth, weights: SearchWeights) -> RankedTurn:
    best = turn[0] if len(turn) == 1 else max(turn, key=lambda each: _alone(each, weights))
    lexical, likeness = _highest(turn)
    asked = [each for each in turn if each.one.chunk.author in _ASKERS]
    score = run + weights.chunk * lexical + weights.meaning * likeness + weights.turn * _said(turn, worth)
    if asked:
        score += weights.asker * sum(_highest(asked))
    score += weights.time * any(each.one.timely for each in turn)
    score += weights.quote * any(each.one.quoted for each in turn)
    near = [each.one.likeness for each in turn if each.one.likeness is not None]
    return RankedTurn(best.one.chunk, round(score, EXACT), lexical, max(near, default=None))


def _alone(each: _WeighedChunk, weights: SearchWeights) -> float:
    return weights.chunk * each.lexical + weights.meaning * each.likeness


def _highest(some: Sequence[_WeighedChunk]) -> tuple[float, float]:
    """The best by words, and the nearest by meaning: they need not be the same."""
    if len(some) == 1:
        return some[0].lexical, some[0].likeness
    return max(each.lexical for each in some), max(each.likeness for each in some)


def _said(turn: Sequence[_WeighedChunk], worth: Worth) -> float:
    """The words, in the Turn as a whole."""
    if len(turn) == 1:
        return worth.of(turn[0].one.times, turn[0].one.length / worth.typical / ANSWER)
    times, length = dict[str, int](), 0
    for each in turn:
        length += each.one.length
        for term, n in each.one.times.items():
            times[term] = times.get(term, 0) + n
    return worth.of(times, length / worth.typical / ANSWER)


SATURATION = 1.2  # how soon a word said again adds nothing
LENGTH = 0.75  # how much a long text has to say a word more often
RARE = 1.5  # power of a word's rarity: questions are full of "what did I", and have one or two words that tell


@dataclass(frozen=True, slots=True)
class Worth:
    """What each word of a question is worth to one Reader, as a share of all of them, and how long their Chunks are."""

    shares: Mapping[str, float]
    typical: float  # length of a Chunk

    def of(self, times: Mapping[str, int], chunks: float) -> float:
        """From 0 to 1, of a text as long as so many typical Chunks."""
        half, shares = SATURATION * (1 - LENGTH + LENGTH * chunks), self.shares
        total = 0.0
        for term, n in times.items():
            total += shares.get(term, 0.0) * n / (n + half)
        return total


def worth(terms: Iterable[str], known: Statistics) -> Worth:
    weights = {term: _rarity(known.having.get(term, 0), known.chunks) ** RARE for term in dict.fromkeys(terms)}
    typical = known.length / known.chunks if known.chunks and known.length else 1.0
    whole = sum(weights.values()) or 1.0
    return Worth({term: weight / whole for term, weight in weights.items()}, typical)


def _rarity(having: int, of: int) -> float:
    return math.log(1 + max(0.0, of - having + 0.5) / (having + 0.5)) if of else 0.0
