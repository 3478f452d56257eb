"""Agent transcripts in files: JSON lines without times, ids or results, and older ones in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.agents.agent import Line, Transcript
from memlane.agents.cursor.steps import CHANGING, OpenTurn, files_in, gathering
from memlane.agents.records import BrokenRecordError, Record, mapping, moment, plain, records, sequence, text
from memlane.domain import Author, BrokenLine, Facts, Kind, Relation, ToolCall, Turn

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

    turn: OpenTurn
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    unknown: dict[str, int] = field(default_factory=dict[str, int])


class TranscriptParser:
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


_MARK = re.compile(r"^\[(Thinking|Tool call|Tool result)\]\s*(.*)$")
_ARGUMENT = re.compile(r"^ {2}(\w+): (.*)$")


@dataclass(slots=True)
class TextState:
    """All a reading knows where it stands: the Turn, and what is being said in it."""

    turn: OpenTurn
    speaker: str = ""
    kind: str = ""
    name: str = ""
    words: list[str] = field(default_factory=list[str])
    given: dict[str, object] = field(default_factory=dict[str, object])
    begun: int = 1


class TextParser:
    """One pass; a Turn stays as it was read."""

    def __init__(self, lines: Iterable[Line], transcript: Transcript, state: TextState | None) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = state or TextState(gathering(transcript))

    def turns(self) -> Iterator[Turn]:
        for line in self._lines:
            words = line.data.decode("utf-8", "replace").replace("\0", "\ufffd").rstrip("\r")
            mark = _MARK.match(words) if self.state.speaker == "assistant" else None
            if words in ("user:", "assistant:"):
                yield from self._said()
                self._begin(words[:-1], "", "", line.n)
            elif mark:
                yield from self._said()
                self._begin("assistant", mark[1], mark[2].strip(), line.n)
            elif self.state.kind == "Tool call" and (argument := _ARGUMENT.match(words)):
                self.state.given[argument[1]] = argument[2]
            else:
                self.state.words.append(words)
        yield from self._said()
        yield from self.state.turn.finished()

    def _begin(self, speaker: str, kind: str, name: str, line: int) -> None:
        state = self.state
        state.speaker, state.kind, state.name, state.begun = speaker, kind, name, line
        state.words = [name] if kind == "Thinking" and name else []
        state.given = {}

    def _said(self) -> Iterator[Turn]:
        state = self.state
        words = "\n".join(state.words).strip()
        if state.speaker == "user":
            prompt = typed(words)
            if prompt:
                yield from state.turn.prompt(prompt, state.begun, f"line-{state.begun}", None)
        elif state.kind == "Tool call":
            call = ToolCall(state.name, state.given, "", files=files_in(state.given), changes=state.name in CHANGING)
            state.turn.add(Author.TOOL, Kind.TOOL_CALL, state.begun, "", call=call)
            if words:
                state.turn.add(Author.AGENT, Kind.TEXT, state.begun, words)
        elif words and state.speaker:
            state.turn.add(Author.AGENT, Kind.THINKING if state.kind == "Thinking" else Kind.TEXT, state.begun, words)

    def facts(self) -> Facts:
        return Facts(parent_native_id=self._transcript.parent_native_id, relation=self._transcript.relation)
