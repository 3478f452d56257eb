"""An index is replaced while it is read: old or new, never half, never an error."""

from __future__ import annotations

import threading

import psycopg
import pytest

from campaigns.postgres_server import Server
from memlane.domain import Chunk, Reader, RunFilter
from memlane.errors import BusyError, LaneError
from memlane.storage import Storage
from memlane.storage.postgres import PostgresEngine

NOOR = Reader("noor")


def filled(engine: PostgresEngine, generation: int) -> Storage:
    fresh = engine.begin()
    fresh.chunks.replace(
        "r_1", "noor", 0, [Chunk("r_1", n, 1, 0, "a", None, f"zebra g{generation}") for n in range(50)]
    )
    return fresh


def told(storage: Storage) -> set[tuple[str, int]]:
    found = storage.chunks.matching(["zebra"], RunFilter(), NOOR, 100_000)
    return {(one.chunk.text, len(found)) for one in found}


@pytest.mark.fault("C12")
def test_whoever_reads_while_indexes_are_swapped_has_the_old_or_the_new_one(engine: PostgresEngine) -> None:
    first = filled(engine, 0)
    engine.swap(first)
    answers, failed, done = list[set[tuple[str, int]]](), list[LaneError](), threading.Event()

    def read() -> None:
        storage = engine.open()
        try:
            while not done.is_set():
                if engine.serving() != storage.name:
                    answers.append(told(storage))  # the replaced one, once more
                    storage.close()
                    storage = engine.open()
                answers.append(told(storage))
        except LaneError as error:
            failed.append(error)
        finally:
            storage.close()

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for generation in range(1, 5):
        fresh = filled(engine, generation)
        engine.swap(fresh)
        fresh.close()
    while not any(answer == {("zebra g4", 50)} for answer in list(answers)) and not failed:
        pass
    done.set()
    for reader in readers:
        reader.join()
    first.close()
    assert failed == []
    assert all(len(answer) == 1 and next(iter(answer))[1] == 50 for answer in answers)
    assert {text for answer in answers for text, _n in answer} >= {"zebra g0", "zebra g4"}


def test_an_index_replaced_long_ago_is_gone_and_whoever_holds_it_is_told_to_ask_again(
    engine: PostgresEngine, server: Server
) -> None:
    old = filled(engine, 0)
    engine.swap(old)
    new = filled(engine, 1)
    engine.swap(new)
    assert told(old) == {("zebra g0", 50)}, "for a while"
    with psycopg.connect(server.url, autocommit=True) as raw:
        raw.execute("UPDATE lane.builds SET since = since - interval '1 hour' WHERE state = 'retired'")
    engine.begin().close()
    with pytest.raises(BusyError) as raised:
        told(old)
    assert raised.value.retryable
    again = engine.open()
    assert told(again) == {("zebra g1", 50)}
    for storage in (old, new, again):
        storage.close()


def test_after_a_scrub_no_dropped_word_is_in_any_table_also_of_a_replaced_index(
    engine: PostgresEngine, server: Server
) -> None:
    for _ in range(2):
        serves = engine.begin()
        serves.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "agent", None, "xylophone " * 50)])
        serves.chunks.replace("r_2", "noor", 0, [Chunk("r_2", 1, 1, 0, "agent", None, "zebra")])
        engine.swap(serves)
    assert _files_with(b"xylophone", server) != []
    serves.runs.drop("r_1")
    serves.scrub()
    assert told(serves) == {("zebra", 1)}
    assert _files_with(b"xylophone", server) == []
    serves.close()


def _files_with(word: bytes, server: Server) -> list[str]:
    with psycopg.connect(server.url, autocommit=True) as raw:
        raw.execute("CHECKPOINT")
    tables = (path for path in (server.folder / "data" / "base").rglob("*") if path.is_file())
    return [path.name for path in tables if word in path.read_bytes()]


def test_of_two_rebuilds_the_slower_one_is_told_and_changes_nothing(engine: PostgresEngine) -> None:
    slower, faster = filled(engine, 0), filled(engine, 1)
    engine.swap(faster)
    with pytest.raises(BusyError):
        engine.swap(slower)
    assert engine.serving() == faster.name
    slower.close()
    faster.close()
