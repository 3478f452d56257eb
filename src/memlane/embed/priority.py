"""Who goes first when several want the same model, in this process and, by file locks, in others."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

from memlane.system.disk import private_folder


class Priority(IntEnum):
    """The lower, the sooner."""

    QUERY = 0  # somebody waits
    LIVE = 1  # it was said just now
    BULK = 2  # everything else


_CANNOT_WRITE = (errno.EROFS, errno.EACCES)
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)  # some mounts; there is nobody we could know of, then


class Turnstile:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def announced(self, priority: Priority) -> Generator[None, None, None]:
        """Everybody less urgent waits meanwhile, in every process of this home."""
        descriptor = self._opened(priority)
        if descriptor is None:
            yield
            return
        try:
            _lock(descriptor, fcntl.LOCK_SH)  # held against us only for the instant of somebody's look
            yield
        finally:
            os.close(descriptor)

    def taken(self, priority: Priority) -> bool:
        """Is somebody asking who is more urgent than this?"""
        return any(self._asked(urgent) for urgent in Priority if urgent < priority)

    def _asked(self, priority: Priority) -> bool:
        descriptor = self._opened(priority)
        if descriptor is None:
            return False
        try:
            _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def _opened(self, priority: Priority) -> int | None:
        """None where no file can be made: a query on a read-only disk has nobody to go before."""
        path = self._folder / f"embed-{priority.name.lower()}.lock"
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            if not self._folder.is_dir():
                private_folder(self._folder)
            return os.open(path, flags, 0o600)
        except OSError as error:
            if error.errno not in _CANNOT_WRITE:
                raise
            return None


def _lock(descriptor: int, how: int) -> None:
    try:
        fcntl.flock(descriptor, how)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
