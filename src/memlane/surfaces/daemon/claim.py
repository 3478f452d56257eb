"""The right to answer for one home: a lock held for life, and an epoch that only grows. Knows nothing it protects."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

NAME = "daemon.lock"
PATIENCE = 3.0  # seconds: a daemon that is leaving has 2 to finish
_PAUSE = 0.02
_LENGTH = 160  # written over in place, so that it fits on a full disk


class Claim:
    """Held until `release` or the end of the process. An old pid in the file never matters: the kernel has the lock."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self.epoch = max(_epoch(descriptor) + 1, int(time.time()))  # grows even if the folder was emptied
        line = json.dumps({"epoch": self.epoch, "pid": os.getpid(), "since": int(time.time())})
        self._line = line.ljust(_LENGTH).encode()
        os.pwrite(descriptor, self._line, 0)

    def ours(self) -> bool:
        """Asked before every write: a process that was frozen for a day may not be the daemon any more."""
        try:
            now, mine = self._path.stat(), os.fstat(self._descriptor)
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino) and self._reads() == self._line

    def _reads(self) -> bytes:
        return os.pread(self._descriptor, _LENGTH, 0)

    def release(self) -> None:
        os.close(self._descriptor)


def claim(folder: Path, answered: Callable[[], bool], patience: float = PATIENCE) -> Claim | None:
    """None when another daemon answers for this home. One that is on its way out is waited for."""
    path, until = folder / NAME, time.monotonic() + patience
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if _lock(descriptor) and _same(path, descriptor):
            return Claim(path, descriptor)
        os.close(descriptor)
        if answered() or time.monotonic() >= until:
            return None
        time.sleep(_PAUSE)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Whether the file we locked is still the one of that name."""
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _epoch(descriptor: int) -> int:
    try:
        return int(json.loads(os.pread(descriptor, _LENGTH, 0))["epoch"])
    except (KeyError, TypeError, ValueError):
        return 0
