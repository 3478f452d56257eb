"""Shipping that looks away: each leaves out a check that keeps two archives the same. The campaign must see it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from campaigns.mutants import Mutant, put_in_place_of
from memlane.app.arrivals import Arrivals
from memlane.app.capture import sweep
from memlane.archive import Answer, FrameAnswer, Reception, ShipFrame, frame
from memlane.archive.arrival import Arrival
from memlane.archive.frame import FrameHead
from memlane.store.bucket import Bucket, ObjectSeen

DROPPED = "abcdefghijklm"  # a run's id ends in a letter or in one of six digits


def taken_without_a_write() -> AbstractContextManager[None]:
    """Pieces of every second run or so are acknowledged and dropped."""
    whole = Reception.take

    def take(reception: Reception, one: ShipFrame) -> Arrival:
        if one.head.run and one.head.run[-1] in DROPPED:
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
    """Every fourth piece of a run is acknowledged before the store has it, and then it never gets it."""
    whole, count = Bucket.create, [0]

    def create(bucket: Bucket, name: str, data: Any) -> ObjectSeen | None:
        of_a_run = "/runs/" in name and name.endswith(".zst")
        count[0] += of_a_run
        if of_a_run and count[0] % 4 == 0:
            return ObjectSeen(name, len(data), "", None)
        return whole(bucket, name, data)

    return put_in_place_of(Bucket, "create", create)


class _KnownHead(FrameHead, frozen=True, forbid_unknown_fields=True):
    pass


def heads_of_this_version_alone() -> AbstractContextManager[None]:
    """What a later version adds is an error."""
    return put_in_place_of(frame, "FrameHead", _KnownHead)


@contextmanager
def arrivals_that_no_worker_hears_of() -> Generator[None]:
    """Nothing is marked, and nobody ever compares the archive with the index."""
    with (
        put_in_place_of(Arrivals, "_mark", lambda _arrivals, _here: None),
        put_in_place_of(sweep, "find_work", lambda _tools: None),
    ):
        yield


STORE_MUTANTS: Sequence[Mutant] = (Mutant(pieces_that_are_not_sent, "lost"),)

MUTANTS: Sequence[Mutant] = (
    Mutant(taken_without_a_write, "lost"),
    Mutant(lines_without_a_fence, "different"),
    Mutant(heads_of_this_version_alone, "unclean"),
    Mutant(arrivals_that_no_worker_hears_of, "unfound"),
)
