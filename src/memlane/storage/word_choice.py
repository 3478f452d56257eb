"""Which few of the Chunks with some of the terms: the same in both engines, so that both choose the same.

An engine finds a few more than are wanted by its own rough scores; the last cut is made here, by the exact ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from memlane.storage.values import Key, Statistics

DIGITS = 9  # that sums of the same numbers have in common
ROUGH_DIGITS = 4  # that rough scores of the same numbers have in common: single precision, added in any order

NEAR_ENOUGH = 2  # letters that a meant word may be longer or shorter
MOST_NEAR = 4_000

C = TypeVar("C")


def wider(limit: int) -> int:
    """So many are found by rough scores, of which those near the end may stand in another order."""
    return limit + limit // 8 + 16


def rarity(having: int, of: int) -> float:
    return math.log(1 + (max(of, having) - having + 0.5) / (having + 0.5))


def best(
    counted: Mapping[C, tuple[Mapping[str, int], int]],
    known: Statistics,
    limit: int,
    keys_of: Callable[[Sequence[C]], Mapping[C, Key]],
) -> list[C]:
    """Chunk → how often each term stands in it, and its length. Of those as good as the last one, by their keys."""
    if len(counted) <= limit:
        return list(counted)
    usual = max(1.0, known.length / max(1, known.chunks))
    weights = {term: rarity(n, known.chunks) for term, n in known.having.items()}

    def worth(one: C) -> float:
        times, length = counted[one]
        norm = 1.2 * (0.25 + 0.75 * length / usual)
        return round(sum(weights.get(term, 0.0) * times[term] / (times[term] + norm) for term in sorted(times)), DIGITS)

    scores = {one: worth(one) for one in counted}
    least = sorted(scores.values(), reverse=True)[limit - 1]
    better = [one for one, score in scores.items() if score > least]
    keys = keys_of([one for one, score in scores.items() if score == least])
    return better + sorted(keys, key=lambda one: keys[one])[: limit - len(better)]


def nearest_terms(term: str, having: Mapping[str, int]) -> list[tuple[str, int]]:
    """Of terms with the Chunks that have them: what a misspelt word may have meant, the commonest first."""
    near = [(word, n) for word, n in having.items() if n > 0 and abs(len(word) - len(term)) <= NEAR_ENOUGH]
    return sorted(near, key=lambda one: (-one[1], one[0]))[:MOST_NEAR]
