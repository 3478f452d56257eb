"""What is there, by name: the generations in the Runs' folders and the lines in the Journal's files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from memlane.archive.layout import Layout, generation_in, safe_name
from memlane.archive.lines import decode, is_whole, untorn
from memlane.archive.metadata import Metadata, load
from memlane.domain.journal import Entry
from memlane.errors import DamagedError
from memlane.system.disk import Disk


class GenerationName(NamedTuple):
    run: str
    n: int
    stored: str  # raw or patch

    @property
    def file(self) -> str:
        return f"g{self.n}.{self.stored}"


class LineName(NamedTuple):
    """What a line of the Journal is known by: `forget --now` may rewrite all else of it."""

    kind: str
    id: str
    at: datetime

    def __str__(self) -> str:
        return f"{self.kind} {self.id} of {self.at:%Y-%m-%d %H:%M}"


class FileLines(NamedTuple):
    """The lines of one file of the Journal that can be read, and where the last of them ends."""

    journal: str
    size: int
    names: tuple[LineName, ...]


def name_of(entry: Entry) -> LineName:
    return LineName(entry.kind, entry.id, entry.at)


def generations_there(disk: Disk, folder: Path) -> list[GenerationName]:
    """Those `metadata.json` counts, and those whose file is there."""
    found = dict[int, str]()
    with suppress(OSError):
        for name in disk.names(folder):
            if n := generation_in(name):
                found[n] = name.rpartition(".")[2]
    with suppress(DamagedError):
        metadata = load(disk, folder)
        found |= {g.n: g.stored for g in metadata.generations} if metadata else {}
    return [GenerationName(folder.name, n, stored) for n, stored in sorted(found.items())]


def generation_names(metadata: Metadata) -> list[GenerationName]:
    return [GenerationName(metadata.run, g.n, g.stored) for g in metadata.generations]


def runs_there(disk: Disk, layout: Layout) -> Iterator[GenerationName]:
    for folder in layout.run_folders():
        yield from generations_there(disk, folder)


def lines_there(disk: Disk, layout: Layout, machine: str) -> list[FileLines]:
    """Of one machine, file by file."""
    mine = f"{safe_name(machine)}.jsonl"
    return [lines_in(disk, layout, path) for path in layout.journal_files() if path.name == mine]


def lines_in(disk: Disk, layout: Layout, path: Path, start: int = 0, end: int | None = None) -> FileLines:
    descriptor = disk.open_to_read(path)
    try:
        data = disk.read(descriptor, max(0, (end or disk.stat(descriptor).size) - start), start)
    finally:
        disk.close(descriptor)
    length = untorn(data, is_whole)
    return FileLines(layout.journal_name(path), start + length, tuple(_names(data[:length])))


def _names(data: bytes) -> Iterator[LineName]:
    for line in data.split(b"\n"):
        if line:
            with suppress(ValueError, msgspec.DecodeError):  # `archive verify` names it
                yield name_of(decode(line))
