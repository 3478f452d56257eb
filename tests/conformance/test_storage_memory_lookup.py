"""What Memories are found by beside their meaning, in every engine: words, weight, the Runs they stand on."""

from __future__ import annotations

import numpy as np

from memlane.domain import Evidence, Memory, Reader, Scope, State, Type
from memlane.storage import Storage
from memlane.storage.memory_matrix import EXACT, MemoryMatrix
from memlane.storage.vectors import AT_ONCE
from tests.conformance.rows import NOOR, a_memory, a_vector, give_memory_vectors

SHOP = "example.org/shop"
HERE = {"project_key": SHOP}
MANY = EXACT + 500


def ids(found: object) -> list[str]:
    return [memory.id for memory in found]  # type: ignore[attr-defined]


def saying(id: str, text: str, **more: object) -> Memory:
    return a_memory(id, title=text, content="", **{**HERE, **more})


def sharing(storage: Storage, *terms: str, limit: int = 10, reader: Reader = NOOR) -> list[str]:
    return ids(storage.memories.sharing(terms, SHOP, reader, limit))


def test_whether_there_is_any_is_told_by_state_and_owner(storage: Storage) -> None:
    assert not storage.memories.has(list(State), NOOR)
    storage.memories.put(a_memory("m_1", state=State.HELD))
    assert storage.memories.has([State.ACTIVE, State.HELD], NOOR)
    assert not storage.memories.has([State.ACTIVE], NOOR)
    assert not storage.memories.has([], NOOR)
    assert not storage.memories.has(list(State), Reader("mira"))


def test_the_foremost_are_the_projects_own_then_the_weighty_the_often_seen_and_the_sure(storage: Storage) -> None:
    low = Type.INSIGHT
    for memory in (
        saying("m_a", "global", scope=Scope.GLOBAL),
        saying("m_b", "low", type=low, times_observed=9),
        saying("m_c", "once"),
        saying("m_d", "often", times_observed=3),
        saying("m_e", "sure", confidence=90),
        saying("m_f", "elsewhere", project_key="example.org/other"),
        saying("m_g", "paused", state=State.PAUSED),
        saying("m_h", "theirs", owner="mira"),
        saying("m_i", "for codex", target_agents=("codex", "pi"), times_observed=5),
    ):
        storage.memories.put(memory)
    told = storage.memories.foremost
    assert ids(told(SHOP, "claude-code", NOOR, 9)) == ["m_d", "m_e", "m_c", "m_b", "m_a"]
    assert ids(told(SHOP, "pi", NOOR, 2)) == ["m_i", "m_d"]
    assert ids(told("", "code", NOOR, 9)) == ["m_a"]
    storage.memories.set_state("m_d", "noor", State.RETIRED, "")
    storage.memories.put(saying("m_c", "seen again", times_observed=4))
    assert ids(told(SHOP, "claude-code", NOOR, 2)) == ["m_c", "m_e"]


def test_words_find_active_memories_that_hold_here(storage: Storage) -> None:
    storage.memories.put(saying("m_1", "the zebra of send.py", minute=1))
    storage.memories.put(saying("m_2", "a zebra everywhere", scope=Scope.PERSON, minute=2))
    storage.memories.put(saying("m_3", "zebra elsewhere", project_key="example.org/other"))
    storage.memories.put(saying("m_4", "zebra held", state=State.HELD))
    storage.memories.put(saying("m_5", "zebra", owner="mira"))
    assert sharing(storage, "zebra") == ["m_2", "m_1"]
    assert sharing(storage, "send.py", "lion") == ["m_1"]
    assert sharing(storage) == sharing(storage, "zeb") == []
    storage.memories.set_state("m_4", "noor", State.ACTIVE, "")
    storage.memories.put(saying("m_1", "the lion of send.py"))
    storage.memories.drop("m_2", "noor")
    assert sharing(storage, "zebra") == ["m_4"]
    assert sharing(storage, "lion") == ["m_1"]
    assert sharing(storage, "zebra", reader=Reader("mira")) == ["m_5"]


