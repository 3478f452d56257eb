"""What stands in one memory folder, and what of it a person changed since we wrote it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memlane.domain import Memory
from memlane.dream.folder.contents import MemoryPage
from memlane.dream.folder.index import BlockCut, IndexEdits, block_digest, cut, hand_changes, listed
from memlane.dream.folder.page import UnreadablePageError, changes, read, rendered
from memlane.dream.folder.record import FolderRecord, PageRecord, sha

ENDING = ".md"
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
    renamed: dict[str, str] = field(default_factory=dict[str, str])  # old name → the one it has now
    lines: IndexEdits = _NOTHING

    @property
    def text(self) -> str:
        return "" if self.index is None else self.index.decode("utf-8", "surrogateescape")

    @property
    def block(self) -> BlockCut:
        return cut(self.text)


def compare(found: FolderLook, record: FolderRecord, memory: Remembered) -> None:
    """Three ways: what we wrote, what stands there, what is remembered. The look then has the person's changes."""
    for file, known in record.pages.items():
        if file not in found.files:
            continue
        known.there, data = True, found.files[file]
        if sha(data) not in known.wrote:
            _edited(file, data, known, memory(known.memory), found)
    found.gone = _gone(record, found)
    found.lines = _lines(record, found, memory)


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
    return hand_changes(block, record.listed, _still(pages, record), found.renamed)


def _still(pages: Mapping[str, MemoryPage], record: FolderRecord) -> Mapping[str, MemoryPage]:
    return {file: page for file, page in pages.items() if not record.pages[file].leaving}
