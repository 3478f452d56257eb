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
    def path(self) -> Path:
        return self._db.path

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


def serving(folder: Path) -> Path | None:
    """The index file that serves, if there is one this version can read."""
    try:
        name = (folder / CURRENT).read_text().strip()
    except FileNotFoundError:
        return None
    path = folder / name
    return path if name.startswith(f"v{SCHEMA}-") and path.exists() else None


def open_serving(folder: Path) -> EmbeddedStorage:
    path = serving(folder)
    if path is None:
        raise NotSetUpError("there is no index of this version", hint="lane capture, or: lane rebuild")
    return EmbeddedStorage(Connection(path))


def begin(folder: Path) -> EmbeddedStorage:
    """A fresh, empty index beside whatever serves."""
    private_folder(folder)
    taken = [int(p.stem.rpartition("-")[2]) for p in folder.glob("v*-*.db") if p.stem.rpartition("-")[2].isdigit()]
    path = folder / f"v{SCHEMA}-{max(taken, default=0) + 1}.db"
    path.touch(mode=0o600, exist_ok=False)
    return EmbeddedStorage(Connection(path, create=True))


def swap(folder: Path, storage: EmbeddedStorage) -> None:
    """From now on this one serves. Whoever reads the old one finishes with it; its files are gone by name only."""
    if not storage.path.exists():
        raise BusyError("another rebuild was faster, and its index serves", hint="nothing: it is as new as this one")
    storage.settle()
    Disk().replace(folder / CURRENT, f"{storage.path.name}\n".encode())
    for path in folder.glob("v*-*.db*"):
        if not path.name.startswith(storage.path.name):
            path.unlink(missing_ok=True)
