"""How well words fit a text: BM25 from plain numbers, as a share of what the words could reach. Knows no storage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlane.storage import Statistics

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
