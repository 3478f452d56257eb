"""What was captured, when and by whom: one line for each run that grew. For people; nothing depends on it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from memlane.system.disk import private_folder

NAME = "capture.jsonl"
LARGEST = 2_000_000  # bytes; then the older half goes


class CapturedLine(msgspec.Struct, frozen=True):
    """One run and what one look added to it."""

    at: datetime
    run: str
    agent: str
    machine: str
    generation: int
    bytes: int
    turns: int
    by: str  # hook, watch, tick, agent, import, command, hand (a person named the files)


class CaptureDiary:
    """In `$LANE_HOME/log/`. A disk that takes no line stops no capture."""

    def __init__(self, home: Path) -> None:
        self._path = home / "log" / NAME

    def add(self, lines: Iterable[CapturedLine]) -> None:
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        if not data:
            return
        with suppress(OSError):
            private_folder(self._path.parent)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(data)
                too_large = file.tell() > LARGEST
            if too_large:
                kept = self._path.read_bytes()[-LARGEST // 2 :]
                self._path.write_bytes(kept[kept.find(b"\n") + 1 :])

    def lines(self) -> Sequence[CapturedLine]:
        """Oldest first; a line that is no line (a kill, half of it cut off) is passed over."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return []
        found = list[CapturedLine]()
        for line in data.splitlines():
            with suppress(msgspec.DecodeError, msgspec.ValidationError):
                found.append(msgspec.json.decode(line, type=CapturedLine))
        return found
