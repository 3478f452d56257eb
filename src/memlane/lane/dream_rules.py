"""Which rules a Dream thinks with, in their order, and what of this home each of them needs. They propose, no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane import dream
from memlane.domain import Doubt, Memory, Proposal
from memlane.dreaming import Near, Rule
from memlane.lane.home import Home


def rules(_home: Home) -> Sequence[Rule]:
    return (_graduate, _unwanted)


def _graduate(memories: list[Memory], known: dream.Gathered, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.graduate(_free(memories, known), known.now)


def _unwanted(memories: list[Memory], known: dream.Gathered, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.unwanted(_free(memories, known), known)


def _free(memories: Sequence[Memory], known: dream.Gathered) -> list[Memory]:
    """Those a Dream may change."""
    return [memory for memory in memories if memory.id not in known.untouched]
