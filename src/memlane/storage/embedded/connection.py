"""One connection to one index file: opened, set up, and turned into our errors when it breaks."""

from __future__ import annotations

import errno
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import TypeVar, cast

import apsw

from memlane.errors import BusyError, IndexDamagedError, NotSetUpError

SCHEMA = 7  # raised with every change of schema.sql or of what is written into it: the old index is rebuilt
BUSY_MS = 5_000
REBUILD = "lane rebuild   (the archive is untouched)"

Row = tuple[int | float | str | bytes | None, ...]
K = TypeVar("K")
V = TypeVar("V")


class Connection:
    """SQL in, rows out. Knows no table."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        if not create and not path.exists():
            raise NotSetUpError("there is no index yet", hint="lane capture, or: lane rebuild")
        self.path = path
        self._depth = 0
        self._begun = 0
        self._remembered: list[dict[object, object]] = []
        with _translated():
            self._raw = apsw.Connection(str(path))
            self._raw.set_busy_timeout(BUSY_MS)
            self._raw.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000")
            if create:
                self._raw.execute(files("memlane.storage.embedded").joinpath("schema.sql").read_text())
                self._raw.execute(f"PRAGMA user_version={SCHEMA}")
            elif self._raw.pragma("user_version") != SCHEMA:  # a power loss can leave an empty file
                raise IndexDamagedError("the index is not complete", hint=REBUILD)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with _translated():
            return cast(list[Row], self._raw.execute(sql, cast("apsw.Bindings", values)).fetchall())

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        with _translated():
            self._raw.execute(sql, cast("apsw.Bindings", values))

    def run_many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        with _translated():
            self._raw.executemany(sql, cast("Iterable[apsw.Bindings]", values))

    def rows_of_many(self, sql: str, values: Iterable[Sequence[object]]) -> list[Row]:
        """The same question many times, with one answer."""
        with _translated():
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


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise BusyError("the index is being written by another process", hint="try again in a moment") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise IndexDamagedError(f"the index is damaged: {error}", hint=REBUILD) from error
    except apsw.FullError as error:
        raise OSError(errno.ENOSPC, "no space left for the index") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
        raise OSError(errno.EIO, f"the index cannot be read or written: {error}") from error


def seconds(at: datetime | None) -> float | None:
    return at.timestamp() if at else None


def moment(value: object) -> datetime | None:
    """None also for a time beyond the calendar: transcripts have them, and one must not make the others unfindable."""
    try:
        return datetime.fromtimestamp(value, UTC) if isinstance(value, int | float) else None
    except (ValueError, OverflowError):
        return None
