"""A pattern that was seen often enough is a commitment. It says how often; the pattern stays behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memlane.domain import Change, Memory, Proposal, State, Type, derived_id

ENOUGH = 3  # times it was seen, in as many Runs


def graduate(memories: list[Memory], now: datetime) -> Iterator[Proposal]:
    for memory in memories:
        runs = {evidence.run for evidence in memory.evidence if evidence.run}
        ripe = memory.type is Type.PATTERN_SEED and memory.state is State.ACTIVE
        if ripe and min(memory.times_observed, len(runs)) >= ENOUGH:
            made = _commitment(memory, now)
            left = replace(memory, state=State.SUPERSEDED, superseded_by=made.id)
            because = f"seen {memory.times_observed} times in {len(runs)} runs"
            yield Proposal(Change.GRADUATED, (memory,), (left, made), because)


def _commitment(seed: Memory, now: datetime) -> Memory:
    first, last = seed.first_observed_at.date(), seed.last_observed_at.date()
    how_often = f"Seen {seed.times_observed} times, from {first} to {last}."
    return replace(
        seed,
        id=derived_id("m", seed.id, Type.COMMITMENT.value),
        type=Type.COMMITMENT,
        content=f"{seed.content.rstrip()}\n\n{how_often}".lstrip(),
        saved_at=now,
        recall_count=0,
        reasoning=f"It was seen {seed.times_observed} times. {seed.reasoning}".rstrip(),
    )
