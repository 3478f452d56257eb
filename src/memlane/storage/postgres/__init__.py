"""The PostgreSQL engine: everybody's indexes side by side, cut by owner; a row for each owner says which build serves.

Stock PostgreSQL 14 or newer with pgvector 0.7 or newer. A process has at most `readers + writers` connections, however
many owners' indexes it has open. Nothing that one owner does waits for another, but the making of tables.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from importlib.resources import files

from memlane.errors import BusyError, IndexDamagedError, NotAllowedError, NotSetUpError
from memlane.storage.ports import Storage
from memlane.storage.postgres.builds import Builds, Whose, begun
from memlane.storage.postgres.chunks import PostgresChunks
from memlane.storage.postgres.connection import SCHEMA, Connection, Limits
from memlane.storage.postgres.lease import leased
from memlane.storage.postgres.memories import PostgresEntities, PostgresMemories
from memlane.storage.postgres.owners import OwnerNumbers
from memlane.storage.postgres.partitions import create_all, parts_of
from memlane.storage.postgres.projects import PostgresProjects
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
EVERYDAY = Limits()
PUBLIC = "public"
_extension_of: dict[str, str] = {}  # address → the schema its keeper put the extension in


class PostgresStorage:
    """One owner's opened index. What is asked or written for other owners goes to theirs."""

    def __init__(self, connection: Connection, schema: str, owners: OwnerNumbers, owner: str, whose: Whose) -> None:
        self._db = connection
        self._schema = schema
        self._whose = whose
        builds = Builds(connection, owners, owner, whose)
        index = f"{schema}_v{SCHEMA}"
        self.runs = PostgresRuns(connection, builds)
        self.chunks = PostgresChunks(connection, builds, index)
        self.vectors = PostgresVectors(connection, builds, schema)
        self.touches = PostgresTouches(connection, builds)
        self.prompts = PostgresPrompts(connection, builds)
        self.memories = PostgresMemories(connection, builds)
        self.catches = PostgresCatches(connection, builds)
        self.entities = PostgresEntities(connection, builds)
        self.results = PostgresResults(connection, builds)
        self.recalls = PostgresRecalls(connection, builds)
        self.work = PostgresWork(connection, builds)
        self.checkpoints = PostgresCheckpoints(connection, builds)
        self.bars = PostgresBars(connection, builds)
        self.notes = PostgresNotes(connection, builds)
        self.projects = PostgresProjects(connection, builds, self.runs, self.memories)

    @property
    def read_only(self) -> bool:
        return False

    @property
    def name(self) -> str:
        return _name(self._whose[1])

    @property
    def whose(self) -> Whose:
        return self._whose

    def transaction(self) -> AbstractContextManager[None]:
        return self._db.transaction()

    def settle(self) -> None:
        """What was committed is on PostgreSQL's disk already; here its terms become postings."""
        self.chunks.settle()

    def damaged(self) -> list[str]:
        """Every row of this owner is read once; bytes are PostgreSQL's own to check."""
        found = list[str]()
        for table in _tables(self._db, f"{self._schema}_v{SCHEMA}"):
            try:
                every = f"SELECT sum(length(t::text)) FROM {table} AS t WHERE owner = %s AND build = %s"
                self._db.rows(every, self._whose)
            except IndexDamagedError as error:
                found.append(f"{table}: {error.message}")
        return found

    def gaps(self) -> list[str]:
        """None: its files are PostgreSQL's own."""
        return []

    def mend(self) -> list[str]:
        return []

    def scrub(self) -> None:
        """PostgreSQL's log and backups are its keeper's: they forget when they are recycled. Tables are written anew
        one by one, of the large ones only the part this owner is in; who is in the same part waits that long."""
        clear(self._db, self._schema, self._whose[0], "0 seconds")
        self.chunks.scrub()
        with self._db.transaction():
            self.memories.scrub()
            beside = self.vectors.scrub()
        there = parts_of(self._db, self._schema, self._whose[0])
        vectors = [table for table in there if table.partition(".")[2].rpartition("_")[0] in beside]
        for table in [*parts_of(self._db, f"{self._schema}_v{SCHEMA}", self._whose[0]), *vectors]:
            self._db.run_alone(f"VACUUM (FULL, ANALYZE) {table}")

    def close(self) -> None:
        self._db.close()


