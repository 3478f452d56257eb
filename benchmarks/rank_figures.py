"""How good is a list? The usual figures of one ranked list against what is right, and their means."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Hashable, Mapping, Sequence

FIGURES = ("r1", "r5", "r10", "all5", "all10", "ndcg10", "mrr")


def figures(ranked: Sequence[Hashable], right: Collection[Hashable]) -> dict[str, float]:
    """r1, r5, r10: something right is among the first; all5, all10: everything right is."""
    places = [place for place, one in enumerate(ranked) if one in right]
    first = places[0] if places else math.inf
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(right))))
    return {
        "r1": float(first < 1),
        "r5": float(first < 5),
        "r10": float(first < 10),
        "all5": float(sum(place < 5 for place in places) == len(right)),
        "all10": float(sum(place < 10 for place in places) == len(right)),
        "ndcg10": gain / best if best else 0.0,
        "mrr": 1 / (first + 1),
    }


def mean_of(each: Sequence[Mapping[str, float] | None]) -> dict[str, float]:
    """Of those there is something to say about."""
    told = [one for one in each if one is not None]
    return {name: round(statistics.fmean(one[name] for one in told), 4) if told else 0.0 for name in FIGURES}


def rounded(value: float) -> str:
    return f"{value:.3f}"
