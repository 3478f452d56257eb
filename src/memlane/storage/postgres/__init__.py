"""The PostgreSQL engine: a schema for each index, one row that says which serves, vectors beside them all.

Stock PostgreSQL 14 or newer with pgvector 0.7 or newer. A process has at most `2 * (readers + writers)`
connections: those of the index that serves and of one that is built beside it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from hashlib import blake2b
from importlib.resources import files
from threading import local

from memlane.errors import BusyError, IndexDamagedError, NotSetUpError
from memlane.storage.ports import Storage
from memlane.storage.postgres import terms
from memlane.storage.postgres.chunks import PostgresChunks
from memlane.storage.postgres.connection import SCHEMA, Connection, Limits
from memlane.storage.postgres.memories import PostgresEntities, PostgresMemories
from memlane.storage.postgres.names import Names
from memlane.storage.postgres.recalls import PostgresRecalls, PostgresResults
from memlane.storage.postgres.runs import PostgresPrompts, PostgresRuns, PostgresTouches
from memlane.storage.postgres.vectors import PostgresVectors
from memlane.storage.postgres.work import (
    PostgresBars,
    PostgresCatches,
    PostgresCheckpoints,
    PostgresNotes,
    PostgresWork,
)

__all__ = ["Limits", "PostgresEngine", "PostgresStorage"]

FINISHING = "60 seconds"  # that whoever reads an index that was replaced has to finish
OLDEST_VECTOR = (0, 7)  # pgvector: halves and bits
LARGE = (
    *("runs", "chunks", "spans", "totals", "postings", "waiting", "touches"),
    *("memories", "memory_vectors", "cue_vectors"),
)
EVERYDAY = Limits()


class PostgresStorage:
    """One opened index."""

    def __init__(self, connection: Connection, name: str, shared: str) -> None:
        self._db = connection
        self._name = name
        self._shared = shared
        names = Names(connection)
        self.runs = PostgresRuns(connection)
        self.chunks = PostgresChunks(connection, names, _lock_number(name))
        self.vectors = PostgresVectors(connection, names, shared)
        self.touches = PostgresTouches(connection, names)
        self.prompts = PostgresPrompts(connection)
        self.memories = PostgresMemories(connection)
        self.catches = PostgresCatches(connection)
        self.entities = PostgresEntities(connection)
        self.results = PostgresResults(connection)
        self.recalls = PostgresRecalls(connection)
        self.work = PostgresWork(connection)
        self.checkpoints = PostgresCheckpoints(connection)
        self.bars = PostgresBars(connection)
        self.notes = PostgresNotes(connection)

    @property
    def read_only(self) -> bool:
        return False

    @property
    def name(self) -> str:
        return self._name

    def transaction(self) -> AbstractContextManager[None]:
        return self._db.transaction()

    def settle(self) -> None:
        """What was committed is on PostgreSQL's disk already; here its terms become postings."""
        self.chunks.settle()

    def damaged(self) -> list[str]:
        """Every row of every table is read once; bytes are PostgreSQL's own to check."""
        tables = self._db.rows("SELECT tablename FROM pg_tables WHERE schemaname = %s", (self._name,))
        found = list[str]()
        for (table,) in tables:
            try:
                self._db.rows(f"SELECT sum(length(t::text)) FROM {table} AS t")
            except IndexDamagedError as error:
                found.append(f"{table}: {error.message}")
        return found

    def gaps(self) -> list[str]:
        """None: its files are PostgreSQL's own."""
        return []

    def mend(self) -> list[str]:
        return []

    def scrub(self) -> None:
        """PostgreSQL's log and backups are its keeper's: they forget when they are recycled."""
        self.settle()
        clear(self._db, self._shared, "0 seconds")
        with self._db.transaction():
            terms.drop_unused(self._db)
            self.memories.scrub()
            beside = self.vectors.scrub()
        tables = self._db.rows("SELECT tablename FROM pg_tables WHERE schemaname = %s", (self._name,))
        for table in [*(str(row[0]) for row in tables), *beside]:
            self._db.run(f"VACUUM (FULL, ANALYZE) {table}")

    def close(self) -> None:
        self._db.close()


