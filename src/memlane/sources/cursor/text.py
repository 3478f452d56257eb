"""An agent transcript as plain text: `user:` and `assistant:` alone on a line begin what each said.

There is no escaping: a quoted line `user:` splits, and where a call's arguments end is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memlane.domain import Author, Facts, Kind, Relation, ToolCall, Turn
from memlane.sources.cursor.records import typed
from memlane.sources.cursor.steps import CHANGING, Gathering, files_in
from memlane.sources.source import Line, Transcript

_MARK = re.compile(r"^\[(Thinking|Tool call|Tool result)\]\s*(.*)$")
_ARGUMENT = re.compile(r"^ {2}(\w+): (.*)$")


class TextReading:
    """One pass; a Turn stays as it was read."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self._turn = Gathering(subagent=transcript.relation is Relation.SUBAGENT)
        self._speaker = ""
        self._kind = ""
        self._name = ""
        self._words: list[str] = []
        self._given: dict[str, object] = {}
        self._begun = 1

    def turns(self) -> Iterator[Turn]:
        for line in self._lines:
            words = line.data.decode("utf-8", "replace").replace("\0", "\ufffd").rstrip("\r")
            mark = _MARK.match(words) if self._speaker == "assistant" else None
            if words in ("user:", "assistant:"):
                yield from self._said()
                self._begin(words[:-1], "", "", line.n)
            elif mark:
                yield from self._said()
                self._begin("assistant", mark[1], mark[2].strip(), line.n)
            elif self._kind == "Tool call" and (argument := _ARGUMENT.match(words)):
                self._given[argument[1]] = argument[2]
            else:
                self._words.append(words)
        yield from self._said()
        yield from self._turn.finished()

    def _begin(self, speaker: str, kind: str, name: str, line: int) -> None:
        self._speaker, self._kind, self._name, self._begun = speaker, kind, name, line
        self._words = [name] if kind == "Thinking" and name else []
        self._given = {}

    def _said(self) -> Iterator[Turn]:
        words = "\n".join(self._words).strip()
        if self._speaker == "user":
            prompt = typed(words)
            if prompt:
                yield from self._turn.prompt(prompt, self._begun, f"line-{self._begun}", None)
        elif self._kind == "Tool call":
            call = ToolCall(self._name, self._given, "", files=files_in(self._given), changes=self._name in CHANGING)
            self._turn.add(Author.TOOL, Kind.TOOL_CALL, self._begun, "", call=call)
            if words:
                self._turn.add(Author.AGENT, Kind.TEXT, self._begun, words)
        elif words and self._speaker:
            self._turn.add(Author.AGENT, Kind.THINKING if self._kind == "Thinking" else Kind.TEXT, self._begun, words)

    def facts(self) -> Facts:
        return Facts(parent_native_id=self._transcript.parent_native_id, relation=self._transcript.relation)
