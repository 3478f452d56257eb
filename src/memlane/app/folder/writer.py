"""One memory folder brought to what is known: record, topic files, index, and only then what leaves.

At any kill every line of the index leads to a file that is there and as new as the line; the next write finishes.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memlane.app.folder.record import save
from memlane.dream.folder import INDEX, FolderLook, FolderPlan, FolderRecord, finished, intended, settled
from memlane.system.disk import Disk


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
        meant = intended(want, record, seen)
        done = finished(meant, want, leaving)
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
        done = settled(done, meant, self.late)
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
