"""Droid as a Source: where its sessions are, and how their records become Turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import HookCall, Line, Peek, Surroundings, Transcript
from memlane.agents.builders import FactsBuilder, RecordPlace, StepBuilder, TurnBuilder, one_pass
from memlane.agents.hook_protocol import hook_answer, hook_call
from memlane.agents.records import BrokenRecordError, Record, mapping, moment, plain, records, sequence, text
from memlane.domain import Author, Facts, Kind, Relation, ToolCall, Turn
from memlane.domain.fence import is_our_command, is_our_tool

_FIRST_LINES = 20  # `session_start` is the first line; a few broken ones may stand before it
_SESSION = re.compile(r"(?P<id>[0-9A-Za-z][0-9A-Za-z-]*)\.jsonl")
_CONTEXT = "<system-reminder>"  # what it adds to a prompt itself, in messages of their own
_CHANGING = frozenset({"Edit", "Create", "Write", "ApplyPatch"})
_IGNORED = frozenset({"agent_turn_outcome", "todo_state"})


@dataclass(frozen=True, slots=True)
class Droid:
    """`~/.factory/sessions`: never its settings or its log-in."""

    name: str = "droid"
    title: str = "Droid"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return (around.home / ".factory" / "sessions",)

    def recognise(self, path: PurePath) -> Transcript | None:
        found = _SESSION.fullmatch(path.name) if len(path.parts) <= 2 else None
        return Transcript(found["id"]) if found else None

    def peek(self, lines: Iterable[Line]) -> Peek:
        seen = Peek()
        for line in islice(lines, _FIRST_LINES):
            try:
                found = records(line)
            except BrokenRecordError:
                continue
            for record in found:
                if record.get("type") == "session_start":
                    own = text(record.get("id"))
                    seen = replace(seen, cwd=text(record.get("cwd")), may_be=(Transcript(own),) if own else ())
                if (at := moment(record.get("timestamp"))) is not None:
                    return replace(seen, started=at)
        return seen

    def read(self, lines: Iterable[Line], transcript: Transcript) -> DroidParser:  # noqa: ARG002 - a verb of Source
        return DroidParser(lines)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        """`droid exec` calls no hook for its prompt."""
        call = hook_call(event, given)
        return replace(call, unheard=True) if call is not None else None

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_answer(event, context, line)


@dataclass(slots=True)
class DroidState:
    """All a reading knows where it stands."""

    writing: TurnBuilder = field(default_factory=TurnBuilder)
    notes: FactsBuilder = field(default_factory=FactsBuilder)
    begun: bool = False  # something was said in it


class DroidParser:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self.state = DroidState()

    def turns(self) -> Iterator[Turn]:
        return one_pass(self._lines, self._read, self.state.writing, self.state.notes)

    def facts(self) -> Facts:
        return self.state.notes.facts()

    def _read(self, record: Record, line: int) -> None:
        kind, notes = text(record.get("type")), self.state.notes
        if kind == "session_start":
            notes.cwd = notes.cwd or text(record.get("cwd"))
            if parent := text(record.get("parent")):
                notes.parent, notes.relation = parent, Relation.FORK
            if record.get("isSessionTitleManuallySet") is True:
                notes.title = text(record.get("title")).strip()
        elif kind == "message":
            spot = RecordPlace(line, moment(record.get("timestamp")), text(record.get("id")))
            self._message(mapping(record.get("message")), spot)
        elif kind == "compaction_state":
            self._compacted(record, line)
        elif kind not in _IGNORED:
            notes.unknown(kind or "a record without a type")

    def _compacted(self, record: Record, line: int) -> None:
        """It goes on in a new session, which begins with what the earlier one came to."""
        if self.state.notes.parent and not self.state.begun:
            self.state.notes.relation = Relation.CONTINUATION
        if words := text(record.get("summaryText")).strip():
            spot = RecordPlace(line, moment(record.get("timestamp")), text(record.get("id")))
            self.state.writing.add(StepBuilder(Author.AGENT, Kind.SUMMARY, spot, words))

    def _message(self, message: Record, spot: RecordPlace) -> None:
        role = text(message.get("role"))
        blocks = [mapping(block) for block in sequence(message.get("content"))]
        if text(message.get("hookEventName")):
            self._hooked(message, spot)
            return
        self.state.begun = True
        if role == "user":
            self._user(blocks, spot)
        elif role == "assistant":
            model = text(message.get("modelId"))
            self.state.notes.model(model)
            for place, block in enumerate(blocks):
                here = replace(spot, native_id=f"{spot.native_id}.{place}") if place and spot.native_id else spot
                self._assistant(block, model, here)
        else:
            self.state.notes.unknown(f"message/{role}")

    def _user(self, blocks: list[Record], spot: RecordPlace) -> None:
        for block in blocks:
            if text(block.get("type")) == "tool_result":
                part = self.state.writing.answered(text(block.get("tool_use_id")), spot)
                part.ended(_said(block.get("content")), failed=block.get("is_error") is True)
        texts = [text(block.get("text")).strip() for block in blocks if text(block.get("type")) == "text"]
        typed = "\n".join(words for words in texts if words and not words.startswith(_CONTEXT))
        for words in texts:
            if words.startswith(_CONTEXT):
                self.state.writing.add(StepBuilder(Author.SYSTEM, Kind.META, spot, words))
        if typed:
            self.state.writing.begin(StepBuilder(Author.PERSON, Kind.PROMPT, spot, typed))

    def _hooked(self, message: Record, spot: RecordPlace) -> None:
        """What a hook printed; ours is known by its fence."""
        for result in sequence(message.get("hookResults")):
            if words := text(mapping(result).get("stdout")).replace('\\"', '"').strip():
                self.state.writing.add(StepBuilder(Author.SYSTEM, Kind.META, spot, words))

    def _assistant(self, block: Record, model: str, spot: RecordPlace) -> None:
        kind = text(block.get("type"))
        if kind == "tool_use":
            call_id = text(block.get("id"))
            call = _call(block, self.state.notes.cwd)
            ours = is_our_tool(call.name) or is_our_command(text(call.input.get("command")))
            here = replace(spot, native_id=call_id or spot.native_id)
            part = StepBuilder(Author.TOOL, Kind.TOOL_CALL, here, call=call, model=model, ours=ours)
            self.state.writing.call(call_id, part)
        elif kind in ("text", "thinking"):
            if words := text(block.get(kind)).strip():
                said = Kind.TEXT if kind == "text" else Kind.THINKING
                self.state.writing.add(StepBuilder(Author.AGENT, said, spot, words, model=model))
        else:
            self.state.notes.unknown(f"assistant/{kind}")


def _call(block: Record, cwd: str) -> ToolCall:
    name, given = text(block.get("name")), mapping(plain(block.get("input")))
    path = text(given.get("file_path"))
    files = (str(PurePath(cwd) / path),) if path else ()
    return ToolCall(name, given, files=files, changes=bool(files) and name in _CHANGING)


def _said(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text(mapping(block).get("text")) for block in sequence(content))
