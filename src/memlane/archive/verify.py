"""Is every byte still what it was? Re-reads the whole archive against its digests and names each thing that is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memlane.archive.forget import being_forgotten
from memlane.archive.journal import BadLine
from memlane.archive.journal import read as read_journal
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, generation_in
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, load
from memlane.archive.read import pieces
from memlane.domain.delta import Generation
from memlane.domain.findings import Finding, Level
from memlane.errors import DamagedError
from memlane.system.disk import Disk

REPAIR = "lane archive verify --repair rebuilds it from the raw bytes"


def verify(disk: Disk, layout: Layout) -> Iterator[Finding]:
    for month in layout.months(layout.runs):
        try:
            next(month.iterdir(), None)
        except OSError as error:
            yield Finding("unreadable", Level.FAIL, f"{month}: {error.strerror}", "check its owner and permissions")
    going = set(being_forgotten(disk, layout))
    for folder in layout.run_folders():
        if folder.name in going:
            yield Finding("being-forgotten", Level.NOTE, f"{folder.name} is being deleted", "lane tick finishes it")
        else:
            yield from _verify_run(disk, folder)
    yield from _verify_journal(disk, layout)


def _verify_run(disk: Disk, folder: Path) -> Iterator[Finding]:
    try:
        metadata = load(disk, folder)
        names = sorted(file.name for file in folder.iterdir())
    except (DamagedError, OSError) as error:
        yield Finding("metadata", Level.FAIL, str(error), REPAIR)
        return
    if metadata is None:
        if any(generation_in(name) for name in names):
            yield Finding("no-metadata", Level.FAIL, f"{folder} has raw bytes and no {METADATA}", REPAIR)
        return
    for generation in metadata.generations:
        yield from _verify_generation(disk, folder, metadata, generation)
    for copy in metadata.files:
        yield from _verify_side(disk, folder, copy)
    yield from _strangers(folder, names, metadata)


def _verify_generation(disk: Disk, folder: Path, metadata: Metadata, generation: Generation) -> Iterator[Finding]:
    digest = Digest()
    try:
        for piece in pieces(disk, folder, metadata, generation):
            digest.add(piece)
    except DamagedError as error:
        yield _damage(folder, error.message)
        return
    found = (digest.size, digest.sha256, digest.all_mib, digest.anchor)
    if found != (generation.size, generation.sha256, generation.mib, generation.anchor):
        yield _damage(folder, f"g{generation.n}.{generation.stored} is not what {METADATA} says")


def _verify_side(disk: Disk, folder: Path, copy: SideCopy) -> Iterator[Finding]:
    """Only the bytes that count: it may have grown, and the kill came before that was counted."""
    digest, path = Digest(), folder / SIDE_FOLDER / copy.name
    try:
        descriptor = disk.open_to_read(path)
        try:
            while piece := disk.read(descriptor, min(MIB, copy.size - digest.size), digest.size):
                digest.add(piece)
        finally:
            disk.close(descriptor)
    except OSError as error:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name}: {error.strerror}")
        return
    if digest.size != copy.size or digest.sha256 != copy.sha256:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name} does not match its checksum")


def _strangers(folder: Path, names: list[str], metadata: Metadata) -> Iterator[Finding]:
    known = {METADATA, SIDE_FOLDER, *(f"g{g.n}.{g.stored}" for g in metadata.generations)}
    for name in names:
        if name in known or name.endswith(".tmp"):
            continue
        if generation_in(name) == metadata.newest.n + 1:
            continue  # a generation that was being written when the power went: never acknowledged
        yield Finding(
            "stranger",
            Level.NOTE,
            f"{folder / name} was not written by Lane",
            "ignored; move it away if you do not need it",
        )


def _verify_journal(disk: Disk, layout: Layout) -> Iterator[Finding]:
    for line in read_journal(disk, layout, {}):
        if isinstance(line, BadLine) and line.torn:
            told = f"{line.file} line {line.line} was cut off by a crash before it was saved"
            yield Finding("journal-torn", Level.WARN, told, "the next write replaces it")
        elif isinstance(line, BadLine):
            told = f"{line.file} line {line.line}: {line.reason}"
            yield Finding("journal-line", Level.FAIL, told, "all other lines are used; restore this one from a backup")


def _damage(folder: Path, what: str) -> Finding:
    return Finding(
        "damaged",
        Level.FAIL,
        f"{folder.name}: {what} ({folder})",
        "lane capture --audit captures it again if the agent still has it; otherwise restore it from a backup",
    )
