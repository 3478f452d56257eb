"""Many owners in one database: each by their own keys, ids and locks, rebuilt without the others' notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import psycopg
import pytest

from campaigns.plain import line
from campaigns.postgres_server import shared
from campaigns.world import World
from memlane.domain import Chunk, Entry, Feedback, Reader, RunFilter, RunSummary, State
from memlane.domain import journal as kinds
from memlane.storage import apply, memory_data, recall_data
from memlane.storage.postgres import Limits, PostgresEngine, PostgresStorage
from memlane.storage.postgres.connection import SCHEMA
from tests.conformance.rows import MIRA, NOON, NOOR, a_memory, a_recall, everything_of, fill_everything

QUICK = Limits(readers=2, writers=4, patience=20.0, locks=0.3, looks=0.0)
# Keys that cannot begin with an owner: what gives owners their numbers, and what nobody owns.
OF_NOBODY = {"owners", "model_names", "vector_sizes"}

Opened = Callable[[str], PostgresStorage]


@pytest.fixture
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    every = list[PostgresStorage]()

    def of(owner: str) -> PostgresStorage:
        engine = PostgresEngine(shared().url, limits=QUICK, owner=owner, place=request.node.name)
        if engine.serving() is None:
            fresh = engine.begin()
            engine.swap(fresh)
            fresh.close()
        every.append(engine.open())
        return every[-1]

    yield of
    for storage in every:
        storage.close()


def fill(storage: PostgresStorage, owner: str, *texts: str, run: str = "r_1") -> None:
    with storage.transaction():
        storage.runs.put(RunSummary(run, owner, "laptop", "plain", run, 1, "/x", 1))
        storage.chunks.replace(run, owner, 0, [Chunk(run, n, 1, 0, "person", None, t) for n, t in enumerate(texts)])


def found(storage: PostgresStorage, owner: str, word: str) -> list[str]:
    return [one.chunk.text for one in storage.chunks.matching([word], RunFilter(), Reader(owner), 100)]


def give_vectors(storage: PostgresStorage) -> None:
    waiting = storage.vectors.waiting("m@8", 100)
    storage.vectors.put("m@8", waiting, np.ones((len(waiting), 8), np.float32))


def test_every_key_begins_with_the_owner_and_large_tables_are_cut_by_it(opened: Opened) -> None:
    fill(storage := opened("noor"), "noor", "zebra")
    give_vectors(storage)
    with psycopg.connect(shared().url) as raw:
        keys = raw.execute(
            "SELECT t.relname, a.attname FROM pg_index AS i JOIN pg_class AS t ON t.oid = indrelid"
            " JOIN pg_attribute AS a ON a.attrelid = indrelid AND a.attnum = indkey[0]"
            " JOIN pg_namespace AS n ON n.oid = t.relnamespace"
            " WHERE NOT t.relispartition AND n.nspname IN ('lane', 'lane_control', %s)",
            (f"lane_v{SCHEMA}",),
        ).fetchall()
        parts = raw.execute(
            "SELECT inhparent::regclass::text, count(*) FROM pg_inherits JOIN pg_class ON oid = inhparent"
            " WHERE relkind = 'p' GROUP BY 1"
        ).fetchall()
    assert len({table for table, _column in keys}) > 35
    assert {table for table, column in keys if column != "owner"} <= OF_NOBODY
    assert {count for _table, count in parts} == {16}
    cut = {table.rpartition(".")[2].rstrip("_0123456789") for table, _count in parts}
    assert {"chunks", "postings", "memories", "vectors", "signs"} <= cut


def test_ids_begin_anew_for_each_owner(opened: Opened) -> None:
    for owner in ("noor", "mira"):
        fill(storage := opened(owner), owner, *(f"zebra {n}" for n in range(200)))
        storage.settle()
        last = storage._db.number("SELECT max(id) FROM chunks WHERE owner = %s AND build = %s", storage.whose)
        assert last == 200
        assert len(found(storage, owner, "zebra")) == 100


def test_what_one_owner_writes_keeps_no_other_waiting(opened: Opened) -> None:
    noor, mira = opened("noor"), opened("mira")
    for storage, owner in ((noor, "noor"), (mira, "mira")):
        fill(storage, owner, "zebra")
        give_vectors(storage)
    with noor.transaction():
        fill(noor, "noor", "zebra", "lion")
        noor.memories.put(a_memory("m_1"))
        give_vectors(noor)
        noor.settle()
        noor.notes.put("a", "b")
        fill(mira, "mira", "zebra", "tiger")
        mira.memories.put(a_memory("m_2", owner="mira"))
        give_vectors(mira)
        mira.settle()
        mira.notes.put("a", "c")
        assert found(mira, "mira", "tiger") == ["tiger"]
    assert found(noor, "noor", "lion") == ["lion"]
    assert (noor.notes.get("a"), mira.notes.get("a")) == ("b", "c")


def test_a_rebuild_is_its_owners_alone(opened: Opened, request: pytest.FixtureRequest) -> None:
    noor, mira = opened("noor"), opened("mira")
    fill(noor, "noor", "zebra")
    fill(mira, "mira", "zebra")
    mira.work.archived("r_1", 1, 10)
    engine = PostgresEngine(shared().url, limits=QUICK, owner="noor", place=request.node.name)
    fresh = engine.begin()
    fill(fresh, "noor", "lion")
    assert found(noor, "noor", "zebra") == ["zebra"], "it serves until the swap"
    assert found(noor, "noor", "lion") == []
    engine.swap(fresh)
    fresh.close()
    assert (found(opened("noor"), "noor", "lion"), found(opened("noor"), "noor", "zebra")) == (["lion"], [])
    again = opened("mira")
    assert again.name == mira.name, "nobody touched it"
    assert found(again, "mira", "zebra") == ["zebra"]
    assert again.work.pending() == ["r_1"]


def test_two_homes_of_one_name_share_a_database_and_nothing_else(tmp_path: Path) -> None:
    """Also on one machine, after one of them was rebuilt."""
    worlds = [World(tmp_path / name).prepare() for name in ("one", "two")]
    for n, world in enumerate(worlds):
        world.grow("a", line(f"zebra number{n}"))
        with world.lane(LANE_STORAGE_URL=shared().url) as lane:
            lane.capture.sweep()
            lane.memories.remember(f"Deploy number {n} is on Thursday.", world.home)
    with worlds[0].lane(LANE_STORAGE_URL=shared().url) as lane:
        lane.archive.rebuild()
    for n, world in enumerate(worlds):
        with world.lane(LANE_STORAGE_URL=shared().url) as lane:
            storage, noor = lane.home.storage(), lane.home.reader
            (match,) = storage.chunks.matching(["zebra"], RunFilter(), noor, 10)
            assert f"number{n}" in match.chunk.text
            assert [memory.title for memory in lane.memories.all()] == [f"Deploy number {n} is on Thursday."]
            assert lane.capture.sweep() is not None


@pytest.mark.fault("K4")
def test_a_line_that_names_another_owner_inside_is_its_writers_own(opened: Opened) -> None:
    """What somebody's machine sends to Central lands with them, whatever it says."""
    noor, mira = opened("noor"), opened("mira")
    fill_everything(noor, "noor", "1")
    before = everything_of(noor, NOOR)
    feedback = Feedback("f_1", "noor", "l_1", "m_1", up=False, query="", at=NOON)
    for kind, id, data in (
        (kinds.MEMORY, "m_1", memory_data(a_memory("m_1", "noor", content="pay mira"))),
        (kinds.MEMORY, "m_9", memory_data(a_memory("m_9", "noor"))),
        (kinds.RECALL, "l_1", recall_data(a_recall("l_1", "noor", 9))),
        (kinds.RECALL, "l_9", recall_data(a_recall("l_9", "noor", 9))),
        (kinds.FEEDBACK, "f_1", {"feedback": msgspec.to_builtins(feedback)}),
        (kinds.STATE, "m_1", {"memory": "m_1", "state": "forgotten"}),
        (kinds.TOMBSTONE, "r_1", {"run": "r_1"}),
    ):
        apply(Entry(kind, id, NOON, "mira", "laptop", "person", data), mira)
    assert everything_of(noor, NOOR) == before
    assert [one.owner for one in mira.memories.listed([State.ACTIVE], MIRA)] == ["mira"]
