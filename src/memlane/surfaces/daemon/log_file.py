"""The daemon's log: one line for each thing that somebody may want to know later, and never too many."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memlane.domain.door import one_line

LARGEST = 1_000_000  # bytes; then it is put aside
KEPT = 2
LONGEST_LINE = 500


class LogFile:
    def __init__(self, home: Path) -> None:
        self._path = home / "log" / "daemon.log"

    def write(self, level: str, text: str) -> None:
        """A disk that takes no line must not stop the work the line is about."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = f"{at} {level} {one_line(text)[:LONGEST_LINE]}\n"
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, line.encode("utf-8", "replace"))
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
            if size > LARGEST:
                self._put_aside()

    def _put_aside(self) -> None:
        for number in range(KEPT, 1, -1):
            with suppress(FileNotFoundError):
                self._path.with_suffix(f".{number - 1}.log").replace(self._path.with_suffix(f".{number}.log"))
        self._path.replace(self._path.with_suffix(".1.log"))
