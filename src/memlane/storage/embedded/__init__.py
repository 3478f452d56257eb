"""The embedded engine: one SQLite file, nothing to set up. Rebuilt beside the live one and swapped by one rename."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from memlane.disk import Disk, private_folder
from memlane.errors import BusyError, NotSetUpError
from memlane.storage.embedded.chunks import EmbeddedChunks
from memlane.storage.embedded.connection import SCHEMA, Connection
from memlane.storage.embedded.memories import EmbeddedMemories
from memlane.storage.embedded.recalls import EmbeddedRecalls
from memlane.storage.embedded.runs import EmbeddedPrompts, EmbeddedRuns
from memlane.storage.embedded.work import EmbeddedBars, EmbeddedCheckpoints, EmbeddedNotes, EmbeddedWork
from memlane.storage.ports import Storage

CURRENT = "CURRENT"  # names the file that serves; everything else beside it is old or unfinished


class EmbeddedStorage:
    """One opened index file."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self.runs = EmbeddedRuns(connection)
        self.chunks = EmbeddedChunks(connection)
        self.prompts = EmbeddedPrompts(connection)
        self.memories = EmbeddedMemories(connection)
        self.recalls = EmbeddedRecalls(connection)
        self.work = EmbeddedWork(connection)
        self.checkpoints = EmbeddedCheckpoints(connection)
        self.bars = EmbeddedBars(connection)
        self.notes = EmbeddedNotes(connection)

    @property
    def name(self) -> str:
        return self._db.path.name

    def transaction(self) -> AbstractContextManager[None]:
        return self._db.transaction()

    def settle(self) -> None:
        """All of it is in the one file and on the disk, before anything points there."""
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def scrub(self) -> None:
        self._db.run("INSERT INTO chunk_terms (chunk_terms) VALUES ('optimize')")
        self._db.run("VACUUM")
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._db.close()


class EmbeddedEngine:
    """A folder of index files, and one file that names the one that serves."""

    def __init__(self, folder: Path, vectors: Path) -> None:
        self._folder = folder
        self._vectors = vectors  # outlive every index: found again by what a text says

    def serving(self) -> str | None:
        try:
            name = (self._folder / CURRENT).read_text().strip()
        except FileNotFoundError:
            return None
        return name if name.startswith(f"v{SCHEMA}-") and (self._folder / name).exists() else None

    def open(self) -> EmbeddedStorage:
        name = self.serving()
        if name is None:
            raise NotSetUpError("there is no index of this version", hint="lane capture, or: lane rebuild")
        return EmbeddedStorage(Connection(self._folder / name))

    def begin(self) -> EmbeddedStorage:
        private_folder(self._folder)
        numbers = (path.stem.rpartition("-")[2] for path in self._folder.glob("v*-*.db"))
        taken = [int(number) for number in numbers if number.isdigit()]
        path = self._folder / f"v{SCHEMA}-{max(taken, default=0) + 1}.db"
        path.touch(mode=0o600, exist_ok=False)
        return EmbeddedStorage(Connection(path, create=True))

    def swap(self, fresh: Storage) -> None:
        """The old one's files are gone by name only: whoever has them open reads on."""
        if not (self._folder / fresh.name).exists():
            raise BusyError("another rebuild was faster, and its index serves", hint="nothing: it is as new as this")
        fresh.settle()
        Disk().replace(self._folder / CURRENT, f"{fresh.name}\n".encode())
        for path in self._folder.glob("v*-*.db*"):
            if not path.name.startswith(fresh.name):
                path.unlink(missing_ok=True)
