"""JSON as the text a person wrote: keys are added and taken out, every other byte stays where it is.

It knows nothing about settings. Plain JSON only, as the agents read it: a comment makes a file invalid for them too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, cast

from memlane.errors import LaneError

Value = object

_INDENT = re.compile(r"\n([ \t]+)\S")
_BYTE_ORDER_MARK = "\ufeff"


class NotJsonError(LaneError):
    """The file is not valid for its agent, so it was left unchanged."""

    kind = "not-json"


@dataclass(frozen=True, slots=True)
class JsonText:
    """One object, as text and as what it says."""

    text: str
    value: dict[str, Value]
    mark: str = ""

    @property
    def data(self) -> bytes:
        return (self.mark + self.text).encode()

    def get(self, *path: Key) -> Value:
        """What stands there, or None."""
        found: Value = self.value
        for key in path:
            if isinstance(found, dict) and isinstance(key, str):
                found = cast(Mapping[str, Value], found).get(key)
            elif isinstance(found, list) and isinstance(key, int) and key < len(cast(list[Value], found)):
                found = cast(list[Value], found)[key]
            else:
                return None
        return found

    def has(self, *path: Key) -> bool:
        inside = self.get(*path[:-1])
        return path[-1] in inside if isinstance(inside, dict) else self.get(*path) is not None

    # -- adding ----------------------------------------------------------------------------------------------------

    def put(self, path: Sequence[str], value: Value) -> JsonText:
        """The value under this key; the objects on the way are made. An existing value is replaced where it stands."""
        node, depth = self._deepest(path)
        if depth == len(path):
            return self._spliced(node.start, node.end, self._written(value, _level(self.text, node.start)))
        if node.opens != "{":
            _refuse(path[:depth], "an object")
        for key in reversed(path[depth + 1 :]):
            value = {key: value}
        return self._added(node, value, f"{json.dumps(path[depth], ensure_ascii=False)}: ")

    def append(self, path: Sequence[str], value: Value) -> JsonText:
        """One more at the end of the list under this key, which is made if there is none."""
        node, depth = self._deepest(path)
        if depth < len(path):
            return self.put(path, [value])
        if node.opens != "[":
            _refuse(path, "a list")
        return self._added(node, value, "")

    def _deepest(self, path: Sequence[str]) -> tuple[JsonSpan, int]:
        node = parsed(self.text)
        for depth, key in enumerate(path):
            place = node.place_of(key)
            if place is None:
                return node, depth
            node = node.members[place].node
        return node, len(path)

    def _added(self, node: JsonSpan, value: Value, before: str) -> JsonText:
        if not node.members:
            level = _level(self.text, node.start)
            inner = level + self._unit
            closing = self.text[node.end - 1]
            written = f"{node.opens}{self._newline}{inner}{before}{self._written(value, inner)}{self._newline}{level}"
            return self._spliced(node.start, node.end, written + closing)
        last = node.members[-1]
        end, gap = last.node.end, self.text[self._before(node, last.start) : last.start]
        if "\n" not in gap:
            return self._spliced(end, end, f", {before}{json.dumps(value, ensure_ascii=False)}")
        level = gap.rpartition("\n")[2]
        return self._spliced(end, end, f",{self._newline}{level}{before}{self._written(value, level)}")

    def _before(self, node: JsonSpan, start: int) -> int:
        """Where the space in front of a member begins."""
        return max(self.text.rfind(mark, node.start, start) for mark in ",[{") + 1

    def _written(self, value: Value, level: str) -> str:
        lines = json.dumps(value, indent=self._unit, ensure_ascii=False)
        return lines.replace("\n", self._newline + level)

    @property
    def _unit(self) -> str:
        found = _INDENT.search(self.text)
        return found[1] if found else "  "

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    # -- taking out --------------------------------------------------------------------------------------------------

    def without(self, *path: Key) -> JsonText:
        """The same text less this member and its comma; unchanged where there is none."""
        node = parsed(self.text)
        for key in path[:-1]:
            place = node.place_of(key)
            if place is None:
                return self
            node = node.members[place].node
        place, members = node.place_of(path[-1]), node.members
        if place is None:
            return self
        if len(members) == 1:
            return self._spliced(node.start + 1, node.end - 1, "")
        if place == len(members) - 1:
            return self._spliced(members[place - 1].node.end, members[place].node.end, "")
        return self._spliced(members[place].start, members[place + 1].start, "")

    def _spliced(self, start: int, end: int, text: str) -> JsonText:
        whole = self.text[:start] + text + self.text[end:]
        return JsonText(whole, cast(dict[str, Value], json.loads(whole)), self.mark)


def read(data: bytes) -> JsonText:
    """The object in this file; an empty file is an empty object, as the agents have it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise NotJsonError(f"is not valid JSON (line {line}: not UTF-8)") from None
    mark, text = (text[:1], text[1:]) if text.startswith(_BYTE_ORDER_MARK) else ("", text)
    if not text.strip(" \t\r\n"):
        text = "{}\n"
    value = _loaded(text)
    if not isinstance(value, dict):
        raise NotJsonError("is not a JSON object")
    return JsonText(text, cast(dict[str, Value], value), mark)


