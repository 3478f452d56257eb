"""Memories and Recalls, in every engine."""

from __future__ import annotations

from dataclasses import replace

from memlane.domain import Mention, RecallMoment, Selection, State
from memlane.storage import Storage
from tests.conformance.rows import (
    NOOR,
    a_memory,
    a_recall,
)


def test_memories_are_listed_newest_first_by_state(storage: Storage) -> None:
    for id, minute in (("m_b", 1), ("m_a", 1), ("m_new", 5)):
        storage.memories.put(a_memory(id, minute=minute))
    storage.memories.set_state("m_a", "noor", State.SUPERSEDED, "m_b")
    assert [memory.id for memory in storage.memories.listed([State.ACTIVE], NOOR)] == ["m_new", "m_b"]
    (superseded,) = storage.memories.listed([State.SUPERSEDED], NOOR)
    assert (superseded.id, superseded.superseded_by) == ("m_a", "m_b")
    assert storage.memories.count([State.ACTIVE, State.SUPERSEDED], NOOR) == 3
    assert storage.memories.listed([], NOOR) == []
    storage.memories.drop("m_b", "noor")
    assert storage.memories.get("m_b", NOOR) is None


def test_a_memory_comes_back_with_when_it_matters(storage: Storage) -> None:
    memory = a_memory("m_1", when="releasing", always=True, cues=("cut a release", "Version veröffentlichen"))
    storage.memories.put(memory)
    assert storage.memories.get("m_1", NOOR) == memory


def test_a_memory_counts_the_runs_it_was_shown_in_not_the_times(storage: Storage) -> None:
    memory = a_memory("m_1", recall_count=99)
    storage.memories.put(memory)
    for id, run in (("l_1", "r_1"), ("l_2", "r_1"), ("l_3", "r_2")):
        storage.recalls.record(a_recall(id, "noor", 0, run, memory))
    kept = storage.memories.get("m_1", NOOR)
    assert kept is not None
    assert kept.recall_count == 2


def test_a_title_at_the_start_and_a_run_held_out_are_no_recalls_of_a_memory(storage: Storage) -> None:
    memory = a_memory("m_1")
    storage.memories.put(memory)
    start, held_out = (a_recall(f"l_{run}", "noor", 0, run, memory) for run in ("r_1", "r_2"))
    storage.recalls.record(replace(start, query=replace(start.query, moment=RecallMoment.START)))
    storage.recalls.record(replace(held_out, holdout=True))
    assert storage.memories.get("m_1", NOOR) == memory
    storage.recalls.record(a_recall("l_3", "noor", 0, "r_1", memory))
    assert storage.memories.get("m_1", NOOR) == replace(memory, recall_count=1)


def test_recalls_are_kept_as_they_were_and_listed_newest_first(storage: Storage) -> None:
    memory = a_memory("m_1")
    recalls = [a_recall("l_1", "noor", 1, "r_1", memory), a_recall("l_2", "noor", 2), a_recall("l_3", "noor", 3, "r_2")]
    for recall in (*recalls, recalls[0]):
        storage.recalls.record(recall)
    assert list(storage.recalls.newest(10, NOOR)) == recalls[::-1]
    assert list(storage.recalls.newest(10, NOOR, run="r_2")) == [recalls[2]]
    assert list(storage.recalls.newest(2, NOOR)) == [recalls[2], recalls[1]]
    assert list(storage.recalls.newest(10, NOOR, cwd="/elsewhere")) == []
    assert list(storage.recalls.shown_in("r_1", NOOR)) == [recalls[0]]
    assert storage.recalls.get("l_1", NOOR) == recalls[0]


def test_a_forgotten_runs_words_leave_its_recalls(storage: Storage) -> None:
    for id, run in (("l_1", "r_1"), ("l_2", "r_2")):
        storage.recalls.record(a_recall(id, "noor", 0, run))
    storage.recalls.drop_words("r_1", "noor")
    first, second = storage.recalls.get("l_1", NOOR), storage.recalls.get("l_2", NOOR)
    assert first is not None
    assert second is not None
    assert (first.query.words, first.query.files) == ("", ())
    assert second.query.words == "where is it"


def test_the_subjects_of_active_memories_are_told_by_type(storage: Storage) -> None:
    def about(*mentions: tuple[str, str, bool]) -> tuple[Mention, ...]:
        return tuple(Mention(type_, slug, slug if known else "", resolved=known) for type_, slug, known in mentions)

    many = about(("file", "src/Mail/send.py", True), ("person", "king-adam", True), ("file", "unknown.py", False))
    storage.memories.put(a_memory("m_1", related_entities=many))
    storage.memories.put(a_memory("m_2", related_entities=about(("file", "a.py", True)), state=State.PAUSED))
    storage.memories.put(a_memory("m_3", "kid", related_entities=about(("file", "kid.py", True))))
    assert storage.memories.subjects("file", NOOR) == ["src/mail/send.py"]
    assert storage.memories.subjects("person", NOOR) == ["king-adam"]
    storage.memories.set_state("m_2", "noor", State.ACTIVE, "")
    storage.memories.drop("m_1", "noor")
    assert storage.memories.subjects("file", NOOR) == ["a.py"]


def test_memories_and_recalls_without_a_limit_are_all_of_them(storage: Storage) -> None:
    for n in range(60):
        storage.memories.put(a_memory(f"m_{n:02}", minute=n))
        storage.recalls.record(a_recall(f"l_{n:02}", "noor", n))
    assert len(storage.memories.found(Selection(), NOOR)) == 60
    assert [one.id for one in storage.memories.found(Selection(skip=58), NOOR)] == ["m_01", "m_00"]
    assert len(storage.memories.found(Selection(limit=7), NOOR)) == 7
    assert len(storage.recalls.newest(None, NOOR)) == 60


def test_what_memories_say_is_read_page_by_page_without_those_forgotten(storage: Storage) -> None:
    for id in ("m_1", "m_2", "m_3", "m_4"):
        storage.memories.put(a_memory(id, title=f"Title of {id}", content="Words"))
    storage.memories.set_state("m_2", "noor", State.FORGOTTEN, "")
    storage.memories.put(a_memory("m_5", owner="other"))
    first = storage.memories.sayings("", 2, NOOR)
    assert [id for id, _said in first] == ["m_1", "m_3"]
    assert "title of m_1" in first[0][1]
    assert [id for id, _said in storage.memories.sayings("m_3", 2, NOOR)] == ["m_4"]


def test_what_changed_since_a_version_is_named(storage: Storage) -> None:
    for id in ("m_1", "m_2"):
        storage.memories.put(a_memory(id))
    before = storage.memories.version(NOOR)
    assert storage.memories.changed_since(before, NOOR) == []
    storage.memories.put(a_memory("m_2", title="other"))
    storage.memories.put(a_memory("m_3", owner="other"))
    assert storage.memories.changed_since(before, NOOR) == ["m_2"]
    assert storage.memories.changed_since(-1, NOOR) == ["m_1", "m_2"]
