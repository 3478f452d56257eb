"""Many strings looked through as one: a Turn is a hundred short strings, and starting a look costs more than looking.

Also what no single string holds: half a secret in one step and half in the next, or a value named by the key above it.
Knows which strings belong together; the scanner says what is in them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, cast

from memlane.errors import ClosedGateError
from memlane.gate.mask import encoded
from memlane.gate.scanner import Scanner, SecretSpan
from memlane.gate.views import NEVER

WORD, REACH, FAR = 80, 256, 8192  # characters on each side of a border: for a word, a secret, a key block
KEY_BLOCK = "PRIVATE KEY"
LONGEST_VALUE = 400  # what is longer and secret tells so itself
_BETWEEN = b"\n" + NEVER + b"\n"
_OPEN_ENDED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.:~%\"'$!@#*&\\")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[A-Za-z]")

NumberedSpans = Iterator[tuple[int, SecretSpan]]  # the string's number, and where in its bytes


def suspects(texts: Sequence[bytes], scanner: Scanner) -> set[int]:
    """Which are worth a look of their own: one look over all of them tells, as nothing runs from one into the next."""
    starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))
    found: set[int] = set()
    for start, end in scanner.suspicious(_BETWEEN.join(texts), starts):
        found.update(range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1)))
    return found


def under_names(leaves: Sequence[Leaf], scanner: Scanner) -> NumberedSpans:
    """`{"password": …}`: what the value alone would not tell."""
    named = [
        (number, encoded(f'{leaf.name}="'), encoded(leaf.text))
        for number, leaf in enumerate(leaves)
        if leaf.in_mapping and leaf.name and 4 <= len(leaf.text) <= LONGEST_VALUE and len(leaf.text.split(None, 1)) == 1
    ]
    lines = [b'%s%s"' % (name, text) for _, name, text in named]
    for index in suspects(lines, scanner):
        number, name, text = named[index]
        for span in scanner.spans(lines[index]):
            if span.end > len(name):
                yield (
                    number,
                    SecretSpan(max(0, span.start - len(name)), min(span.end - len(name), len(text)), span.rule),
                )


def over_borders(leaves: Sequence[Leaf], scanner: Scanner) -> NumberedSpans:
    """Half a secret at the end of one string, the rest at the start of the next."""
    pairs = [
        (before, after, reach) for before, after in _neighbours(leaves) if (reach := _reach(leaves, before, after))
    ]
    seams = [_seam(leaves[before].text, leaves[after].text, reach) for before, after, reach in pairs]
    for index in suspects([tail + b"\n" + head for tail, head in seams], scanner):
        before, after, reach = pairs[index]
        first, second = leaves[before].text, leaves[after].text
        found = list(_over_border(first, second, reach, scanner))
        if any(right.end >= REACH for _, right in found):  # it may be longer than what was looked at
            found = list(_over_border(first, second, FAR, scanner))
        for left, right in found:
            yield before, left
            yield after, right


def _seam(first: str, second: str, reach: int) -> tuple[bytes, bytes]:
    return encoded(first[-reach:].rstrip()), encoded(second[:reach].lstrip())


def _over_border(first: str, second: str, reach: int, scanner: Scanner) -> Iterator[tuple[SecretSpan, SecretSpan]]:
    tail, head = _seam(first, second, reach)
    skipped, indent = len(encoded(first[:-reach])), len(encoded(second[:reach])) - len(head)
    for span in scanner.spans(tail + b"\n" + head):
        if span.start < len(tail) and span.end > len(tail) + 1:
            yield (
                SecretSpan(skipped + span.start, skipped + len(tail), span.rule),
                SecretSpan(indent, indent + span.end - len(tail) - 1, span.rule),
            )


def _neighbours(leaves: Sequence[Leaf]) -> set[tuple[int, int]]:
    """Each string and the next, and each and the next of the same name: a step's text and the next step's text."""
    words = [number for number, leaf in enumerate(leaves) if leaf.text and not leaf.label]
    found = set(pairwise(words))
    by_name: dict[str, int] = {}
    for number in words:
        name = leaves[number].name
        found.add((by_name.get(name, number), number))
        by_name[name] = number
    return {(before, after) for before, after in found if before != after}


def _reach(leaves: Sequence[Leaf], before: int, after: int) -> int:
    """How far to look on both sides; 0 if no word goes on here: none with a digit and a letter touches the border."""
    first, second = leaves[before].text, leaves[after].text
    if KEY_BLOCK in first[-FAR:]:
        return FAR
    left, right = first[-WORD:].rstrip(), second[:WORD].lstrip()
    if not left or not right or left[-1] not in _OPEN_ENDED or right[0] not in _OPEN_ENDED:
        return 0
    words = left.rsplit(None, 1)[-1], right.split(None, 1)[0]
    return REACH if any(_DIGIT.search(word) and _LETTER.search(word) for word in words) else 0


DEEPEST = 100  # what nests further is not worth keeping, and could not be walked safely
_LABELS = frozenset({"native_id", "model", "name", "files"})  # they name something; no words run on through them
_NAMES = ("name", "key", "variable")  # {"name": "DB_PASSWORD", "value": …} says the name beside the value
_WORDLESS = (type(None), Enum, bool, int, float, date)


class Leaf(NamedTuple):  # made a hundred times a Turn, in a quarter of a frozen dataclass's time
    """A string, the name it goes by in what holds it, and whether words may run on from it into the next."""

    text: str
    name: str = ""
    label: bool = False
    in_mapping: bool = False
    too_deep: bool = False  # stands for all that nests here


@cache
def _fields(kind: type) -> tuple[Leaf, ...]:
    """What the fields of a dataclass are called, as the leaf each would be."""
    return tuple(Leaf("", field.name, field.name in _LABELS) for field in fields(cast(Any, kind)))


def leaves_of(value: object) -> list[Leaf]:
    found: list[Leaf] = []
    _collect(value, Leaf(""), found, 0)
    return found


def _collect(value: object, like: Leaf, found: list[Leaf], depth: int) -> None:
    """Appended, not yielded: a hundred small strings a Turn pass here."""
    if isinstance(value, _WORDLESS):
        return
    if depth > DEEPEST:
        found.append(Leaf("", label=True, too_deep=True))
    elif isinstance(value, str):
        found.append(Leaf(value, *like[1:]))
    elif isinstance(value, dict | Mapping):
        _collect_mapping(cast(Mapping[object, object], value), found, depth + 1)
    elif isinstance(value, list | tuple):
        for item in cast(Sequence[object], value):
            _collect(item, like, found, depth + 1)
    elif is_dataclass(value):
        for field in _fields(type(value)):
            _collect(getattr(value, field.name), field, found, depth + 1)
    else:
        raise ClosedGateError(f"the gate cannot look into a {type(value).__name__}")


def _collect_mapping(value: Mapping[object, object], found: list[Leaf], depth: int) -> None:
    beside = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    for key, item in value.items():
        _collect(key, Leaf("", label=True), found, depth)
        name = beside if key == "value" and beside else key
        _collect(item, Leaf("", name if isinstance(name, str) else "", in_mapping=True), found, depth)


def rebuilt(value: object, other: Callable[[], str], depth: int = 0) -> object:
    """The same shape with `other()` for each string and for what is too deep, asked in the order of `leaves`."""
    if isinstance(value, _WORDLESS):
        return value
    if depth > DEEPEST or isinstance(value, str):
        return other()
    if isinstance(value, Mapping):
        return _rebuilt_mapping(cast(Mapping[object, object], value), other, depth + 1)
    if isinstance(value, list | tuple):
        items = [rebuilt(item, other, depth + 1) for item in cast(Sequence[object], value)]
        return tuple(items) if isinstance(value, tuple) else items
    changes: dict[str, Any] = {
        field.name: rebuilt(getattr(value, field.name), other, depth + 1) for field in fields(cast(Any, value))
    }
    return replace(cast(Any, value), **changes)


def _rebuilt_mapping(value: Mapping[object, object], other: Callable[[], str], depth: int) -> dict[object, object]:
    made: dict[object, object] = {}
    for key, item in value.items():
        new = rebuilt(key, other, depth)
        while new in made:  # two keys that were secrets of one kind
            new = f"{new}'"
        made[new] = rebuilt(item, other, depth)
    return made
