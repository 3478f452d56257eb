"""Every string in a nested value, in reading order, and the same value with other strings.

Knows dataclasses, mappings and sequences; does not know what a Turn is, so a new field is never forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, cast

from memlane.errors import ClosedGateError

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


def leaves(value: object) -> list[Leaf]:
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
