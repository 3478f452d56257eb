"""Where every value of a JSON text stands. It reads; it neither judges nor changes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import cast

Key = str | int

STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^ \t\n\r,\]}]+")


@dataclass(slots=True)
class Span:
    """One value and where it stands."""

    start: int
    end: int = 0
    opens: str = ""  # { or [ or nothing
    members: list[Part] = field(default_factory=list["Part"])

    def place_of(self, key: Key) -> int | None:
        """Of two equal keys the last one counts, as for every reader of JSON."""
        places = [n for n, member in enumerate(self.members) if member.key == key]
        return places[-1] if places else None


@dataclass(frozen=True, slots=True)
class Part:
    """One value inside another."""

    key: Key
    start: int  # of its key, where it has one
    node: Span


def parsed(text: str) -> Span:
    """Of a text that is known to be valid JSON."""
    return _node(text, _skipped(text, 0))


def _node(text: str, at: int) -> Span:
    match text[at]:
        case "{" | "[":
            return _container(text, at)
        case '"':
            return Span(at, _matched(STRING, text, at))
        case _:
            return Span(at, _matched(_SCALAR, text, at))


def _container(text: str, at: int) -> Span:
    node = Span(at, opens=text[at])
    at = _skipped(text, at + 1)
    while text[at] not in "]}":
        start, key = at, cast(Key, len(node.members))
        if node.opens == "{":
            end = _matched(STRING, text, at)
            key = cast(str, json.loads(text[at:end]))
            at = _skipped(text, _skipped(text, end) + 1)
        child = _node(text, at)
        node.members.append(Part(key, start, child))
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
