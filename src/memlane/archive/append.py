"""Bytes into the archive: written, synced, then committed by `metadata.json`, then acknowledged. Never half.

A kill at any instant leaves the old state or the new one: what stands in a raw file beyond the committed size was
never acknowledged and is cut off before the next append.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane.archive.layout import METADATA, Layout, patch_name, raw_name
from memlane.archive.metadata import MIB, Digest, Metadata, encode, load
from memlane.archive.patch import LARGEST, ON_ITS_OWN_EVERY, pack
from memlane.archive.read import pieces
from memlane.archive.shelf import RunHolding, held, put_aside_unreadable
from memlane.domain.delta import Delta, Generation
from memlane.errors import DamagedError, LaneError
from memlane.system.disk import Disk


class DivergedError(DamagedError):
    """Bytes from another machine do not belong behind those that are held."""

    kind = "diverged"


@dataclass(frozen=True, slots=True)
class AppendReceipt:
    """A durable delta: acknowledged by being returned."""

    metadata: Metadata
    generation: int
    bytes_new: int


def append(disk: Disk, layout: Layout, delta: Delta, now: datetime) -> AppendReceipt:
    """Add the Delta behind what its generation already holds. If its pieces raise, nothing is committed."""
    found = layout.find(delta.run.id)
    folder = found or layout.run_folder(delta.started, delta.run.id)
    kept = held(disk, found)
    if kept.metadata is None:
        disk.make_folders(folder, layout.base)
    metadata = _counted(kept, delta)
    known = next((g for g in metadata.generations if g.n == delta.generation), None)
    if known is None or delta.again:
        digest, before = write_whole(disk, folder, delta, known), known.size if known else 0
    else:
        digest, before = write_behind(disk, folder, delta, known), known.size
    metadata = metadata.with_generation(_grown(known, delta, digest, now))
    put_aside_unreadable(disk, folder)
    disk.replace(folder / METADATA, encode(metadata))
    return AppendReceipt(metadata, delta.generation, digest.size - before)


def _counted(kept: RunHolding, delta: Delta) -> Metadata:
    """What is held, also if `metadata.json` does not say so, filed under what the first whole lines told."""
    metadata = kept.metadata or _new_metadata(delta)
    if not metadata.cwd:
        metadata = replace(metadata, cwd=delta.cwd, project=delta.project)
    return replace(metadata, format=_format(delta), generations=kept.generations, files=kept.files)


def write_whole(disk: Disk, folder: Path, delta: Delta, known: Generation | None) -> Digest:
    """A generation from its first byte. It has its name only when it is whole and durable."""
    raw = folder / raw_name(delta.generation)
    unfinished = raw.with_name(f"{raw.name}.tmp")
    descriptor = disk.open_to_write(unfinished)
    try:
        disk.truncate(descriptor, 0)
        digest = _write_pieces(disk, descriptor, delta, Digest(), known)
    except (OSError, LaneError):
        with suppress(OSError):
            disk.unlink(unfinished)  # half of a large file must not take the room of small ones
        raise
    finally:
        disk.close(descriptor)
    disk.rename(unfinished, raw)
    disk.sync_folder(folder)  # before metadata.json counts it: the two entries may become durable in any order
    return digest


def write_behind(disk: Disk, folder: Path, delta: Delta, known: Generation) -> Digest:
    descriptor = disk.open_to_write(folder / raw_name(known.n))
    try:
        if disk.stat(descriptor).size > known.size:
            disk.fence(folder / METADATA)
        digest = _digest_of_held(disk, descriptor, known, folder)
        disk.truncate(descriptor, known.size)
        try:
            return _write_pieces(disk, descriptor, delta, digest, None)
        except (OSError, LaneError):
            with suppress(OSError):
                disk.truncate(descriptor, known.size)
            raise
    finally:
        disk.close(descriptor)


def _write_pieces(disk: Disk, descriptor: int, delta: Delta, digest: Digest, known: Generation | None) -> Digest:
    """With `known`: only if they begin with exactly what is known."""
    beginning, size = Digest(), known.size if known else 0
    for piece in delta.pieces:
        disk.write(descriptor, piece, digest.size)
        digest.add(piece)
        beginning.add(piece[: size - beginning.size])
    if known and beginning.sha256 != known.sha256:
        raise DamagedError(f"{raw_name(known.n)} is damaged, and its agent no longer has those bytes")
    if delta.ends_as and digest.sha256 != delta.ends_as:
        raise DivergedError(
            f"{raw_name(delta.generation)}: the bytes that came do not belong behind those that are held"
        )
    disk.sync(descriptor)
    return digest


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
        format=_format(delta),
    )


def _format(delta: Delta) -> str:
    return delta.format or delta.run.agent


def _digest_of_held(disk: Disk, descriptor: int, known: Generation, folder: Path) -> Digest:
    """Re-reads our own copy: the digests go on from there, and damage is found before anything is built on it."""
    digest = Digest()
    while piece := disk.read(descriptor, min(MIB, known.size - digest.size), digest.size):
        digest.add(piece)
    if digest.sha256 != known.sha256:
        raise DamagedError(f"{folder / raw_name(known.n)} no longer matches its checksum", hint="lane archive verify")
    return digest


def _grown(known: Generation | None, delta: Delta, digest: Digest, now: datetime) -> Generation:
    return Generation(
        n=delta.generation,
        size=digest.size,
        sha256=digest.sha256,
        mib=digest.all_mib,
        anchor=digest.anchor,
        source_path=delta.source_path,
        first_captured=known.first_captured if known else now.isoformat(),
        last_captured=now.isoformat(),
        deltas=known.deltas + 1 if known else 1,
    )


def rewrite(disk: Disk, layout: Layout, delta: Delta, now: datetime) -> AppendReceipt:
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
    packed = pack(content, None if alone else _base(disk, folder, metadata, before), before.n, alone=alone)
    disk.replace(folder / patch_name(delta.generation), packed.data)
    grown = replace(
        _grown(None, delta, digest, now),
        stored="patch",
        base=packed.base,
        stored_sha256=hashlib.sha256(packed.data).hexdigest(),
    )
    metadata = replace(metadata.with_generation(grown), format=_format(delta))
    disk.replace(folder / METADATA, encode(metadata))
    return AppendReceipt(metadata, delta.generation, len(content))


def _base(disk: Disk, folder: Path, metadata: Metadata, before: Generation) -> bytes | None:
    try:
        return b"".join(pieces(disk, folder, metadata, before))
    except DamagedError:  # nothing is built on damage: the new generation stands on its own
        return None
