"""What recall asks of storage: near Memories of one project or about somebody, verdicts, and the end of a Run."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from memlane.domain import Feedback, Mention, Scope, State
from memlane.storage import MemoryBounds, Storage
from tests.conformance.rows import MIRA, NOON, NOOR, a_memory, a_recall, a_vector, fill

MODEL = "m@64"
AMY = Mention("person", "Amy", "hoy-amy", resolved=True)


def placed(storage: Storage) -> None:
    for id, more in (
        ("m_here", {"project_key": "app", "related_entities": (AMY,)}),
        ("m_there", {"project_key": "other", "related_entities": (AMY,)}),
        ("m_nowhere", {"project_key": ""}),
        ("m_person", {"scope": Scope.PERSON, "project_key": "other"}),
    ):
        storage.memories.put(a_memory(id, title="zebra", content=id, **more))
    waiting = storage.memories.waiting(MODEL, 100)
    storage.memories.give(MODEL, waiting, np.array([a_vector("zebra") for _memory in waiting]), NOON)


def near(storage: Storage, where: MemoryBounds) -> list[str]:
    found = storage.memories.nearest(a_vector("zebra"), MODEL, [State.ACTIVE], NOOR, 10, where)
    return [memory.id for memory, _likeness in found]


def test_near_memories_of_a_project_are_its_own_and_those_of_a_wider_scope(storage: Storage) -> None:
    placed(storage)
    assert near(storage, MemoryBounds()) == ["m_here", "m_nowhere", "m_person", "m_there"]
    assert near(storage, MemoryBounds(here="app")) == ["m_here", "m_person"]
    assert near(storage, MemoryBounds(here="unknown")) == ["m_person"]
    storage.memories.put(a_memory("m_here", title="zebra", content="m_here", scope=Scope.GLOBAL, project_key="app"))
    assert near(storage, MemoryBounds(here="unknown")) == ["m_here", "m_person"], "as it is now"


def test_near_memories_about_an_entity_are_found_by_its_key(storage: Storage) -> None:
    placed(storage)
    assert near(storage, MemoryBounds(about=("person:hoy-amy",))) == ["m_here", "m_there"]
    assert near(storage, MemoryBounds(here="app", about=("person:hoy-amy", "person:nobody"))) == ["m_here"]
    assert near(storage, MemoryBounds(about=("person:nobody",))) == []
    assert near(storage, MemoryBounds(ids=("m_there",))) == ["m_there"]
    assert near(storage, MemoryBounds(here="app", about=("person:hoy-amy",), ids=("m_person",))) == [
        "m_here",
        "m_person",
    ]
    assert {one.id for one in storage.memories.naming("person:hoy-amy", NOOR)} == {"m_here", "m_there"}
    storage.memories.put(a_memory("m_here", title="zebra", content="m_here", project_key="app"))
    assert near(storage, MemoryBounds(about=("person:hoy-amy",))) == ["m_there"]


def test_verdicts_are_kept_by_memory_until_they_are_taken_back_or_their_run_is_forgotten(storage: Storage) -> None:
    storage.recalls.record(a_recall("l_1", "noor", 0, "r_1", a_memory("m_1")))
    given = [
        Feedback(f"f_{n}", "noor", "l_1", "m_1", n == 2, "where is it", NOON + timedelta(minutes=n)) for n in (1, 2)
    ]
    for one in (*reversed(given), Feedback("f_3", "mira", "l_1", "m_1", True, "hers", NOON)):
        storage.recalls.judge(one)
    storage.recalls.judge(given[0])
    assert list(storage.recalls.judged(["m_1", "m_2"], NOOR)) == given
    assert [one.id for one in storage.recalls.judged(["m_1"], MIRA)] == ["f_3"]
    storage.recalls.take_back("f_1", "noor")
    storage.recalls.take_back("f_3", "noor")
    storage.recalls.drop_words("r_1", "noor")
    assert [(one.id, one.query) for one in storage.recalls.judged(["m_1"], NOOR)] == [("f_2", "")]
    assert len(storage.recalls.judged(["m_1"], MIRA)) == 1


def test_recalls_are_found_by_what_they_showed_newest_first(storage: Storage) -> None:
    one, other = a_memory("m_1"), a_memory("m_2")
    for n, (run, memory) in enumerate((("r_1", one), ("r_1", other), ("r_2", one), ("", one))):
        storage.recalls.record(a_recall(f"l_{n}", "noor", n, run, memory))
    storage.recalls.record(a_recall("l_9", "mira", 9, "r_1", one))
    assert [recall.id for recall in storage.recalls.that_showed("m_1", 9, NOOR)] == ["l_3", "l_2", "l_0"]
    assert [recall.id for recall in storage.recalls.that_showed("m_1", 1, NOOR)] == ["l_3"]
    assert [recall.id for recall in storage.recalls.that_showed("m_1", 9, MIRA)] == ["l_9"]
    assert list(storage.recalls.that_showed("m_3", 9, NOOR)) == []


def test_the_end_of_a_run_is_in_order(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three", "four")
    assert [chunk.text for chunk in storage.chunks.last("r_1", NOOR, 2)] == ["three", "four"]
    assert [chunk.text for chunk in storage.chunks.last("r_1", NOOR, 9)] == ["one", "two", "three", "four"]
    assert list(storage.chunks.last("r_1", MIRA, 2)) == []
