"""Which rules a Dream thinks with, in their order, and what of this home each of them needs. They propose, no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane import dream
from memlane.domain import Doubt, Memory, Proposal
from memlane.dreaming import Near, Rule
from memlane.lane.checkouts import Checkouts
from memlane.lane.home import Home


def rules(home: Home) -> Sequence[Rule]:
    checkouts = Checkouts(home)

    def stale(memories: list[Memory], known: dream.Gathered, _near: Near) -> Iterator[Proposal | Doubt]:
        yield from dream.stale(_free(memories, known), checkouts.look)

    return (_twins, _against, _graduate, stale, _unwanted)


def _twins(memories: list[Memory], known: dream.Gathered, near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.twins(_free(memories, known), near())


def _against(memories: list[Memory], _known: dream.Gathered, near: Near) -> Iterator[Proposal | Doubt]:
    """All of them: one that must not be touched may still outdo another."""
    yield from dream.against(memories, near())


def _graduate(memories: list[Memory], known: dream.Gathered, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.graduate(_free(memories, known), known.now)


def _unwanted(memories: list[Memory], known: dream.Gathered, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.unwanted(_free(memories, known), known)


def _free(memories: Sequence[Memory], known: dream.Gathered) -> list[Memory]:
    """Those a Dream may change."""
    return [memory for memory in memories if memory.id not in known.untouched]
