"""A process that is killed before the n-th change to its disk or its store, or whose disk is full from there on: the
same seed strikes at the same place."""

from __future__ import annotations

import errno
import mmap
import os
import signal
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any

from campaigns.mutants import put_in_place_of
from memlane.store.bucket import Bucket
from memlane.system.disk import Disk

CHANGES = ("write", "truncate", "sync", "rename", "unlink")
REQUESTS = ("create", "swap", "delete")  # that change an object store
_SIZE, _FULL = 8, 8  # bytes of the count; where it says what comes at its end


class Countdown:
    """Shared with the processes that are forked later: one sets it, another counts."""

    def __init__(self) -> None:
        self._left = mmap.mmap(-1, _SIZE + 1)

    @contextmanager
    def at(self, changes: int) -> Generator[None]:
        """Whoever counts meanwhile is killed after so many."""
        self._set(changes + 1)
        try:
            yield
        finally:
            self._set(0)

    @contextmanager
    def full(self, changes: int) -> Generator[None]:
        """Whoever counts meanwhile has no room left after so many."""
        self._left[_FULL] = 1
        try:
            with self.at(changes):
                yield
        finally:
            self._left[_FULL] = 0

    @contextmanager
    def counting(self) -> Generator[None]:
        """In the process that may be killed."""
        with ExitStack() as stack:
            for place, names in ((Disk, CHANGES), (Bucket, REQUESTS)):
                for name in names:
                    stack.enter_context(put_in_place_of(place, name, self._counted(name, getattr(place, name))))
            yield

    def _counted(self, name: str, change: Any) -> Any:
        def counted(*given: Any, **named: Any) -> Any:
            self._count(name)
            return change(*given, **named)

        return counted

    def _count(self, change: str) -> None:
        left = int.from_bytes(self._left[:_SIZE], "big")
        if left == 1 and not self._left[_FULL]:
            os.kill(os.getpid(), signal.SIGKILL)
        if left == 1 and change == "write":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if left > 1:
            self._set(left - 1)

    def _set(self, left: int) -> None:
        self._left[:_SIZE] = left.to_bytes(_SIZE, "big")
