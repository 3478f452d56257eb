"""What was read for Memories, what names mean, how Runs went: in every engine."""

from __future__ import annotations

from datetime import timedelta

from memlane.domain import Entity, NameAnswer, Reader
from memlane.domain.journal import LEFT_OUT, TOMBSTONE
from memlane.storage import CatchMark, IndexMark, Result, Storage
from tests.conformance.rows import MIRA, NOON, NOOR, a_run

LATER = NOON + timedelta(days=1)
EARLIER = NOON - timedelta(days=1)


def index(
    storage: Storage, run: str, turn: int = 5, owner: str = "noor", ended: int | None = 0, size: int = 10
) -> None:
    storage.runs.put(a_run(run, owner, ended))
    storage.work.index_done(run, IndexMark(1, size, turn, "rules"))


def look(storage: Storage, run: str, turn: int = 5, *, closed: bool, size: int = 10, generation: int = 1) -> None:
    storage.catches.look_done(run, "noor", CatchMark(generation, size, turn, closed))


def due(storage: Storage, *, idle: bool, turns: int = 3, reader: Reader = NOOR) -> list[str]:
    return list(storage.catches.due(LATER if idle else EARLIER, turns, reader))


# -- windows -----------------------------------------------------------------------------------------------------------


def test_windows_that_were_read_are_known_by_who_read_them(storage: Storage) -> None:
    catches = storage.catches
    catches.record("r_1", "noor", "embedded", ["t1.1-t3.2-aa", "t4.1-t5.1-bb"])
    catches.record("r_1", "noor", "model", ["t1.1-t3.2-aa"])
    catches.record("r_1", "noor", "model", ["t1.1-t3.2-aa", "t1.1-t3.2-aa"])
    catches.record("r_2", "noor", "agent", [])
    both, one = frozenset({"embedded", "model"}), frozenset({"embedded"})
    assert dict(catches.read("r_1", NOOR)) == {"t1.1-t3.2-aa": both, "t4.1-t5.1-bb": one}
    assert dict(catches.read("r_2", NOOR)) == {}
    assert dict(catches.count(NOOR)) == {"embedded": 2, "model": 1}


def test_what_was_read_of_a_run_stays_when_it_is_dropped_and_indexed_again(storage: Storage) -> None:
    storage.catches.record("r_1", "noor", "model", ["t1.1-t3.2-aa"])
    index(storage, "r_1")
    look(storage, "r_1", closed=True)
    storage.runs.drop("r_1")
    assert storage.catches.looked("r_1") is None
    assert dict(storage.catches.read("r_1", NOOR)) == {"t1.1-t3.2-aa": frozenset({"model"})}
    index(storage, "r_1")
    assert due(storage, idle=False) == ["r_1"], "nobody has looked at it as it is now"


def test_the_same_run_read_by_another_owner_is_another_matter(storage: Storage) -> None:
    storage.catches.record("r_1", "noor", "model", ["w"])
    storage.catches.record("r_1", "mira", "agent", ["w", "v"])
    assert dict(storage.catches.read("r_1", NOOR)) == {"w": frozenset({"model"})}
    assert dict(storage.catches.count(MIRA)) == {"agent": 2}


def test_how_far_a_run_was_looked_at_is_what_was_said_last(storage: Storage) -> None:
    assert storage.catches.looked("r_1") is None
    look(storage, "r_1", 3, closed=True)
    look(storage, "r_1", 4, closed=False, size=5_000_000_000)
    assert storage.catches.looked("r_1") == CatchMark(1, 5_000_000_000, 4, closed=False)


# -- what is due -------------------------------------------------------------------------------------------------------


def test_a_run_nobody_looked_at_is_due_oldest_end_first(storage: Storage) -> None:
    for run, ended in (("r_b", 5), ("r_a", 5), ("r_new", 9), ("r_old", -9), ("r_timeless", None)):
        index(storage, run, ended=ended)
    assert due(storage, idle=False) == ["r_timeless", "r_old", "r_a", "r_b", "r_new"]
    assert due(storage, idle=True, reader=MIRA) == []


def test_a_run_that_goes_on_is_due_again_when_enough_turns_were_added(storage: Storage) -> None:
    index(storage, "r_1", 5)
    look(storage, "r_1", 5, closed=False)
    for turn, is_due in ((5, False), (7, False), (8, True), (9, True)):
        index(storage, "r_1", turn, size=10 * turn)
        assert due(storage, idle=False, turns=3) == (["r_1"] if is_due else []), turn


