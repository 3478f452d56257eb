"""Connections to one schema of a PostgreSQL: a few of them, found again when the server was away.

What only reads has connections of its own, so that bulk writing never keeps a question waiting. At most
`readers + writers` are open for each index a process has open.
"""

from __future__ import annotations

import errno
import logging
import re
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import LiteralString, TypeVar, cast
from uuid import UUID

import msgspec
import psycopg
from psycopg import errors
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from psycopg_pool import ConnectionPool, PoolTimeout

from memlane.errors import BusyError, IndexDamagedError, NotAllowedError, UnreachableError

SCHEMA = 5  # raised with every change of schema.sql or of what is written into it: the old index is rebuilt
_TEXT_OID = 25
_LONE = re.compile("[\ud800-\udfff]")

Row = tuple[object, ...]
Raw = psycopg.Connection[Row]
T = TypeVar("T")

logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # what matters of it arrives as an error


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections, and for how many seconds anything may wait."""

    readers: int = 4
    writers: int = 2
    patience: float = 5.0  # for a connection: longer than a restart, shorter than a person's
    connecting: int = 3
    reading: float = 30.0  # one statement
    writing: float = 600.0  # one statement: a merge or an index over a million rows
    locks: float = 10.0
    read_only: bool = False  # PostgreSQL itself refuses every change


class Connection:
    """SQL in, rows out. Knows no table."""

    def __init__(self, url: str, schemas: Sequence[str], limits: Limits) -> None:
        self._here = threading.local()  # the transaction each thread is in
        # A reading that finds its connection dead is done again; a transaction must not begin on a dead one.
        self._reading = _pool(url, schemas, limits, limits.readers, limits.reading, check=None)
        self._writing = _pool(url, schemas, limits, limits.writers, limits.writing, ConnectionPool.check_connection)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        return self._ask(self._reading, lambda raw: raw.execute(_trusted(sql), values, binary=True).fetchall())

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def number(self, sql: str, values: Sequence[object] = ()) -> int:
        row = self.row(sql, values)
        return int(str(row[0])) if row and row[0] is not None else 0

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """How many rows it was about."""
        return self._ask(self._writing, lambda raw: raw.execute(_trusted(sql), values).rowcount)

    def run_many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        listed = list(values)
        if listed:
            with self.transaction(), translated(), self._raw.cursor() as cursor:
                cursor.executemany(_trusted(sql), listed)

    def copy(self, sql: str, values: Iterable[Sequence[object]], types: Sequence[str] = ()) -> None:
        """With types it is done in binary, which is quicker."""
        with self.transaction(), translated(), self._raw.cursor() as cursor, cursor.copy(_trusted(sql)) as copying:
            if types:
                copying.set_types(types)
            for row in values:
                copying.write_row(row)

    def copy_bytes(self, sql: str, data: bytes) -> None:
        with self.transaction(), translated(), self._raw.cursor() as cursor, cursor.copy(_trusted(sql)) as copying:
            copying.write(data)

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        if self._current is not None:  # already inside one: it commits or rolls back with it
            yield
            return
        with self._lent(self._writing) as raw:
            self._here.raw = raw
            try:
                with translated():
                    raw.execute("BEGIN")
                yield
                self._commit(raw)
            except BaseException:
                _roll_back(raw)
                raise
            finally:
                self._here.raw = None

    @property
    def closed(self) -> bool:
        return self._reading.closed

    def close(self) -> None:
        self._reading.close()
        self._writing.close()

    @property
    def changing(self) -> bool:
        """Inside a transaction."""
        return self._current is not None

    # -- one statement -----------------------------------------------------------------------------------------------

    @property
    def _current(self) -> Raw | None:
        return cast("Raw | None", getattr(self._here, "raw", None))

    @property
    def _raw(self) -> Raw:
        assert self._current is not None
        return self._current

    def _ask(self, pool: ConnectionPool[Raw], work: Callable[[Raw], T]) -> T:
        """Outside of a transaction a lost connection is forgiven once: no statement of ours minds being repeated."""
        if self._current is not None:
            with translated():
                return work(self._current)
        with self._lent(pool) as raw:
            try:
                with translated():
                    return work(raw)
            except UnreachableError:
                if not raw.broken:
                    raise
        pool.check()  # the others may be as dead
        with self._lent(pool) as raw, translated():
            return work(raw)

    @contextmanager
    def _lent(self, pool: ConnectionPool[Raw]) -> Generator[Raw, None, None]:
        with translated():
            raw = pool.getconn()
        try:
            yield raw
        finally:
            pool.putconn(raw)

    def _commit(self, raw: Raw) -> None:
        try:
            with translated():
                raw.execute("COMMIT")
        except UnreachableError as error:
            raise UnreachableError(
                "the connection to PostgreSQL was lost before it confirmed the write", hint=AGAIN
            ) from error


def _pool(
    url: str,
    schemas: Sequence[str],
    limits: Limits,
    size: int,
    statement: float,
    check: Callable[[Raw], None] | None,
) -> ConnectionPool[Raw]:
    options = {
        "search_path": ",".join(schemas),
        "statement_timeout": int(statement * 1000),
        "lock_timeout": int(limits.locks * 1000),
        "plan_cache_mode": "force_custom_plan",  # two words or forty: never the same plan
        "jit": "off",
        "default_transaction_read_only": "on" if limits.read_only else "off",
    }
    return ConnectionPool(
        url,
        connection_class=psycopg.Connection[Row],
        kwargs={
            "autocommit": True,
            "application_name": "memlane",
            "connect_timeout": limits.connecting,
            "client_encoding": "utf-8",
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
            "keepalives_idle": 10,
            "tcp_user_timeout": 15_000,
        },
        min_size=0,
        max_size=size,
        timeout=limits.patience,
        max_idle=60.0,
        reconnect_timeout=limits.patience / 2,  # then whoever asks next tries again
        num_workers=1,
        configure=_configure,
        check=check,
        open=True,
    )


def _configure(raw: Raw) -> None:
    raw.adapters.register_dumper(str, _CleanDumper)


class _CleanDumper(Dumper):
    """PostgreSQL keeps neither NUL nor half a surrogate pair; whatever was said must be kept all the same."""

    format = Format.TEXT
    oid = _TEXT_OID

    def dump(self, obj: str) -> Buffer:
        return clean(obj).encode()


def clean(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "\u2400")
    return text if text.isascii() else _LONE.sub("\ufffd", text)


def encoded(value: object) -> str:
    """As JSON, also where somebody's half of a surrogate pair stands in the way."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_cleaned(msgspec.to_builtins(value))).decode()


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_cleaned(name): _cleaned(inner) for name, inner in cast("dict[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_cleaned(inner) for inner in cast("Sequence[object]", value)]
    return value


def digest(text: str) -> UUID:
    """The same for the same text, of a size that every index takes."""
    return UUID(bytes=blake2b(clean(text).encode(), digest_size=16).digest())


def _trusted(sql: str) -> LiteralString:
    """All SQL here is ours; what people wrote is handed over beside it."""
    return cast(LiteralString, sql)


def _roll_back(raw: Raw) -> None:
    try:
        raw.execute("ROLLBACK")
    except psycopg.Error:
        raw.close()  # the server rolls back what nobody holds any more


def seconds(at: datetime | None) -> float | None:
    return at.timestamp() if at else None


def moment(value: object) -> datetime | None:
    """None also for a time beyond the calendar: transcripts have them, and one must not make the others unfindable."""
    try:
        return datetime.fromtimestamp(value, UTC) if isinstance(value, int | float) else None
    except (ValueError, OverflowError):
        return None


# Everything that is written is written again with the same result, so an answer that got lost is no question.
AGAIN = "try again: nothing is lost and repeating is safe"
REBUILD = "lane rebuild   (the archive is untouched)"

LOST = (psycopg.InterfaceError, PoolTimeout)
IN_THE_WAY = (errors.DeadlockDetected, errors.SerializationFailure, errors.LockNotAvailable)
GONE = (errors.UndefinedTable, errors.InvalidSchemaName)
DAMAGED = (errors.DataCorrupted, errors.IndexCorrupted)


@contextmanager
def translated() -> Generator[None, None, None]:
    try:
        yield
    except IN_THE_WAY as error:
        raise BusyError("another process is writing the same rows", hint="try again in a moment") from error
    except GONE as error:
        raise BusyError("the index was just replaced by a newer one", hint="try again") from error
    except DAMAGED as error:
        raise IndexDamagedError(f"the index is damaged: {_first_line(error)}", hint=REBUILD) from error
    except errors.DiskFull as error:
        raise OSError(errno.ENOSPC, "no space left for the index, where PostgreSQL keeps it") from error
    except errors.InsufficientPrivilege as error:
        hint = "let its user create schemas and the extension `vector` in this database"
        raise NotAllowedError(f"PostgreSQL refuses: {_first_line(error)}", hint=hint) from error
    except errors.ReadOnlySqlTransaction as error:
        raise OSError(errno.EROFS, "this index was opened for reading only") from error
    except errors.QueryCanceled as error:
        raise UnreachableError("PostgreSQL took too long and the query was cancelled", hint=AGAIN) from error
    except (psycopg.OperationalError, *LOST) as error:
        raise UnreachableError(f"PostgreSQL does not answer: {_first_line(error)}", hint=AGAIN) from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
