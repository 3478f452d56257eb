"""What the Archive holds of a Run, counted or not, and what capture may ask about it. The bytes win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memlane.archive import read
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, generation_in, raw_name
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, UnreadableMetadataError, load
from memlane.archive.side_files import UNFINISHED
from memlane.domain.delta import Generation, Inventory
from memlane.errors import DamagedError
from memlane.system.disk import Disk


@dataclass(frozen=True, slots=True)
class Shelf:
    disk: Disk
    layout: Layout

    def holding(self, run: str) -> Inventory:
        kept = held(self.disk, self.layout.find(run))
        known = kept.metadata
        if known is None:
            return Inventory(kept.generations, settled=kept.settled)
        started = datetime.fromisoformat(known.started)
        return Inventory(kept.generations, started, known.cwd, known.project, kept.settled)

    def pieces(self, run: str, generation: Generation) -> Iterator[bytes]:
        folder, metadata = self._folder(run)
        return read.pieces(self.disk, folder, metadata, generation)

    def tail(self, run: str, generation: Generation, end: int) -> bytes:
        folder, metadata = self._folder(run)
        return read.tail(self.disk, folder, metadata, generation, end)

    def intact(self, run: str, generation: Generation) -> bool:
        folder, metadata = self._folder(run)
        return read.intact(self.disk, folder, metadata, generation)

    def _folder(self, run: str) -> tuple[Path, Metadata | None]:
        folder = self.layout.find(run)
        if folder is None:
            raise DamagedError(f"{run} was just removed from the archive")
        return folder, held(self.disk, folder).metadata


UNREADABLE = ".damaged"


@dataclass(frozen=True, slots=True)
class RunHolding:
    """`settled`: `metadata.json` says exactly this. Otherwise the next append writes it down."""

    metadata: Metadata | None
    generations: tuple[Generation, ...] = ()
    files: tuple[SideCopy, ...] = ()
    settled: bool = True


NOTHING = RunHolding(None)


def held(disk: Disk, folder: Path | None) -> RunHolding:
    if folder is None:
        return NOTHING
    try:
        metadata = load(disk, folder)
    except UnreadableMetadataError:
        metadata = None
    counted = {g.n: g for g in metadata.generations} if metadata else {}
    found = {n: _as_found(disk, folder, n) for n in _raw_files(disk, folder) if n not in counted}
    files = metadata.files if metadata else tuple(_side_files(disk, folder / SIDE_FOLDER)) if found else ()
    generations = tuple(g for _n, g in sorted({**counted, **found}.items()))
    return RunHolding(metadata, generations, files, settled=not found)


def settle(disk: Disk, folder: Path) -> None:
    """Before anyone relies on what is held: whoever committed it may have been killed before it was durable."""
    disk.settle(folder / METADATA, new=False)


def put_aside_unreadable(disk: Disk, folder: Path) -> None:
    """A `metadata.json` that cannot be read makes room for one that can, and stays for a person to look at."""
    try:
        load(disk, folder)
    except UnreadableMetadataError:
        disk.rename(folder / METADATA, folder / f"{METADATA}{UNREADABLE}")


def _raw_files(disk: Disk, folder: Path) -> list[int]:
    names = [name for name in disk.names(folder) if name.endswith(".raw")]
    return sorted(n for name in names if (n := generation_in(name)) is not None)


def _as_found(disk: Disk, folder: Path, n: int) -> Generation:
    digest, modified = _digest(disk, folder / raw_name(n))
    return Generation(
        n=n,
        size=digest.size,
        sha256=digest.sha256,
        mib=digest.all_mib,
        anchor=digest.anchor,
        source_path="",
        first_captured=modified,
        last_captured=modified,
    )


def _side_files(disk: Disk, folder: Path) -> list[SideCopy]:
    try:
        names = [name for name in disk.names(folder) if not name.endswith(UNFINISHED)]
    except FileNotFoundError:
        return []
    digests = [(name, _digest(disk, folder / name)[0]) for name in names]
    return [SideCopy(name, digest.size, digest.sha256, "") for name, digest in digests]


def _digest(disk: Disk, path: Path) -> tuple[Digest, str]:
    digest, descriptor = Digest(), disk.open_to_read(path)
    try:
        while piece := disk.read(descriptor, MIB, digest.size):
            digest.add(piece)
        modified = datetime.fromtimestamp(disk.stat(descriptor).modified_ns / 1e9, UTC)
    finally:
        disk.close(descriptor)
    return digest, modified.isoformat()
