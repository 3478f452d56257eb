"""Bytes out of the archive, checked against their digests as they go by."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from memlane.archive.layout import patch_name, raw_name
from memlane.archive.metadata import MIB, Metadata
from memlane.archive.patch import chain, unpack
from memlane.domain.delta import ANCHOR, Generation, anchor_of
from memlane.errors import DamagedError
from memlane.system.disk import Disk

VERIFY = "lane archive verify"


def added(disk: Disk, folder: Path, generation: Generation, offset: int) -> Iterator[bytes]:
    """What stands in a generation from `offset` on, and not a byte before the last 4 KiB.

    Every whole MiB of it is checked against its digest, and its end against the anchor. Between the two a piece may go
    unchecked that is younger than the last whole reading; the next one, and `lane archive verify`, check it.
    """
    path = folder / raw_name(generation.n)
    _must_have_digests(path, generation)
    with _told_as_damage(folder, generation):
        descriptor = disk.open_to_read(path)
        try:
            yield from _added(disk, descriptor, path, generation, offset)
        finally:
            disk.close(descriptor)


def _added(disk: Disk, descriptor: int, path: Path, generation: Generation, offset: int) -> Iterator[bytes]:
    begin = min(offset, max(0, generation.size - ANCHOR))
    kept = b""
    while begin < generation.size:
        piece = disk.read(descriptor, min(MIB - begin % MIB, generation.size - begin), begin)
        number, whole = begin // MIB, begin % MIB == 0
        if not piece or (whole and digest_of(piece) != generation.mib[number]):
            raise DamagedError(f"{path} is damaged in MiB {number + 1}", hint=VERIFY)
        begin, kept = begin + len(piece), (kept + piece)[-ANCHOR:]
        if begin == generation.size and anchor_of(kept) != generation.anchor:
            raise DamagedError(f"{path} is damaged at its end", hint=VERIFY)
        yield piece[max(0, len(piece) - (begin - offset)) :]


def pieces(disk: Disk, folder: Path, metadata: Metadata | None, generation: Generation) -> Iterator[bytes]:
    """The committed bytes of a generation, a MiB at a time; one that does not match its digest is never handed out."""
    with _told_as_damage(folder, generation):
        yield from _pieces(disk, folder, metadata, generation)


@contextmanager
def _told_as_damage(folder: Path, generation: Generation) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        told = f"{folder / f'g{generation.n}.{generation.stored}'} cannot be read: {error.strerror}"
        raise DamagedError(told, hint=VERIFY) from error


def _pieces(disk: Disk, folder: Path, metadata: Metadata | None, generation: Generation) -> Iterator[bytes]:
    if generation.stored == "patch":
        content = _restored(disk, folder, metadata, generation)
        yield from (content[start : start + MIB] for start in range(0, len(content), MIB))
        return
    path = folder / raw_name(generation.n)
    _must_have_digests(path, generation)
    descriptor = disk.open_to_read(path)
    try:
        for number, wanted in enumerate(generation.mib):
            piece = disk.read(descriptor, max(0, min(MIB, generation.size - number * MIB)), number * MIB)
            if digest_of(piece) != wanted:
                raise DamagedError(f"{path} is damaged in MiB {number + 1}", hint=VERIFY)
            yield piece
    finally:
        disk.close(descriptor)


def _must_have_digests(path: Path, generation: Generation) -> None:
    if len(generation.mib) != -(-generation.size // MIB):
        raise DamagedError(f"{path} has digests for another size than {generation.size}", hint=VERIFY)


def _restored(disk: Disk, folder: Path, metadata: Metadata | None, generation: Generation) -> bytes:
    """A generation kept as changes: from the last one that stands on its own, change by change."""
    known = {g.n: g for g in metadata.generations} if metadata else {}
    content = b""
    for n in chain(generation.n, lambda n: known[n].base if n in known else 0):
        if n not in known:
            raise DamagedError(f"{folder}: generation {n}, which others are made of, is not there", hint=VERIFY)
        step = known[n]
        if step.stored == "raw":
            content = b"".join(pieces(disk, folder, metadata, step))
            continue
        data = disk.read_whole(folder / patch_name(n))
        if digest_of(data) != step.stored_sha256:
            raise DamagedError(f"{folder / patch_name(n)} is damaged", hint=VERIFY)
        content = unpack(data, content if step.base else b"", step.size)
    if digest_of(content) != generation.sha256:
        raise DamagedError(f"{folder / patch_name(generation.n)} does not restore to the kept bytes")
    return content


def digest_of(piece: bytes) -> str:
    return hashlib.sha256(piece).hexdigest()


def tail(disk: Disk, folder: Path, metadata: Metadata | None, generation: Generation, end: int) -> bytes:
    """The last 4 KiB before `end`, as archived."""
    start = max(0, end - ANCHOR)
    with _told_as_damage(folder, generation):
        if generation.stored == "patch":
            return _restored(disk, folder, metadata, generation)[start:end]
        descriptor = disk.open_to_read(folder / raw_name(generation.n))
        try:
            return disk.read(descriptor, end - start, start)
        finally:
            disk.close(descriptor)


def intact(disk: Disk, folder: Path, metadata: Metadata | None, generation: Generation) -> bool:
    whole = hashlib.sha256()
    try:
        for piece in pieces(disk, folder, metadata, generation):
            whole.update(piece)
    except DamagedError:
        return False
    return whole.hexdigest() == generation.sha256


def salvage(disk: Disk, folder: Path, metadata: Metadata, generation: Generation) -> Iterator[tuple[bytes, bool]]:
    """What is left of a damaged generation, a MiB at a time, and whether that MiB is as it was archived.

    For a person who asks for the rest of a damaged Run and is shown what is missing; everything else reads `pieces`.
    """
    if generation.stored == "patch":  # all of it or nothing: a change means something only with what it changed
        yield from ((piece, True) for piece in pieces(disk, folder, metadata, generation))
        return
    with _told_as_damage(folder, generation):
        descriptor = disk.open_to_read(folder / raw_name(generation.n))
        try:
            for number in range(-(-generation.size // MIB)):
                piece = disk.read(descriptor, min(MIB, generation.size - number * MIB), number * MIB)
                wanted = generation.mib[number] if number < len(generation.mib) else ""
                yield piece, digest_of(piece) == wanted
        finally:
            disk.close(descriptor)
