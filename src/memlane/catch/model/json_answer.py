"""JSON out of what a model said: alone, in a fence, or somewhere in its prose. Never a guess between two."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL)
_OPENINGS = 64  # places in prose where a JSON object may begin


class NoJsonError(Exception):
    """There is no answer in the text; the message says why."""


def found_in(text: str) -> Mapping[str, object]:
    """The one object with `memories` in it, whatever is said around it."""
    try:
        return cast(Mapping[str, object], _whole(_one(text)))
    except RecursionError:
        raise NoJsonError("the JSON is nested without end") from None


def _one(text: str) -> Mapping[str, object]:
    if not text.strip():
        raise NoJsonError("the answer is empty")
    fenced = (found for block in _FENCED.finditer(text) for found in _as_answer(_loaded(block[1])))
    objects = [*_as_answer(_loaded(text))] or [*fenced] or [*_scattered(text)]
    different = [found for n, found in enumerate(objects) if found not in objects[:n]]
    if not different:
        raise NoJsonError(_why_none(text))
    if len(different) > 1:
        raise NoJsonError("there are several answers in it")
    return different[0]


def _as_answer(found: object) -> Iterator[Mapping[str, object]]:
    if isinstance(found, dict) and "memories" in found:
        yield cast(Mapping[str, object], found)
    elif isinstance(found, list):  # the memories themselves, without the object around them
        yield {"memories": found}


def _scattered(text: str) -> Iterator[Mapping[str, object]]:
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
    place = 0
    for _ in range(_OPENINGS):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if isinstance(found, dict) and "memories" in found:
            yield cast(Mapping[str, object], found)
        place = end


def _loaded(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None


def _why_none(text: str) -> str:
    try:
        json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        return "the JSON is nested without end"
    except ValueError as error:
        if text.lstrip().startswith("{"):
            return f"the JSON does not parse ({error})"
    return "there is no JSON object with memories in it"


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for n, (key, _value) in enumerate(pairs) if key in [k for k, _ in pairs[:n]])
        raise ValueError(f"{twice!r} appears twice")
    return found


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a number")


def _whole(value: object) -> object:
    """No half characters: JSON can write them, nothing else can."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_whole(each) for each in cast(list[object], value)]
    if isinstance(value, dict):
        return {cast(str, _whole(key)): _whole(each) for key, each in cast(dict[str, object], value).items()}
    return value
