"""Connections to one schema of a PostgreSQL: a few of them, found again when the server was away.

What only reads has connections of its own, so that bulk writing never keeps a question waiting. At most
`readers + writers` are open for each index a process has open.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from select import select
from typing import Any, LiteralString, Self, TypeVar, cast
from uuid import UUID

import msgspec
import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from psycopg_pool import ConnectionPool, PoolTimeout

from memlane.errors import LaneError, UnreachableError
from memlane.storage.postgres.trouble import AGAIN, POOLED, is_final, no_connection, translated

SCHEMA = 7  # raised with every change of schema.sql or of what is written into it: the old index is rebuilt
_TEXT_OID = 25
_LONE = re.compile("[\ud800-\udfff]")

Row = tuple[object, ...]
Raw = psycopg.Connection[Row]
T = TypeVar("T")
C = TypeVar("C", bound=Raw)
LOOKED_AFTER = 0.1  # seconds of waiting for a connection, then it is looked why there is none
HANDED_ON_WITHIN = 1.0  # seconds; a pooler with no session to spare lets us wait

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


@dataclass(frozen=True, slots=True)
class ConnectTrouble:
    """Why there is no connection, since when, and whether waiting may help."""

    at: float
    error: LaneError
    final: bool


NO_ANSWER = ConnectTrouble(0.0, UnreachableError("PostgreSQL does not answer", hint=AGAIN), final=False)


class Connection:
    """SQL in, rows out. Knows no table."""

    def __init__(self, url: str, schemas: Sequence[str], limits: Limits) -> None:
        self._here = threading.local()  # the transaction each thread is in
        # A reading that finds its connection dead is done again; a transaction must not begin on a dead one.
        self._url, self._schemas, self._limits = url, schemas, limits
        self._trouble = NO_ANSWER  # why the last attempt to connect failed
        self._pooler_looked_at = False
        self._reading = self._pool(limits.readers, limits.reading, check=None)
        self._writing = self._pool(limits.writers, limits.writing, check=ConnectionPool.check_connection)

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
            raw = self._waited_for(pool)
        try:
            yield raw
        finally:
            pool.putconn(raw)

    def _waited_for(self, pool: ConnectionPool[Raw]) -> Raw:
        """As long as it may still come: a server that refuses us will not change its mind."""
        began = time.monotonic()
        while True:
            try:
                return pool.getconn(timeout=min(LOOKED_AFTER, self._limits.patience))
            except PoolTimeout as error:
                late = time.monotonic() - began >= self._limits.patience
                trouble = self._trouble
                if late or (trouble.at >= began and trouble.final):
                    raise trouble.error from error

    def _commit(self, raw: Raw) -> None:
        try:
            with translated():
                raw.execute("COMMIT")
        except UnreachableError as error:
            raise UnreachableError(
                "the connection to PostgreSQL was lost before it confirmed the write", hint=AGAIN
            ) from error

    # -- new connections ---------------------------------------------------------------------------------------------

    def _pool(self, size: int, statement: float, check: Callable[[Raw], None] | None) -> ConnectionPool[Raw]:
        limits = self._limits

        class OurConnection(psycopg.Connection[Row]):
            """Prepared, or noted why there is none: the pool itself keeps that to its log."""

            @classmethod
            def connect(cls, *given: Any, **more: Any) -> Self:
                return self._noted(lambda: super(OurConnection, cls).connect(*given, **more), statement)

        return ConnectionPool(
            self._url,
            connection_class=OurConnection,
            kwargs={
                "autocommit": True,
                "application_name": "memlane",
                "connect_timeout": limits.connecting,
                "client_encoding": "utf-8",
                "keepalives_idle": 10,
                "tcp_user_timeout": 15_000,
            },
            min_size=0,
            max_size=size,
            timeout=limits.patience,
            max_idle=60.0,
            reconnect_timeout=limits.patience / 2,  # then whoever asks next tries again
            num_workers=1,
            check=check,
            open=True,
        )

    def _noted(self, connect: Callable[[], C], statement: float) -> C:
        raw: C | None = None
        try:
            raw = connect()
            self._prepare(raw, statement)
            self._trouble = NO_ANSWER
            return raw
        except psycopg.Error as error:
            said = "" if isinstance(error, psycopg.ProgrammingError) else str(error)
            self._trouble = ConnectTrouble(time.monotonic(), no_connection(said), is_final(said))
            if raw is not None:
                raw.close()
            raise

    def _prepare(self, raw: Raw, statement: float) -> None:
        """By a statement, not by the startup packet's `options`: poolers refuse those."""
        settings = {
            "search_path": ",".join(self._schemas),
            "statement_timeout": f"{statement * 1000:.0f}",
            "lock_timeout": f"{self._limits.locks * 1000:.0f}",
            "plan_cache_mode": "force_custom_plan",  # two words or forty: never the same plan
            "jit": "off",
            "default_transaction_read_only": "on" if self._limits.read_only else "off",
        }
        raw.adapters.register_dumper(str, _CleanDumper)
        wanted = ", ".join(f"set_config(%s, %s, {False})" for _setting in settings)
        values = [part for setting in settings.items() for part in setting]
        row = raw.execute(_trusted(f"SELECT pg_backend_pid(), {wanted}"), values).fetchone()
        if row and row[0] != raw.info.backend_pid and not self._pooler_looked_at:
            self._look_at_pooler(row[0])
            self._pooler_looked_at = True

    def _look_at_pooler(self, backend: object) -> None:
        """Another process than the one that greeted us answers: there is a pooler between. While we hold a session,
        nobody else may get it; a pooler in transaction mode hands it on."""
        with closing(psycopg.connect(self._url, autocommit=True, connect_timeout=self._limits.connecting)) as other:
            other.pgconn.send_query(b"SELECT pg_backend_pid()")
            while other.pgconn.is_busy():  # half an answer is waited for here: `get_result` would hold up all threads
                if not select([other.pgconn.socket], [], [], HANDED_ON_WITHIN)[0]:
                    return
                other.pgconn.consume_input()
            result = other.pgconn.get_result()
            value = result.get_value(0, 0) if result and result.ntuples else None
            if value is not None and value.decode() == str(backend):
                raise psycopg.OperationalError(POOLED)


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
