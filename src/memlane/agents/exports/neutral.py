"""Neutral runs as a Source: JSON lines any program can write. Each run keeps its lines as they were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import Document, Line, Peek, Surroundings, Transcript, UnreadPart
from memlane.agents.exports.neutral_lines import LONGEST_NAME, RUN, NeutralParser, begins_a_run, record_of
from memlane.agents.exports.objects import LARGEST, ExportPart, parts
from memlane.agents.lines import LineStream
from memlane.agents.records import Record, moment, text
from memlane.domain import Relation

LOOKED_AT = 20  # lines that may stand before the first run


@dataclass(frozen=True, slots=True)
class Neutral:
    """Not an agent: the `agent` of a run is what people see, "neutral" if it names none."""

    name: str = "neutral"
    title: str = "neutral runs"

    def places(self, around: Surroundings) -> tuple[Path, ...]:  # noqa: ARG002 - a Source's signature
        return ()

    def recognise(self, path: PurePath) -> None:  # noqa: ARG002 - a Source's signature
        return None

    def accepts(self, record: Record) -> bool:
        return text(record.get("type")) == RUN and "id" in record

    def documents(self, path: Path) -> Iterator[Document | UnreadPart]:
        for part in parts(path):
            if any(begins_a_run(line) for line in islice(LineStream(part.pieces()), LOOKED_AT)):
                yield from _runs(part)

    def peek(self, lines: Iterable[Line]) -> Peek:
        for line in islice(lines, LOOKED_AT):
            record = record_of(line)
            if not isinstance(record, str) and text(record.get("type")) == RUN:
                return _peek(record)
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> NeutralParser:
        return NeutralParser(lines, transcript)


def _peek(run: Record) -> Peek:
    updated = moment(run.get("updated")) or moment(run.get("ended"))
    return Peek(moment(run.get("started")), text(run.get("cwd")), text(run.get("remote")), updated)


@dataclass(slots=True)
class _Run:
    """The lines of one run while they come in."""

    record: Record
    lines: list[bytes] = field(default_factory=list[bytes])
    size: int = 0

    def add(self, line: Line) -> None:
        self.size += len(line.data) + 1
        if self.size <= LARGEST:
            self.lines.append(line.data)
        else:
            self.lines.clear()

    def done(self, where: str, seen: set[str]) -> Document | UnreadPart:
        run = self.record
        native_id, agent = text(run.get("id"))[:LONGEST_NAME], text(run.get("agent")).strip()[:LONGEST_NAME]
        key = f"{agent}\0{native_id}"
        if key in seen:
            return UnreadPart(where, f"the run {native_id!r} stands in it more than once: the first was taken")
        seen.add(key)
        if self.size > LARGEST:
            return UnreadPart(where, f"the run {native_id!r} has {self.size:,} bytes; the most we take is {LARGEST:,}")
        relation = text(run.get("relation"))
        told = Transcript(native_id, text(run.get("parent")), Relation(relation) if relation else None, rewritten=True)
        return Document(told, tuple(self.lines), _peek(run), agent)


def _runs(part: ExportPart) -> Iterator[Document | UnreadPart]:
    """A line that breaks the rules stays with its run, and is named. One outside any run has nowhere to stay."""
    lines, run, seen, begun = LineStream(part.pieces()), None, set[str](), 0
    for line in lines:
        where = f"{part.name} line {line.n}".strip()
        record = record_of(line)
        if begins_a_run(line) and (isinstance(record, str) or text(record.get("type")) == RUN):
            if run is not None:
                yield run.done(f"{part.name} line {begun}".strip(), seen)
            run, begun = None if isinstance(record, str) else _Run(record), line.n
        if isinstance(record, str):
            yield UnreadPart(where, record)
        elif record and run is None:
            yield UnreadPart(where, f"a {text(record.get('type')) or 'line'} before any run that can be read")
        if run is not None and line.data.strip():
            run.add(line)
    if run is not None:
        yield run.done(f"{part.name} line {begun}".strip(), seen)
    yield from (UnreadPart(f"{part.name} line {one.line}".strip(), one.reason) for one in lines.broken)


__all__ = ["Neutral"]
