"""Shipping that looks away: each leaves out a check that keeps two archives the same. The campaign must see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from campaigns.mutants import Mutant, put_in_place_of
from memlane.archive import Answer, FrameAnswer, Reception, ShipFrame
from memlane.archive.arrival import Arrival
from memlane.store.bucket import Bucket, ObjectSeen


def taken_without_a_write() -> AbstractContextManager[None]:
    """Every third piece is acknowledged and dropped."""
    whole, count = Reception.take, [0]

    def take(reception: Reception, one: ShipFrame) -> Arrival:
        count[0] += 1
        if count[0] % 3 == 0:
            size = one.head.start + len(one.data)
            said = FrameAnswer(Answer.TAKEN, one.head.run, one.head.n, one.head.name, size, one.head.after)
            return Arrival(said)
        return whole(reception, one)

    return put_in_place_of(Reception, "take", take)


def lines_without_a_fence() -> AbstractContextManager[None]:
    """Lines go behind whatever is there, also a second time."""

    def take(reception: Reception, one: ShipFrame) -> Arrival:
        path = reception.layout.journal / one.head.name
        size = path.stat().st_size if path.exists() else 0
        reception._append_lines(path, size, one.data)
        said = FrameAnswer(Answer.TAKEN, name=one.head.name, size=one.head.start + len(one.data))
        return Arrival(said)

    return put_in_place_of(Reception, "_take_lines", take)


def pieces_that_are_not_sent() -> AbstractContextManager[None]:
    """Every fourth piece is acknowledged before the store has it, and then it never gets it."""
    whole, count = Bucket.create, [0]

    def create(bucket: Bucket, name: str, data: Any) -> ObjectSeen | None:
        count[0] += name.endswith(".zst")
        if name.endswith(".zst") and count[0] % 4 == 0:
            return ObjectSeen(name, len(data), "", None)
        return whole(bucket, name, data)

    return put_in_place_of(Bucket, "create", create)


STORE_MUTANTS: Sequence[Mutant] = (Mutant(pieces_that_are_not_sent, "lost"),)

MUTANTS: Sequence[Mutant] = (
    Mutant(taken_without_a_write, "lost"),
    Mutant(lines_without_a_fence, "different"),
)
