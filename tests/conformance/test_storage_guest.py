"""A guest sees somebody's index as if only what was granted were in it: the same matches, statistics and counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.domain import WITHHELD, Evidence, Loan, Reader, RunFilter, Selection, State
from memlane.errors import NotAllowedError
from memlane.storage import Engine, GuestStorage, Storage
from tests.conformance.rows import NOOR, a_memory, a_run, a_touch, a_vector, fill, give_memory_vectors, give_vectors

GRANTED = ("zebra at the market", "lion and zebra", "the lioness sleeps")
OTHERS = ("zebra zebra diary", "lion secrets", "zebulon liona", *(f"zebra lion {n}" for n in range(40)))
LOAN = Loan("noor", frozenset({"r_1", "r_2"}), frozenset({"m_1"}))
GUEST = Reader("mira", LOAN)
MODEL = "m@64"


@pytest.fixture
def guest(storage: Storage) -> Storage:
    fill(storage, "noor", "r_1", *GRANTED[:2])
    storage.runs.put(a_run("r_1", account="noor@example.org"))
    fill(storage, "noor", "r_2", *GRANTED[2:])
    fill(storage, "noor", "r_3", *OTHERS)
    storage.runs.label("r_1", "noor", "", ["private"], pinned=True)
    storage.touches.replace("r_1", "noor", 0, [a_touch("r_1", "/home/a.py")])
    storage.touches.replace("r_3", "noor", 0, [a_touch("r_3", "/home/a.py")])
    evidence = (Evidence("r_3", 1, 1, "r_3#t1.1", "zebra zebra diary"), Evidence("r_1", 1, 1, "r_1#t1.1", "zebra"))
    storage.memories.put(a_memory("m_1", evidence=evidence, source_chunk="zebra zebra diary", reasoning="a secret"))
    storage.memories.put(a_memory("m_2"))
    give_vectors(storage)
    give_memory_vectors(storage)
    return GuestStorage(storage, GUEST)


def told(storage: Storage, reader: Reader, limit: int) -> list[object]:
    every = RunFilter()
    found = storage.chunks.matching(["zebra", "lion"], every, reader, limit)
    near = storage.vectors.nearest(a_vector("zebra"), MODEL, every, reader, 99)
    return [
        [(one.chunk, one.times, one.length) for one in found],
        storage.chunks.statistics(["zebra", "lion", "diary"], reader),
        [storage.chunks.near_terms(term, reader) for term in ("zebro", "lions", "secrot")],
        storage.chunks.count(reader),
        [storage.chunks.of_run(run, reader) for run in ("r_1", "r_2", "r_3")],
        [storage.chunks.last(run, reader, 1) for run in ("r_1", "r_3")],
        [storage.chunks.spoken(run, 0, reader) for run in ("r_1", "r_3")],
        [(one.chunk, round(one.likeness, 5)) for one in near],
        storage.runs.count(reader),
        storage.runs.starting_with("r_", reader),
        [run is None for run in (storage.runs.get(id, reader) for id in ("r_1", "r_2", "r_3"))],
        storage.runs.projects(reader),
    ]


def test_it_is_as_if_nothing_else_were_there(guest: Storage, make: Callable[[Path], Engine], tmp_path: Path) -> None:
    alone = make(tmp_path).begin()
    try:
        fill(alone, "noor", "r_1", *GRANTED[:2])
        fill(alone, "noor", "r_2", *GRANTED[2:])
        give_vectors(alone)
        for limit in (1, 2, 99):
            assert told(guest, GUEST, limit) == told(alone, NOOR, limit)
    finally:
        alone.close()


def test_labels_and_what_is_found_by_them_stay_with_their_owner(guest: Storage) -> None:
    (run,) = guest.runs.listed(RunFilter(only=frozenset({"r_1"})), GUEST)
    assert (run.tags, run.pinned, run.entities, run.account) == ((), False, (), "")
    assert guest.runs.listed(RunFilter(account="noor@example.org"), GUEST) == []
    assert guest.runs.listed(RunFilter(tag="private"), GUEST) == []
    assert [one.run for one in guest.touches.of("a.py", RunFilter(), GUEST)] == ["r_1"]


def test_a_lesson_comes_without_the_words_behind_it(guest: Storage) -> None:
    (lent,) = guest.memories.listed(list(State), GUEST)
    assert (lent.id, lent.source_chunk, lent.reasoning) == ("m_1", "", "")
    assert [one == WITHHELD for one in lent.evidence] == [True, False], "of the run that is shared, its quote is too"
    assert guest.memories.get("m_1", GUEST) == lent
    assert guest.memories.get("m_2", GUEST) is None
    assert guest.memories.found(Selection(limit=1, skip=1), GUEST) == []


def test_what_is_not_active_is_not_shared(guest: Storage, storage: Storage) -> None:
    storage.memories.set_state("m_1", "noor", State.PAUSED, "")
    assert (guest.memories.listed(list(State), GUEST), guest.memories.get("m_1", GUEST)) == ([], None)


def test_anybody_else_and_any_other_question_is_refused(guest: Storage) -> None:
    for reader in (NOOR, Reader("mira"), replace(GUEST, loan=Loan("noor"))):
        with pytest.raises(NotAllowedError):
            guest.runs.listed(RunFilter(), reader)
    for refused in (
        lambda: guest.recalls,
        lambda: guest.work,
        lambda: guest.memories.tallied(Selection(), GUEST),
        lambda: guest.memories.put(a_memory("m_9")),
        lambda: guest.runs.by_native_id("native-r_3", GUEST),
    ):
        with pytest.raises(NotAllowedError):
            refused()


def test_a_guests_reader_opens_nothing_without_the_view(guest: Storage, storage: Storage) -> None:
    assert guest.runs.count(GUEST) == 2
    assert storage.runs.listed(RunFilter(), GUEST) == []
    assert storage.memories.listed(list(State), GUEST) == []
