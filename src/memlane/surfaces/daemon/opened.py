"""The home as it is now: a setting that a person changes holds from the next question on. Each thread has its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memlane.app import Lane
from memlane.config import load

Signature = tuple[int, int, int] | None


class Opened:
    """A Lane that is opened again when its settings have changed. It writes only while `may_write` says so."""

    def __init__(self, may_write: Callable[[], bool], begin: Callable[[Lane], None] = lambda _lane: None) -> None:
        self.config = load()  # the last one that could be read
        self._begin = begin  # whenever one is opened
        self._may_write = may_write
        self._lane: Lane | None = None
        self._read: Signature = None

    def lane(self) -> Lane:
        now = signature(self.config.file)
        if self._lane is not None and now == self._read:
            return self._lane
        self.close()
        self.config, self._read = load(), now
        self._lane = Lane(self.config)
        self._lane.home.lock.fence = self._may_write
        self._begin(self._lane)
        return self._lane

    def close(self) -> None:
        if self._lane is not None:
            self._lane.close()
            self._lane = None


def signature(path: Path) -> Signature:
    """Changes whenever the file is written or replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
