"""The script of a fake model, written in the prompt itself, so that the model keeps no state.

    @@call Bash {"command": "echo hi"}@@    the next tool call, one per model turn, in order
    @@say some text@@                       the last words; without it, a list of the MARK-… tokens it was sent

A script inside a call's JSON (the prompt of a subagent) belongs to whoever is handed that JSON. Knows no API.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

MARK = re.compile(r"MARK-[A-Za-z0-9_-]+")
_DIRECTIVE = re.compile(r"@@(?:call\s+(?P<tool>\S+)\s+(?=\{)|say\s+(?P<text>.*?)@@)", re.DOTALL)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call the model is to make."""

    tool: str
    input: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Script:
    """What one prompt asks of the model."""

    calls: tuple[Call, ...] = ()
    say: str | None = None


class Who(Enum):
    """Whose entry of a conversation this is."""

    USER = "user"
    TOOL = "a tool's result"
    CALLING = "the model, calling a tool"
    DONE = "the model, with its last words"


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of a conversation. Only what a user said can carry a script."""

    who: Who
    text: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A request in no API's words."""

    entries: tuple[Entry, ...]
    has_tools: bool
    schema: Mapping[str, object] | None = None  # the answer must be JSON of this shape: a side request


def parse(text: str) -> Script:
    """The directives of one text, those inside a call's JSON left alone."""
    calls: list[Call] = []
    say: str | None = None
    position = 0
    while found := _DIRECTIVE.search(text, position):
        position = found.end()
        if found["tool"] is None:
            say = found["text"]
            continue
        arguments, text, position = _object(text, position)
        calls.append(Call(found["tool"], arguments))
    return Script(tuple(calls), say)


def _object(text: str, position: int) -> tuple[Mapping[str, object], str, int]:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except ValueError:  # `opencode run` quotes its argument again: every quote of ours arrives with a backslash
        text, position = text[position:].replace('\\"', '"'), 0
        value, end = _DECODER.raw_decode(text, position)
    return value, text, end


def next_reply(conversation: Conversation, sent: str) -> Call | str:
    """The model's next words or call. `sent` is the whole request as text: where the marks are looked for."""
    if conversation.schema is not None:
        return json.dumps(sample(conversation.schema))
    turn = _this_turn(conversation.entries)
    scripts = [parse(entry.text) for entry in turn if entry.who is Who.USER]
    calls = [call for script in scripts for call in script.calls]
    answered = sum(entry.who is Who.TOOL for entry in turn)
    if conversation.has_tools and answered < len(calls):
        return calls[answered]
    said = [script.say for script in scripts if script.say is not None]
    return said[-1] if said else f"saw: {' '.join(marks(sent)) or 'none'}"


def _this_turn(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Everything since the model last finished: an old script is over, also in a resumed or compacted session."""
    ends = [place for place, entry in enumerate(entries) if entry.who is Who.DONE]
    return entries[ends[-1] + 1 :] if ends else entries


def marks(text: str) -> Sequence[str]:
    return sorted(set(MARK.findall(text)))


def sample(schema: Mapping[str, object]) -> object:
    """The smallest honest value of a JSON schema: the first choice of an enum, true, 1, an empty list."""
    if choices := schema.get("enum"):
        return cast(Sequence[object], choices)[0]
    if "properties" in schema:
        properties = cast(Mapping[str, Mapping[str, object]], schema["properties"])
        return {name: sample(inner) for name, inner in properties.items()}
    plain: Mapping[object, object] = {"boolean": True, "integer": 1, "number": 1, "array": [], "string": "fake"}
    return plain.get(schema.get("type"), {})