def _loaded(text: str) -> Value:
    try:
        value = json.loads(text, parse_constant=_no_constant)
        parsed(text)  # so deep that we cannot follow: say so now, not later
    except json.JSONDecodeError as error:
        before = STRING.findall(text, 0, error.pos)
        after = f", after {before[-1][:40]}" if before else ""
        raise NotJsonError(f"is not valid JSON (line {error.lineno}{after})") from None
    except ValueError as error:
        raise NotJsonError(f"is not valid JSON ({error})") from None
    except RecursionError:
        raise NotJsonError("is nested too deeply") from None
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number there")


def _level(text: str, at: int) -> str:
    """The white space the line of this place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _refuse(path: Sequence[Key], wanted: str) -> NoReturn:
    raise NotJsonError(f"has something else than {wanted} under {'.'.join(map(str, path)) or 'its root'}")


Key = str | int

STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^ \t\n\r,\]}]+")


@dataclass(slots=True)
class JsonSpan:
    """One value and where it stands."""

    start: int
    end: int = 0
    opens: str = ""  # { or [ or nothing
    members: list[JsonChild] = field(default_factory=list["JsonChild"])

    def place_of(self, key: Key) -> int | None:
        """Of two equal keys the last one counts, as for every reader of JSON."""
        places = [n for n, member in enumerate(self.members) if member.key == key]
        return places[-1] if places else None


@dataclass(frozen=True, slots=True)
class JsonChild:
    """One value inside another."""

    key: Key
    start: int  # of its key, where it has one
    node: JsonSpan


def parsed(text: str) -> JsonSpan:
    """Of a text that is known to be valid JSON."""
    return _node(text, _skipped(text, 0))


def _node(text: str, at: int) -> JsonSpan:
    match text[at]:
        case "{" | "[":
            return _container(text, at)
        case '"':
            return JsonSpan(at, _matched(STRING, text, at))
        case _:
            return JsonSpan(at, _matched(_SCALAR, text, at))


def _container(text: str, at: int) -> JsonSpan:
    node = JsonSpan(at, opens=text[at])
    at = _skipped(text, at + 1)
    while text[at] not in "]}":
        start, key = at, cast(Key, len(node.members))
        if node.opens == "{":
            end = _matched(STRING, text, at)
            key = cast(str, json.loads(text[at:end]))
            at = _skipped(text, _skipped(text, end) + 1)
        child = _node(text, at)
        node.members.append(JsonChild(key, start, child))
        at = _skipped(text, child.end)
        if text[at] == ",":
            at = _skipped(text, at + 1)
    node.end = at + 1
    return node


def _matched(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found, "the text was valid"
    return found.end()


def _skipped(text: str, at: int) -> int:
    return _matched(_SPACE, text, at)
