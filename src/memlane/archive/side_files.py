"""Side files: copies of what a transcript points to. A committed one is never touched again, unless it merely grew."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, safe_name
from memlane.archive.metadata import Digest, Metadata, SideCopy, encode, load
from memlane.system.disk import Disk

LONGEST_NAME = 200
UNFINISHED = "~"  # no safe name has one, so no side file can be called like the beginnings of another
_VERSION = re.compile(r"^(?P<name>.*?)(?:~(?P<n>\d+))?$")


def keep_side_file(
    disk: Disk, layout: Layout, run: str, name: str, source_path: str, pieces: Iterable[bytes]
) -> SideCopy | None:
    """None when its Run is not in the archive (yet). One that changed other than by growing is kept as `name~2`, …"""
    folder = layout.find(run)
    metadata = load(disk, folder) if folder else None
    if folder is None or metadata is None:
        return None
    name = _short(safe_name(name.replace("/", "--")))
    held = _newest(metadata, name)
    beside = folder / SIDE_FOLDER
    disk.make_folders(beside, folder)
    temporary = beside / f"{name}{UNFINISHED}"
    digest, grew = _write(disk, temporary, pieces, held)
    kept = held.name if held and grew else _next_name(held, name)
    copy = SideCopy(kept, digest.size, digest.sha256, source_path)
    if held == copy and _is_whole(disk, beside / kept, copy):
        disk.unlink(temporary)
        return copy
    disk.rename(temporary, beside / kept)
    disk.sync_folder(beside)
    disk.replace(folder / METADATA, encode(metadata.with_file(copy)))
    return copy


def _is_whole(disk: Disk, path: Path, copy: SideCopy) -> bool:
    """What is committed may be lost or damaged since: then it is taken again."""
    digest = Digest()
    try:
        digest.add(disk.read_whole(path)[: copy.size])
    except OSError:
        return False
    return digest.sha256 == copy.sha256


def _short(name: str) -> str:
    """Short enough for every file system, with what we put behind it; one that had to be cut carries its digest."""
    if len(name) <= LONGEST_NAME:
        return name
    return f"{hashlib.sha256(name.encode()).hexdigest()[:8]}-{name[-LONGEST_NAME:]}"


def _newest(metadata: Metadata, name: str) -> SideCopy | None:
    versions = [(n, file) for file in metadata.files if (n := _version(file.name, name))]
    return max(versions, key=lambda version: version[0])[1] if versions else None


def _version(kept: str, name: str) -> int:
    """1 for the name itself, 2 for `name~2`, …; 0 for another file."""
    found = _VERSION.match(kept)
    return int(found["n"] or 1) if found and found["name"] == name else 0


def _next_name(held: SideCopy | None, name: str) -> str:
    return f"{name}~{_version(held.name, name) + 1}" if held else name


def _write(disk: Disk, path: Path, pieces: Iterable[bytes], held: SideCopy | None) -> tuple[Digest, bool]:
    """The digest of all of it, and whether it begins with what is held."""
    digest, before = Digest(), Digest()
    size = held.size if held else 0
    descriptor = disk.open_to_write(path)
    try:
        disk.truncate(descriptor, 0)
        for piece in pieces:
            disk.write(descriptor, piece, digest.size)
            digest.add(piece)
            before.add(piece[: size - before.size])
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    return digest, held is not None and before.sha256 == held.sha256
