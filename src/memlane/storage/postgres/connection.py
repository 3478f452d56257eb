"""Connections to one schema of a PostgreSQL: a few of them, found again when the server was away.

What only reads has connections of its own, so that bulk writing never keeps a question waiting. A process has one pool
of each for a database, however many indexes it has open: at most `readers + writers` connections. Behind a pooler,
which may give every transaction another session, each transaction brings its settings along.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, LiteralString, Self, TypeVar, cast
from uuid import UUID

import msgspec
import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from psycopg_pool import ConnectionPool, PoolTimeout

from memlane.errors import LaneError, UnreachableError
from memlane.storage.postgres.trouble import AGAIN, is_final, no_connection, translated

SCHEMA = 9  # raised with every change of schema.sql or of what is written into it: the old index is rebuilt
_TEXT_OID = 25
_LONE = re.compile("[\ud800-\udfff]")

Row = tuple[object, ...]
T = TypeVar("T")
LOOKED_AFTER = 0.1  # seconds of waiting for a connection, then it is looked why there is none

logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # what matters of it arrives as an error


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections, and for how many seconds anything may wait."""

    readers: int = 6
    writers: int = 4
    patience: float = 5.0  # for a connection: longer than a restart, shorter than a person's
    connecting: int = 3
    reading: float = 30.0  # one statement
    writing: float = 600.0  # one statement: a merge or an index over a million rows
    locks: float = 10.0
    looks: float = 25.0  # between two looks whether the index is still there; less than a replaced one is kept for
    lease: float = 60.0  # after which a dead worker's work is anybody's
    read_only: bool = False  # PostgreSQL itself refuses every change


@dataclass(frozen=True, slots=True)
class ConnectTrouble:
    """Why there is no connection, since when, and whether waiting may help."""

    at: float
    error: LaneError
    final: bool


NO_ANSWER = ConnectTrouble(0.0, UnreachableError("PostgreSQL does not answer", hint=AGAIN), final=False)


class OurConnection(psycopg.Connection[Row]):
    """One to PostgreSQL. `settings` must be brought along by every transaction; "": the session keeps them."""

    settings: str = ""


C = TypeVar("C", bound=OurConnection)
Pool = ConnectionPool[OurConnection]


