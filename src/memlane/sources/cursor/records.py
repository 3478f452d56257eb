"""An agent transcript in JSON lines: roles and blocks, no times, no ids, no results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.domain import Author, BrokenLine, Facts, Kind, Relation, ToolCall, Turn
from memlane.sources.cursor.steps import CHANGING, Gathering, files_in, gathering
from memlane.sources.records import BrokenRecordError, Record, mapping, moment, plain, records, sequence, text
from memlane.sources.source import Line, Transcript

_TYPED = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_STAMP = re.compile(r"<timestamp>\s*(.*?)\s*</timestamp>", re.DOTALL)
_MOST = 500


def typed(words: str) -> str:
    """Only what stands inside `<user_query>` was typed; everything around it is context Cursor added."""
    found = _TYPED.findall(words)
    if found:
        return "\n".join(found)
    return "" if words.lstrip().startswith("<") else words.strip()


@dataclass(slots=True)
class RecordsState:
    """All a reading knows where it stands."""

    turn: Gathering
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    unknown: dict[str, int] = field(default_factory=dict[str, int])


class RecordsReading:
    """One pass; a Turn stays as it was read."""

    def __init__(self, lines: Iterable[Line], transcript: Transcript, state: RecordsState | None) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = state or RecordsState(gathering(transcript))

    def turns(self) -> Iterator[Turn]:
        for line in self._lines:
            try:
                found = records(line)
            except BrokenRecordError as broken:
                if len(self.state.broken) < _MOST:
                    self.state.broken.append(BrokenLine(line.n, str(broken)))
                continue
            for record in found:
                yield from self._take(record, line.n)
        yield from self.state.turn.finished()

    def _take(self, record: Record, line: int) -> Iterator[Turn]:
        blocks = [mapping(block) for block in sequence(mapping(record.get("message")).get("content"))]
        role = text(record.get("role"))
        if role == "user":
            said = "\n".join(text(block.get("text")) for block in blocks)
            stamp = _STAMP.search(said)
            words = typed(said)
            if words:
                yield from self.state.turn.prompt(words, line, f"line-{line}", moment(stamp[1]) if stamp else None)
            elif said.strip():
                self.state.turn.add(Author.SYSTEM, Kind.META, line, said)
        elif role == "assistant":
            for block in blocks:
                self._block(block, line)
        elif text(record.get("type")) != "turn_ended":
            kind = (role or text(record.get("type")))[:80] or "no role"
            self.state.unknown[kind] = self.state.unknown.get(kind, 0) + 1

    def _block(self, block: Record, line: int) -> None:
        kind, said = text(block.get("type")), text(block.get("text"))
        if kind == "text" and said.strip():
            self.state.turn.add(Author.AGENT, Kind.TEXT, line, said)
        elif kind == "tool_use":
            name, given = text(block.get("name")), mapping(plain(block.get("input")))
            call = ToolCall(name, given, "", files=files_in(given), changes=name in CHANGING)
            self.state.turn.add(Author.TOOL, Kind.TOOL_CALL, line, "", call=call)

    def facts(self) -> Facts:
        return Facts(
            parent_native_id=self._transcript.parent_native_id,
            relation=self._transcript.relation,
            headless=self._transcript.relation is Relation.SUBAGENT,
            unknown=dict(self.state.unknown),
            broken=tuple(self.state.broken),
        )
