"""The Journal: checksummed, append-only lines, and those of all Machines read in one order."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

import msgspec

from memlane.archive.layout import Layout
from memlane.archive.lines import decode, encode, is_whole, untorn
from memlane.archive.register import Register
from memlane.domain import Machine
from memlane.domain.journal import DREAM, Entry
from memlane.errors import BusyError, StoreAwayError
from memlane.system.disk import Disk

T = TypeVar("T")
BEGINNING = datetime.min.replace(tzinfo=UTC)
Timed = tuple[datetime, str, T]


def by_machine(files: Iterable[Path]) -> Mapping[str, list[Path]]:
    """A machine's file name → its files, oldest month first."""
    found = dict[str, list[Path]]()
    for path in files:
        found.setdefault(path.name, []).append(path)
    return found


def merged(
    streams: Mapping[str, Iterator[T]], when: Callable[[T], datetime | None], since: Mapping[str, datetime]
) -> Iterator[Timed[T]]:
    """Each with the time that counts for it, and whose it is. `since`: the time of what went before, by machine."""
    timed = [_timed(name, lines, when, since.get(name, BEGINNING)) for name, lines in streams.items()]
    return timed[0] if len(timed) == 1 else heapq.merge(*timed, key=itemgetter(0, 1))


def _timed(name: str, lines: Iterator[T], when: Callable[[T], datetime | None], time: datetime) -> Iterator[Timed[T]]:
    """Never earlier than the line before it: clocks jump back, a file does not."""
    for line in lines:
        time = max(time, _aware(when(line) or time))
        yield time, name, line


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)


LONG_LINE = 256 << 10  # looked at behind the last newline; a longer one costs a look at the whole file
NEWLINE = ord("\n")


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An Entry and where the next one begins: what a projection remembers."""

    entry: Entry
    file: str  # relative to the journal folder
    next_offset: int
    time: datetime = BEGINNING  # that counts for it among the lines of other machines

    @property
    def machine(self) -> str:
        """By the name of its file, in whichever month."""
        return self.file.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line whose checksum does not fit: damaged, or `torn`: cut off by a crash before it was acknowledged."""

    file: Path
    line: int
    reason: str
    torn: bool = False


def write(
    disk: Disk, layout: Layout, machine: Machine, entries: Sequence[Entry], behind: Mapping[str, int] | None = None
) -> None:
    """Durable and registered on return. Entries of one call stand together in one file: all, or up to a point.

    `behind`: how far the index has read. A file that has lost something is filled up to there with empty lines, so that
    what comes now is new to it, and what it still knows of the lost lines is not read over.
    """
    if not entries:
        return
    register = Register(disk, layout, machine.name)
    with suppress(OSError):
        register.begin(entries[0].at)
    path = _file(disk, layout, entries[0].at, machine)
    disk.make_folders(path.parent, layout.base)
    descriptor = disk.open_to_write(path)
    try:
        end, missing = _end(disk, descriptor)
        disk.truncate(descriptor, end)
        try:
            fill = b"\n" * ((behind or {}).get(layout.journal_name(path), 0) - end - len(missing))
            lines = missing + fill + b"".join(encode(entry) + b"\n" for entry in entries)
            disk.write(descriptor, lines, end)
            disk.sync(descriptor)
        except OSError:
            with suppress(OSError):
                disk.truncate(descriptor, end)  # what may not be durable must not be read either
            raise
    finally:
        disk.close(descriptor)
    disk.settle(path, new=end == 0)
    with suppress(
        OSError, StoreAwayError, BusyError
    ):  # saved is saved: the next write or sweep registers it, and until then it is named
        register.add_lines(path, end, end + len(lines), entries)


def _file(disk: Disk, layout: Layout, at: datetime, machine: Machine) -> Path:
    """Of this month; but never before one that is there: clocks jump back, and lines are read in the order of files."""
    path = layout.journal_file(at, machine.name)
    there = [month for month in layout.months(layout.journal) if disk.is_file(month / path.name)]
    return max(path.parent, *there, key=lambda month: month.name) / path.name if there else path


