"""Files put into an agent's folder: whole or not at all, and never in place of one that is there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane.system.disk import Disk

TEMPORARY = ".lane-tmp"


@dataclass(frozen=True, slots=True)
class PlacedFile:
    path: Path
    bytes: int
    sha256: str
    written: bool  # False: there was one, and it stays as it is


def put_new(disk: Disk, path: Path, data: Callable[[], Iterator[bytes]]) -> PlacedFile:
    if path.exists():
        return PlacedFile(path, path.stat().st_size, "", written=False)
    disk.make_folders(path.parent)
    temporary = path.with_name(f".{path.name}{TEMPORARY}")
    size, digest = fill(disk, temporary, data)
    try:
        os.link(temporary, path)  # fails where one was made meanwhile
    except FileExistsError:
        return PlacedFile(path, path.stat().st_size, "", written=False)
    finally:
        disk.unlink(temporary)
    disk.sync_folder(path.parent)
    return PlacedFile(path, size, digest, written=True)


def fill(disk: Disk, path: Path, data: Callable[[], Iterator[bytes]]) -> tuple[int, str]:
    """How many bytes, and their digest."""
    digest, size = hashlib.sha256(), 0
    descriptor = disk.open_to_write(path)
    try:
        disk.truncate(descriptor, 0)
        for piece in data():
            disk.write(descriptor, piece, size)
            digest.update(piece)
            size += len(piece)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    return size, digest.hexdigest()


def digest_of(disk: Disk, path: Path) -> tuple[int, str]:
    """The same of a file that is there."""
    digest, size = hashlib.sha256(), 0
    descriptor = disk.open_to_read(path)
    try:
        while piece := disk.read(descriptor, 1 << 20, size):
            digest.update(piece)
            size += len(piece)
    finally:
        disk.close(descriptor)
    return size, digest.hexdigest()
