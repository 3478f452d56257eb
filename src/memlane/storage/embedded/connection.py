"""One connection to one index file: opened, set up, and turned into our errors when it breaks."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import TypeVar, cast
from urllib.parse import quote

import apsw

from memlane.errors import BusyError, IndexDamagedError, NotSetUpError
from memlane.system.disk import FULL, read_only_error

SCHEMA = 13  # raised with every change of schema.sql or of what is written into it: the old index is rebuilt
BUSY_MS = 5_000
REBUILD = "lane rebuild   (the archive is untouched)"
OLDEST_SQLITE = 3_051_003  # before it, a checkpoint and a write at the same moment can lose pages

Row = tuple[int | float | str | bytes | None, ...]
K = TypeVar("K")
V = TypeVar("V")


class Connection:
    """SQL in, rows out. Knows no table."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        _must_be_sound(apsw.sqlite_lib_version())
        if not create and not path.exists():
            raise NotSetUpError("there is no index yet", hint="lane capture, or: lane rebuild")
        self.path = path
        self.read_only = False  # by its disk or its owner
        self._depth = 0
        self._begun = 0
        self._remembered: list[dict[object, object]] = []
        with self._translated():
            self._raw, self.read_only = _opened(path)
            self._raw.set_busy_timeout(BUSY_MS)
            known = self._raw.pragma("user_version")
            if create and known == 0:
                self._raw.execute(files("memlane.storage.embedded").joinpath("schema.sql").read_text())
                self._raw.execute(f"PRAGMA user_version={SCHEMA}")
            elif known != SCHEMA:  # a power loss can leave an empty file
                raise IndexDamagedError("the index is not complete", hint=REBUILD)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with self._translated():
            return cast(list[Row], self._raw.execute(sql, cast("apsw.Bindings", values)).fetchall())

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        with self._translated():
            self._raw.execute(sql, cast("apsw.Bindings", values))

    def run_many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        with self._translated():
            self._raw.executemany(sql, cast("Iterable[apsw.Bindings]", values))

    def rows_of_many(self, sql: str, values: Iterable[Sequence[object]]) -> list[Row]:
        """The same question many times, with one answer."""
        with self._translated():
            return cast(list[Row], self._raw.executemany(sql, cast("Iterable[apsw.Bindings]", values)).fetchall())

    def number(self, sql: str, values: Sequence[object] = (), default: int = 0) -> int:
        """The one integer that was asked for."""
        row = self.row(sql, values)
        return row[0] if row and isinstance(row[0], int) else default

    def remembered(self, place: dict[K, V]) -> dict[K, V]:
        """A place for what was read or given once. A rollback empties it: what it knows may never have been."""
        self._remembered.append(cast("dict[object, object]", place))
        return place

    @property
    def changing(self) -> bool:
        """Inside a transaction."""
        return self._depth > 0

    @property
    def state(self) -> tuple[int, int]:
        """Stays the same while nobody else can have changed anything: within a transaction, or until they write."""
        return (self._begun, -1) if self._depth else (0, self.number("PRAGMA data_version"))

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        if self._depth:  # already inside one: it commits or rolls back with it
            yield
            return
        self.run("BEGIN IMMEDIATE")
        self._depth += 1
        self._begun += 1
        try:
            yield
        except BaseException:
            if self._raw.in_transaction:  # a full disk has already rolled it back
                self._raw.execute("ROLLBACK")
            for place in self._remembered:
                place.clear()
            raise
        else:
            self.run("COMMIT")
        finally:
            self._depth -= 1

    def sync(self) -> None:
        """All that was committed is on the disk: one more commit, and this one waits for it."""
        self.run("PRAGMA synchronous=FULL")
        self.run(f"PRAGMA user_version={SCHEMA}")
        self.run("PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        self._raw.close()

    def _why_not_written(self) -> OSError:
        if not self.read_only:
            return OSError(errno.EROFS, "this index was opened for reading only", str(self.path))
        if _is_writable(self.path):  # there was no room for what SQLite writes beside it
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        return read_only_error(self.path)

    @contextmanager
    def _translated(self) -> Generator[None, None, None]:
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as error:
            raise BusyError("the index is being written by another process", hint="try again in a moment") from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise IndexDamagedError(f"the index is damaged: {error}", hint=REBUILD) from error
        except apsw.FullError as error:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path)) from error
        except apsw.ReadOnlyError as error:
            raise self._why_not_written() from error
        except (apsw.IOError, apsw.CantOpenError) as error:
            number = self._raw.system_errno if "_raw" in self.__dict__ else 0
            cause = os.strerror(number) if number else f"the index cannot be read or written: {error}"
            raise OSError(number or errno.EIO, cause, str(self.path)) from error


def _must_be_sound(version: str) -> None:
    major, minor, patch = (int(part) for part in version.split(".")[:3])
    if major * 1_000_000 + minor * 1_000 + patch < OLDEST_SQLITE:
        raise NotSetUpError(
            f"SQLite {version} can lose pages when several processes use an index",
            hint='the wheel brings a newer one: pip install --force-reinstall --only-binary :all: "apsw>=3.51.3"',
        )


def _opened(path: Path) -> tuple[apsw.Connection, bool]:
    """To write; where there is no permission or no room for that, to read what was last committed, and True."""
    raw = apsw.Connection(str(path))
    try:
        raw.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000")
    except apsw.Error as error:
        full = isinstance(error, apsw.FullError) or raw.system_errno in FULL
        raw.close()
        refused = isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError)
        if not full and (not refused or _is_writable(path)):
            raise
        return _opened_to_read(path), True
    return raw, raw.readonly("main")


def _is_writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)


def _opened_to_read(path: Path) -> apsw.Connection:
    """SQLite makes a file beside one with a log, which is what a read-only disk forbids. Without a log nothing can
    change, and it is told so; with one, both are copied to where that file can be made."""
    log = path.with_name(f"{path.name}-wal")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    if not log.exists() or not log.stat().st_size:
        return apsw.Connection(f"file:{quote(str(path))}?mode=ro&immutable=1", flags=flags)
    with tempfile.TemporaryDirectory(prefix="lane-index-") as folder:
        for part in (path, log):
            shutil.copyfile(part, Path(folder) / part.name)
        copy = apsw.Connection(str(Path(folder) / path.name))
        copy.pragma("user_version")  # both files are open: their names may go
        copy.execute("PRAGMA query_only=ON")
    return copy


def seconds(at: datetime | None) -> float | None:
    return at.timestamp() if at else None


def moment(value: object) -> datetime | None:
    """None also for a time beyond the calendar: transcripts have them, and one must not make the others unfindable."""
    try:
        return datetime.fromtimestamp(value, UTC) if isinstance(value, int | float) else None
    except (ValueError, OverflowError):
        return None
