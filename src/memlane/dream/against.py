"""Which Memories deny each other? The newer with no worse evidence outdoes the older; else a person is asked.

`near` are pairs of ids with the cosine of what they say, by whichever model; what decides is what the claims say. One
that holds for less than the other (only for the docs, only in one folder) is an exception, and stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memlane.claims import names_of, opposed
from memlane.domain import LEAST_TRUSTED_LAST, Change, Doubt, Memory, Proposal, State
from memlane.dream.twins import Near, hold_alike

FAR_SURER = 20  # points of confidence that a newer one may not lack
OFTEN = 3  # times the older was seen, for each time the newer was: one slip does not undo a habit


def against(memories: Sequence[Memory], near: Near) -> Iterator[Proposal | Doubt]:
    """Each Memory gives way once; what is against two others is settled with the next Dream."""
    known = {memory.id: memory for memory in memories}
    settled = set[str]()
    for one, other, _cosine in sorted(near, key=lambda pair: (-pair[2], pair[0], pair[1])):
        pair = known.get(one), known.get(other)
        if pair[0] is None or pair[1] is None or {one, other} & settled:
            continue
        older, newer = sorted((pair[0], pair[1]), key=lambda memory: (memory.last_observed_at, memory.id))
        if hold_alike(older, newer) and _deny(older, newer):
            settled |= {one, other}
            yield _settled(older, newer)


def _deny(one: Memory, other: Memory) -> bool:
    return opposed(one.title, other.title, free=names_of(one.project))


def _settled(older: Memory, newer: Memory) -> Proposal | Doubt:
    if newer.state is State.ACTIVE and _no_worse(newer, older):
        return _outdone(older, newer, f"since {newer.last_observed_at:%Y-%m-%d}")
    if older.state is State.ACTIVE and newer.state is State.ACTIVE and _far_better(older, newer):
        return _outdone(newer, older, f"seen {older.times_observed} times")
    return Doubt((older.id, newer.id), f'"{newer.title}" ({_seen(newer)}) or "{older.title}" ({_seen(older)})?')


def _no_worse(newer: Memory, older: Memory) -> bool:
    if newer.last_observed_at <= older.last_observed_at or newer.confidence < older.confidence - FAR_SURER:
        return False
    return _rank(newer) <= _rank(older) and older.times_observed < OFTEN * newer.times_observed


def _far_better(older: Memory, newer: Memory) -> bool:
    return _rank(older) < _rank(newer) and older.times_observed >= OFTEN * newer.times_observed


def _rank(memory: Memory) -> int:
    return LEAST_TRUSTED_LAST.index(memory.trust)


def _outdone(loser: Memory, winner: Memory, because: str) -> Proposal:
    left = replace(loser, state=State.SUPERSEDED, superseded_by=winner.id)
    return Proposal(Change.SUPERSEDED, (winner, loser), (winner, left), f'"{winner.title}" holds, {because}')


def _seen(memory: Memory) -> str:
    return f"{memory.last_observed_at:%Y-%m-%d}, seen {memory.times_observed}"
