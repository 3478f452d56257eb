"""A look into somebody else's SQLite file, without disturbing its writer: read-only, one short snapshot at a time.

Knows SQL rows, nothing about what they mean.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from urllib.parse import quote

import apsw

from memlane.errors import BusyError, LaneError

Cell = int | float | str | bytes | None
PATIENCE_MS = 200  # a writer that holds its database longer is left alone until the next look


class UnreadableSqliteError(LaneError):
    """It is not a database, or it is damaged; its own program may be able to repair it."""

    kind = "unreadable"


class SqliteSnapshot:
    """One opened database. Everything read through it is one snapshot."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._raw = connection

    def rows(self, sql: str, values: Sequence[Cell] = ()) -> Iterator[tuple[Cell, ...]]:
        with _translated():
            yield from cast(Iterator[tuple[Cell, ...]], self._raw.execute(sql, values))

    def has(self, table: str) -> bool:
        found = self.rows("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?", (table,))
        return next(found, None) is not None

    def columns(self, table: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self.rows("SELECT name FROM pragma_table_info(?)", (table,)))


@contextmanager
def opened(path: Path) -> Generator[SqliteSnapshot, None, None]:
    """In WAL mode neither side waits for the other; in the older mode we hold a shared lock while this is open.

    A database in WAL mode without a log beside it is at rest. SQLite would make the log, and leave it there; told that
    nothing changes, it makes no file in somebody else's folder.
    """
    at_rest = "&immutable=1" if _uses_a_log(path) and not Path(f"{path}-wal").exists() else ""
    with _translated():
        connection = apsw.Connection(
            f"file:{quote(str(path))}?mode=ro{at_rest}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        connection.set_busy_timeout(PATIENCE_MS)
    try:
        with _translated():
            connection.execute("PRAGMA query_only=ON; BEGIN; SELECT count(*) FROM sqlite_master")
        yield SqliteSnapshot(connection)
    finally:
        connection.close()


def _uses_a_log(path: Path) -> bool:
    """Bytes 18 and 19 of a database file say which kind of journal it has; 2 is a write-ahead log."""
    with path.open("rb") as file:
        return file.read(20)[18:20] == b"\x02\x02"


@contextmanager
def _translated() -> Generator[None, None, None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise BusyError("its program is writing to it", hint="it is read when it is free") from error
    except (apsw.NotADBError, apsw.CorruptError, apsw.CantOpenError, apsw.SQLError, apsw.IOError) as error:
        raise UnreadableSqliteError(f"cannot be read as a database: {error}") from error
