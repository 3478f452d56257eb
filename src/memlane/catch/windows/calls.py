"""What is seen of one tool call: what it was about, and what came back only where that tells something.

Bodies of edits, what a search found and an agent's own lists are left out: they stand in the checkout, or nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from memlane.catch.windows.lines import first_new, shorter, trouble
from memlane.catch.windows.recovery import COMMANDS, goal_of, has_failed
from memlane.domain import ToolCall

COMMAND, PATH, NEW_LINE, OTHER = 200, 60, 100, 160  # characters of what a call was given
FAILURE, PRINTED, REPORT, PLAN = 400, 160, 600, 1200  # of what came back; of what a person is asked
_FILES = 4  # that one change names

_LISTS_WORDS = "todowrite todoread taskcreate taskupdate tasklist taskget updateplan writetodos managetodolist"
_ASKS_WORDS = "askuserquestion exitplanmode requestuserinput askuser question askfollowupquestion"
_DELEGATES_WORDS = "agent task spawnagent waitagent taskoutput followuptask sendmessage"
_GIT_LOOKS_WORDS = "status diff log show branch blame remote ls-files rev-parse ls-tree cat-file"
_LISTS = frozenset(_LISTS_WORDS.split())
_ASKS = frozenset(_ASKS_WORDS.split())
_DELEGATES = frozenset(_DELEGATES_WORDS.split())
_GIT_LOOKS = frozenset(_GIT_LOOKS_WORDS.split())
_LOOKS_FOR = ("pattern", "query", "url", "file_path", "filePath", "path", "dir_path", "paths")
_OLD = ("old_string", "oldText", "old_str", "oldString", "old_text")
_NEW = ("new_string", "newText", "new_str", "newString", "new_text", "content", "file_text")
_NOT_LETTERS = re.compile(r"[^a-z]")
_GOES_THERE = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")


def has_no_news(call: ToolCall) -> bool:
    """An agent's own list, brought up to date."""
    return _kind(call) in _LISTS and not has_failed(call)


def looks(call: ToolCall) -> bool:
    """It only reads, searches or lists."""
    if call.changes or _kind(call) in _ASKS | _DELEGATES:
        return False
    if not _command(call):
        return any(name in call.input for name in _LOOKS_FOR)
    goal, _said = goal_of(call)
    return goal is None or (goal.what == "git" and goal.verb in _GIT_LOOKS)


def given_to(call: ToolCall) -> str:
    """What the call was about."""
    if _kind(call) in _ASKS:
        return shorter("\n".join(_texts(call.input)), PLAN)
    if call.changes:
        files = ", ".join(map(_path, call.files[:_FILES]))
        return "\n".join(filter(None, [files, _new_line(call)]))
    if command := _command(call):
        return shorter(command, COMMAND)
    if looked := [_short(call.input[name]) for name in _LOOKS_FOR if name in call.input]:
        return "\n".join(filter(None, looked))
    return shorter("\n".join(_texts(call.input)), OTHER)


def outcome_of(call: ToolCall) -> str:
    """What came back, where it says more than that it worked."""
    if _kind(call) in _ASKS | _DELEGATES:
        return shorter(call.result.strip(), REPORT)
    if has_failed(call):
        return trouble(call.result, FAILURE, failed=True)
    return "" if call.changes or looks(call) else trouble(call.result, PRINTED, failed=False)


def _kind(call: ToolCall) -> str:
    return _NOT_LETTERS.sub("", call.name.rpartition("__")[2].lower())


def _command(call: ToolCall) -> str:
    given = next((call.input[name] for name in COMMANDS if call.input.get(name)), "")
    if isinstance(given, list):
        given = str(cast("list[object]", given)[-1])
    return _GOES_THERE.sub("", given).strip() if isinstance(given, str) else ""


def _new_line(call: ToolCall) -> str:
    """The first line that is new: enough to know the change by."""
    old = _first_text(call.input, _OLD).splitlines()
    new = _first_text(call.input, _NEW).splitlines() or list(_added(call.input))
    return first_new(new, old)[:NEW_LINE]


def _first_text(given: Mapping[str, object], names: Sequence[str]) -> str:
    return next((text for name in names if isinstance(text := given.get(name), str)), "")


def _added(given: Mapping[str, object]) -> Iterator[str]:
    for text in _texts(given):
        yield from (line[1:] for line in text.splitlines() if line.startswith("+"))


def _short(value: object) -> str:
    text = "\n".join(_texts(value))
    return _path(text) if "/" in text and " " not in text and "://" not in text else shorter(text, 2 * PATH)


def _path(path: str) -> str:
    """Its last names tell it from others."""
    return path if len(path) <= PATH else "/".join(path.split("/")[-3:])[-2 * PATH :]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in cast("Mapping[object, object]", value).values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[object]", value):
            yield from _texts(each)