def test_of_too_many_with_some_of_the_words_those_with_the_rarest_are_found(storage: Storage) -> None:
    for n in range(30):
        storage.memories.put(saying(f"m_{n:02}", "common zebra" if n == 29 else "common lion" if n > 25 else "common"))
    assert set(sharing(storage, "common", "lion", "zebra", limit=5)) == {"m_29", "m_26", "m_27", "m_28", "m_00"}
    assert set(sharing(storage, "common", limit=3)) == {"m_00", "m_01", "m_02"}


def test_memories_are_found_by_a_run_they_stand_on(storage: Storage) -> None:
    def stands_on(*runs: str) -> tuple[Evidence, ...]:
        return tuple(Evidence(run, 1, 1, f"{run}#t1.1", "said so") for run in runs)

    storage.memories.put(saying("m_1", "one", evidence=stands_on("r_1", "r_2"), minute=1))
    storage.memories.put(saying("m_2", "two", evidence=stands_on("r_2"), state=State.HELD, minute=2))
    storage.memories.put(saying("m_3", "three", owner="mira", evidence=stands_on("r_2")))
    both = [State.ACTIVE, State.HELD]
    assert ids(storage.memories.from_run("r_2", both, NOOR)) == ["m_2", "m_1"]
    assert ids(storage.memories.from_run("r_2", [State.HELD], NOOR)) == ["m_2"]
    storage.memories.put(saying("m_1", "one", evidence=stands_on("r_1")))
    assert ids(storage.memories.from_run("r_2", both, NOOR)) == ["m_2"]
    storage.memories.drop("m_1", "noor")
    assert ids(storage.memories.from_run("r_1", both, NOOR)) == []


def test_what_was_brought_into_mind_before_is_what_is_asked_for_then(storage: Storage) -> None:
    storage.memories.put(saying("m_1", "zebra"))
    give_memory_vectors(storage)
    storage.memories.prepare("m@64", NOOR)
    storage.memories.put(saying("m_2", "zebra zebra lion"))
    give_memory_vectors(storage)
    near = storage.memories.nearest(a_vector("zebra"), "m@64", [State.ACTIVE], NOOR, 9)
    assert ids(memory for memory, _likeness in near) == ["m_1", "m_2"]


def test_the_nearest_of_very_many_are_as_near_as_if_all_had_been_scored() -> None:
    dice = np.random.default_rng(7)
    middles = dice.standard_normal((200, 64)).astype(np.float32)
    rows = middles[dice.integers(0, 200, MANY)] + dice.standard_normal((MANY, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    halves = rows.astype(np.float16)
    known = MemoryMatrix()
    for start in range(0, MANY, AT_ONCE):
        some = range(start, min(start + AT_ONCE, MANY))
        known.take([(f"m_{n:06}", "active", f"in {n % 2}", halves[n].tobytes(), None) for n in some])
    whole = halves.astype(np.float32)
    for n in range(0, MANY, MANY // 9):
        best = np.argsort(-(whole @ whole[n]), kind="stable")[:10]
        found = known.nearest(whole[n], [State.ACTIVE], 10)
        assert found[0][0] == f"m_{n:06}"
        assert len({one for one, _likeness in found} & {f"m_{place:06}" for place in best}) >= 9
        here = known.nearest(whole[n], [State.ACTIVE], 10, here="1")
        assert {int(one[2:]) % 2 for one, _likeness in here} == {1}
    paused = ("m_000000", "paused", "in 0", halves[0].tobytes(), None)
    known.take([paused, ("m_000001", "active", "in 0", None, None)], 9)
    gone = {one for n in (0, 1) for one, _likeness in known.nearest(whole[n], [State.ACTIVE], 10)}
    assert not gone & {"m_000000", "m_000001"}
