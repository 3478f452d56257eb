"""A version with another schema is installed beside the old one: the old index answers until nobody needs it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager

import psycopg
import pytest

from campaigns.postgres_server import shared
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.storage import postgres
from memlane.storage.postgres import PostgresEngine, PostgresStorage, builds, connection

OLD, NEW = connection.SCHEMA, connection.SCHEMA + 1


@contextmanager
def version(url: str, schema: int) -> Generator[PostgresEngine]:
    """The program that writes this schema."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (connection, builds, postgres):
            patch.setattr(module, "SCHEMA", schema)
        yield PostgresEngine(url, owner="noor", place="upgrade")


@pytest.fixture
def url() -> str:
    """Of a database of its own: the old version's schema is dropped at the end."""
    with psycopg.connect(shared().url, autocommit=True) as raw:
        raw.execute("CREATE DATABASE upgraded")
    return shared().url.replace("/postgres?", "/upgraded?")


def filled(storage: PostgresStorage, text: str) -> None:
    with storage.transaction():
        storage.runs.put(RunSummary("r_1", "noor", "laptop", "plain", "r_1", 1, "/x", 1))
        storage.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "person", None, text)])


def found(storage: PostgresStorage) -> list[str]:
    return [one.chunk.text for one in storage.chunks.matching(["zebra"], RunFilter(), Reader("noor"), 10)]


def test_the_old_index_answers_while_the_new_one_is_built_and_until_it_is_dropped(url: str) -> None:
    with version(url, OLD) as engine, closing(engine.begin()) as storage:
        filled(storage, "zebra by the old version")
        engine.swap(storage)
    with version(url, NEW) as engine:
        assert engine.serving() is None, "it has to index everything once"
        fresh = engine.begin()
        filled(fresh, "zebra by the new version")
    with version(url, OLD) as engine, closing(engine.open()) as storage:
        assert found(storage) == ["zebra by the old version"]
    with version(url, NEW) as engine, closing(fresh):
        engine.swap(fresh)
        assert found(fresh) == ["zebra by the new version"]
    with version(url, OLD) as engine, closing(engine.open()) as storage:
        filled(storage, "zebra by the old version, in its last hour")
        assert found(storage) == ["zebra by the old version, in its last hour"]
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute(f"DROP SCHEMA lane_v{OLD} CASCADE")  # type: ignore[arg-type] - the last step of the guide
    with version(url, NEW) as engine, closing(engine.open()) as storage:
        assert found(storage) == ["zebra by the new version"]
    with version(url, OLD) as engine, closing(engine.begin()):
        assert engine.serving() is None, "who goes back to the old version has everything indexed again"
