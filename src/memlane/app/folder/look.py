"""One look at what stands in one memory folder now. Changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.dream.folder import ENDING, INDEX, FolderLook, FolderRecord, PageRecord, Remembered, compare, relinked
from memlane.system.disk import Disk

_OWNER = re.compile(rb"^  lane: (m_[a-z0-9]+)\s*$", re.MULTILINE)


def look(disk: Disk, folder: Path, record: FolderRecord, memory: Remembered) -> FolderLook:
    found = _files(disk, folder, record)
    _renamed(disk, folder, record, found, memory)
    compare(found, record, memory)
    return found


def _files(disk: Disk, folder: Path, record: FolderRecord) -> FolderLook:
    try:
        names = [entry.name for entry in disk.list(folder) if entry.name.endswith(ENDING)]
    except FileNotFoundError:
        return FolderLook({}, [], None)
    known = {file: _bytes(disk, folder / file) for file in names if file in record.pages}
    files = {file: data for file, data in known.items() if data is not None}
    others = [name for name in names if name not in files and name != INDEX]
    return FolderLook(files, sorted(others), _bytes(disk, folder / INDEX))


def _bytes(disk: Disk, path: Path) -> bytes | None:
    try:
        return disk.read_whole(path)
    except FileNotFoundError:
        return None


def _renamed(disk: Disk, folder: Path, record: FolderRecord, found: FolderLook, memory: Remembered) -> None:
    """A file of ours under another name: the person's name holds. One whose record is lost is ours again; one about
    a Memory that is not known here came from elsewhere."""
    names = {known.memory: file for file, known in record.pages.items()}
    for other in list(found.others):
        try:
            data = _bytes(disk, folder / other)
        except OSError:  # a link, a folder, a file nobody may read: theirs in any case
            continue
        owner = _OWNER.search(data[:2000]) if data else None
        if data is None or owner is None:
            continue
        was = names.get(owner[1].decode())
        if was is not None and was in found.files:
            continue  # a copy: theirs
        if was is None and memory(owner[1].decode()) is None:
            continue
        known = record.pages.pop(was) if was is not None else PageRecord(owner[1].decode())
        record.pages[other], found.files[other] = known, data
        if was is not None:
            found.renamed[was] = other
            _follow(record, was, other)
        found.others.remove(other)


def _follow(record: FolderRecord, was: str, now: str) -> None:
    """What a person wants of a page, they want of it under its new name."""
    if was in record.listed:
        record.listed[now] = record.listed.pop(was)
    if was in record.theirs:
        record.theirs[now] = relinked(record.theirs.pop(was), was, now)
    record.unlisted = [now if file == was else file for file in record.unlisted]
