"""Steps gathered into Turns, for every kind of Cursor transcript alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.agent import Transcript
from memlane.agents.records import Record, text
from memlane.domain import Author, Kind, Relation, Step, ToolCall, Turn
from memlane.domain.fence import holds_a_brief, is_our_command, is_our_tool

CHANGING = frozenset(
    {
        "edit_file",
        "search_replace",
        "write",
        "apply_patch",
        "delete_file",
        "StrReplace",
        "Write",
        "ApplyPatch",
        "Delete",
    }
)
_PATHS = ("path", "target_file", "relativeWorkspacePath", "file_path", "targetFile")


@dataclass(slots=True)
class OpenTurn:
    """The Turn being read; a prompt ends it and begins the next."""

    _asker: Author
    _number: int = 0
    _author: Author = Author.SYSTEM
    _at: datetime | None = None
    _steps: list[Step] = field(default_factory=list[Step])

    def prompt(self, words: str, line: int, native_id: str, at: datetime | None) -> Iterator[Turn]:
        yield from self.finished()
        self._number, self._author, self._at = self._number + 1, self._asker, at
        self.add(self._asker, Kind.PROMPT, line, words, native_id=native_id, at=at)

    def add(
        self,
        author: Author,
        kind: Kind,
        line: int,
        words: str,
        *,
        native_id: str = "",
        at: datetime | None = None,
        call: ToolCall | None = None,
    ) -> None:
        ours = holds_a_brief(words) if call is None else _is_ours(call)
        self._steps.append(Step(len(self._steps) + 1, author, kind, line, words, call, at, native_id, "", ours))

    def finished(self) -> Iterator[Turn]:
        if self._steps:
            yield Turn(self._number, self._author, tuple(self._steps), self._at)
            self._steps = []


def gathering(transcript: Transcript) -> OpenTurn:
    return OpenTurn(Author.PROGRAM if transcript.relation is Relation.SUBAGENT else Author.PERSON)


def _is_ours(call: ToolCall) -> bool:
    return is_our_tool(call.name) or is_our_command(text(call.input.get("command"))) or holds_a_brief(call.result)


def files_in(given: Record) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for key in _PATHS if (path := text(given.get(key)))))
