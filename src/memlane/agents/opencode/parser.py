"""Who wrote what in an OpenCode session, as Turns and Steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from memlane.agents.agent import Transcript
from memlane.agents.opencode.words import as_typed
from memlane.agents.records import Record, inner, mapping, moment, number, plain, text
from memlane.agents.rows import Rows, TableRow
from memlane.domain import Author, Facts, Kind, Relation, Step, Tokens, ToolCall, Turn
from memlane.domain.fence import holds_a_brief, is_our_command, is_our_tool

_CHANGING = frozenset({"edit", "write", "apply_patch", "patch", "multiedit"})
_PATHS = ("filePath", "path", "file_path")
_INTERRUPTED = "MessageAbortedError"
_NOT_WORDS = frozenset({"step-start", "step-finish", "snapshot", "patch", "retry", "file", "agent", "subtask"})


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One part of a message: its own JSON, and where it stands."""

    id: str
    data: Record
    line: int


class OpenCodeParser:
    """All rows are known before the first Turn: any of them may have changed since the last look."""

    append_only = False

    def __init__(self, rows: Rows, transcript: Transcript) -> None:
        self._rows = rows
        self._transcript = transcript
        sessions = rows.of("session")
        self._session: Record = sessions[-1].row if sessions else {}
        self._parts = _parts_by_message(rows)
        self._models: dict[str, None] = {}
        self._number = 0
        self._author = Author.SYSTEM
        self._at: datetime | None = None
        self._steps: list[Step] = []

    @property
    def _subagent(self) -> bool:
        return bool(text(self._session.get("parent_id"))) or self._transcript.relation is Relation.SUBAGENT

    def turns(self) -> Iterator[Turn]:
        for row in sorted(self._rows.of("message"), key=_made):
            message = mapping(inner(row.row.get("data")))
            parts = self._parts.get(text(row.row.get("id")), [])
            if message.get("role") == "user":
                yield from self._asked(row, message, parts)
            else:
                self._answered(row, message, parts)
        yield from self._finished()

    def _finished(self) -> Iterator[Turn]:
        if self._steps:
            yield Turn(self._number, self._author, tuple(self._steps), self._at)
            self._steps = []

    def _asked(self, row: TableRow, message: Record, parts: list[MessagePart]) -> Iterator[Turn]:
        typed = [p for p in parts if p.data.get("type") == "text" and p.data.get("synthetic") is not True]
        words = as_typed("\n".join(said for p in typed if (said := text(p.data.get("text")).strip())))
        if words:
            yield from self._finished()
            self._number += 1
            self._author = Author.PROGRAM if self._subagent else Author.PERSON
            self._at = _when(message)
            self._add(self._author, Kind.PROMPT, typed[0].line, text(row.row.get("id")), _when(message), words)
        for part in parts:
            if part not in typed and part.data.get("type") == "text":
                said = text(part.data.get("text"))
                self._add(Author.SYSTEM, Kind.META, part.line, part.id, _when(message), said, ours=holds_a_brief(said))

    def _answered(self, row: TableRow, message: Record, parts: list[MessagePart]) -> None:
        at, model = _when(message), text(message.get("modelID"))
        if model:
            self._models[model] = None
        for part in parts:
            self._part(part, message, at, model)
        error = mapping(message.get("error"))
        if error:
            name = text(error.get("name"))
            told = text(mapping(error.get("data")).get("message")) or name
            author, kind = (Author.PERSON, Kind.INTERRUPT) if name == _INTERRUPTED else (Author.SYSTEM, Kind.ERROR)
            self._add(author, kind, row.line, text(row.row.get("id")), at, told)

    def _part(self, part: MessagePart, message: Record, at: datetime | None, model: str) -> None:
        kind, said = text(part.data.get("type")), text(part.data.get("text"))
        if kind == "tool":
            call, ours = _call(part.data)
            self._add(Author.TOOL, Kind.TOOL_CALL, part.line, part.id, at, "", call=call, model=model, ours=ours)
        elif kind == "reasoning" and said.strip():
            self._add(Author.AGENT, Kind.THINKING, part.line, part.id, at, said, model=model)
        elif kind == "text" and said.strip():
            summed_up = message.get("summary") is True
            self._add(Author.AGENT, Kind.SUMMARY if summed_up else Kind.TEXT, part.line, part.id, at, said, model=model)
        elif kind not in _NOT_WORDS and kind not in ("text", "reasoning", "compaction"):
            self._rows.unknown[f"part {kind[:60]}"] += 1

    def _add(  # noqa: PLR0913 - a Step is made in one place
        self,
        author: Author,
        kind: Kind,
        line: int,
        native_id: str,
        at: datetime | None,
        words: str,
        *,
        call: ToolCall | None = None,
        model: str = "",
        ours: bool = False,
    ) -> None:
        number = len(self._steps) + 1
        self._steps.append(Step(number, author, kind, line, words, call, at, native_id, model, ours))

    def facts(self) -> Facts:
        session = self._session
        title = text(session.get("title"))
        return Facts(
            title="" if title.startswith(("New session - ", "Child session - ")) else title,
            cwd=text(session.get("directory")),
            version=text(session.get("version")),
            models=tuple(self._models),
            tokens=Tokens(
                number(session.get("tokens_input")),
                number(session.get("tokens_output")),
                number(session.get("tokens_cache_read")),
            ),
            cost=float(cost) if isinstance(cost := session.get("cost"), int | float) else 0.0,
            parent_native_id=text(session.get("parent_id")) or self._transcript.parent_native_id,
            relation=Relation.SUBAGENT if self._subagent else None,
            headless=self._subagent,
            unknown=dict(self._rows.unknown),
            broken=tuple(self._rows.broken),
        )


def _parts_by_message(rows: Rows) -> dict[str, list[MessagePart]]:
    found: dict[str, list[MessagePart]] = {}
    for row in sorted(rows.of("part"), key=_made):
        part = MessagePart(text(row.row.get("id")), mapping(inner(row.row.get("data"))), row.line)
        found.setdefault(text(row.row.get("message_id")), []).append(part)
    return found


def _made(row: TableRow) -> tuple[int, int]:
    """By the time it was made; the file tree has none for parts, and there the order of lines is that of their ids."""
    return number(row.row.get("time_created")), row.line


def _when(message: Record) -> datetime | None:
    return moment(mapping(message.get("time")).get("created"))


def _call(data: Record) -> tuple[ToolCall, bool]:
    name, state = text(data.get("tool")), mapping(data.get("state"))
    given = mapping(plain(state.get("input")))
    result = text(state.get("output")) or text(state.get("error"))
    exit_code = mapping(state.get("metadata")).get("exit")
    failed = state.get("status") == "error" or name == "invalid" or exit_code not in (None, 0)
    files = tuple(dict.fromkeys(path for key in _PATHS if (path := text(given.get(key)))))
    ours = is_our_tool(name) or is_our_command(text(given.get("command"))) or holds_a_brief(result)
    return ToolCall(name, given, result, failed, files, name in _CHANGING), ours
