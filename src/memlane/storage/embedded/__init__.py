"""The embedded engine: one SQLite file, a folder of terms beside it, nothing to set up. Vectors rest elsewhere and are
found again by what they mean. Rebuilt beside the live one and swapped by one rename."""

from __future__ import annotations

import fcntl
import os
import re
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
from memlane.storage.embedded.projects import EmbeddedProjects
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

CURRENT = "CURRENT"  # names the file that serves; every other index beside it is old or unfinished
AT_WORK = "work.lock"

# Whose vectors a search would have to read one by one: a thousand new ones, or a twentieth.
_BEHIND = "SELECT owner, model FROM shares WHERE (SELECT max(seq) FROM vectors) - scanned > max(1000, chunks / 20)"


class EmbeddedStorage:
    """One opened index."""

    def __init__(self, connection: Connection, vectors: Path, claim: IndexClaim | None = None) -> None:
        self._db = connection
        self.claim = claim  # of one that is being built: until it serves, it ends with whoever builds it
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
        self.projects = EmbeddedProjects(connection, self.runs, self.memories)

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

    @property
    def read_only(self) -> bool:
        return self._db.read_only

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

    def clear(self) -> list[str]:
        return self._terms.clear()

    def damaged(self) -> list[str]:
        """Every byte of it looked at: what is not as it was written, by file. A rebuild makes it whole."""
        said = [str(row[0]) for row in self._db.rows("PRAGMA quick_check(5)")]
        pages = [f"{self.name}: {line}" for line in said if line != "ok"]
        return pages + self._terms.damaged() + (self.vectors.damaged() if self._vectors.exists() else [])

    def gaps(self) -> list[str]:
        vectors = self.vectors.gaps() if self._uses_vectors() else []
        return [*self._terms.gaps(), *(f"vectors/{one}" for one in vectors)]

    def mend(self) -> list[str]:
        return self._terms.mend() + (self.vectors.mend() if self._uses_vectors() else [])

    def _uses_vectors(self) -> bool:
        return bool(self._db.row("SELECT 1 FROM models LIMIT 1"))

    def close(self) -> None:
        """Every file is let go of now, not when Python gets round to it: its disk may be about to be unmounted."""
        if "_looked_through" in self.__dict__:
            self.vectors.close()
        self._terms.close()
        self._db.close()
        if self.claim is not None:
            _remove_index(self._db.path.parent, self._db.path.stem)
            self.claim.release()


class EmbeddedEngine:
    """A folder of indexes, and one file that names the one that serves."""

    def __init__(self, folder: Path, vectors: Path) -> None:
        self._folder = folder
        self._vectors = vectors  # outlive every index

    def serving(self) -> str | None:
        """None also where the file that names it is damaged: the archive gives everything back."""
        try:
            name = (self._folder / CURRENT).read_bytes().decode("ascii", "replace").strip()
        except FileNotFoundError:
            return None
        return name if re.fullmatch(rf"v{SCHEMA}-\d+\.db", name) and (self._folder / name).exists() else None

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
        claim = IndexClaim(path.with_suffix(".lock"))
        try:
            path.touch(mode=0o600, exist_ok=False)
            return EmbeddedStorage(Connection(path, create=True), self._vectors, claim)
        except BaseException:
            _remove_index(self._folder, path.stem)
            claim.release()
            raise

    def swap(self, fresh: Storage) -> None:
        """The old one's files are gone by name only: whoever has them open reads on."""
        if not (self._folder / fresh.name).exists():
            raise BusyError("another rebuild was faster, and its index serves", hint="nothing: it is as new as this")
        fresh.settle()
        Disk().replace(self._folder / CURRENT, f"{fresh.name}\n".encode())
        if isinstance(fresh, EmbeddedStorage) and fresh.claim is not None:
            fresh.claim.release()
            fresh.claim = None
        for stem in self._stems() - {Path(fresh.name).stem}:
            _remove_index(self._folder, stem)

    @contextmanager
    def claim(self) -> Generator[None, None, None]:
        """A lock that the kernel gives back. Its file stays: one that is removed could be locked twice."""
        private_folder(self._folder)
        descriptor = _locked(self._folder / AT_WORK)
        if descriptor is None:
            raise BusyError("another worker does this person's work", hint="nothing: it is being done")
        try:
            yield
        finally:
            os.close(descriptor)

    def clear(self) -> list[str]:
        """An index that is not finished and whose builder is gone; and terms that a kill left beside those in use."""
        serving = self.open()
        try:
            left = self._stems() - {Path(serving.name).stem}
            gone = [stem for stem in sorted(left) if not IndexClaim.is_held(self._folder / f"{stem}.lock")]
            for stem in gone:
                _remove_index(self._folder, stem)
            return [*(str(self._folder / f"{stem}.db") for stem in gone), *serving.clear()]
        finally:
            serving.close()

    def _stems(self) -> set[str]:
        return {path.name.partition(".")[0] for path in self._folder.glob("v*-*")}


class IndexClaim:
    """Says of an index that somebody is building it: a lock that the kernel gives back, whatever happens."""

    def __init__(self, path: Path) -> None:
        self._path = path
        descriptor = _locked(path)
        if descriptor is None:
            raise BusyError("another rebuild begins at this moment", hint="try again in a moment")
        self._descriptor = descriptor

    @staticmethod
    def is_held(path: Path) -> bool:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # held; or a mount without locks, where nobody can say
            return True
        finally:
            os.close(descriptor)
        return False

    def release(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def _locked(path: Path) -> int | None:
    """The open file; None: somebody else has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:  # a mount without locks
        pass
    return descriptor


def _remove_index(folder: Path, stem: str) -> None:
    for path in folder.glob(f"{stem}.*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
