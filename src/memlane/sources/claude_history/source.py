"""Claude Code deletes a transcript after 30 days, but `history.jsonl` keeps every line that was typed. What is left of
such a run is one side of it. Whether its own transcript is still somewhere, only the caller can tell."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from memlane.sources.claude_history.reading import PromptsReading, is_command, record_of
from memlane.sources.lines import LONGEST_LINE
from memlane.sources.records import Record, moment, text
from memlane.sources.source import Document, Line, Peek, Surroundings, Transcript, Unread

AGENT = "claude-code"  # what people see; the run's id is that of its transcript, should it ever come back
UNNAMED = "prompts-"  # lines of older builds do not name their session
PAUSE = timedelta(hours=1)  # between two of those: another run
LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class ClaudeHistory:
    """One Document per session: its lines exactly as they stand, wherever others stand between them."""

    name: str = "claude-history"
    title: str = "Claude Code's prompt history"

    def places(self, around: Surroundings) -> tuple[Path, ...]:  # noqa: ARG002 - a Source's signature
        return ()

    def recognise(self, path: PurePath) -> None:  # noqa: ARG002 - a Source's signature
        return None

    def accepts(self, record: Record) -> bool:
        return isinstance(record.get("display"), str) and "timestamp" in record and "project" in record

    def documents(self, path: Path) -> Iterator[Document | Unread]:
        with path.open("rb") as file:
            sessions = _Sessions()
            for spot, data in _lines(file):
                problem = sessions.add(spot, data)
                if problem:
                    yield Unread(f"line {spot.n}", problem)
            for native_id in sessions.spoken:
                lines = tuple(spot.of(file) for spot in sessions.spots[native_id])
                yield Document(Transcript(native_id), lines, self.peek(Line(1, line) for line in lines), AGENT)

    def peek(self, lines: Iterable[Line]) -> Peek:
        for line in islice(lines, LOOKED_AT):
            record = record_of(line)
            if not isinstance(record, str) and record:
                return Peek(started=moment(record.get("timestamp")), cwd=text(record.get("project")))
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> PromptsReading:  # noqa: ARG002
        return PromptsReading(lines)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a line stands: the file may be far larger than what is kept of it in memory."""

    n: int
    start: int
    size: int

    def of(self, file: BinaryIO) -> bytes:
        file.seek(self.start)
        return file.read(self.size).rstrip(b"\n")


def _lines(file: BinaryIO) -> Iterator[tuple[_Spot, bytes]]:
    """Every line; of one that is too long, nothing but where it is. The last may still be growing."""
    n, start = 0, 0
    while first := file.readline(LONGEST_LINE):
        n, size, last = n + 1, len(first), first
        while not last.endswith(b"\n") and (last := file.readline(LONGEST_LINE)):
            size += len(last)
        if last or first.rstrip().endswith(b"}"):
            yield _Spot(n, start, size), first if size == len(first) else b""
        start += size


@dataclass(slots=True)
class _Sessions:
    spots: dict[str, list[_Spot]] = field(default_factory=dict[str, list[_Spot]])
    spoken: dict[str, None] = field(default_factory=dict[str, None])  # those in which more than commands was typed
    _open: dict[str, tuple[str, datetime]] = field(default_factory=dict[str, tuple[str, datetime]])

    def add(self, spot: _Spot, data: bytes) -> str:
        """Which session a line is of; what is wrong with it, if it is of none."""
        record = record_of(Line(spot.n, data)) if data else f"a line of {spot.size:,} bytes"
        if isinstance(record, str):
            return record
        if record:
            native_id = text(record.get("sessionId")) or self._unnamed(record)
            self.spots.setdefault(native_id, []).append(spot)
            if not is_command(text(record.get("display"))):
                self.spoken[native_id] = None
        return ""

    def _unnamed(self, record: Record) -> str:
        """Lines of one project with no long pause between them are one run, known by when the first was typed."""
        project, at = text(record.get("project")), moment(record.get("timestamp"))
        native_id, before = self._open.get(project, ("", at))
        if not native_id or at is None or before is None or at - before > PAUSE:
            digest = hashlib.sha256(project.encode()).hexdigest()[:8]
            native_id = f"{UNNAMED}{digest}-{at.isoformat() if at else 'undated'}"
        if at is not None:
            self._open[project] = native_id, at
        return native_id
