"""How a memory folder should be, and what its record says before, after and if something could not be written. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from memlane.dream.folder.contents import MemoryPage
from memlane.dream.folder.index import INDEX, block_digest, chosen, cut, listed, said, with_lines
from memlane.dream.folder.look import FolderLook
from memlane.dream.folder.page import UnreadablePageError, read, rendered
from memlane.dream.folder.record import FolderRecord, PageRecord, sha


@dataclass(frozen=True, slots=True)
class FolderPlan:
    """How a folder should be: its files and the index."""

    files: Mapping[str, bytes]
    pages: Mapping[str, MemoryPage]
    index: bytes | None
    lines: int


def wanted(
    pages: Sequence[MemoryPage], best_first: Sequence[MemoryPage], record: FolderRecord, seen: FolderLook
) -> FolderPlan:
    theirs, files = record.theirs, {page.file: rendered(page).encode("utf-8", "replace") for page in pages}
    text = _with_added(seen)
    shown = chosen([page for page in best_first if page.file not in record.unlisted], theirs, text)
    text = with_lines(text, [said(page, theirs) for page in shown])
    index = text.encode("utf-8", "surrogateescape") if text or _theirs(record, seen) else None
    return FolderPlan(files, {page.file: page for page in pages}, index, len(shown))


def _theirs(record: FolderRecord, seen: FolderLook) -> bool:
    """An index that was there before us stays, also an empty one."""
    return seen.index is not None and not record.made_index


def _with_added(seen: FolderLook) -> str:
    """What a person wrote between our lines stands in front of them."""
    if not seen.lines.added:
        return seen.text
    block, first = seen.block, "".join(f"{line}\n" for line in seen.lines.added)
    begin = seen.text[len(block.before) : len(seen.text) - len(block.after)]
    return f"{block.before}{first}{begin}{block.after}"


def intended(want: FolderPlan, record: FolderRecord, seen: FolderLook) -> FolderRecord:
    """What we are about to do: from now on both the old and the new are known as ours."""
    made = deepcopy(record)
    for file, known in made.pages.items():
        known.leaving = file not in want.files
    for file, data in want.files.items():
        known = made.pages.setdefault(file, PageRecord(want.pages[file].memory.id))
        old = seen.files.get(file)
        versions = [data] if old is None or old == data else [old, data]
        known.wrote = {sha(version): _parts(version) for version in versions}
        known.there = old is not None
    made.index = list(dict.fromkeys((_block(seen.index), _block(want.index))))
    made.made_index = record.made_index or (seen.index is None and want.index is not None)
    made.theirs = {file: line for file, line in made.theirs.items() if file in want.files}
    made.unlisted = [file for file in made.unlisted if file in want.files]
    return made


def finished(meant: FolderRecord, want: FolderPlan, leaving: Sequence[str]) -> FolderRecord:
    done = deepcopy(meant)
    for file in leaving:
        done.pages.pop(file)
    for file, data in want.files.items():
        done.pages[file].there = True
        done.pages[file].wrote = {sha(data): _parts(data)}
    done.index, done.listed = [_block(want.index)], listed(cut(_text(want.index)))
    done.made_index = done.made_index and want.index is not None
    return done


def settled(done: FolderRecord, meant: FolderRecord, late: Sequence[str]) -> FolderRecord:
    """What could not be written stands in the record as it did before."""
    for file in late:
        if file in meant.pages:
            done.pages[file] = meant.pages[file]
            done.pages[file].there, done.pages[file].leaving = True, False
    if INDEX in late:
        done.index, done.listed = meant.index, meant.listed
    return done


def _parts(data: bytes) -> dict[str, str]:
    try:
        return read(data).digests()
    except UnreadablePageError:
        return {}


def _block(index: bytes | None) -> str:
    return block_digest(cut(_text(index)))


def _text(index: bytes | None) -> str:
    return "" if index is None else index.decode("utf-8", "surrogateescape")
