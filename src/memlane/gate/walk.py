"""Every string in a nested value, in reading order, and the same value with other strings.

Knows dataclasses, mappings and sequences; does not know what a Turn is, so a new field is never forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from enum import Enum
from typing import Any, cast

from memlane.errors import ClosedGateError

DEEPEST = 100  # what nests further is not worth keeping, and could not be walked safely
_LABELS = frozenset({"native_id", "model", "name", "files"})  # they name something; nobody's words run on through them
_NAMES = ("name", "key", "variable")  # {"name": "DB_PASSWORD", "value": …} says the name beside the value


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string, the name it goes by in what holds it, and whether words may run on from it into the next."""

    text: str
    name: str = ""
    in_mapping: bool = False
    label: bool = False
    too_deep: bool = False  # stands for all that nests here


def leaves(value: object, name: str = "", in_mapping: bool = False, depth: int = 0) -> Iterator[Leaf]:  # noqa: FBT001, FBT002
    if _has_no_words(value):
        return
    if depth > DEEPEST:
        yield Leaf("", label=True, too_deep=True)
    elif isinstance(value, str):
        yield Leaf(value, name, in_mapping, not in_mapping and name in _LABELS)
    elif isinstance(value, Mapping):
        yield from _in_mapping(cast(Mapping[object, object], value), depth)
    elif isinstance(value, list | tuple):
        for item in cast(Sequence[object], value):
            yield from leaves(item, name, in_mapping, depth + 1)
    elif is_dataclass(value):
        for field in fields(value):
            yield from leaves(getattr(value, field.name), field.name, False, depth + 1)  # noqa: FBT003
    else:
        raise ClosedGateError(f"the gate cannot look into a {type(value).__name__}")


def _in_mapping(value: Mapping[object, object], depth: int) -> Iterator[Leaf]:
    beside = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    for key, item in value.items():
        yield from leaves(key, "name", depth=depth + 1)
        name = beside if key == "value" and beside else key
        yield from leaves(item, name if isinstance(name, str) else "", True, depth + 1)  # noqa: FBT003


def rebuilt(value: object, other: Callable[[], str], depth: int = 0) -> object:
    """The same shape with `other()` for each string, and for what is too deep, asked in the order of `leaves`."""
    if _has_no_words(value):
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


def _has_no_words(value: object) -> bool:
    return value is None or isinstance(value, Enum | bool | int | float | date)
