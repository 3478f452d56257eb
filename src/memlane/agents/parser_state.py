"""A parser saved where its file ends today, and restored by another process when the file has grown."""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from memlane.agents.agent import Source

FORMAT = 1  # the version of _Sheet and of how the data in it is written
OURS = ("memlane.agents", "memlane.domain", "memlane.index")  # whose code makes a state
_DIGEST = 16  # bytes


class _Sheet(msgspec.Struct, frozen=True, array_like=True):
    """What is written: two versions, a digest that shows damage, and the parts with the names of their kinds."""

    format: int
    program: bytes
    digest: bytes
    kinds: tuple[str, ...]
    packed: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ParserState:
    """A state as it is kept, and the same dataclasses once more, for the Gate to look into."""

    state: bytes
    words: object


def put_down(source: Source, *parts: object) -> ParserState | None:
    """The parts are dataclasses of plain values. None if one holds anything else, such as a number of 30 digits."""
    try:
        plain = [msgspec.to_builtins(part, str_keys=False) for part in parts]
        words = [msgspec.convert(each, type(part)) for each, part in zip(plain, parts, strict=True)]
        packed = tuple(zlib.compress(msgspec.msgpack.encode(each), 1) for each in plain)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
    names = tuple(type(part).__qualname__ for part in parts)
    sheet = _Sheet(FORMAT, _program(_package(source)), _digest(packed), names, packed)
    return ParserState(msgspec.msgpack.encode(sheet), words)


def taken_up(state: bytes, source: Source, *kinds: type[object]) -> tuple[object, ...] | None:
    """As many parts as kinds are given. None if one is of another kind, or the state is damaged or outdated."""
    try:
        sheet = msgspec.msgpack.decode(state, type=_Sheet)
        if (sheet.format, sheet.program) != (FORMAT, _program(_package(source))):
            return None
        if sheet.digest != _digest(sheet.packed):
            return None
        if sheet.kinds[: len(kinds)] != tuple(kind.__qualname__ for kind in kinds):
            return None
        return tuple(_unpacked(packed, kind) for packed, kind in zip(sheet.packed, kinds, strict=False))
    except (msgspec.MsgspecError, zlib.error):
        return None


def _unpacked(packed: bytes, kind: type[object]) -> object:
    return msgspec.convert(msgspec.msgpack.decode(zlib.decompress(packed)), kind)


def _digest(packed: Iterable[bytes]) -> bytes:
    return hashlib.blake2b(b"".join(packed), digest_size=_DIGEST).digest()


def _package(source: Source) -> str:
    module = type(source).__module__
    return OURS[0] if module.startswith(f"{OURS[0]}.") else module.partition(".")[0]


@cache
def _program(package: str) -> bytes:
    """A digest of all code that makes a state or goes on from one: after any change of it, states are made again."""
    digest = hashlib.blake2b(digest_size=_DIGEST)
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