def _end(disk: Disk, descriptor: int) -> tuple[int, bytes]:
    """Where the next line goes and what must stand before it. A torn end was never acknowledged: it is written over."""
    size = disk.stat(descriptor).size
    start = max(0, size - LONG_LINE)
    tail = disk.read(descriptor, size - start, start)
    if start and not is_whole(tail.removesuffix(b"\n").rpartition(b"\n")[2]):
        start, tail = 0, disk.read(descriptor, size, 0)
    end = start + untorn(tail, is_whole)
    return end, b"" if end == 0 or tail[end - start - 1] == NEWLINE else b"\n"


def read(
    disk: Disk, layout: Layout, positions: Mapping[str, int], since: Mapping[str, datetime] | None = None
) -> Iterator[PlacedEntry | BadLine]:
    """Every whole line behind `positions` (file → offset), all machines' in one order. `since`: see `merged`."""
    files = by_machine(layout.journal_files())
    streams = {name: _of_machine(disk, paths, positions) for name, paths in files.items()}
    for time, _name, line in merged(streams, _when, since or {}):
        yield replace(line, time=time) if isinstance(line, PlacedEntry) else line


def _of_machine(disk: Disk, paths: Sequence[Path], positions: Mapping[str, int]) -> Iterator[PlacedEntry | BadLine]:
    for path in paths:
        yield from _finished(lines_of(disk, path, positions))


def _when(line: PlacedEntry | BadLine) -> datetime | None:
    return line.entry.at if isinstance(line, PlacedEntry) else None


def _finished(lines: Iterator[PlacedEntry | BadLine]) -> Iterator[PlacedEntry | BadLine]:
    """What a Dream wrote counts when its last line is there: of one that was cut off nothing has happened."""
    held = list[PlacedEntry]()
    for placed in lines:
        if isinstance(placed, PlacedEntry) and placed.entry.actor == DREAM:
            if placed.entry.kind != DREAM:
                held.append(placed)
                continue
            yield from (part for part in held if part.entry.data.get("dream") == placed.entry.id)
            held.clear()
        yield placed


def lines_of(disk: Disk, path: Path, positions: Mapping[str, int]) -> Iterator[PlacedEntry | BadLine]:
    name = f"{path.parent.name}/{path.name}"
    begin, data = _behind(disk, path, positions.get(name, 0))
    torn, offset = untorn(data, is_whole), 0
    while offset < len(data):
        start, offset = offset, data.find(b"\n", offset) + 1 or len(data)
        line = data[start:offset]
        if line == b"\n" or (offset == len(data) and is_whole(line)):
            continue  # the latter wants only its newline; whoever writes next adds it
        try:
            yield PlacedEntry(decode(line.removesuffix(b"\n")), name, begin + offset)
        except (ValueError, msgspec.DecodeError) as error:
            number = _lines_before(disk, path, begin) + data.count(b"\n", 0, start) + 1
            yield BadLine(path, number, str(error), torn=start >= torn)


def _behind(disk: Disk, path: Path, offset: int) -> tuple[int, bytes]:
    """The offset, if a line ends there, and what follows it; else everything from the beginning.

    In a file that has become shorter nothing is new: whoever writes next begins behind the offset.
    """
    descriptor = disk.open_to_read(path)
    try:
        size = disk.stat(descriptor).size
        if 0 < offset <= size and disk.read(descriptor, 1, offset - 1) != b"\n":
            offset = 0
        return offset, disk.read(descriptor, size - offset, offset) if size > offset else b""
    finally:
        disk.close(descriptor)


def _lines_before(disk: Disk, path: Path, offset: int) -> int:
    return disk.read_whole(path).count(b"\n", 0, offset) if offset else 0
