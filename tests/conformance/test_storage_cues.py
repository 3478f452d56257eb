"""Cues and what they mean, in every engine: beside what a Memory says, never instead of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from memlane.domain import CueMatch, Memory, Reader, State
from memlane.errors import LaneError
from memlane.storage import EVERYWHERE, Engine, MemoryBounds, MemoryMatch, Storage, cue_matrix
from memlane.storage.cue_matrix import EXACT
from memlane.storage.memory_matrix import MemoryMatrix
from memlane.storage.vectors import AT_ONCE, octets_of
from tests.conformance.rows import MIRA, NOOR, a_memory, a_vector, give_memory_vectors

MODEL = "m@64"
CLOSE = 5e-3  # what a byte for each number leaves of a cosine


def cued(id: str, text: str, *cues: str, owner: str = "noor", **more: object) -> Memory:
    return a_memory(id, owner, 0, title=text, content=text, cues=cues, **more)


def give_cues(storage: Storage, most: int = 100) -> list[str]:
    waiting = storage.memories.cues_waiting(MODEL, most)
    vectors = [a_vector(cue) for memory in waiting for cue in memory.cues]
    storage.memories.give_cues(MODEL, waiting, np.array(vectors))
    return [memory.id for memory in waiting]


def give_all(storage: Storage) -> None:
    give_memory_vectors(storage)
    give_cues(storage)


def near(
    storage: Storage, text: str, limit: int = 10, where: MemoryBounds = EVERYWHERE, reader: Reader = NOOR
) -> dict[str, MemoryMatch]:
    found = storage.memories.nearest_with_cues(a_vector(text), MODEL, [State.ACTIVE], reader, limit, where)
    return {one.memory.id: one for one in found}


def best_cue(storage: Storage, text: str, memory: str = "m_1") -> str:
    found = near(storage, text)[memory]
    return found.memory.cues[found.cue.number] if found.cue else ""


def test_a_memory_is_found_by_its_cue_and_tells_which_and_how_near(storage: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it", "cut the release"))
    for n in range(4):
        storage.memories.put(cued(f"m_other{n}", f"release notes {n}"))
    give_all(storage)
    found = near(storage, "cut the release", 1)
    assert best_cue(storage, "cut the release") == "cut the release"
    assert found["m_1"].cue is not None
    assert found["m_1"].cue.likeness == pytest.approx(1, abs=CLOSE)
    assert found["m_1"].note == pytest.approx(float(a_vector("cut the release") @ a_vector("zebra zebra")), abs=CLOSE)
    assert len(found) == 2, "the nearest note is there too, and has no cue"
    assert [one.cue for id, one in found.items() if id != "m_1"] == [None]
    said = storage.memories.nearest(a_vector("cut the release"), MODEL, [State.ACTIVE], NOOR, 1)
    assert [memory.id for memory, _likeness in said] != ["m_1"], "what it says is far"


def test_without_cues_it_is_the_nearest_as_ever(storage: Storage) -> None:
    for n, text in enumerate(("zebra lion", "zebra", "lion tiger", "wholly other")):
        storage.memories.put(cued(f"m_{n}", text))
    give_all(storage)
    said = storage.memories.nearest(a_vector("zebra lion"), MODEL, [State.ACTIVE], NOOR, 3)
    found = near(storage, "zebra lion", 3)
    assert list(found) == [memory.id for memory, _likeness in said]
    assert [one.note for one in found.values()] == pytest.approx([likeness for _memory, likeness in said])
    assert all(one.cue is None for one in found.values())


def test_cues_wait_until_they_are_given_and_wait_again_when_they_change(storage: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it"))
    storage.memories.put(cued("m_2", "lion"))
    give_memory_vectors(storage)
    assert near(storage, "ship it")["m_1"].cue is None
    assert give_cues(storage) == ["m_1"]
    assert give_cues(storage) == []
    storage.memories.put(cued("m_1", "zebra, in other words", "ship it"))
    assert give_cues(storage) == [], "the cues are the same"
    give_memory_vectors(storage)
    assert best_cue(storage, "ship it") == "ship it"
    storage.memories.put(cued("m_1", "zebra, in other words", "ship it", "roll it out"))
    assert near(storage, "ship it")["m_1"].cue is None
    assert give_cues(storage) == ["m_1"]
    assert best_cue(storage, "roll it out") == "roll it out"
    storage.memories.put(cued("m_1", "zebra, in other words"))
    assert near(storage, "ship it")["m_1"].cue is None
    assert give_cues(storage) == []


def test_what_is_forgotten_or_dropped_has_no_cues_any_more(storage: Storage) -> None:
    for id in ("m_1", "m_2"):
        storage.memories.put(cued(id, "zebra", "ship it"))
    give_all(storage)
    storage.memories.set_state("m_1", "noor", State.FORGOTTEN, "")
    storage.memories.drop("m_2", "noor")
    assert near(storage, "ship it") == {}
    assert give_cues(storage) == []
    storage.memories.set_state("m_1", "noor", State.ACTIVE, "")
    assert near(storage, "ship it")["m_1"].cue is None
    assert give_cues(storage) == ["m_1"]
    storage.memories.put(cued("m_2", "zebra", "ship it"))
    assert give_cues(storage) == ["m_2"]


def test_cues_for_a_memory_that_has_others_by_now_are_passed_over(storage: Storage) -> None:
    for id in ("m_1", "m_2", "m_3"):
        storage.memories.put(cued(id, "zebra", f"ship {id}", "ship it"))
    give_memory_vectors(storage)
    asked = storage.memories.cues_waiting(MODEL, 10)
    storage.memories.put(cued("m_1", "zebra", "another"))
    storage.memories.drop("m_2", "noor")
    storage.memories.give_cues(MODEL, asked, np.array([a_vector(cue) for one in asked for cue in one.cues]))
    assert near(storage, "ship it")["m_1"].cue is None
    assert best_cue(storage, "ship it", "m_3") == "ship it"
    assert give_cues(storage) == ["m_1"]


def test_cues_of_a_memory_that_nobody_understands_yet_bring_nothing(storage: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it"))
    give_cues(storage)
    assert near(storage, "ship it") == {}
    give_memory_vectors(storage)
    assert best_cue(storage, "ship it") == "ship it"


def test_cues_are_their_owners_and_hold_where_the_memory_holds(storage: Storage, hers: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it", project_key="shop"))
    storage.memories.put(cued("m_2", "zebra", "ship it", project_key="bank"))
    storage.memories.put(cued("m_3", "zebra", "ship it", project_key="shop", state=State.HELD))
    hers.memories.put(cued("m_hers", "zebra", "ship it", owner="mira"))
    give_all(storage)
    give_all(hers)
    assert sorted(near(storage, "ship it")) == ["m_1", "m_2"]
    assert list(near(storage, "ship it", where=MemoryBounds(here="shop"))) == ["m_1"]
    assert list(near(storage, "ship it", reader=MIRA)) == ["m_hers"]


def test_words_of_cues_are_shared_too(storage: Storage) -> None:
    storage.memories.put(cued("m_1", "Releases are cut on Thursdays", "本番にデプロイして"))
    found = storage.memories.sharing(["デプ", "プロ"], "", NOOR, 9)
    assert [memory.id for memory in found] == ["m_1"]
    storage.memories.put(cued("m_1", "Releases are cut on Thursdays"))
    assert list(storage.memories.sharing(["デプ"], "", NOOR, 9)) == []


def test_what_was_brought_into_mind_learns_of_new_cues(storage: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it", "cut a release"))
    give_all(storage)
    storage.memories.prepare(MODEL, NOOR)
    assert best_cue(storage, "ship it") == "ship it"
    storage.memories.put(cued("m_1", "zebra", "send the invoice"))
    give_cues(storage)
    assert best_cue(storage, "send the invoice") == "send the invoice"
    assert best_cue(storage, "ship it") == "send the invoice", "the only one it has"


def test_another_process_reads_the_same(engine: Engine, storage: Storage) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it"))
    give_all(storage)
    engine.swap(storage)
    other = engine.open()
    try:
        assert best_cue(other, "ship it") == best_cue(storage, "ship it") == "ship it"
    finally:
        other.close()


@pytest.mark.parametrize("rows", [np.full((1, 64), np.nan), np.zeros((1, 64)), np.ones((1, 32)), np.ones((2, 64))])
def test_what_is_not_a_vector_is_refused_for_a_cue_too(storage: Storage, rows: np.ndarray) -> None:
    storage.memories.put(cued("m_1", "zebra", "ship it"))
    give_memory_vectors(storage)
    with pytest.raises(LaneError):
        storage.memories.give_cues(MODEL, storage.memories.cues_waiting(MODEL, 9), rows.astype(np.float32))
    assert give_cues(storage) == ["m_1"]


def test_of_many_cues_those_that_the_bits_choose_are_read(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cue_matrix, "EXACT", 8)
    monkeypatch.setattr(cue_matrix, "ROUGHLY", 20)
    monkeypatch.setattr(cue_matrix, "GENEROUS", 10)
    for n in range(30):
        storage.memories.put(cued(f"m_{n:02}", f"note {n}", f"ask {n} {n}", f"task {n}"))
    give_all(storage)
    for n in range(0, 30, 7):
        assert best_cue(storage, f"ask {n} {n}", f"m_{n:02}") == f"ask {n} {n}"
    storage.memories.put(cued("m_07", "note 7", "another cue", "and one more", "of three"))
    assert near(storage, "note 7")["m_07"].cue is None
    give_cues(storage)
    assert best_cue(storage, "of three", "m_07") == "of three"


def test_the_nearest_cues_of_very_many_are_as_near_as_if_all_had_been_scored() -> None:
    each, dice = 4, np.random.default_rng(7)
    many = EXACT // each + 500
    middles = dice.standard_normal((200, 64)).astype(np.float32)
    rows = middles[dice.integers(0, 200, many * each)] + dice.standard_normal((many * each, 64)).astype(np.float32)
    octets, note = octets_of(MODEL, rows, len(rows), 0), np.ones(64, np.float16).tobytes()
    known = MemoryMatrix()
    for start in range(0, many, AT_ONCE):
        some = range(start, min(start + AT_ONCE, many))
        known.take([(f"m_{n:06}", "active", "", note, octets[n * each : (n + 1) * each].tobytes()) for n in some])

    def read(ids: Sequence[str]) -> dict[str, bytes]:
        places = {id: int(id[2:]) * each for id in ids}
        return {id: octets[first : first + each].tobytes() for id, first in places.items()}

    whole = octets / np.linalg.norm(octets, axis=1, keepdims=True)
    for row in range(0, many * each, many * each // 9):
        scores = (whole @ whole[row]).reshape(many, each).max(axis=1)
        best = {f"m_{n:06}" for n in np.argsort(-scores, kind="stable")[:10]}
        found = known.nearest_with_cues(whole[row].astype(np.float32), [State.ACTIVE], 10, octets=read)
        by_cue = {id: cue for id, _note, cue in found if cue is not None}
        assert by_cue[f"m_{row // each:06}"].number == row % each
        assert len(best & by_cue.keys()) >= 9


def test_of_one_project_among_many_the_same_cues_are_near_whether_its_own_are_picked_or_all_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    each, many, dice = 3, 1_500, np.random.default_rng(3)
    octets = octets_of(MODEL, dice.standard_normal((many * each, 64)).astype(np.float32), many * each, 0)
    note, matrix = np.ones(64, np.float16).tobytes(), cue_matrix.CueMatrix()
    matrix.take([(n, octets[n * each : (n + 1) * each].tobytes()) for n in range(many)], len(note) // 2)
    mine = np.arange(many) % 2 == 0
    wanted = dice.standard_normal(64).astype(np.float32)

    def near(few: int) -> dict[int, CueMatch]:
        for name, value in (("EXACT", 8), ("ROUGHLY", 60), ("GENEROUS", 20), ("FEW", few)):
            monkeypatch.setattr(cue_matrix, name, value)
        return matrix.nearest(mine, wanted, 3, lambda places: {n: octets[n * each :][:each].tobytes() for n in places})

    assert near(1) == near(many)
    assert all(mine[place] for place in near(1))
