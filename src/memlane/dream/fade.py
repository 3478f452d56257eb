"""What nobody uses becomes less sure, slowly, by its last use and not by its age; used or seen again, it has all of it
back. What was found wanting twice and not missed since is retired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from memlane.domain import Change, Memory, Proposal, State
from memlane.dream.gather import Gathered

UNUSED = timedelta(days=90)  # nothing fades before
A_POINT = timedelta(days=30)  # of confidence, for each month that follows
LEAST = 40  # what is less sure than this would not have been kept in the first place
UNWANTED = -2  # votes


def fade(memories: list[Memory], known: Gathered) -> Iterator[Proposal]:
    """Lower by what is missing since its last use, or back where it was."""
    for memory in memories:
        if memory.state is not State.ACTIVE:
            continue
        lost = known.past.faded.get(memory.id, 0)
        whole = min(100, memory.confidence + lost)
        due = min(_points(memory, known), max(0, whole - LEAST))
        if due != lost:
            yield Proposal(Change.FADED, (memory,), (replace(memory, confidence=whole - due),), _said(due, lost))


def unwanted(memories: list[Memory], known: Gathered) -> Iterator[Proposal]:
    for memory in memories:
        votes, idle = known.votes.get(memory.id, 0), known.now - known.last_used(memory)
        if votes <= UNWANTED and idle >= UNUSED:
            because = f"not used for {idle.days} days, and found not useful {-votes} times"
            yield Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED),), because)


def _points(memory: Memory, known: Gathered) -> int:
    return max(0, (known.now - known.last_used(memory) - UNUSED) // A_POINT)


def _said(due: int, lost: int) -> str:
    if due < lost:
        return "it is used again"
    return f"nobody used it for {UNUSED.days + due * A_POINT.days} days"
