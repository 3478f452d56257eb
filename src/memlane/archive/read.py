"""Bytes out of the archive, checked against their digests as they go by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from memlane.archive.layout import patch_name, raw_name
from memlane.archive.metadata import MIB, Metadata
from memlane.archive.patch import chain, unpack
from memlane.disk import Disk
from memlane.domain.delta import ANCHOR, Generation
from memlane.errors import DamagedError


def pieces(disk: Disk, folder: Path, metadata: Metadata, generation: Generation) -> Iterator[bytes]:
    """The committed bytes of a generation, a MiB at a time; one that does not match its digest is never handed out."""
    if generation.stored == "patch":
        content = _restored(disk, folder, metadata, generation)
        yield from (content[start : start + MIB] for start in range(0, len(content), MIB))
        return
    path = folder / raw_name(generation.n)
    descriptor = disk.open_to_read(path)
    try:
        for number, wanted in enumerate(generation.mib):
            piece = _read_fully(disk, descriptor, number * MIB, min(MIB, generation.size - number * MIB))
            if digest_of(piece) != wanted:
                raise DamagedError(f"{path} is damaged in MiB {number + 1}", hint="lane archive verify")
            yield piece
    finally:
        disk.close(descriptor)


def _restored(disk: Disk, folder: Path, metadata: Metadata, generation: Generation) -> bytes:
    """A generation kept as changes: from the last one that stands on its own, change by change."""
    known = {g.n: g for g in metadata.generations}
    content = b""
    for n in chain(generation.n, lambda n: known[n].base):
        step = known[n]
        if step.stored == "raw":
            content = b"".join(pieces(disk, folder, metadata, step))
            continue
        data = disk.read_whole(folder / patch_name(n))
        if digest_of(data) != step.stored_sha256:
            raise DamagedError(f"{folder / patch_name(n)} is damaged", hint="lane archive verify")
        content = unpack(data, content if step.base else b"", step.size)
    if digest_of(content) != generation.sha256:
        raise DamagedError(f"{folder / patch_name(generation.n)} does not restore to what was kept")
    return content


def digest_of(piece: bytes) -> str:
    return hashlib.sha256(piece).hexdigest()


def _read_fully(disk: Disk, descriptor: int, offset: int, length: int) -> bytes:
    found = b""
    while len(found) < length:
        piece = disk.read(descriptor, length - len(found), offset + len(found))
        if not piece:
            break
        found += piece
    return found


def tail(disk: Disk, folder: Path, metadata: Metadata, generation: Generation, end: int) -> bytes:
    """The last 4 KiB before `end`, as archived."""
    start = max(0, end - ANCHOR)
    if generation.stored == "patch":
        return _restored(disk, folder, metadata, generation)[start:end]
    descriptor = disk.open_to_read(folder / raw_name(generation.n))
    try:
        return _read_fully(disk, descriptor, start, end - start)
    finally:
        disk.close(descriptor)
