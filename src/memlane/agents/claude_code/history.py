"""Prompts of runs whose transcripts Claude Code deleted after 30 days, from its `history.jsonl`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from memlane.agents.agent import Document, Line, Peek, Surroundings, Transcript, UnreadPart
from memlane.agents.builders import said
from memlane.agents.claude_code.notes import NOTES
from memlane.agents.lines import LONGEST_LINE
from memlane.agents.records import BrokenRecordError, Record, mapping, moment, records, text
from memlane.domain import Author, BrokenLine, Facts, Kind, Step, Turn
from memlane.domain.fence import is_our_command

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

    def usual_path(self, around: Surroundings) -> Path:
        return NOTES.home(around) / "history.jsonl"

    def recognise(self, path: PurePath) -> None:  # noqa: ARG002 - a Source's signature
        return None

    def accepts(self, record: Record) -> bool:
        return isinstance(record.get("display"), str) and "timestamp" in record and "project" in record

    def documents(self, path: Path) -> Iterator[Document | UnreadPart]:
        with path.open("rb") as file:
            sessions = _Sessions()
            for spot, data in _lines(file):
                problem = sessions.add(spot, data)
                if problem:
                    yield UnreadPart(f"line {spot.n}", problem)
            for native_id in sessions.spoken:
                lines = tuple(spot.of(file) for spot in sessions.spots[native_id])
                yield Document(Transcript(native_id), lines, self.peek(Line(1, line) for line in lines), AGENT)

    def peek(self, lines: Iterable[Line]) -> Peek:
        for line in islice(lines, LOOKED_AT):
            record = record_of(line)
            if not isinstance(record, str) and record:
                return Peek(started=moment(record.get("timestamp")), cwd=text(record.get("project")))
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> PromptsParser:  # noqa: ARG002
        return PromptsParser(lines)


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


ONLY_PROMPTS = "Claude Code has deleted this run's transcript: these are the lines that were typed in it"
TITLE = "Prompts only: "
MOST = 500  # names and broken lines kept
_PASTED = re.compile(r"\[Pasted text #(\d+)(?: \+\d+ lines)?\]")
_COMMAND = re.compile(r"/[a-z][\w:-]*(?=\s|$)")


def record_of(line: Line) -> Record | str:
    """The record of a line, an empty one of a blank line, or what is wrong with it."""
    try:
        found = records(line)
    except BrokenRecordError as error:
        return str(error)
    if found and not isinstance(found[0].get("display"), str):
        return "no `display`: nothing was typed"
    return found[0] if found else {}


def is_command(typed: str) -> bool:
    return _COMMAND.match(typed.strip()) is not None


def _only_prompts() -> list[Step]:
    return [said(Author.SYSTEM, Kind.META, ONLY_PROMPTS, None)]


@dataclass(slots=True)
class PromptsState:
    """All a reading knows where it stands."""

    first: str = ""
    cwd: str = ""
    commands: dict[str, None] = field(default_factory=dict[str, None])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    n: int = 0
    author: Author = Author.SYSTEM
    steps: list[Step] = field(default_factory=_only_prompts)


class PromptsParser:
    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self.state = PromptsState()

    def turns(self) -> Iterator[Turn]:
        state = self.state
        for line in self._lines:
            record = record_of(line)
            if isinstance(record, str):
                self._set_aside(BrokenLine(line.n, record))
                continue
            step = self._step(record, line.n)
            if step.kind is Kind.PROMPT and step.text.strip():
                yield _turn(state.n, state.author, state.steps)
                state.n, state.author, state.steps = state.n + 1, Author.PERSON, [step]
            elif step.text.strip():
                state.steps.append(step)
        yield _turn(state.n, state.author, state.steps)

    def facts(self) -> Facts:
        state = self.state
        title = TITLE + " ".join(state.first.split()) if state.first else ""
        return Facts(title=title, cwd=state.cwd, commands=tuple(state.commands), broken=tuple(state.broken))

    def _step(self, record: Record, line: int) -> Step:
        typed, state = _whole(record), self.state
        state.cwd = state.cwd or text(record.get("project"))
        command = _COMMAND.match(typed.strip())
        if command is None:
            state.first = state.first or typed
        elif len(state.commands) < MOST:
            state.commands[command[0]] = None
        kind = Kind.PROMPT if command is None else Kind.COMMAND
        step = said(Author.PERSON, kind, typed, moment(record.get("timestamp")))
        return replace(step, line=line, ours=step.ours or (typed.startswith("!") and is_our_command(typed[1:])))

    def _set_aside(self, broken: BrokenLine) -> None:
        if len(self.state.broken) < MOST:
            self.state.broken.append(broken)


def _whole(record: Record) -> str:
    """What was typed, with what was pasted where it was pasted: the line itself holds only its number."""
    pasted = dict(mapping(record.get("pastedContents")))

    def content(found: re.Match[str]) -> str:  # once each: a line must not grow to more than it holds
        return text(mapping(pasted.pop(found[1], None)).get("content")) or found[0]

    return _PASTED.sub(content, text(record.get("display")))


def _turn(n: int, author: Author, steps: list[Step]) -> Turn:
    numbered = tuple(replace(step, n=position) for position, step in enumerate(steps, 1))
    return Turn(n, author, numbered, numbered[0].at)


__all__ = ["AGENT", "UNNAMED", "ClaudeHistory"]
