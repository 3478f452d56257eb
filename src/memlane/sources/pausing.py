"""A Reading put down where its file ends today, and taken up again by another process when the file has grown.

Written down is everything it has in mind, also the words of a Turn that is still open: whoever keeps that asks the
Gate about `words` first. Knows objects, no agent's records.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from enum import Enum
from functools import cache
from pathlib import Path
from types import MethodType
from typing import cast

from memlane.sources.lines import Lines
from memlane.sources.source import Source

PROTOCOL = 5
OURS = ("memlane.sources", "memlane.domain", "memlane.index")  # whose objects may be in a state
_CHECK = 16  # bytes
_THE_LINES = "lines"  # what a Reading iterates over: of this moment, never written down
_ITERATED = (Lines, Iterator)
_PLAIN = frozenset(
    {"datetime.datetime", "datetime.timezone", "datetime.timedelta", "collections.deque", "collections.Counter"}
)
_WORDLESS = (type(None), int, float, Enum, date, timedelta, tzinfo, MethodType, *_ITERATED)


@dataclass(frozen=True, slots=True)
class Paused:
    """A state, and every word in it in the shapes the Gate can look into."""

    state: bytes
    words: object


def put_down(mind: object, source: Source) -> Paused:
    """`mind`: the Reading, and whatever its reader wants to find again beside it."""
    written = io.BytesIO()
    _Pickler(written, PROTOCOL).dump(mind)
    packed = zlib.compress(written.getbuffer(), 1)
    return Paused(_check(packed, source) + packed, _words(mind, set()))


def taken_up(state: bytes, lines: Lines, source: Source) -> object | None:
    """None when it is damaged, or was written by another version of the program."""
    check, packed = state[:_CHECK], state[_CHECK:]
    if check != _check(packed, source):
        return None
    return _Unpickler(io.BytesIO(zlib.decompress(packed)), lines, _package(source)).load()


def _check(packed: bytes, source: Source) -> bytes:
    return hashlib.blake2b(packed, digest_size=_CHECK, key=_version(_package(source))).digest()


def _package(source: Source) -> str:
    module = type(source).__module__
    return OURS[0] if module.startswith(f"{OURS[0]}.") else module.partition(".")[0]


@cache
def _version(package: str) -> bytes:
    """Of all code that makes a state or goes on from one: any change of it, and the state is another program's."""
    digest = hashlib.blake2b(repr((sys.version_info[:2], PROTOCOL)).encode(), digest_size=32)
    rooms = [str(Path(__file__).parents[1] / name.rpartition(".")[2]) for name in OURS]
    outside = [] if package in OURS else [sys.modules[package].__file__ or ""]
    for path in (*rooms, *(each.removesuffix("__init__.py").rstrip("/") for each in outside)):
        digest.update("\n".join(sorted(_code(path))).encode())
    return digest.digest()


def _code(path: str) -> Iterator[str]:
    """Name, size and time of each file: read in a millisecond, and new with every install and every edit."""
    if not path.endswith(".py"):
        with os.scandir(path) as entries:
            found = [one.path for one in entries if one.name.endswith(".py") or (one.is_dir() and one.name[0] != "_")]
        for each in found:
            yield from _code(each)
        return
    seen = os.stat(path)  # noqa: PTH116 - a hundred of them each time something is captured
    yield f"{path}:{seen.st_size}:{seen.st_mtime_ns}"


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: object) -> str | None:
        return _THE_LINES if isinstance(obj, _ITERATED) else None

    def reducer_override(self, obj: object) -> tuple[Callable[..., object], tuple[object, ...]]:
        """A table of bound methods is written as their names, not as calls of `getattr`."""
        return (_method, (obj.__self__, obj.__name__)) if isinstance(obj, MethodType) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Makes plain values and objects of the rooms that read, and nothing else, whatever the state says."""

    def __init__(self, file: io.BytesIO, lines: Lines, package: str) -> None:
        super().__init__(file)
        self._lines = lines
        self._packages = (*OURS, package)

    def persistent_load(self, pid: object) -> object:
        if pid != _THE_LINES:
            raise pickle.UnpicklingError(f"a state does not hold {pid!r}")
        return self._lines

    def find_class(self, module_name: str, global_name: str, /) -> object:
        name = f"{module_name}.{global_name}"
        ours = any(module_name == each or module_name.startswith(f"{each}.") for each in self._packages)
        if name not in _PLAIN and not ours:
            raise pickle.UnpicklingError(f"a state does not hold a {name}")
        found = super().find_class(module_name, global_name)
        if not isinstance(found, type) and found is not _method:
            raise pickle.UnpicklingError(f"a state does not hold a {name}")
        return found


def _method(owner: object, name: str) -> object:
    found = getattr(owner, name)
    if not isinstance(found, MethodType) or name.startswith("__"):
        raise pickle.UnpicklingError(f"a state does not hold a {name}")
    return found


def _words(value: object, seen: set[int]) -> object:
    """The same value as strings, lists and mappings, each object once, without what holds no words."""
    if isinstance(value, str | bytes):
        return value if isinstance(value, str) else value.decode("utf-8", "replace")
    if isinstance(value, _WORDLESS) or id(value) in seen:
        return None
    seen.add(id(value))
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value)
        return {key if isinstance(key, str) else n: _words(each, seen) for n, (key, each) in enumerate(pairs.items())}
    if isinstance(value, Sequence | Set | deque):
        return [_words(each, seen) for each in cast(Sequence[object], value)]
    return {name: _words(each, seen) for name, each in _attributes(value)}


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    yield from getattr(value, "__dict__", {}).items()
    for kind in type(value).__mro__:
        slots = cast(Sequence[str], kind.__dict__.get("__slots__", ()))
        yield from ((name, getattr(value, name)) for name in slots if hasattr(value, name))
