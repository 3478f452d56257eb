"""A server that is stopped, killed, full or in somebody's way: nothing is lost, and it is said what to do."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from campaigns.postgres_server import Server, shared
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.errors import BusyError, UnreachableError
from memlane.storage import Storage
from memlane.storage.postgres import Limits, PostgresEngine, PostgresStorage
from memlane.storage.postgres.connection import Connection

NOOR = Reader("noor")


def fill(storage: Storage, *texts: str, run: str = "r_1") -> None:
    with storage.transaction():
        storage.chunks.replace(run, "noor", 0, [Chunk(run, n, 1, 0, "person", None, t) for n, t in enumerate(texts)])
        storage.runs.put(RunSummary(run, "noor", "laptop", "plain", run, 1, "/x", 1))


def found(storage: Storage, *words: str) -> list[str]:
    return [one.chunk.text for one in storage.chunks.matching(words, RunFilter(), NOOR, 1000)]


def kill_backend(server: Server, state: str) -> None:
    with psycopg.connect(server.url, autocommit=True) as raw:
        ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'memlane' AND state = %s"
        (pid,) = raw.execute(ours, (state,)).fetchone() or (0,)
    assert pid
    os.kill(pid, signal.SIGKILL)


def replaced_but_for_a_kill(storage: Storage, server: Server) -> None:
    with storage.transaction():
        fill(storage, "lion")
        kill_backend(server, "idle in transaction")
        fill(storage, "lion", run="r_2")


@pytest.mark.fault("D2")
def test_a_backend_killed_in_a_transaction_leaves_what_was_there_before(
    storage: PostgresStorage, server: Server
) -> None:
    fill(storage, "zebra")
    with pytest.raises(UnreachableError) as raised:
        replaced_but_for_a_kill(storage, server)
    assert raised.value.retryable
    assert raised.value.hint
    assert found(storage, "zebra", "lion") == ["zebra"]
    fill(storage, "lion")
    assert found(storage, "zebra", "lion") == ["lion"], "done again, it is done"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
def test_a_restart_between_two_questions_is_not_noticed(
    storage: PostgresStorage, server: Server, how: signal.Signals
) -> None:
    fill(storage, "zebra")
    storage.settle()
    with ThreadPoolExecutor(2) as pool:  # so that more than one connection is dead afterwards
        list(pool.map(lambda _n: found(storage, "zebra"), range(8)))
    server.restart(how)
    assert found(storage, "zebra") == ["zebra"]
    fill(storage, "zebra", "zebra again")
    assert found(storage, "zebra") == ["zebra", "zebra again"]


def test_a_server_that_is_down_is_named_and_one_that_is_back_is_found(server: Server) -> None:
    server.start()
    engine = PostgresEngine(server.url, limits=Limits(patience=0.5), owner="noor", place="down")
    opened = engine.begin()
    fill(opened, "zebra")
    server.stop()
    attempts: list[Callable[[], object]] = [
        lambda: found(opened, "zebra"),
        lambda: fill(opened, "lion"),
        lambda: opened.notes.put("a", "b"),
        engine.serving,
        PostgresEngine(server.url, limits=Limits(patience=0.5), owner="noor", place="down").serving,
    ]
    for attempt in attempts:
        with pytest.raises(UnreachableError, match="does not answer"):
            attempt()
    server.start()
    assert found(opened, "zebra") == ["zebra"]
    fill(opened, "lion")
    assert found(opened, "lion") == ["lion"]
    opened.close()


@pytest.mark.fault("D3")
def test_slow_questions_keep_no_writer_waiting_and_the_next_question_is_told_soon() -> None:
    db = Connection(shared().url, ["public"], Limits(readers=1, writers=1, patience=0.2))
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(db.rows, "SELECT pg_sleep(1.5)")
        while not _asleep():
            pass
        with pytest.raises(UnreachableError):
            db.rows("SELECT 1")
        assert db.run("SELECT 1") == 1, "whoever writes has connections of their own"
        slow.result()
    assert db.rows("SELECT 1") == [(1,)]
    db.close()


def _asleep() -> bool:
    with psycopg.connect(shared().url) as raw:
        sleeping = "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1.5)%' AND pid <> pg_backend_pid()"
        return raw.execute(sleeping).rowcount > 0


@pytest.mark.fault("D4")
def test_however_many_ask_there_are_only_so_many_connections(calm: PostgresStorage) -> None:
    fill(calm, "zebra")
    counts, before = list[int](), _ours()

    def ask(n: int) -> None:
        found(calm, "zebra")
        fill(calm, f"zebra {n}", run=f"r_{n}")
        counts.append(_ours())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(40)))
    assert max(counts) - before <= 4, "two that read, two that write; some were there before"
    assert len(found(calm, "zebra")) == 40


def _ours() -> int:
    with psycopg.connect(shared().url) as raw:
        others = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'memlane'"
        return (raw.execute(others).fetchone() or (0,))[0]


@pytest.mark.fault("D5")
def test_two_who_are_in_each_others_way_are_told_to_try_again(calm: PostgresStorage) -> None:
    both = threading.Barrier(2, timeout=10)

    def write(first: str, second: str) -> str:
        try:
            with calm.transaction():
                calm.notes.put(first, "x")
                both.wait()
                calm.notes.put(second, "x")
        except BusyError as error:
            return error.kind
        return "done"

    with ThreadPoolExecutor(2) as pool:
        told = sorted(pool.map(write, ("a", "b"), ("b", "a")))
    assert "busy" in told
    calm.notes.put("a", "y")
    calm.notes.put("b", "y")
    assert (calm.notes.get("a"), calm.notes.get("b")) == ("y", "y")
