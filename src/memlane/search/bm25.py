"""How well words fit a text: BM25 from plain numbers, as a share of what the words could reach. Knows no storage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlane.storage import Statistics

SATURATION = 1.2  # how soon a word said again adds nothing
LENGTH = 0.75  # how much a long text has to say a word more often


@dataclass(frozen=True, slots=True)
class Worth:
    """What each word of a question is worth to one Reader, and how long their Chunks are."""

    weights: Mapping[str, float]
    typical: float  # length of a Chunk
    most: float  # what a text could reach that says every word again and again

    def of(self, times: Mapping[str, int], length: float) -> float:
        """From 0 to 1."""
        if not self.most:
            return 0.0
        half = SATURATION * (1 - LENGTH + LENGTH * length / self.typical)
        return sum(self.weights.get(term, 0.0) * n / (n + half) for term, n in times.items()) / self.most


def worth(terms: Iterable[str], known: Statistics) -> Worth:
    weights = {term: _rarity(known.having.get(term, 0), known.chunks) for term in dict.fromkeys(terms)}
    typical = known.length / known.chunks if known.chunks and known.length else 1.0
    return Worth(weights, typical, sum(weights.values()))


def _rarity(having: int, of: int) -> float:
    return math.log(1 + (of - having + 0.5) / (having + 0.5)) if of else 0.0
