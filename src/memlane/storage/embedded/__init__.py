"""The embedded engine: one SQLite file, a folder of terms beside it, nothing to set up. Vectors rest elsewhere and are
found again by what they mean. Rebuilt beside the live one and swapped by one rename."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memlane.errors import BusyError, NotSetUpError
from memlane.storage.embedded.chunk_rows import ChunkNumbers
from memlane.storage.embedded.chunks import EmbeddedChunks
from memlane.storage.embedded.connection import SCHEMA, Connection
from memlane.storage.embedded.memories import EmbeddedEntities, EmbeddedMemories
from memlane.storage.embedded.names import Names
from memlane.storage.embedded.recalls import EmbeddedRecalls, EmbeddedResults
from memlane.storage.embedded.runs import EmbeddedPrompts, EmbeddedRuns, EmbeddedTouches
from memlane.storage.embedded.terms import MUCH, TermFolders
from memlane.storage.embedded.work import (
    EmbeddedBars,
    EmbeddedCatches,
    EmbeddedCheckpoints,
    EmbeddedNotes,
    EmbeddedWork,
)
from memlane.storage.ports import Storage
from memlane.system.disk import Disk, private_folder

if TYPE_CHECKING:
    from memlane.storage.embedded.vectors import EmbeddedVectors

CURRENT = "CURRENT"  # names the file that serves; everything else beside it is old or unfinished

# Whose vectors a search would have to read one by one: a thousand new ones, or a twentieth.
_BEHIND = "SELECT owner, model FROM shares WHERE (SELECT max(seq) FROM vectors) - scanned > max(1000, chunks / 20)"


class EmbeddedStorage:
    """One opened index."""

    def __init__(self, connection: Connection, vectors: Path) -> None:
        self._db = connection
        self._vectors = vectors
        self._names = names = Names(connection)
        self._terms = TermFolders(connection, names)
        self.runs = EmbeddedRuns(connection, names)
        self._places = ChunkNumbers(connection)
        self.chunks = EmbeddedChunks(connection, names, self._terms, self._places)
        self.touches = EmbeddedTouches(connection, names)
        self.prompts = EmbeddedPrompts(connection)
        self.memories = EmbeddedMemories(connection)
        self.catches = EmbeddedCatches(connection)
        self.entities = EmbeddedEntities(connection)
        self.results = EmbeddedResults(connection)
        self.recalls = EmbeddedRecalls(connection)
        self.work = EmbeddedWork(connection)
        self.checkpoints = EmbeddedCheckpoints(connection)
        self.bars = EmbeddedBars(connection)
        self.notes = EmbeddedNotes(connection)

    @property
    def vectors(self) -> EmbeddedVectors:
        return self._looked_through

    @cached_property
    def _looked_through(self) -> EmbeddedVectors:
        from memlane.storage.embedded.vectors import EmbeddedVectors  # noqa: PLC0415 - numpy, when meaning is asked for

        return EmbeddedVectors(self._db, self._names, self._vectors, self._places)

    @property
    def name(self) -> str:
        return self._db.path.name

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        with self._db.transaction():
            yield
        if not self._db.changing and self._terms.behind > MUCH:
            self._terms.carry()

    def only_read(self) -> None:
        """From now on SQLite itself refuses every change."""
        self._db.run("PRAGMA query_only=ON")

    def settle(self) -> None:
        """The terms know all Chunks, and all of it is on the disk, before anything points there."""
        self._terms.carry()
        behind = self._db.rows(_BEHIND)
        if behind:
            self.vectors.save_scans(cast("list[tuple[int, int]]", behind))
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def scrub(self) -> None:
        self._terms.scrub()
        if self._vectors.exists():
            self.vectors.scrub()
        with self._db.transaction():
            self.memories.scrub()
            self._names.forget_unused()
        self._db.run("VACUUM")
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def damaged(self) -> list[str]:
        """Every byte of it looked at: what is not as it was written, by file. A rebuild makes it whole."""
        said = [str(row[0]) for row in self._db.rows("PRAGMA quick_check(5)")]
        pages = [f"{self.name}: {line}" for line in said if line != "ok"]
        return pages + self._terms.damaged() + (self.vectors.damaged() if self._vectors.exists() else [])

    def close(self) -> None:
        """Every file is let go of now, not when Python gets round to it: its disk may be about to be unmounted."""
        if "_looked_through" in self.__dict__:
            self.vectors.close()
        self._terms.close()
        self._db.close()


class EmbeddedEngine:
    """A folder of indexes, and one file that names the one that serves."""

    def __init__(self, folder: Path, vectors: Path) -> None:
        self._folder = folder
        self._vectors = vectors  # outlive every index

    def serving(self) -> str | None:
        try:
            name = (self._folder / CURRENT).read_text().strip()
        except FileNotFoundError:
            return None
        return name if name.startswith(f"v{SCHEMA}-") and (self._folder / name).exists() else None

    def open(self) -> EmbeddedStorage:
        name = self.serving()
        if name is None:
            raise NotSetUpError("there is no index for this version", hint="lane capture, or: lane rebuild")
        return EmbeddedStorage(Connection(self._folder / name), self._vectors)

    def open_to_read(self) -> EmbeddedStorage:
        opened = self.open()
        opened.only_read()
        return opened

    def begin(self) -> EmbeddedStorage:
        private_folder(self._folder)
        numbers = (path.name.partition(".")[0].rpartition("-")[2] for path in self._folder.glob("v*-*"))
        taken = [int(number) for number in numbers if number.isdigit()]
        path = self._folder / f"v{SCHEMA}-{max(taken, default=0) + 1}.db"
        path.touch(mode=0o600, exist_ok=False)
        return EmbeddedStorage(Connection(path, create=True), self._vectors)

    def swap(self, fresh: Storage) -> None:
        """The old one's files are gone by name only: whoever has them open reads on."""
        if not (self._folder / fresh.name).exists():
            raise BusyError("another rebuild was faster, and its index serves", hint="nothing: it is as new as this")
        fresh.settle()
        Disk().replace(self._folder / CURRENT, f"{fresh.name}\n".encode())
        self._clear_away(Path(fresh.name).stem)

    def _clear_away(self, serves: str) -> None:
        for path in self._folder.glob("v*-*"):
            if path.name.partition(".")[0] == serves:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
