"""No connection, and why: the database's own words, what helps, and never a password. Poolers in between."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import psycopg
import pytest

from campaigns.postgres_server import Server
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.errors import LaneError, NotAllowedError, NotSetUpError, UnreachableError, UsageError
from memlane.storage import Storage
from memlane.storage.postgres import Limits, PostgresEngine
from tests.faults.storage_postgres.pooler import pgbouncer, pooler

PASSWORD = "tr0ub4dor" + "&3"
QUICK = Limits(patience=0.6, connecting=2)


@pytest.fixture
def guarded(server: Server) -> Iterator[Server]:
    """One that asks a user called `guest` for a password."""
    server.start()
    rules = server.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"local all guest scram-sha-256\n{before}")
    with psycopg.connect(server.url, autocommit=True) as raw:
        raw.execute("DROP ROLE IF EXISTS guest")
        raw.execute("CREATE ROLE guest LOGIN PASSWORD 'another one'")
        raw.execute("SELECT pg_reload_conf()")
    yield server
    rules.write_text(before)


def refused(url: str) -> LaneError:
    with pytest.raises(LaneError) as raised:
        PostgresEngine(url, limits=QUICK).serving()
    assert PASSWORD not in f"{raised.value.message} {raised.value.hint}"
    return raised.value


def test_a_wrong_password_is_said_to_be_wrong(guarded: Server) -> None:
    error = refused(f"postgresql://guest:{PASSWORD}@/postgres?host={guarded.folder}")
    assert isinstance(error, NotAllowedError)
    assert 'password authentication failed for user "guest"' in error.message
    assert "lane config set storage.url" in error.hint
    assert not error.retryable


def test_a_missing_database_and_an_unknown_user_are_named(guarded: Server) -> None:
    missing = refused(f"postgresql://lane@/nothing_here?host={guarded.folder}")
    assert isinstance(missing, NotSetUpError)
    assert 'database "nothing_here" does not exist' in missing.message
    assert "createdb nothing_here" in missing.hint
    unknown = refused(f"postgresql://stranger@/postgres?host={guarded.folder}")
    assert isinstance(unknown, NotAllowedError)
    assert 'role "stranger" does not exist' in unknown.message


def test_no_server_and_an_unknown_host_are_two_things(tmp_path: Path) -> None:
    nobody = refused(f"postgresql://lane:{PASSWORD}@127.0.0.1:1/lane")
    assert isinstance(nobody, UnreachableError)
    assert "refused" in nobody.message
    assert "start it" in nobody.hint
    assert "No such file" in refused(f"postgresql://lane@/lane?host={tmp_path}").message
    unknown = refused(f"postgresql://lane:{PASSWORD}@no-such-host.invalid/lane")
    assert isinstance(unknown, UnreachableError)
    assert "no-such-host.invalid" in unknown.message


def test_an_address_that_cannot_be_read_is_not_quoted() -> None:
    error = refused(f"postgresql://lane:{PASSWORD}@localhost:port/lane")
    assert isinstance(error, UsageError)
    assert "percent-encode" in error.hint


def test_a_newcomer_is_told_of_the_step_that_takes_a_superuser_and_then_it_works(server: Server) -> None:
    """The steps of docs/guides/postgresql.md."""
    server.start()
    with psycopg.connect(server.url, autocommit=True) as raw:
        raw.execute("CREATE ROLE newcomer LOGIN")
        raw.execute("CREATE DATABASE theirs OWNER newcomer ENCODING 'UTF8' TEMPLATE template0")
    engine = PostgresEngine(f"postgresql://newcomer@/theirs?host={server.folder}", owner="noor")
    with pytest.raises(NotAllowedError, match="may not create the extension") as raised:
        engine.begin()
    assert 'psql --dbname theirs --command "CREATE EXTENSION vector SCHEMA public"' in raised.value.hint
    with psycopg.connect(server.url.replace("/postgres?", "/theirs?"), autocommit=True) as raw:
        raw.execute("CREATE EXTENSION vector SCHEMA public")
    fresh = engine.begin()
    fresh.notes.put("a", "b")
    engine.swap(fresh)
    assert fresh.notes.get("a") == "b"
    fresh.close()
    with engine.claim():
        pass


@pytest.fixture
def short() -> Iterator[Path]:
    """A socket's path may be 107 bytes, and the pooler runs as somebody who may not enter a folder of ours."""
    with tempfile.TemporaryDirectory(prefix="pool-", dir="/tmp") as folder:
        yield Path(folder)


def works(url: str, place: str, restart: Callable[[], None]) -> None:
    """Everything an index is asked to do, by several at once."""
    engine = PostgresEngine(url, limits=Limits(readers=3, writers=2, patience=20.0), owner="noor", place=place)
    fresh = engine.begin()
    with fresh.transaction():
        fresh.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "person", None, "zebra crossing")])
        fresh.runs.put(RunSummary("r_1", "noor", "laptop", "plain", "r_1", 1, "/x", 1))
    engine.swap(fresh)
    fresh.close()
    opened, reading = engine.open(), engine.open_to_read()
    try:
        waiting = opened.vectors.waiting("m@8", 9)
        opened.vectors.put("m@8", waiting, np.ones((1, 8), np.float32))
        with ThreadPoolExecutor(6) as pool:  # more than there are sessions: each statement may get another one
            assert set(pool.map(lambda _n: words_of(opened), range(40))) == {("zebra crossing",)}
        with pytest.raises(OSError, match="reading only"):
            reading.notes.put("a", "b")
        with pytest.raises(ZeroDivisionError):
            _break_off(opened)
        assert opened.notes.get("a") == ""
        restart()
        assert words_of(reading) == words_of(opened) == ("zebra crossing",)
        opened.scrub()
        assert words_of(opened) == ("zebra crossing",)
    finally:
        opened.close()
        reading.close()


def _break_off(storage: Storage) -> None:
    with storage.transaction():
        storage.notes.put("a", "b")
        raise ZeroDivisionError


def words_of(storage: Storage) -> tuple[str, ...]:
    return tuple(one.chunk.text for one in storage.chunks.matching(["zebra"], RunFilter(), Reader("noor"), 10))


@pytest.mark.fault("D9")
@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_behind_a_pooler_everything_works_whatever_its_mode(server: Server, short: Path, mode: str) -> None:
    server.start()
    with pooler(short, server.folder, by_transaction=mode == "transaction") as between:
        works(between.url, f"pooled {mode}", restart=lambda: None)


@pytest.mark.parametrize("mode", ["session", "transaction"] if shutil.which("pgbouncer") else ["none"])
def test_behind_pgbouncer_everything_works_through_a_restart(server: Server, short: Path, mode: str) -> None:
    """The real one where it is installed (apt install pgbouncer); else without a pooler."""
    server.start()
    with nullcontext(server.url) if mode == "none" else pgbouncer(short, server.folder, mode) as url:
        works(url, f"pgbouncer {mode}", server.restart)