def test_a_run_that_ended_is_due_until_it_is_known_as_closed_as_it_is_indexed(storage: Storage) -> None:
    index(storage, "r_1", 5)
    look(storage, "r_1", closed=False)
    assert (due(storage, idle=True), due(storage, idle=False)) == (["r_1"], [])
    look(storage, "r_1", closed=True)
    assert due(storage, idle=True) == []
    index(storage, "r_1", 5, size=11)
    assert due(storage, idle=True) == ["r_1"], "it grew, if not by a turn"
    look(storage, "r_1", closed=True, size=11)
    assert due(storage, idle=True) == []
    storage.work.index_done("r_1", IndexMark(2, 11, 5, "rules"))
    assert due(storage, idle=True) == ["r_1"], "another generation"


def test_a_run_without_a_time_is_due_until_it_is_closed(storage: Storage) -> None:
    index(storage, "r_1", ended=None)
    look(storage, "r_1", closed=False)
    assert due(storage, idle=False) == ["r_1"]
    look(storage, "r_1", closed=True)
    assert due(storage, idle=True) == []


def test_what_is_not_indexed_dropped_or_forgotten_is_not_due(storage: Storage) -> None:
    storage.work.archived("r_archived", 1, 10)
    storage.catches.record("r_read", "noor", "model", ["w"])
    for run in ("r_again", "r_dropped", "r_forgotten", "r_left_out"):
        index(storage, run)
    storage.work.index_again("r_again")
    storage.runs.drop("r_dropped")
    storage.bars.put("r_forgotten", "noor", TOMBSTONE)
    storage.bars.put("r_left_out", "noor", LEFT_OUT)
    assert due(storage, idle=True) == ["r_left_out"], "what is indexed of it may be read"


# -- entities ----------------------------------------------------------------------------------------------------------


def test_the_newest_of_an_entity_is_what_holds(storage: Storage) -> None:
    entities = storage.entities
    acme = Entity("business", "acme", "Acme", ("ACME Inc", "the shop"), "/notes/acme.md")
    for entity in (Entity("project", "acme", "Acme's site"), Entity("business", "acme", "Akme"), acme):
        entities.put(entity, "noor")
    entities.put(Entity("person", "zoë", "Zoë", removed=True, merged_into="person:zoe"), "noor")
    entities.put(Entity("business", "acme", "Another's"), "mira")
    assert [one.key for one in entities.listed(NOOR)] == ["business:acme", "person:zoë", "project:acme"]
    assert entities.listed(NOOR)[0] == acme
    assert [one.name for one in entities.listed(MIRA)] == ["Another's"]


def test_type_and_slug_are_never_taken_for_each_other(storage: Storage) -> None:
    for type_, slug in (("a", "b:c"), ("a:b", "c"), ("", "abc"), ("abc", ""), ("a", "x" * 5000)):
        storage.entities.put(Entity(type_, slug, "n"), "noor")
    assert len(storage.entities.listed(NOOR)) == 5


def test_the_newest_answer_for_the_same_words_and_project_is_what_holds(storage: Storage) -> None:
    entities = storage.entities
    entities.answer(NameAnswer("Mira", "person:mira-a"), "noor")
    entities.answer(NameAnswer("mira", "person:mira-b"), "noor")
    entities.answer(NameAnswer("Mira", "", "host/acme/shop"), "noor")
    entities.answer(NameAnswer("Ann", "person:ann"), "noor")
    entities.answer(NameAnswer("ann", "person:hers"), "mira")
    assert list(entities.answers(NOOR)) == [
        NameAnswer("Ann", "person:ann"),
        NameAnswer("mira", "person:mira-b"),
        NameAnswer("Mira", "", "host/acme/shop"),
    ]


# -- how it went -------------------------------------------------------------------------------------------------------


def test_the_newest_result_of_a_run_is_what_holds(storage: Storage) -> None:
    results = storage.results
    first, second = Result("r_1", True, NOON, ("m_1", "m_2")), Result("r_1", False, LATER, ("m_2", "m_2"))
    earlier = Result("r_2", True, EARLIER, ("m_2",))
    for result in (first, second, earlier):
        results.put(result, "noor")
    results.put(Result("r_1", True, NOON, ("m_2",)), "mira")
    assert results.get("r_1", NOOR) == second
    assert results.get("r_3", NOOR) is None
    assert list(results.of("m_1", NOOR)) == [], "the second does not name it"
    assert list(results.of("m_2", NOOR)) == [earlier, second], "oldest first"
    assert [one.success for one in results.of("m_2", MIRA)] == [True]