class Pools:
    """The connections of this process to one database, shared by all who open it alike."""

    def __init__(self, url: str, schemas: Sequence[str], limits: Limits) -> None:
        self.limits = limits
        self._url, self._schemas = url, schemas
        self._trouble = NO_ANSWER  # why the last attempt to connect failed
        self.users = 0
        # A reading that finds its connection dead is done again; a transaction must not begin on a dead one.
        self.reading = self._pool(limits.readers, limits.reading, check=None)
        self.writing = self._pool(limits.writers, limits.writing, check=ConnectionPool.check_connection)

    @contextmanager
    def lent(self, pool: Pool) -> Generator[OurConnection, None, None]:
        with translated():
            raw = self._waited_for(pool)
        try:
            yield raw
        finally:
            pool.putconn(raw)

    def close(self) -> None:
        self.reading.close()
        self.writing.close()

    def _waited_for(self, pool: Pool) -> OurConnection:
        """As long as it may still come: a server that refuses us will not change its mind."""
        began = time.monotonic()
        while True:
            try:
                return pool.getconn(timeout=min(LOOKED_AFTER, self.limits.patience))
            except PoolTimeout as error:
                late = time.monotonic() - began >= self.limits.patience
                trouble = self._trouble
                if late or (trouble.at >= began and trouble.final):
                    raise trouble.error from error

    def _pool(self, size: int, statement: float, check: Callable[[OurConnection], None] | None) -> Pool:
        pools, limits = self, self.limits

        class PreparedConnection(OurConnection):
            """Set up, or noted why there is none: the pool itself keeps that to its log."""

            @classmethod
            def connect(cls, *given: Any, **more: Any) -> Self:
                return pools._noted(lambda: super(PreparedConnection, cls).connect(*given, **more), statement)

        return ConnectionPool(
            self._url,
            connection_class=PreparedConnection,
            kwargs={
                "autocommit": True,  # else a transaction after a question would be a savepoint, and not committed
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

    def _prepare(self, raw: OurConnection, statement: float) -> None:
        """By a statement, not by the startup packet's `options`: poolers refuse those. Where another process than the
        one that greeted us answers, there is a pooler between, and the next transaction may be in another session."""
        settings = {
            "search_path": ",".join(self._schemas),
            "statement_timeout": f"{statement * 1000:.0f}",
            "lock_timeout": f"{self.limits.locks * 1000:.0f}",
            "plan_cache_mode": "force_custom_plan",  # two words or forty: never the same plan
            "jit": "off",
            "default_transaction_read_only": "on" if self.limits.read_only else "off",
        }
        raw.adapters.register_dumper(str, _CleanDumper)
        row = raw.execute("SELECT pg_backend_pid()").fetchone()
        if row and row[0] == raw.info.backend_pid:
            wanted = ", ".join(f"set_config(%s, %s, {False})" for _setting in settings)
            raw.execute(_trusted(f"SELECT {wanted}"), [part for setting in settings.items() for part in setting])
            return
        only_read = settings.pop("default_transaction_read_only") == "on"
        local = "; ".join(f"SET LOCAL {name} = '{value}'" for name, value in settings.items() if name != "search_path")
        path = ", ".join(self._schemas)
        raw.settings = f"{local}; SET LOCAL search_path = {path}{'; SET TRANSACTION READ ONLY' * only_read}"
        raw.prepare_threshold = None  # what one session prepared, the next does not know


_pools: dict[tuple[str, tuple[str, ...], Limits], Pools] = {}
_pools_lock = threading.Lock()


class Connection:
    """SQL in, rows out. Knows no table."""

    def __init__(self, url: str, schemas: Sequence[str], limits: Limits) -> None:
        self._here = threading.local()  # the transaction each thread is in
        self._key = (url, tuple(schemas), limits)
        self.closed = False
        with _pools_lock:
            self._pools = _pools.get(self._key) or Pools(url, schemas, limits)
            _pools[self._key] = self._pools
            self._pools.users += 1

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        return self._ask(self._pools.reading, lambda raw: raw.execute(_trusted(sql), values, binary=True).fetchall())

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def number(self, sql: str, values: Sequence[object] = ()) -> int:
        row = self.row(sql, values)
        return int(str(row[0])) if row and row[0] is not None else 0

    def number_aside(self, sql: str, values: Sequence[object]) -> int:
        """Committed at once, whatever becomes of the transaction this thread is in: nobody waits for its end."""
        current, self._here.raw = self._current, None
        try:
            return self.number(sql, values)
        finally:
            self._here.raw = current

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """How many rows it was about."""
        return self._ask(self._pools.writing, lambda raw: raw.execute(_trusted(sql), values).rowcount)

    def run_alone(self, sql: str) -> None:
        """What PostgreSQL does only outside of a transaction; every name in it says its schema."""
        with self._pools.lent(self._pools.writing) as raw, translated():
            raw.execute(_trusted(sql))

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
        with self._pools.lent(self._pools.writing) as raw:
            self._here.raw = raw
            try:
                with translated():
                    raw.execute(_trusted(f"BEGIN; {raw.settings}" if raw.settings else "BEGIN"))
                yield
                self._commit(raw)
            except BaseException:
                _roll_back(raw)
                raise
            finally:
                self._here.raw = None

    def close(self) -> None:
        """The connections go with the last who uses them."""
        with _pools_lock:
            if self.closed:
                return
            self.closed = True
            self._pools.users -= 1
            last = not self._pools.users
            if last:
                del _pools[self._key]
        if last:
            self._pools.close()

    @property
    def changing(self) -> bool:
        """Inside a transaction."""
        return self._current is not None

    @property
    def limits(self) -> Limits:
        return self._pools.limits

    # -- one statement -----------------------------------------------------------------------------------------------

    @property
    def _current(self) -> OurConnection | None:
        return cast("OurConnection | None", getattr(self._here, "raw", None))

    @property
    def _raw(self) -> OurConnection:
        assert self._current is not None
        return self._current

    def _ask(self, pool: Pool, work: Callable[[OurConnection], T]) -> T:
        """Outside of a transaction a lost connection is forgiven once: no statement of ours minds being repeated."""
        if self._current is not None:
            with translated():
                return work(self._current)
        with self._pools.lent(pool) as raw:
            try:
                return _done(raw, work)
            except UnreachableError:
                if not raw.broken:
                    raise
        pool.check()  # the others may be as dead
        with self._pools.lent(pool) as raw:
            return _done(raw, work)

    def _commit(self, raw: OurConnection) -> None:
        try:
            with translated():
                raw.execute("COMMIT")
        except UnreachableError as error:
            raise UnreachableError(
                "the connection to PostgreSQL was lost before it confirmed the write", hint=AGAIN
            ) from error


def _done(raw: OurConnection, work: Callable[[OurConnection], T]) -> T:
    """Behind a pooler in a transaction of its own, which brings the settings along."""
    with translated():
        if not raw.settings:
            return work(raw)
        try:
            raw.execute(_trusted(f"BEGIN; {raw.settings}"))
            done = work(raw)
            raw.execute("COMMIT")
        except BaseException:
            _roll_back(raw)
            raise
        return done


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


def _roll_back(raw: OurConnection) -> None:
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
