"""One line of a Register as bytes, what all lines of all Registers say together, and the heads kept elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from memlane.archive.layout import LINES, Layout
from memlane.archive.presence import GenerationName, LineName
from memlane.system.disk import Disk

VERSION = 1
NEW, OLDER, ANEW = "new", "older", "anew"  # how a register began: with the archive, after it, in place of a lost one
BEGINNING, BEGUN = "beginning", "begun"
_CHAIN = b',"chain":"'
_CHAIN_LENGTH = len(_CHAIN) + 16 + len(b'"}')


class RegisterLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """`lines` stand in `journal`, whose size was `size` with the last of them; so stood `lost_lines`."""

    v: int
    n: int
    at: datetime
    began: str = ""
    runs: tuple[GenerationName, ...] = ()
    journal: str = ""
    size: int = 0
    lines: tuple[LineName, ...] = ()
    gone: tuple[str, ...] = ()  # Runs forgotten for good
    lost: tuple[GenerationName, ...] = ()
    lost_lines: tuple[LineName, ...] = ()
    by: str = ""  # who says that they are lost: person, or repair, which wrote others in their place


class LinkedLine(NamedTuple):
    line: RegisterLine
    chain: str


class Head(msgspec.Struct, frozen=True):
    """How far a register was when it was last seen, kept outside of the archive. It may be behind, never ahead."""

    n: int
    chain: str
    runs: int = 0
    lines: int = 0


class Card(msgspec.Struct, frozen=True):
    version: str
    machine: str
    register: str
    since: datetime


def line_at(at: datetime, **what: object) -> RegisterLine:
    return msgspec.structs.replace(RegisterLine(VERSION, 0, at), **what)


def encode(line: RegisterLine, before: str) -> tuple[bytes, str]:
    """And its chain: the digest of it and of the chain of the line before it."""
    body = msgspec.json.encode(line)[:-1]
    chain = link(before, body)
    return body + _CHAIN + chain.encode() + b'"}\n', chain


def link(before: str, body: bytes) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()[:16]


def decode(data: bytes) -> tuple[LinkedLine, bytes]:
    """And the body its chain is made of. Raises ValueError for what is no line of a register."""
    data = data.removesuffix(b"\n")
    body, mark, rest = data.rpartition(_CHAIN)
    if not mark or len(mark + rest) != _CHAIN_LENGTH:
        raise ValueError("it is cut off, or not written by Lane")
    line = msgspec.json.decode(body + b"}", type=RegisterLine)
    if line.v > VERSION:
        raise ValueError(f"it is of version {line.v}; this memlane knows {VERSION}")
    return LinkedLine(line, rest[:16].decode("ascii", "replace")), body


def whole(data: bytes) -> LinkedLine | None:
    try:
        return decode(data)[0]
    except (ValueError, msgspec.DecodeError):
        return None


def is_whole(data: bytes) -> bool:
    return whole(data) is not None


def encoded(lines: Iterable[RegisterLine], n: int, chain: str) -> bytes:
    """Numbered and linked behind the n-th line."""
    found = list[bytes]()
    for number, line in enumerate(lines, n + 1):
        data, chain = encode(msgspec.structs.replace(line, n=number), chain)
        found.append(data)
    return b"".join(found)


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that should be there and cannot be read: `name` is what a person accepts it by."""

    name: str
    what: str
    generations: tuple[GenerationName, ...] = ()
    journal: str = ""
    lines: tuple[LineName, ...] = ()


@dataclass(slots=True)
class Registered:
    """What all registers of an archive say should be there, read line by line."""

    runs: dict[str, dict[int, GenerationName]] = field(default_factory=dict[str, dict[int, GenerationName]])
    lines: dict[str, list[LineName]] = field(default_factory=dict[str, list[LineName]])  # by journal file
    given_up: dict[str, Counter[LineName]] = field(default_factory=dict[str, Counter[LineName]])
    lost: set[GenerationName] = field(default_factory=set[GenerationName])

    def take(self, line: RegisterLine) -> None:
        for name in line.runs:
            self.runs.setdefault(name.run, {})[name.n] = name
            self.lost.discard(name)
        for run in line.gone:
            self.runs.pop(run, None)
        for name in line.lost:
            self._give_up(name)
        self.lines.setdefault(line.journal, []).extend(line.lines)
        self.given_up.setdefault(line.journal, Counter()).update(line.lost_lines)

    def _give_up(self, name: GenerationName) -> None:
        self.lost.add(name)
        held = self.runs.get(name.run, {})
        held.pop(name.n, None)
        if not held:
            self.runs.pop(name.run, None)

    def has(self, name: GenerationName) -> bool:
        return name.n in self.runs.get(name.run, {})

    @property
    def line_count(self) -> int:
        return sum(map(len, self.lines.values())) - sum(lost.total() for lost in self.given_up.values())


def fits(head: Head, lines: Iterable[LinkedLine]) -> bool:
    return any(one.line.n == head.n and one.chain == head.chain for one in lines)


def head_name(layout: Layout, machine: str) -> str:
    return f"{layout.user}/{machine}"


def heads(disk: Disk, layout: Layout) -> dict[str, Head]:
    if layout.heads is None:
        return {}
    try:
        return msgspec.json.decode(disk.read_whole(layout.heads), type=dict[str, Head])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}


def linked(disk: Disk, path: Path) -> Iterator[LinkedLine]:
    """Every line of a register that can be read."""
    for data in disk.read_whole(path).split(b"\n"):
        if data and (found := whole(data)):
            yield found


def register_files(layout: Layout) -> list[Path]:
    if not layout.disk.is_folder(layout.registers):
        return []
    return [layout.registers / name for name in layout.disk.names(layout.registers) if name.endswith(LINES)]


def _trusted(lines: Iterable[bytes], wanted: Callable[[bytes], bool] | None) -> Iterator[RegisterLine]:
    """Without one that was changed; where lines are passed over or lost, each speaks for itself."""
    before: LinkedLine | None = None
    for data in lines:
        if not data or (wanted is not None and not wanted(data)):
            continue
        try:
            found, body = decode(data)
        except (ValueError, msgspec.DecodeError):
            continue
        if before is None or found.line.n != before.line.n + 1 or link(before.chain, body) == found.chain:
            yield found.line
        before = found


def registered(disk: Disk, layout: Layout, wanted: Callable[[bytes], bool] | None = None) -> Registered:
    """In the order in which it was written: of several registers by time, which never goes back in one of them."""
    found, lines = Registered(), list[tuple[datetime, RegisterLine]]()
    for path in register_files(layout):
        time = datetime.min.replace(tzinfo=UTC)
        for line in _trusted(disk.read_whole(path).split(b"\n"), wanted):
            time = max(time, line.at if line.at.tzinfo else line.at.replace(tzinfo=UTC))
            lines.append((time, line))
    for _time, line in sorted(lines, key=itemgetter(0)):
        found.take(line)
    return found
