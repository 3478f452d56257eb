"""How a Memory has served: proven after two Runs that went well. Pure; what a Run's outcome was is said elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memlane.domain.memory import Maturity, Memory

PROVEN_BY = 2  # Runs that went well
WORTH = 5  # points of confidence


def successes_left(outcomes: Iterable[bool]) -> int:
    """Outcomes of the Runs it was recalled in, oldest first: a failure takes one success away."""
    left = 0
    for success in outcomes:
        left = left + 1 if success else max(0, left - 1)
    return left


def credited(memory: Memory, outcomes: Iterable[bool]) -> Memory:
    """The Memory as it stands after them; the same one if nothing changes."""
    proven = successes_left(outcomes) >= PROVEN_BY
    if proven and memory.maturity is Maturity.CANDIDATE:
        return replace(memory, maturity=Maturity.PROVEN, confidence=min(100, memory.confidence + WORTH))
    if not proven and memory.maturity is Maturity.PROVEN:
        return replace(memory, maturity=Maturity.CANDIDATE, confidence=max(0, memory.confidence - WORTH))
    return memory
