"""From one physical line to JSON records, whatever is in it: glued objects, bad bytes, absurd nesting.

Knows JSON and nothing about agents. A line that cannot be read raises; its bytes are safe in the archive.
"""

from __future__ import annotations

import hashlib
import json
import math
import ntpath
import posixpath
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

import msgspec

from memlane.agents.agent import Line
from memlane.domain.times import in_bounds, sound_time

Record = Mapping[str, object]
MAX_DEPTH_HINT = "nested too deep"
DEEPEST_VALUE = 64  # nothing an agent passes to a tool is deeper; hostile lines are
WIDEST_INTEGER = 1 << 63


class BrokenRecordError(Exception):
    """This line holds no record we can read; the message says why."""


def records(line: Line) -> Sequence[Record]:
    """The JSON objects of a line, usually one. Two writers racing leave `{…}{…}` on one line."""
    data = line.data.strip()
    if not data:
        return ()
    try:
        decoded: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _slowly(data)
    except RecursionError:
        raise BrokenRecordError(MAX_DEPTH_HINT) from None
    return (_an_object(decoded),)


def _slowly(data: bytes) -> Sequence[Record]:
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    found: list[Record] = []
    position = 0
    decoder = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
    while position < len(text):
        try:
            decoded, position = decoder.raw_decode(text, position)
        except RecursionError:
            raise BrokenRecordError(MAX_DEPTH_HINT) from None
        except ValueError as error:
            raise BrokenRecordError(f"not JSON: {str(error)[:80]}") from None
        found.append(_an_object(decoded))
        while position < len(text) and text[position].isspace():
            position += 1
    return found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:20])


def _an_object(decoded: object) -> Record:
    if not isinstance(decoded, dict):
        raise BrokenRecordError(f"a {type(decoded).__name__}, not an object")
    return cast(Record, decoded)


def text(value: object) -> str:
    """A string made safe to store: no NUL (it hides what follows), no half surrogate (it cannot be written)."""
    if not isinstance(value, str):
        return ""
    if "\0" in value:
        value = value.replace("\0", "\ufffd")
    try:
        value.encode()
    except UnicodeEncodeError:
        value = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return value


def mapping(value: object) -> Record:
    return cast(Record, value) if isinstance(value, dict) else {}


def sequence(value: object) -> Sequence[object]:
    return cast(Sequence[object], value) if isinstance(value, list) else ()


def number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def mark(*texts: str | bytes) -> int:
    """What a text is known by without being kept: the same in every process, as `hash` is not."""
    digest = hashlib.blake2b(digest_size=8)
    for each in texts:
        digest.update(each.encode("utf-8", "surrogatepass") if isinstance(each, str) else each)
        digest.update(b"\0")
    return int.from_bytes(digest.digest())


def inner(value: object) -> object:
    """The JSON an agent keeps inside a string, such as a call's arguments; None when it is none."""
    if not isinstance(value, str):
        return None
    try:
        return msgspec.json.decode(value.encode("utf-8", "replace"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return json.JSONDecoder(parse_constant=_refuse, parse_float=_finite).decode(value)
    except (ValueError, RecursionError):
        return None


def plain(value: object, depth: int = DEEPEST_VALUE) -> object:
    """JSON values made safe to store: strings as `text` makes them, no integer over 64 bits, no absurd nesting."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        return value if abs(value) < WIDEST_INTEGER else str(value)
    pairs, items = mapping(value), sequence(value)
    if (pairs or items) and depth == 0:
        return "…"
    if pairs:
        return {text(key): plain(each, depth - 1) for key, each in pairs.items()}
    return [plain(each, depth - 1) for each in items] if items else value


def moment(value: object) -> datetime | None:
    """An ISO-8601 time, or seconds or milliseconds since 1970; always with a zone."""
    if isinstance(value, str):
        return sound_time(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            seconds = value / 1000 if abs(value) > 1e11 else value
            return in_bounds(datetime.fromtimestamp(seconds, UTC))
        except (OverflowError, OSError, ValueError):
            return None
    return None


_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\|~")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def whole_path(path: str, cwd: str) -> str:
    if not cwd or _ABSOLUTE.match(path):
        return path
    system = ntpath if _WINDOWS.match(cwd) else posixpath
    return system.normpath(system.join(cwd, path))
