"""Is every byte still what it was? Re-reads the whole archive against its digests and names each thing that is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memlane.archive.journal import BadLine
from memlane.archive.journal import read as read_journal
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, generation_in
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, load
from memlane.archive.read import pieces
from memlane.disk import Disk
from memlane.domain.findings import Finding, Level
from memlane.errors import DamagedError


def verify(disk: Disk, layout: Layout) -> Iterator[Finding]:
    for folder in layout.run_folders():
        yield from _verify_run(disk, folder)
    for placed in read_journal(disk, layout, {}):
        if isinstance(placed, BadLine):
            yield Finding(
                "journal-line",
                Level.FAIL,
                f"{placed.file} line {placed.line}: {placed.reason}",
                "a line torn by a crash was never acknowledged; all other lines are used",
            )


def _verify_run(disk: Disk, folder: Path) -> Iterator[Finding]:
    try:
        metadata = load(disk, folder)
    except (DamagedError, OSError) as error:
        yield Finding("metadata", Level.FAIL, str(error), "lane archive verify --repair rebuilds it from the raw bytes")
        return
    if metadata is None:
        yield from _uncommitted(folder)
        return
    for generation in metadata.generations:
        try:
            for _piece in pieces(disk, folder, metadata, generation):
                pass
        except FileNotFoundError:
            yield _damage(folder, f"g{generation.n}.{generation.stored} is missing")
        except (DamagedError, OSError) as error:
            yield _damage(folder, str(error))
    for copy in metadata.files:
        yield from _verify_side(disk, folder, copy)
    yield from _strangers(folder, metadata)


def _uncommitted(folder: Path) -> Iterator[Finding]:
    if any(generation_in(file.name) for file in folder.iterdir()):
        yield Finding(
            "no-metadata",
            Level.FAIL,
            f"{folder} has raw bytes and no {METADATA}",
            "lane archive verify --repair rebuilds it from the raw bytes",
        )


def _verify_side(disk: Disk, folder: Path, copy: SideCopy) -> Iterator[Finding]:
    digest, path = Digest(), folder / SIDE_FOLDER / copy.name
    try:
        descriptor = disk.open_to_read(path)
    except OSError as error:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name}: {error.strerror}")
        return
    try:
        while piece := disk.read(descriptor, MIB, digest.size):
            digest.add(piece)
    finally:
        disk.close(descriptor)
    if digest.sha256 != copy.sha256:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name} does not match its digest")


def _strangers(folder: Path, metadata: Metadata) -> Iterator[Finding]:
    known = {METADATA, SIDE_FOLDER, *(f"g{g.n}.{g.stored}" for g in metadata.generations)}
    for file in sorted(folder.iterdir()):
        if file.name in known or file.name.endswith(".tmp"):
            continue
        if generation_in(file.name) == metadata.newest.n + 1:
            continue  # a generation that was being written when the power went: never acknowledged
        yield Finding("stranger", Level.NOTE, f"{file} is not ours", "left alone; move it away if you do not know it")


def _damage(folder: Path, what: str) -> Finding:
    return Finding(
        "damaged",
        Level.FAIL,
        f"{folder.name}: {what} ({folder})",
        "lane capture --audit takes it again if its agent still has it; else restore it from a backup",
    )