class PostgresEngine:
    """One owner's indexes in a database. `schema` names what belongs together there: `lane`, `lane_v9`, `lane_control`.
    `place` tells homes apart that share the database and whose owners have the same name; "" where they are the same.
    """

    def __init__(
        self, url: str, schema: str = "lane", limits: Limits = EVERYDAY, *, owner: str = "", place: str = ""
    ) -> None:
        self._url = url
        self._schema = schema
        self._limits = limits
        self._owner = owner
        self._place = place
        self._there = False  # the tables; once they are there, they stay

    def serving(self) -> str | None:
        with self._connected() as db:
            if not self._is_there(db):
                return None
            row = db.row(
                "SELECT build FROM builds JOIN owners ON n = owner WHERE name = %s AND state = 'serves'"
                " AND version = %s",
                (self._owners(db).name(self._owner), SCHEMA),
            )
        return _name(int(str(row[0]))) if row else None

    def open(self) -> PostgresStorage:
        name = self.serving()
        if name is None:
            raise NotSetUpError("there is no index for this version", hint="lane capture, or: lane rebuild")
        return self._opened(int(name.rpartition("-")[2]))

    def open_to_read(self) -> PostgresStorage:
        limits = replace(self._limits, read_only=True)
        return PostgresEngine(self._url, self._schema, limits, owner=self._owner, place=self._place).open()

    def begin(self) -> PostgresStorage:
        with self._connected() as db:
            self._prepare(db)
            owners = self._owners(db)
            clear(db, self._schema, owners.give(self._owner), FINISHING)
            _owner, build = begun(db, owners, self._owner, "begun")
        return self._opened(build)

    def swap(self, fresh: Storage) -> None:
        """Whoever reads the old one has a while to finish; then they are told to ask again. Other owners notice
        nothing."""
        assert isinstance(fresh, PostgresStorage)
        fresh.settle()
        owner, build = fresh.whose
        with self._connected() as db:
            _look_through(db, parts_of(db, f"{self._schema}_v{SCHEMA}", owner))
            with db.transaction():
                db.run("SELECT FROM owners WHERE n = %s FOR UPDATE", (owner,))
                mine = "SELECT 1 FROM builds WHERE owner = %s AND build = %s AND state = 'begun'"
                if db.row(mine, (owner, build)) is None:
                    hint = "nothing: it is as new as this"
                    raise BusyError("another rebuild was faster, and its index serves", hint=hint)
                others = "UPDATE builds SET state = 'retired', since = now() WHERE owner = %s AND build <> %s"
                db.run(f"{others} AND version = %s AND state <> 'retired'", (owner, build, SCHEMA))
                serves = "UPDATE builds SET state = 'serves', since = now() WHERE owner = %s AND build = %s"
                db.run(serves, (owner, build))
            clear(db, self._schema, owner, FINISHING)

    def clear(self) -> list[str]:
        """Indexes that were replaced long ago. One that was begun may be another computer's work: it stays."""
        with self._connected() as db:
            owner = self._owners(db).find(self._owner) if self._is_there(db) else None
            if owner is not None:
                clear(db, self._schema, owner, FINISHING)
        return []

    @contextmanager
    def claim(self) -> Generator[None, None, None]:
        """A lease: other computers may work here too. It ends soon after a worker that dies."""
        with self._connected() as db:
            self._prepare_control(db)
            with leased(db, self._owners(db).give(self._owner)):
                yield

    # -- parts --------------------------------------------------------------------------------------------------------

    def _opened(self, build: int) -> PostgresStorage:
        if self._url not in _extension_of:
            with self._connected() as db:
                row = db.row("SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'")
                _extension_of[self._url] = str(row[0]) if row else PUBLIC
        db = self._connection()
        owners = self._owners(db)
        return PostgresStorage(db, self._schema, owners, self._owner, (owners.give(self._owner), build))

    @contextmanager
    def _connected(self) -> Generator[Connection, None, None]:
        db = self._connection()
        try:
            yield db
        finally:
            db.close()

    def _connection(self) -> Connection:
        index, control = f"{self._schema}_v{SCHEMA}", f"{self._schema}_control"
        path = [index, self._schema, control, _extension_of.get(self._url, PUBLIC)]
        return Connection(self._url, path, self._limits)

    def _owners(self, db: Connection) -> OwnerNumbers:
        return OwnerNumbers(db, self._place)

    def _is_there(self, db: Connection) -> bool:
        if not self._there:
            row = db.row("SELECT to_regclass(%s) IS NOT NULL", (f"{self._schema}_v{SCHEMA}.notes",))
            self._there = bool(row and row[0])
        return self._there

    def _prepare(self, db: Connection) -> None:
        if self._is_there(db):
            return
        _must_suit(db)
        self._prepare_control(db)
        index = f"{self._schema}_v{SCHEMA}"
        with db.transaction():
            db.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (index,))
            if self._is_there(db):
                return
            for schema, script in ((self._schema, "shared.sql"), (index, "schema.sql")):
                db.run(f"CREATE SCHEMA IF NOT EXISTS {schema}")
                db.run(f"SET LOCAL search_path = {schema}")
                create_all(db, schema, _script(script))
            db.run(f"DELETE FROM {self._schema}.builds WHERE version = %s", (SCHEMA,))  # of tables that were dropped
            self._there = False  # until it is committed

    def _prepare_control(self, db: Connection) -> None:
        name = f"{self._schema}_control"
        row = db.row("SELECT to_regclass(%s) IS NOT NULL", (f"{name}.work_leases",))
        if row and row[0]:
            return
        with db.transaction():
            db.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
            db.run(f"CREATE SCHEMA IF NOT EXISTS {name}")
            db.run(f"SET LOCAL search_path = {name}")
            db.run(_script("control.sql"))


