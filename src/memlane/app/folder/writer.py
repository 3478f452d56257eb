"""One memory folder brought to what is known: record, topic files, index, and only then what leaves.

At any kill every line of the index leads to a file that is there and as new as the line; the next write finishes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from memlane.app.folder.look import FolderLook
from memlane.app.folder.record import FolderRecord, PageRecord, save, sha
from memlane.dream.folder import (
    INDEX,
    MemoryPage,
    UnreadablePageError,
    block_digest,
    chosen,
    cut,
    listed,
    read,
    rendered,
    said,
    with_lines,
)
from memlane.system.disk import Disk


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


class FolderWriter:
    """Writes one folder. `took` counts what was written; `late` names what a person changed while we were at it."""

    def __init__(self, disk: Disk, folder: Path, place: Path) -> None:
        self._disk, self._folder, self._place = disk, folder, place
        self.took = 0
        self.late: list[str] = []

    def write(self, want: FolderPlan, record: FolderRecord, seen: FolderLook, was: FolderRecord) -> FolderRecord:
        """The record as it is in the end. Nothing to do: nothing is written."""
        new = [file for file, data in want.files.items() if seen.files.get(file) != data]
        leaving = [file for file in record.pages if file not in want.files]
        meant = _meant(want, record, seen)
        done = _done(meant, want, leaving)
        if not new and not leaving and seen.index == want.index:
            if done != was:
                save(self._disk, self._place, done)
            return done
        save(self._disk, self._place, meant)
        self._disk.make_folders(self._folder)
        for file in new:
            self._replace(file, want.files[file], seen.files.get(file))
        if new:
            self._disk.sync_folder(self._folder)
        self._index(want, seen)
        for file in leaving:
            self._remove(file, seen.files.get(file))
        done = _settled(done, meant, self.late)
        save(self._disk, self._place, done)
        return done

    def _index(self, want: FolderPlan, seen: FolderLook) -> None:
        if want.index is None:
            self._remove(INDEX, seen.index)
        elif want.index != seen.index:
            self._replace(INDEX, want.index, seen.index)
            self._disk.sync_folder(self._folder)

    def _replace(self, file: str, data: bytes, expected: bytes | None) -> None:
        """The new bytes, unless somebody changed the old ones since we looked: theirs stay, and are taken next time."""
        path, temporary = self._folder / file, self._folder / f".{file}.lane"
        descriptor = self._disk.open_to_write(temporary)
        try:
            self._disk.truncate(descriptor, 0)
            self._disk.write(descriptor, data, 0)
            self._disk.sync(descriptor)
        finally:
            self._disk.close(descriptor)
        if self._unchanged(path, expected):
            self._disk.rename(temporary, path)
            self.took += 1
        else:
            self._disk.unlink(temporary)
            self.late.append(file)

    def _remove(self, file: str, expected: bytes | None) -> None:
        if expected is not None and self._unchanged(self._folder / file, expected):
            self._disk.unlink(self._folder / file)
            self.took += 1
        elif expected is not None:
            self.late.append(file)

    def _unchanged(self, path: Path, expected: bytes | None) -> bool:
        found: bytes | None = None
        with suppress(FileNotFoundError):
            found = self._disk.read_whole(path)
        return found == expected

    def clear(self, record: FolderRecord) -> None:
        """What a kill left half written."""
        for file in (*record.pages, INDEX):
            with suppress(FileNotFoundError):
                self._disk.unlink(self._folder / f".{file}.lane")


def _meant(want: FolderPlan, record: FolderRecord, seen: FolderLook) -> FolderRecord:
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


def _done(meant: FolderRecord, want: FolderPlan, leaving: Sequence[str]) -> FolderRecord:
    done = deepcopy(meant)
    for file in leaving:
        done.pages.pop(file)
    for file, data in want.files.items():
        done.pages[file].there = True
        done.pages[file].wrote = {sha(data): _parts(data)}
    done.index, done.listed = [_block(want.index)], listed(cut(_text(want.index)))
    done.made_index = done.made_index and want.index is not None
    return done


def _settled(done: FolderRecord, meant: FolderRecord, late: Sequence[str]) -> FolderRecord:
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
