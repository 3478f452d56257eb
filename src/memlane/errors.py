"""Everything that can go wrong on purpose, each with the exit code a shell sees and a hint a person can act on.

LaneError                 1   failed
├── UsageError            2   wrong usage, ambiguous id
├── NotFoundError         2   no such run, memory, recall
├── NotSetUpError         3   no home here yet, or the index is missing
├── NotAllowedError       4   another reader's
│   └── HeldError            4   a hold keeps it from being deleted
├── UnreachableError      5   the other machine or service does not answer
│   └── StoreAwayError    5   the object store with the archive does not answer
├── PartlyDoneError       6   some things were set aside; the rest is done
├── BusyError             7   another process holds the lock
│   └── OvertakenError    7   another process wrote that file of the archive first
├── UnreadError           1   a window was not read: the model failed, refused or answered nonsense; it stays open
├── DamagedError          1   bytes do not match their digest
├── SmallerWorldError     1   a rebuild would lose what is missing from the archive
├── IndexDamagedError     1   what is derived cannot be read; the archive can
│   └── VectorsDamagedError  1   vectors cannot be read; words can
└── ClosedGateError       1   the scanner could not run, so nothing passes
"""

from __future__ import annotations


class LaneError(Exception):
    """The base: `kind` is the contract for programs, `exit_code` for shells."""

    kind = "failed"
    exit_code = 1
    retryable = False

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(LaneError):
    """The request is invalid."""

    kind = "usage"
    exit_code = 2


class NotFoundError(LaneError):
    """No such id or number, or this reader cannot see it."""

    kind = "not-found"
    exit_code = 2


class NotSetUpError(LaneError):
    """There is no home here yet, or its index is missing."""

    kind = "not-set-up"
    exit_code = 3


class NotAllowedError(LaneError):
    """It exists, but this reader may not see it."""

    kind = "not-allowed"
    exit_code = 4


class HeldError(NotAllowedError):
    """A hold keeps it from being deleted."""

    kind = "held"


class UnreachableError(LaneError):
    """Another machine or service does not answer."""

    kind = "unreachable"
    exit_code = 5
    retryable = True


class StoreAwayError(UnreachableError):
    """The object store that holds the archive does not answer. Nothing that was acknowledged is lost."""

    kind = "store-away"


class PartlyDoneError(LaneError):
    """Some items were set aside and named; the rest is done."""

    kind = "partly-done"
    exit_code = 6


class BusyError(LaneError):
    """Another process holds the write lock."""

    kind = "busy"
    exit_code = 7
    retryable = True


class OvertakenError(BusyError):
    """Another process wrote the same file of the archive first. Nothing of ours was written."""

    kind = "overtaken"


class DamagedError(LaneError):
    """Bytes in the archive do not match their checksum."""

    kind = "damaged"


class SmallerWorldError(LaneError):
    """A rebuild would lose something, and nobody has accepted that."""

    kind = "would-lose"


class IndexDamagedError(LaneError):
    """The index cannot be read. Nothing is lost: it can be rebuilt."""

    kind = "index-damaged"


class VectorsDamagedError(IndexDamagedError):
    """The vectors of a model are missing or damaged. Words still answer, and a tick computes the vectors again."""

    kind = "vectors-damaged"


class ClosedGateError(LaneError):
    """The secret scanner could not run; nothing passes without it."""

    kind = "gate-closed"


class UnreadError(LaneError):
    """The answer is missing, refused, cut off or invalid. This is not the same as "nothing found"."""

    kind = "unread"
    exit_code = 1
    retryable = True
