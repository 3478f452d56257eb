"""What the archive holds of a Run: what `metadata.json` counts, and what lies beside it uncounted. The bytes win.

A file is called `gN.raw` only once it is whole and synced, so one that `metadata.json` does not count is a generation
all the same: its commit was cut off, or `metadata.json` was lost, damaged or put back from an older copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memlane.archive.layout import METADATA, SIDE_FOLDER, generation_in, raw_name
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, UnreadableMetadataError, load
from memlane.archive.side import UNFINISHED
from memlane.disk import Disk
from memlane.domain.delta import Generation

UNREADABLE = ".damaged"


@dataclass(frozen=True, slots=True)
class Held:
    """`settled`: `metadata.json` says exactly this. Otherwise the next append writes it down."""

    metadata: Metadata | None
    generations: tuple[Generation, ...] = ()
    files: tuple[SideCopy, ...] = ()
    settled: bool = True


NOTHING = Held(None)


def held(disk: Disk, folder: Path | None) -> Held:
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
    return Held(metadata, generations, files, settled=not found)


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
    names = [entry.name for entry in disk.list(folder) if entry.name.endswith(".raw")]
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
        names = sorted(entry.name for entry in disk.list(folder) if not entry.name.endswith(UNFINISHED))
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
