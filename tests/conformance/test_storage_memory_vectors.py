"""What Memories mean and what they mention, in every engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from memlane.domain import Memory, Mention, Reader, State
from memlane.errors import LaneError
from memlane.storage import Engine, Storage
from tests.conformance.rows import MIRA, NOON, NOOR, a_memory, a_recall, a_vector

MODEL = "m@64"


def saying(id: str, text: str, owner: str = "noor", minute: int = 0, **more: object) -> Memory:
    return a_memory(id, owner, minute, title=text, content=text, **more)


def give(storage: Storage, model: str = MODEL, most: int = 100) -> list[str]:
    waiting = storage.memories.waiting(model, most)
    storage.memories.give(model, waiting, np.array([a_vector(memory.title) for memory in waiting]), NOON)
    return [memory.id for memory in waiting]


def near(
    storage: Storage, text: str, limit: int = 10, *states: State, reader: Reader = NOOR, model: str = MODEL
) -> list[str]:
    asked = storage.memories.nearest(a_vector(text), model, states or list(State), reader, limit)
    return [memory.id for memory, _likeness in asked]


# -- mentions ----------------------------------------------------------------------------------------------------------


def test_memories_are_found_by_what_they_mention_newest_first_whatever_the_case(storage: Storage) -> None:
    both = (Mention("person", "Mira"), Mention("person", "STRASSE"), Mention("person", "mira"))
    storage.memories.put(a_memory("m_old", minute=1, related_entities=both))
    storage.memories.put(a_memory("m_new", minute=2, related_entities=both[:1], state=State.FORGOTTEN))
    storage.memories.put(a_memory("m_b", minute=1, related_entities=both[:1]))
    storage.memories.put(a_memory("m_none", minute=3))
    storage.memories.put(a_memory("m_hers", "mira", related_entities=both))
    assert [one.id for one in storage.memories.naming("MIRA", NOOR)] == ["m_new", "m_b", "m_old"]
    assert [one.id for one in storage.memories.naming("straße", NOOR)] == ["m_old"]
    assert list(storage.memories.naming("mir", NOOR)) == list(storage.memories.naming("", NOOR)) == []


def test_what_a_memory_mentions_is_what_it_mentioned_last(storage: Storage) -> None:
    storage.memories.put(a_memory("m_1", related_entities=(Mention("person", "Mira"), Mention("file", "x" * 9000))))
    assert [one.id for one in storage.memories.naming("X" * 9000, NOOR)] == ["m_1"]
    storage.recalls.record(a_recall("l_1", "noor", 0, "r_1", a_memory("m_1")))
    edited = a_memory("m_1", related_entities=(Mention("person", "Ann"),))
    storage.memories.put(edited)
    assert list(storage.memories.naming("mira", NOOR)) == []
    assert list(storage.memories.naming("ann", NOOR)) == [replace(edited, recall_count=1)]
    storage.memories.drop("m_1", "noor")
    assert list(storage.memories.naming("ann", NOOR)) == []


# -- waiting -----------------------------------------------------------------------------------------------------------


def test_memories_wait_for_a_vector_newest_first_and_forgotten_ones_for_nothing(storage: Storage) -> None:
    for n in range(4):
        storage.memories.put(saying(f"m_{n}", f"zebra {n}", minute=n))
    storage.memories.set_state("m_3", "noor", State.FORGOTTEN, "")
    assert give(storage, most=2) == ["m_2", "m_1"]
    storage.memories.put(saying("m_4", "lion", minute=-5))
    assert give(storage) == ["m_0", "m_4"]
    assert give(storage) == give(storage) == []
    storage.memories.set_state("m_3", "noor", State.ACTIVE, "")
    assert give(storage) == ["m_3"]
    assert len(storage.memories.waiting("another@64", 100)) == 5


def test_an_edited_memory_waits_again_and_is_not_near_by_what_it_said(storage: Storage) -> None:
    storage.memories.put(saying("m_1", "zebra"))
    storage.memories.put(saying("m_2", "lion"))
    give(storage)
    storage.memories.put(saying("m_1", "tiger"))
    assert near(storage, "zebra") == ["m_2"]
    storage.memories.put(saying("m_1", "zebra"))
    assert near(storage, "zebra") == ["m_1", "m_2"], "the words it had a vector for"
    storage.memories.put(replace(saying("m_1", "zebra"), content="of another kind"))
    assert give(storage) == ["m_1"]
    storage.memories.put(replace(saying("m_1", "zebra"), content="of another kind", confidence=99, pinned=True))
    assert give(storage) == [], "its words are the same"
    assert near(storage, "zebra") == ["m_1", "m_2"]


def test_after_a_scrub_what_a_memory_meant_before_is_not_known_any_more(storage: Storage) -> None:
    for id in ("m_1", "m_2"):
        storage.memories.put(saying(id, f"zebra {id}"))
    give(storage)
    storage.memories.put(saying("m_1", "", state=State.FORGOTTEN))
    storage.scrub()
    assert near(storage, "zebra") == ["m_2"]
    storage.memories.put(saying("m_1", "zebra m_1"))
    assert near(storage, "zebra") == ["m_2"]
    assert give(storage) == ["m_1"]


def test_a_vector_for_a_memory_that_is_gone_or_says_something_else_is_passed_over(storage: Storage) -> None:
    for id in ("m_1", "m_2", "m_3"):
        storage.memories.put(saying(id, f"zebra {id}"))
    asked = storage.memories.waiting(MODEL, 10)
    storage.memories.put(saying("m_1", "lion"))
    storage.memories.drop("m_2", "noor")
    storage.memories.give(MODEL, asked, np.array([a_vector(memory.title) for memory in asked]), NOON)
    assert near(storage, "zebra") == ["m_3"]
    assert give(storage) == ["m_1"]
    storage.memories.give(MODEL, [], np.zeros((0, 64), np.float32), NOON)


# -- the nearest -------------------------------------------------------------------------------------------------------


def test_the_nearest_memories_come_first_with_their_cosine(storage: Storage) -> None:
    for id, text in (("m_b", "zebra lion"), ("m_a", "zebra lion"), ("m_c", "zebra"), ("m_d", "wholly other")):
        storage.memories.put(saying(id, text))
    give(storage)
    asked = a_vector("zebra lion")
    answer = storage.memories.nearest(asked * 7, MODEL, [State.ACTIVE], NOOR, 3)
    assert [memory.id for memory, _likeness in answer] == ["m_a", "m_b", "m_c"], "equally near: by id"
    for memory, likeness in answer:
        assert likeness == pytest.approx(float(asked @ a_vector(memory.title)), abs=2e-3)
    assert near(storage, "zebra lion", 1) == ["m_a"]
    assert near(storage, "zebra lion", 0) == []
    assert len(near(storage, "anything", 100)) == 4


def test_states_owners_and_models_choose_among_the_nearest(storage: Storage, hers: Storage) -> None:
    for n, state in enumerate(State):
        storage.memories.put(saying(f"m_{state}", f"zebra {n}", state=State.ACTIVE))
    hers.memories.put(saying("m_hers", "zebra", "mira"))
    give(storage)
    give(hers)
    for state in State:
        storage.memories.set_state(f"m_{state}", "noor", state, "")
    for state in State:
        assert near(storage, "zebra", 10, state) == [f"m_{state}"]
    assert sorted(near(storage, "zebra", 10, State.HELD, State.ACTIVE)) == ["m_active", "m_held"]
    assert near(storage, "zebra", reader=MIRA) == ["m_hers"]
    assert near(storage, "zebra", reader=Reader("nobody")) == near(storage, "zebra", model="another") == []
    assert storage.memories.nearest(a_vector("zebra"), MODEL, [], NOOR, 9) == []


def test_whoever_has_the_index_open_sees_what_another_changed(engine: Engine) -> None:
    writer = engine.begin()
    engine.swap(writer)
    reader = engine.open()
    try:
        for n in range(3):
            writer.memories.put(saying(f"m_{n}", f"zebra {'x ' * n}"))
            give(writer)
            assert near(reader, "zebra") == [f"m_{n}" for n in range(n + 1)]
        writer.memories.set_state("m_1", "noor", State.PAUSED, "")
        assert near(reader, "zebra", 9, State.ACTIVE) == ["m_0", "m_2"]
        writer.memories.put(saying("m_2", "lion"))
        assert near(reader, "zebra") == ["m_0", "m_1"]
        give(reader)
        writer.memories.drop("m_0", "noor")
        assert near(reader, "zebra") == near(writer, "zebra") == ["m_1", "m_2"]
        writer.vectors.drop(MODEL)
        assert near(reader, "zebra") == []
        assert len(give(reader)) == 2
        assert near(writer, "zebra") == ["m_1", "m_2"]
    finally:
        reader.close()
        writer.close()


def test_a_transaction_that_fails_leaves_what_memories_mean(storage: Storage) -> None:
    storage.memories.put(saying("m_1", "zebra"))
    give(storage)

    def change() -> None:
        with storage.transaction():
            storage.memories.put(saying("m_2", "zebra"))
            storage.memories.put(saying("m_1", "lion", state=State.PAUSED))
            give(storage)
            assert near(storage, "zebra") == ["m_2", "m_1"]
            assert near(storage, "zebra", 9, State.PAUSED) == ["m_1"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert near(storage, "zebra", 9, State.ACTIVE) == ["m_1"]
    storage.memories.put(saying("m_3", "zebra"))
    assert give(storage) == ["m_3"]
    assert near(storage, "zebra") == ["m_1", "m_3"]


BAD = {
    "nan": np.full((1, 64), np.nan, np.float32),
    "zero": np.zeros((1, 64), np.float32),
    "another dimension": np.ones((1, 32), np.float32),
    "two rows": np.ones((2, 64), np.float32),
}


@pytest.mark.parametrize("which", BAD)
def test_what_is_not_a_vector_is_refused_for_a_memory_too(storage: Storage, which: str) -> None:
    storage.memories.put(saying("m_1", "zebra"))
    give(storage)
    storage.memories.put(saying("m_2", "lion"))
    with pytest.raises(LaneError):
        storage.memories.give(MODEL, storage.memories.waiting(MODEL, 9), BAD[which], NOON)
    with pytest.raises(LaneError):
        storage.memories.nearest(BAD[which].ravel()[:63], MODEL, [State.ACTIVE], NOOR, 9)
    assert near(storage, "zebra") == ["m_1"]
    assert give(storage) == ["m_2"]