class PostgresEngine:
    """`schema` names what belongs together in a database: `lane`, `lane_v1_1`, `lane_v1_2` …"""

    def __init__(self, url: str, schema: str = "lane", limits: Limits = EVERYDAY) -> None:
        self._url = url
        self._schema = schema
        self._limits = limits
        self._here = local()  # the connection of what each thread opened last: one more is not needed to look

    def serving(self) -> str | None:
        with self._connected() as db:
            there = db.row("SELECT to_regclass(%s)::text", (f"{self._schema}.indexes",))
            if there is None or there[0] is None:
                return None
            serves = f"SELECT name FROM {self._schema}.indexes WHERE state = 'serves' AND version = %s"
            row = db.row(serves, (SCHEMA,))
        return str(row[0]) if row else None

    def open(self) -> PostgresStorage:
        name = self.serving()
        if name is None:
            raise NotSetUpError("there is no index for this version", hint="lane capture, or: lane rebuild")
        return self._opened(name)

    def open_to_read(self) -> PostgresStorage:
        return PostgresEngine(self._url, self._schema, replace(self._limits, read_only=True)).open()

    def begin(self) -> PostgresStorage:
        indexes = f"{self._schema}.indexes"
        with self._connected() as db:
            self._prepare(db)
            clear(db, self._schema, FINISHING)
            with db.transaction():
                db.run(f"LOCK TABLE {indexes} IN EXCLUSIVE MODE")
                number = db.number(f"SELECT max(number) FROM {indexes}") + 1
                name = f"{self._schema}_v{SCHEMA}_{number}"
                begun = f"INSERT INTO {indexes} (name, version, number, state) VALUES (%s, %s, %s, 'begun')"
                db.run(begun, (name, SCHEMA, number))
                db.run(f"CREATE SCHEMA {name}")
                db.run(f"SET LOCAL search_path = {name}")
                db.run(_script("schema.sql"))
        return self._opened(name)

    def swap(self, fresh: Storage) -> None:
        """Whoever reads the old one has a while to finish; then they are told to ask again."""
        indexes = f"{self._schema}.indexes"
        fresh.settle()
        with self._connected() as db:
            db.run("ANALYZE " + ", ".join(f"{fresh.name}.{table}" for table in LARGE))
            with db.transaction():
                db.run(f"LOCK TABLE {indexes} IN EXCLUSIVE MODE")
                begun = f"SELECT 1 FROM {indexes} WHERE name = %s AND state = 'begun'"
                if db.row(begun, (fresh.name,)) is None:
                    hint = "nothing: it is as new as this"
                    raise BusyError("another rebuild was faster, and its index serves", hint=hint)
                db.run(f"UPDATE {indexes} SET state = 'retired', since = now() WHERE name <> %s", (fresh.name,))
                db.run(f"UPDATE {indexes} SET state = 'serves', since = now() WHERE name = %s", (fresh.name,))
            clear(db, self._schema, FINISHING)

    def clear(self) -> list[str]:
        """Indexes that were replaced long ago. One that was begun may be another computer's work: it stays."""
        with self._connected() as db:
            clear(db, self._schema, FINISHING)
        return []

    def _opened(self, name: str) -> PostgresStorage:
        with self._connected() as db:
            row = db.row("SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'")
        path = [name, self._schema, str(row[0]) if row else "public"]  # whoever keeps the database chose the last
        self._here.last = Connection(self._url, path, self._limits)
        return PostgresStorage(self._here.last, name, self._schema)

    @contextmanager
    def _connected(self) -> Generator[Connection, None, None]:
        last: Connection | None = getattr(self._here, "last", None)
        if last is not None and not last.closed:
            yield last
            return
        own = Connection(self._url, [self._schema], replace(self._limits, readers=1, writers=1))
        try:
            yield own
        finally:
            own.close()

    def _prepare(self, db: Connection) -> None:
        with db.transaction():
            db.run("SELECT pg_advisory_xact_lock(%s)", (_lock_number(self._schema),))
            db.run(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
            db.run("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            db.run(f"SET LOCAL search_path = {self._schema}")
            db.run(_script("shared.sql"))
        row = db.row("SELECT extversion, current_setting('server_encoding') FROM pg_extension WHERE extname = 'vector'")
        version, encoding = (str(row[0]), str(row[1])) if row else ("0.0", "")
        if tuple(map(int, version.split(".")[:2])) < OLDEST_VECTOR:
            raise NotSetUpError(f"pgvector {version} is too old", hint="ALTER EXTENSION vector UPDATE, to 0.7 or newer")
        if encoding != "UTF8":
            raise NotSetUpError(f"the database is in {encoding}", hint="CREATE DATABASE … ENCODING 'UTF8'")


def clear(db: Connection, shared: str, after: str) -> None:
    """Indexes that were replaced so long ago. One that is still being read is left for the next time."""
    old = f"SELECT name FROM {shared}.indexes WHERE state = 'retired' AND since <= now() - %s::text::interval"
    for (name,) in db.rows(old, (after,)):
        try:
            with db.transaction():
                db.run("SET LOCAL lock_timeout = '1s'")
                db.run(f"DROP SCHEMA IF EXISTS {name} CASCADE")
                db.run(f"DELETE FROM {shared}.indexes WHERE name = %s", (name,))
        except BusyError:
            continue


def _script(name: str) -> str:
    return files("memlane.storage.postgres").joinpath(name).read_text()


def _lock_number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
