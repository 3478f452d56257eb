"""Bytes out of the archive, checked against their digests as they go by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from memlane.archive.layout import raw_name
from memlane.archive.metadata import MIB
from memlane.disk import Disk
from memlane.domain.delta import ANCHOR, Generation
from memlane.errors import DamagedError


def pieces(disk: Disk, folder: Path, generation: Generation) -> Iterator[bytes]:
    """The committed bytes of a generation, a MiB at a time; one that does not match its digest is never handed out."""
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


def tail(disk: Disk, folder: Path, generation: Generation, end: int) -> bytes:
    """The last 4 KiB before `end`, as archived."""
    descriptor = disk.open_to_read(folder / raw_name(generation.n))
    try:
        start = max(0, end - ANCHOR)
        return _read_fully(disk, descriptor, start, end - start)
    finally:
        disk.close(descriptor)
