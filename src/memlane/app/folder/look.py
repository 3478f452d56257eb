"""What stands in one memory folder now, and what of it a person changed since we wrote it. Changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memlane.app.folder.record import FolderRecord, PageRecord, sha
from memlane.domain import Memory
from memlane.dream.folder import (
    INDEX,
    BlockCut,
    IndexEdits,
    MemoryPage,
    UnreadablePageError,
    block_digest,
    changes,
    cut,
    hand_changes,
    listed,
    read,
    rendered,
)
from memlane.system.disk import Disk

ENDING = ".md"
_OWNER = re.compile(rb"^  lane: (m_[a-z0-9]+)\s*$", re.MULTILINE)
_NOTHING = IndexEdits({}, {}, (), ())
Remembered = Callable[[str], Memory | None]


@dataclass(slots=True)
class FolderLook:
    """One look at one folder."""

    files: dict[str, bytes]  # topic files we know of, as they are
    others: list[str]  # names of files that are none of ours
    index: bytes | None
    edits: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])  # by file
    unread: dict[str, str] = field(default_factory=dict[str, str])  # file → what is wrong with it
    gone: list[str] = field(default_factory=list[str])  # files somebody took away
    lines: IndexEdits = _NOTHING

    @property
    def text(self) -> str:
        return "" if self.index is None else self.index.decode("utf-8", "surrogateescape")

    @property
    def block(self) -> BlockCut:
        return cut(self.text)


def look(disk: Disk, folder: Path, record: FolderRecord, memory: Remembered) -> FolderLook:
    found = _files(disk, folder, record)
    _renamed(disk, folder, record, found, memory)
    for file, known in record.pages.items():
        if file not in found.files:
            continue
        known.there, data = True, found.files[file]
        if sha(data) not in known.wrote:
            _edited(file, data, known, memory(known.memory), found)
    found.gone = _gone(record, found)
    found.lines = _lines(record, found, memory)
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
        record.listed |= {other: record.listed.pop(was)} if was in record.listed else {}
        found.others.remove(other)


def _edited(file: str, data: bytes, known: PageRecord, memory: Memory | None, found: FolderLook) -> None:
    if memory is None:
        found.unread[file] = "its memory no longer exists"
        return
    if not memory.title:  # forgotten for good: so is what was written over it
        return
    try:
        parts, page = read(data), MemoryPage(memory, file.removesuffix(ENDING))
        wrote = list(known.wrote.values()) or [read(rendered(page).encode()).digests()]
        wanted = changes(parts, wrote, page)
    except UnreadablePageError as error:
        found.unread[file] = str(error)
        return
    if not known.wrote and wanted:
        found.unread[file] = "its earlier text is unknown"
        return
    if parts.beyond:
        found.unread[file] = f"no memory has the name {', '.join(parts.beyond)}"
    if wanted:
        found.edits[file] = wanted


def _gone(record: FolderRecord, found: FolderLook) -> list[str]:
    """All of them and the index too: the folder was taken away, and nothing is said about any one of them."""
    were = [file for file, known in record.pages.items() if known.there and not known.leaving]
    gone = [file for file in were if file not in found.files]
    return [] if len(gone) == len(were) and found.index is None else gone


def _lines(record: FolderRecord, found: FolderLook, memory: Remembered) -> IndexEdits:
    block = found.block
    if block.lines is None:
        return _NOTHING
    if block_digest(block) in record.index or not record.index:  # without a record nothing tells theirs from ours
        record.listed = listed(block)
        return _NOTHING
    pages: dict[str, MemoryPage] = {}
    for file in found.files:
        held = memory(record.pages[file].memory)
        if held is not None and held.title:
            pages[file] = MemoryPage(held, file.removesuffix(ENDING))
    return hand_changes(block, record.listed, _still(pages, record))


def _still(pages: Mapping[str, MemoryPage], record: FolderRecord) -> Mapping[str, MemoryPage]:
    return {file: page for file, page in pages.items() if not record.pages[file].leaving}
