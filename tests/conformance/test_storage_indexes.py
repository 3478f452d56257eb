"""Transactions, scrubbing, and one index in the place of another, in every engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.domain import (
    Chunk,
)
from memlane.errors import LaneError
from memlane.storage import Engine, Storage
from tests.conformance.rows import (
    NOOR,
    a_chunk,
    a_memory,
    everything_of,
    fill,
    fill_everything,
    found,
    give_vectors,
    near,
)


def test_a_transaction_is_all_or_none_also_when_it_is_inside_another(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    before = everything_of(storage, NOOR)

    def change() -> None:
        with storage.transaction():
            storage.runs.drop("r_1")
            with storage.transaction():
                storage.memories.put(a_memory("m_2"))
                storage.chunks.replace("r_1child", "noor", 0, [a_chunk("r_1child", 1, "zebra")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert everything_of(storage, NOOR) == before
    with storage.transaction():
        storage.memories.put(a_memory("m_2"))
    assert storage.memories.get("m_2", NOOR) is not None


def test_chunks_that_fail_on_their_way_leave_the_old_ones(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one")

    def broken() -> Iterator[Chunk]:
        yield a_chunk("r_1", 1, "lion")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), storage.transaction():
        storage.chunks.replace("r_1", "noor", 0, broken())
    assert found(storage, "zebra lion") == ["zebra one"]


@pytest.mark.fault("H7")
def test_after_a_scrub_no_dropped_word_is_in_any_file(storage: Storage, folder: Path) -> None:
    fill(storage, "noor", "r_2", "zebra")
    give_vectors(storage)
    fill(storage, "noor", "r_1", "xylophone " * 50)
    give_vectors(storage)
    storage.settle()
    storage.runs.drop("r_1")
    storage.scrub()
    assert found(storage, "zebra") == near(storage, "zebra") == ["zebra"]
    fill(storage, "noor", "r_1", "xylophone " * 50)
    assert give_vectors(storage) == ["xylophone " * 50], "its vector was forgotten too"
    storage.runs.drop("r_1")
    storage.scrub()
    assert [path for path in folder.rglob("*") if path.is_file() and b"xylophone" in path.read_bytes()] == []


def test_one_index_serves_until_another_takes_its_place(engine: Engine) -> None:
    assert engine.serving() is None
    with pytest.raises(LaneError):
        engine.open()
    first = engine.begin()
    assert engine.serving() is None, "begun is not serving"
    fill(first, "noor", "r_1", "zebra old")
    engine.swap(first)
    assert engine.serving() == first.name
    second = engine.begin()
    fill(second, "noor", "r_1", "zebra new")
    reader = engine.open()
    assert found(reader, "zebra") == ["zebra old"]
    engine.swap(second)
    assert engine.serving() == second.name != first.name
    assert found(reader, "zebra") == ["zebra old"], "who reads the old one finishes with it"
    newer = engine.open()
    assert found(newer, "zebra") == ["zebra new"]
    for opened in (first, second, reader, newer):
        opened.close()


def test_an_index_that_was_begun_and_left_is_in_nobodys_way(engine: Engine) -> None:
    left = engine.begin()
    fill(left, "noor", "r_1", "zebra half")
    left.close()
    again = engine.begin()
    assert found(again, "zebra") == []
    fill(again, "noor", "r_1", "zebra whole")
    engine.swap(again)
    assert found(again, "zebra") == ["zebra whole"]
    again.close()
