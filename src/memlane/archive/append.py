"""Bytes into the archive: written, synced, then committed by `metadata.json`, then acknowledged. Never half.

A kill at any instant leaves the old state or the new one: what stands in a raw file beyond the committed size was
never acknowledged and is cut off before the next append.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, patch_name, raw_name
from memlane.archive.metadata import MIB, Digest, Metadata, SideCopy, encode, load
from memlane.archive.patch import LARGEST, ON_ITS_OWN_EVERY, pack
from memlane.archive.read import pieces
from memlane.disk import Disk
from memlane.domain.delta import Delta, Generation
from memlane.errors import DamagedError


@dataclass(frozen=True, slots=True)
class Appended:
    """A durable delta: acknowledged by being returned."""

    metadata: Metadata
    generation: int
    bytes_new: int


def append(disk: Disk, layout: Layout, delta: Delta, now: datetime) -> Appended:
    """Add the Delta behind what its generation already holds. If its pieces raise, nothing is committed."""
    folder = layout.find(delta.run.id) or layout.run_folder(delta.started, delta.run.id)
    metadata = load(disk, folder) or _new_metadata(delta)
    held = next((g for g in metadata.generations if g.n == delta.generation), None)
    disk.make_folders(folder)
    descriptor = disk.open_to_write(folder / raw_name(delta.generation))
    try:
        digest = _digest_of_held(disk, descriptor, held, folder)
        before = digest.size
        disk.truncate(descriptor, before)
        for piece in delta.pieces:
            disk.write(descriptor, piece, digest.size)
            digest.add(piece)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    metadata = metadata.with_generation(_grown(held, delta, digest, now))
    disk.replace(folder / METADATA, encode(metadata))
    return Appended(metadata, delta.generation, digest.size - before)


def _new_metadata(delta: Delta) -> Metadata:
    return Metadata(
        run=delta.run.id,
        user=delta.run.user,
        machine=delta.run.machine,
        agent=delta.run.agent,
        native_id=delta.run.native_id,
        started=delta.started.isoformat(),
        cwd=delta.cwd,
        project=delta.project,
        parent_native_id=delta.parent_native_id,
        relation=delta.relation,
    )


def _digest_of_held(disk: Disk, descriptor: int, held: Generation | None, folder: Path) -> Digest:
    """Re-reads our own copy: the digests go on from there, and damage is found before anything is built on it."""
    digest = Digest()
    if held is None:
        return digest
    while digest.size < held.size:
        piece = disk.read(descriptor, min(MIB, held.size - digest.size), digest.size)
        if not piece:
            break
        digest.add(piece)
    if digest.sha256 != held.sha256:
        raise DamagedError(f"{folder / raw_name(held.n)} no longer matches its digest", hint="lane archive verify")
    return digest


def _grown(held: Generation | None, delta: Delta, digest: Digest, now: datetime) -> Generation:
    return Generation(
        n=delta.generation,
        size=digest.size,
        sha256=digest.sha256,
        mib=digest.all_mib,
        anchor=digest.anchor,
        source_path=delta.source_path,
        first_captured=held.first_captured if held else now.isoformat(),
        last_captured=now.isoformat(),
        deltas=held.deltas + 1 if held else 1,
    )


def rewrite(disk: Disk, layout: Layout, delta: Delta, now: datetime) -> Appended:
    """A document written anew, as the next generation: the first as it is, later ones as changes."""
    folder = layout.find(delta.run.id)
    metadata = load(disk, folder) if folder else None
    if folder is None or metadata is None:
        return append(disk, layout, delta, now)
    content = b"".join(delta.pieces)
    digest = Digest()
    digest.add(content)
    before = metadata.newest
    alone = delta.generation % ON_ITS_OWN_EVERY == 0 or max(len(content), before.size) > LARGEST
    held = None if alone else b"".join(pieces(disk, folder, metadata, before))
    packed = pack(content, held, before.n, alone=alone)
    disk.replace(folder / patch_name(delta.generation), packed.data)
    grown = replace(
        _grown(None, delta, digest, now),
        stored="patch",
        base=packed.base,
        stored_sha256=hashlib.sha256(packed.data).hexdigest(),
    )
    metadata = metadata.with_generation(grown)
    disk.replace(folder / METADATA, encode(metadata))
    return Appended(metadata, delta.generation, len(content))


def keep_side_file(
    disk: Disk, layout: Layout, run: str, name: str, source_path: str, pieces: Iterable[bytes]
) -> SideCopy | None:
    """A copy of a file the transcript points to. None when its Run is not in the archive (yet).

    A changed one replaces its predecessor only if it merely grew; otherwise the predecessor stays under `name~N`.
    """
    folder = layout.find(run)
    metadata = load(disk, folder) if folder else None
    if folder is None or metadata is None:
        return None
    held = next((f for f in metadata.files if f.name == name), None)
    beside = folder / SIDE_FOLDER
    disk.make_folders(beside)
    temporary = beside / f"{name}.tmp"
    digest, grew = _write_side(disk, temporary, pieces, held)
    copy = SideCopy(name, digest.size, digest.sha256, source_path)
    if held == copy:
        disk.unlink(temporary)
        return copy
    if held is not None and not grew:
        older = replace(held, name=f"{name}~{1 + sum(f.name.startswith(f'{name}~') for f in metadata.files)}")
        disk.rename(beside / name, beside / older.name)
        metadata = metadata.with_file(older)
    disk.rename(temporary, beside / name)
    disk.sync_folder(beside)
    disk.replace(folder / METADATA, encode(metadata.with_file(copy)))
    return copy


def _write_side(disk: Disk, path: Path, pieces: Iterable[bytes], held: SideCopy | None) -> tuple[Digest, bool]:
    digest, grew = Digest(), held is None
    descriptor = disk.open_to_write(path)
    try:
        disk.truncate(descriptor, 0)
        prefix = Digest()
        for piece in pieces:
            disk.write(descriptor, piece, digest.size)
            digest.add(piece)
            if held is not None and prefix.size < held.size:
                prefix.add(piece[: held.size - prefix.size])
                grew = prefix.size == held.size and prefix.sha256 == held.sha256
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    return digest, grew
