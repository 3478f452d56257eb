"""What Chunks mean, in every engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memlane.domain import RunFilter
from memlane.errors import LaneError
from memlane.storage import Engine, Storage
from tests.conformance.rows import (
    NOOR,
    a_chunk,
    a_run,
    a_vector,
    fill,
    give_vectors,
    near,
)


def test_chunks_wait_for_a_vector_newest_runs_first(storage: Storage) -> None:
    for run, ended in (("r_old", 1), ("r_none", None), ("r_new", 9)):
        storage.runs.put(a_run(run, ended=ended))
        storage.chunks.replace(run, "noor", 0, [a_chunk(run, n, f"{run} {n}") for n in (1, 2)])
    assert [chunk.text for chunk in storage.vectors.waiting("m@64", 3)] == ["r_new 1", "r_new 2", "r_old 1"]
    assert storage.vectors.share("m@64", NOOR) == (0, 6)
    assert give_vectors(storage, most=4) == ["r_new 1", "r_new 2", "r_old 1", "r_old 2"]
    assert storage.vectors.share("m@64", NOOR) == (4, 6)
    assert give_vectors(storage) == ["r_none 1", "r_none 2"]
    assert list(storage.vectors.waiting("m@64", 10)) == []
    fill(storage, "noor", "r_later", "later")
    assert give_vectors(storage) == ["later"]


def test_the_nearest_come_first_with_their_cosine(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra lion", "zebra tiger", "wholly other words", "zebra lion")
    give_vectors(storage)
    asked = a_vector("zebra lion")
    answer = storage.vectors.nearest(asked * 7, "m@64", RunFilter(), NOOR, 3)
    assert [one.chunk.turn for one in answer] == [1, 4, 2], "the same text is equally near, in order of key"
    for one in answer:
        assert one.likeness == pytest.approx(float(asked @ a_vector(one.chunk.text)), abs=2e-3)
    assert near(storage, "zebra lion", limit=1) == ["zebra lion"]
    assert len(near(storage, "anything")) == 4
    assert near(storage, "zebra", limit=0) == []


def test_likeness_is_told_of_those_that_have_a_vector_and_are_the_readers(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra", "lion")
    fill(storage, "mira", "r_m", "zebra")
    give_vectors(storage)
    fill(storage, "noor", "r_2", "later")
    all_of_them = [*storage.chunks.of_run("r_1", NOOR), *storage.chunks.of_run("r_2", NOOR), a_chunk("r_m", 1, "zebra")]
    told = storage.vectors.likeness(all_of_them, a_vector("zebra"), "m@64", NOOR)
    assert set(told) == {("r_1", 1, 1, 0), ("r_1", 2, 1, 0)}
    assert told[("r_1", 1, 1, 0)] == pytest.approx(1, abs=2e-3)
    assert dict(storage.vectors.likeness([], a_vector("zebra"), "m@64", NOOR)) == {}


def test_a_chunk_that_stays_keeps_its_vector_and_one_that_changed_waits(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three")
    give_vectors(storage)
    changed = [
        a_chunk("r_1", 1, "one"),
        a_chunk("r_1", 2, "two!"),
        a_chunk("r_1", 3, "three"),
        a_chunk("r_1", 4, "new"),
    ]
    storage.chunks.replace("r_1", "noor", 0, changed)
    assert storage.vectors.share("m@64", NOOR) == (2, 4)
    assert sorted(near(storage, "one")) == ["one", "three"]
    assert give_vectors(storage) == ["two!", "new"]
    storage.chunks.replace("r_1", "noor", 2, [replace(changed[1], author="agent"), *changed[2:]])
    assert list(storage.vectors.waiting("m@64", 10)) == [], "the words are the same, so is what they mean"
    assert len(near(storage, "one")) == 4
    storage.runs.drop("r_1")
    assert storage.vectors.share("m@64", NOOR) == (0, 0)
    assert near(storage, "one") == []


def test_a_vector_for_a_chunk_that_is_gone_or_says_something_else_is_passed_over(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three")
    chunks = list(storage.vectors.waiting("m@64", 10))
    storage.chunks.replace("r_1", "noor", 2, [a_chunk("r_1", 2, "changed")])
    storage.vectors.put("m@64", chunks, np.stack([a_vector(chunk.text) for chunk in chunks]))
    assert near(storage, "two") == ["one"]
    assert [chunk.text for chunk in storage.vectors.waiting("m@64", 10)] == ["changed"]
    storage.vectors.put("m@64", chunks[:1], a_vector("one").reshape(1, -1))
    assert storage.vectors.share("m@64", NOOR) == (1, 2), "said twice, it is there once"
    storage.vectors.put("m@64", [], np.zeros((0, 64), np.float32))


BAD = {
    "nan": np.full((1, 64), np.nan, np.float32),
    "one nan": np.eye(1, 64, dtype=np.float32) + np.where(np.arange(64) == 9, np.nan, 0).astype(np.float32),
    "infinite": np.full((1, 64), np.inf, np.float32),
    "zero": np.zeros((1, 64), np.float32),
    "another dimension": np.ones((1, 32), np.float32),
    "two rows": np.ones((2, 64), np.float32),
    "no rows": np.ones((0, 64), np.float32),
    "flat": np.ones(64, np.float32),
    "empty": np.ones((1, 0), np.float32),
}


@pytest.mark.parametrize("which", BAD)
def test_what_is_not_a_vector_is_refused_and_nothing_has_changed(storage: Storage, which: str) -> None:
    fill(storage, "noor", "r_1", "one")
    give_vectors(storage)
    fill(storage, "noor", "r_2", "two")
    chunks = storage.vectors.waiting("m@64", 10)
    with pytest.raises(LaneError):
        storage.vectors.put("m@64", chunks, BAD[which])
    assert storage.vectors.share("m@64", NOOR) == (1, 2)
    assert near(storage, "one") == ["one"]
    assert give_vectors(storage) == ["two"]


def test_a_question_that_is_not_a_vector_is_refused(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one")
    give_vectors(storage)
    for bad in (np.full(64, np.nan), np.zeros(64), np.ones(32)):
        with pytest.raises(LaneError):
            storage.vectors.nearest(bad.astype(np.float32), "m@64", RunFilter(), NOOR, 1000)


@pytest.mark.fault("C14")
def test_vectors_of_two_models_never_meet(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two")
    give_vectors(storage, "m@64")
    assert near(storage, "one", model="m@128") == []
    assert storage.vectors.share("m@128", NOOR) == (0, 2)
    assert len(storage.vectors.waiting("m@128", 10)) == 2
    first = storage.vectors.waiting("m@128", 1)
    storage.vectors.put("m@128", first, np.ones((1, 128), np.float32))
    assert len(near(storage, "one", model="m@64")) == 2, "the old one serves on"
    assert len(storage.vectors.nearest(np.ones(128, np.float32), "m@128", RunFilter(), NOOR, 1000)) == 1
    storage.vectors.drop("m@64")
    assert near(storage, "one", model="m@64") == []
    assert storage.vectors.share("m@64", NOOR) == (0, 2)
    assert storage.vectors.share("m@128", NOOR) == (1, 2)
    assert len(storage.vectors.waiting("m@64", 10)) == 2, "dropped, it must be made again"
    storage.vectors.drop("never heard of")


def test_a_rebuilt_index_has_every_vector_without_asking_a_model(engine: Engine) -> None:
    old = engine.begin()
    fill(old, "noor", "r_1", "one", "two")
    fill(old, "mira", "r_m", "two")
    give_vectors(old)
    engine.swap(old)
    fresh = engine.begin()
    fill(fresh, "noor", "r_9", "two", "three", "one")
    assert [chunk.text for chunk in fresh.vectors.waiting("m@64", 1)] == ["three"]
    assert fresh.vectors.share("m@64", NOOR) == (2, 3)
    fill(fresh, "noor", "r_10", "two")
    assert [chunk.text for chunk in fresh.vectors.waiting("m@64", 9)] == ["three"], "also what comes after"
    assert near(old, "one") == ["one", "two"]
    engine.swap(fresh)
    assert sorted(near(fresh, "one")) == ["one", "two", "two"]
    old.close()
    fresh.close()


@pytest.mark.fault("C15")
def test_a_rebuilt_index_refuses_another_dimension_too(engine: Engine) -> None:
    old = engine.begin()
    fill(old, "noor", "r_1", "one")
    give_vectors(old)
    engine.swap(old)
    fresh = engine.begin()
    fill(fresh, "noor", "r_1", "one", "two")
    (waits,) = fresh.vectors.waiting("m@64", 9)
    with pytest.raises(LaneError):
        fresh.vectors.put("m@64", [waits], np.ones((1, 32), np.float32))
    assert near(fresh, "one") == ["one"]
    assert give_vectors(fresh) == ["two"]
    old.close()
    fresh.close()


def test_vectors_of_texts_that_nobody_says_any_more_stand_in_nobodys_way(storage: Storage) -> None:
    fill(storage, "noor", "r_1", *(f"zebra {n}" for n in range(150)))
    fill(storage, "noor", "r_2", "lion one", "lion two", "lion three")
    give_vectors(storage)
    storage.runs.drop("r_1")
    assert near(storage, "zebra", limit=2) == near(storage, "zebra")[:2]
    assert sorted(near(storage, "zebra")) == ["lion one", "lion three", "lion two"]


def test_one_owners_texts_have_no_vector_because_another_had_one(storage: Storage, hers: Storage) -> None:
    fill(storage, "noor", "r_1", "the same words")
    give_vectors(storage)
    fill(hers, "mira", "r_m", "the same words")
    assert give_vectors(hers) == ["the same words"], "or one could learn what another has said"


def test_a_transaction_that_fails_leaves_the_vectors(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two")
    give_vectors(storage)
    before = near(storage, "one"), storage.vectors.share("m@64", NOOR)

    def change() -> None:
        with storage.transaction():
            fill(storage, "noor", "r_2", "three")
            give_vectors(storage)
            storage.runs.drop("r_1")
            assert near(storage, "one") == ["three"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert (near(storage, "one"), storage.vectors.share("m@64", NOOR)) == before
    fill(storage, "noor", "r_3", "four")
    give_vectors(storage)
    assert sorted(near(storage, "one")) == ["four", "one", "two"]
    assert near(storage, "four")[0] == "four"
