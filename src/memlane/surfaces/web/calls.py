"""A tool call as a person reads it: its name, what matters of what it was given, what it changed, what came back.

Knows the shapes agents use for commands, edits and lists; anything else is shown as it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

import msgspec

from memlane.domain import ToolCall
from memlane.surfaces.web.formats import one_line

SAYS_MOST = (
    *("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt", "skill"),
    *("subject", "name", "id"),
)
MOST_SAID = 160  # characters of what says most
LONGEST = 12_000  # characters of a result that are there at once
MOST_LINES = 400  # of a diff
DIFFED = 200_000  # characters on both sides together
PATCH = "*** Begin Patch"
DONE = {"completed": "✓", "done": "✓", "in_progress": "▸"}  # of a list of things to do; else ○
_COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")  # of a terminal: they say nothing


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff: `+`, `-`, ` ` or `@`."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class CallView:
    """A call, ready to be shown."""

    name: str
    brief: str
    error: bool
    command: str
    diff: Sequence[DiffLine]
    added: int
    removed: int
    given: str  # what is left of its input, as JSON; "" if all of it is shown otherwise
    result: str
    more: int  # characters of the result that are not here


def called(call: ToolCall, root: str = "", *, whole: bool = False) -> CallView:
    """`root`: the folder the Run works in, which need not be said each time."""
    diff = list(islice(_diff(call.input), MOST_LINES))
    command = _command(call.input)
    result = _COLOURS.sub("", call.result)
    most = len(result) if whole else LONGEST
    return CallView(
        name=call.name,
        brief=brief(call, root),
        error=call.error,
        command=command,
        diff=diff,
        added=sum(line.sign == "+" for line in diff),
        removed=sum(line.sign == "-" for line in diff),
        given="" if diff or command else _rest(call.input),
        result=result[:most],
        more=max(0, len(result) - most),
    )


def brief(call: ToolCall, root: str = "") -> str:
    """The one thing that says most about it, as seen from the folder it works in."""
    return one_line(_within(_says_most(call), root), MOST_SAID)


def _within(text: str, root: str) -> str:
    return text.replace(f"{root}/", "").replace(f"{root}\\", "") if root else text


def _says_most(call: ToolCall) -> str:
    for name in SAYS_MOST:
        value = call.input.get(name)
        if isinstance(value, str) and value.strip():
            return value[:LONGEST]
        if isinstance(value, list) and value:
            return " ".join(str(part) for part in cast(list[object], value))
    text = next((value for value in call.input.values() if isinstance(value, str) and value.strip()), "")
    return text if PATCH not in text else ", ".join(call.files)


def _command(given: Mapping[str, object]) -> str:
    value = given.get("command", given.get("cmd", ""))
    if isinstance(value, list):
        return " ".join(str(part) for part in cast(list[object], value))
    return value if isinstance(value, str) and PATCH not in value else ""


def _rest(given: Mapping[str, object]) -> str:
    if not given:
        return ""
    if todos := _todos(given):
        return todos
    if len(given) == 1 and isinstance(only := next(iter(given.values())), str):
        return only[:LONGEST]
    return msgspec.json.format(msgspec.json.encode(_wholesome(given)), indent=2).decode()[:LONGEST]


def _todos(given: Mapping[str, object]) -> str:
    """A list of things to do, ticked off."""
    listed = given.get("todos", given.get("plan"))
    every = cast(list[object], listed) if isinstance(listed, list) else []
    some = [cast(Mapping[str, object], one) for one in every if isinstance(one, dict)]
    texts = [(one.get("content", one.get("step", "")), str(one.get("status", ""))) for one in some]
    return "\n".join(f"{DONE.get(status, '○')} {text}" for text, status in texts if text)[:LONGEST]


def _wholesome(value: object) -> object:
    """Half a surrogate pair cannot be encoded."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {str(_wholesome(key)): _wholesome(inner) for key, inner in cast(Mapping[object, object], value).items()}
    if isinstance(value, list | tuple):
        return [_wholesome(inner) for inner in cast(Sequence[object], value)]
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _diff(given: Mapping[str, object]) -> Iterator[DiffLine]:
    edits = given.get("edits")
    if isinstance(edits, list):
        for edit in cast(list[object], edits):
            if isinstance(edit, dict):
                yield from _diff(cast(dict[str, object], edit))
        return
    old, new = (
        _text(given, *names) for names in (("old_string", "oldText", "old_str"), ("new_string", "newText", "new_str"))
    )
    if old is not None or new is not None:
        yield from _lines(old or "", new or "")
    elif (content := _text(given, "content", "file_text")) is not None and _text(
        given, "file_path", "path", "filePath"
    ):
        yield from _lines("", content)
    else:
        for value in given.values():
            if isinstance(value, str) and PATCH in value:
                yield from _patch(value)


def _text(given: Mapping[str, object], *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def _lines(old: str, new: str) -> Iterator[DiffLine]:
    if len(old) + len(new) > DIFFED or not old:
        yield from (DiffLine("-", line) for line in old.splitlines())
        yield from (DiffLine("+", line) for line in new.splitlines())
        return
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3):
        if not line.startswith(("---", "+++")):
            yield DiffLine(line[:1] if line[:1] in "+-@" else " ", line if line.startswith("@@") else line[1:])


def _patch(text: str) -> Iterator[DiffLine]:
    for line in text.splitlines():
        if line.startswith("***"):
            yield DiffLine("@", line.strip("* "))
        elif line[:1] in ("+", "-", "@"):
            yield DiffLine(line[0], line if line.startswith("@@") else line[1:])
        else:
            yield DiffLine(" ", line.removeprefix(" "))