def clear(db: Connection, schema: str, owner: int, after: str) -> None:
    """An owner's indexes that were replaced so long ago."""
    old = (
        "SELECT build FROM builds WHERE owner = %s AND state = 'retired' AND since <= now() - %s::text::interval"
        " AND version = %s"
    )
    tables = list[str]()
    for (build,) in db.rows(old, (owner, after, SCHEMA)):
        tables = tables or _tables(db, f"{schema}_v{SCHEMA}")
        for table in tables:
            db.run(f"DELETE FROM {table} WHERE owner = %s AND build = %s", (owner, build))
        db.run("DELETE FROM builds WHERE owner = %s AND build = %s", (owner, build))


def _tables(db: Connection, schema: str) -> list[str]:
    """Whole ones, not their parts."""
    found = db.rows(
        "SELECT format('%%I.%%I', nspname, relname) FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace"
        " WHERE nspname = %s AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1",
        (schema,),
    )
    return [str(row[0]) for row in found]


def _look_through(db: Connection, tables: Sequence[str]) -> None:
    """What the planner should know after a bulk; what somebody else looks through just now is left to them."""
    db.run_alone(f"ANALYZE (SKIP_LOCKED) {', '.join(tables)}")


def _must_suit(db: Connection) -> None:
    there = "SELECT installed_version, current_database() FROM pg_available_extensions WHERE name = 'vector'"
    known = db.row(there)
    if known is None:
        hint = "install it there, on Debian: apt install postgresql-17-pgvector (docs/guides/postgresql.md)"
        raise NotSetUpError("pgvector is not installed on the server", hint=hint)
    if known[0] is None:
        try:
            db.run("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        except NotAllowedError as error:
            hint = f'sudo -u postgres psql --dbname {known[1]} --command "CREATE EXTENSION vector SCHEMA public"'
            raise NotAllowedError("the user of storage.url may not create the extension vector", hint=hint) from error
    row = db.row("SELECT extversion, current_setting('server_encoding') FROM pg_extension WHERE extname = 'vector'")
    version, encoding = (str(row[0]), str(row[1])) if row else ("0.0", "")
    if tuple(map(int, version.split(".")[:2])) < OLDEST_VECTOR:
        raise NotSetUpError(f"pgvector {version} is too old", hint="ALTER EXTENSION vector UPDATE, to 0.7 or newer")
    if encoding != "UTF8":
        raise NotSetUpError(f"the database is in {encoding}", hint="CREATE DATABASE … ENCODING 'UTF8'")


def _name(build: int) -> str:
    return f"v{SCHEMA}-{build}"


def _script(name: str) -> str:
    return files("memlane.storage.postgres").joinpath(name).read_text()
