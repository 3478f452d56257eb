"""Is everything there, and every byte what it was? The registers compared, then the whole archive read again.

What is missing, extra or altered is named apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from memlane.archive.comparison import ALTERED, EXTRA, MISSING, PERMISSIONS, UNREADABLE, compare
from memlane.archive.forget import being_forgotten
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, generation_in
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, load
from memlane.archive.presence import GenerationName
from memlane.archive.read import pieces
from memlane.archive.register_check import check_registers
from memlane.domain.delta import Generation
from memlane.domain.findings import Finding, Level
from memlane.errors import DamagedError
from memlane.system.disk import Disk


def verify(disk: Disk, layout: Layout) -> Iterator[Finding]:
    yield from check_registers(disk, layout)
    compared = compare(disk, layout)
    yield from compared.findings
    said = {finding.what for finding in compared.findings}
    going = set(being_forgotten(disk, layout))
    for folder in layout.run_folders():
        if folder.name in going:
            yield Finding("being-forgotten", Level.NOTE, f"{folder.name} is being deleted", "lane tick finishes it")
        else:
            for finding in _verify_run(disk, folder, compared.given_up):
                if finding.what not in said:
                    yield finding


def _verify_run(disk: Disk, folder: Path, given_up: Collection[GenerationName]) -> Iterator[Finding]:
    try:
        metadata = load(disk, folder)
        names = disk.names(folder)
    except DamagedError:
        return  # the comparison names it
    except OSError as error:
        yield Finding(UNREADABLE, Level.FAIL, f"{folder}: {error.strerror}", PERMISSIONS)
        return
    if metadata is None:
        return
    for generation in metadata.generations:
        name = GenerationName(folder.name, generation.n, generation.stored)
        if disk.is_file(folder / name.file):
            yield from _verify_generation(disk, folder, metadata, generation)
        elif name in given_up:
            yield Finding("given-up", Level.NOTE, f"{folder.name}: {name.file} is lost, as you accepted")
        else:
            yield _damage(folder, f"{name.file} is missing", MISSING)
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
    except FileNotFoundError:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name} is missing", MISSING)
        return
    except OSError as error:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name}: {error.strerror}")
        return
    if digest.size != copy.size or digest.sha256 != copy.sha256:
        yield _damage(folder, f"{SIDE_FOLDER}/{copy.name} does not match its checksum")


def _strangers(folder: Path, names: Sequence[str], metadata: Metadata) -> Iterator[Finding]:
    known = {METADATA, SIDE_FOLDER, *(f"g{g.n}.{g.stored}" for g in metadata.generations)}
    for name in names:
        if name in known or name.endswith(".tmp"):
            continue
        if generation_in(name) == metadata.newest.n + 1:
            continue  # a generation that was being written when the power went: never acknowledged
        yield Finding(
            EXTRA,
            Level.NOTE,
            f"{folder / name} was not written by Lane",
            "ignored; move it away if you do not need it",
        )


def _damage(folder: Path, what: str, kind: str = ALTERED) -> Finding:
    hint = "lane archive repair (takes it again if the agent still has it; otherwise restore it from a backup)"
    return Finding(kind, Level.FAIL, f"{folder.name}: {what} ({folder})", hint)
