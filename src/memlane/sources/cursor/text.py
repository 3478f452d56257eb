"""An agent transcript as plain text: `user:` and `assistant:` alone on a line begin what each said.

There is no escaping: a quoted line `user:` splits, and where a call's arguments end is a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.domain import Author, Facts, Kind, ToolCall, Turn
from memlane.sources.cursor.records import typed
from memlane.sources.cursor.steps import CHANGING, Gathering, files_in, gathering
from memlane.sources.source import Line, Transcript

_MARK = re.compile(r"^\[(Thinking|Tool call|Tool result)\]\s*(.*)$")
_ARGUMENT = re.compile(r"^ {2}(\w+): (.*)$")


@dataclass(slots=True)
class TextState:
    """All a reading knows where it stands: the Turn, and what is being said in it."""

    turn: Gathering
    speaker: str = ""
    kind: str = ""
    name: str = ""
    words: list[str] = field(default_factory=list[str])
    given: dict[str, object] = field(default_factory=dict[str, object])
    begun: int = 1


class TextReading:
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
