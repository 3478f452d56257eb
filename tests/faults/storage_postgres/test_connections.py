"""No connection, and why: the database's own words, what helps, and never a password. Poolers in between."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from campaigns.postgres_server import Server
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.errors import LaneError, NotAllowedError, NotSetUpError, UnreachableError, UsageError
from memlane.storage.postgres import Limits, PostgresEngine
from tests.faults.storage_postgres.pooler import pooler

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
        PostgresEngine(url, "lane", QUICK).serving()
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


@pytest.fixture
def short() -> Iterator[Path]:
    """A socket's path may be 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="pool-") as folder:
        yield Path(folder)


def test_behind_a_pooler_that_keeps_sessions_apart_everything_works(server: Server, short: Path) -> None:
    server.start()
    with pooler(short, server.folder, by_transaction=False) as between:
        engine = PostgresEngine(between.url, "pooled", Limits())
        fresh = engine.begin()
        with fresh.transaction():
            fresh.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "person", None, "zebra crossing")])
            fresh.runs.put(RunSummary("r_1", "noor", "laptop", "plain", "r_1", 1, "/x", 1))
        engine.swap(fresh)
        fresh.close()
        opened = engine.open()
        found = opened.chunks.matching(["zebra"], RunFilter(), Reader("noor"), 10)
        assert [one.chunk.text for one in found] == ["zebra crossing"]
        opened.close()


def test_a_pooler_in_transaction_mode_is_refused_by_name(server: Server, short: Path) -> None:
    server.start()
    with pooler(short, server.folder, by_transaction=True) as between:
        error = refused(between.url)
    assert isinstance(error, UsageError)
    assert "transaction mode" in error.message
    assert "pool_mode = session" in error.hint
