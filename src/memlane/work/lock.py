"""One writer at a time: a lock on a file, held for one unit of work, released by the kernel whatever happens."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from memlane.errors import BusyError
from memlane.system.disk import private_folder

_PAUSE = 0.02
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


class WriteLock:
    """Taken and given back around each unit of work, so that nobody waits for more than one of them."""

    def __init__(self, path: Path, during: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        self.fence: Callable[[], bool] = lambda: True  # asked with the lock in hand: may we still write at all?
        self._path = path
        self._during = during  # what else holds while it is held
        self._depth = 0
        self._descriptor = -1

    @contextmanager
    def held(self, patience: float = 10.0) -> Generator[None, None, None]:
        if self._depth == 0:
            self._descriptor = take(self._path, patience)
            if not self.fence():
                os.close(self._descriptor)
                raise BusyError("another process is writing to this home", hint="lane daemon status")
        self._depth += 1
        try:
            with self._during() if self._depth == 1 else nullcontext():
                yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                os.close(self._descriptor)


def take(path: Path, patience: float) -> int:
    """The open, locked file. Its content names the holder, for people; the lock itself is the kernel's."""
    private_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                holder = os.pread(descriptor, 100, 0).decode("utf-8", "replace").strip()
                os.close(descriptor)
                raise BusyError(
                    f"another process ({holder or 'unknown'}) is writing",
                    hint="try again, or if it hangs: lane daemon restart",
                ) from None
            time.sleep(_PAUSE)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(descriptor)
                raise
            return descriptor  # a mount without locks: there is nobody to wait for that we could know of
        else:
            with suppress(OSError):  # the name is for people: a full disk must not keep the lock from being given back
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, f"pid {os.getpid()}".encode(), 0)
            return descriptor
