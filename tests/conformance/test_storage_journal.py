"""The Journal, applied: the same in every engine, and applied twice it is as if it had been applied once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.domain import Entry, Mention, NameAnswer, Reader
from memlane.domain import journal as kinds
from memlane.storage import Engine, Storage, apply, memory_data
from tests.conformance.conftest import ENGINES, of_mira
from tests.conformance.histories import OWNERS, entries
from tests.conformance.rows import NOON, NOOR, a_memory, a_run, everything_of, give_memory_vectors

HISTORIES = st.lists(entries(), max_size=8) | st.lists(entries(), min_size=30, max_size=60)
CALM = settings(
    max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@contextmanager
def told(make: Callable[[Path], Engine], folder: Path, history: Iterable[Entry]) -> Iterator[Storage]:
    home = Path(tempfile.mkdtemp(dir=folder))
    storage = make(home).begin()
    try:
        storage.runs.put(a_run("r_m", "mira"))
        for entry in history:
            apply(entry, storage)
        with of_mira(make, home, storage) as hers:
            give_memory_vectors(storage)
            give_memory_vectors(hers)
        yield storage
    finally:
        storage.close()


def everything(storage: Storage) -> list[object]:
    return [everything_of(storage, Reader(owner)) for owner in OWNERS]


MADE = [
    Entry(kinds.MEMORY, id, NOON, owner, "laptop", "person", memory_data(a_memory(id, owner)))
    for owner, ids in (("noor", ("m_1", "m_2")), ("mira", ("m_1_mira", "m_2_mira")))
    for id in ids
]


@CALM
@given(history=HISTORIES.map(lambda lines: [*MADE, *lines]), again=st.integers(0, 60))
def test_applying_a_journal_twice_changes_nothing_wherever_it_begins_again(
    make: Callable[[Path], Engine], folder: Path, history: list[Entry], again: int
) -> None:
    with told(make, folder, history) as storage:
        once = everything(storage)
        for entry in history:
            apply(entry, storage)
        assert everything(storage) == once
        for entry in history[again:]:
            apply(entry, storage)
        assert everything(storage) == once


@CALM
@given(history=HISTORIES)
def test_the_same_journal_has_the_same_answers_in_every_engine(folder: Path, history: list[Entry]) -> None:
    """Also where every line comes twice."""
    answers = list[list[object]]()
    for times, make in enumerate(ENGINES.values(), 1):
        with told(make, folder, (entry for entry in history for _ in range(times))) as storage:
            answers.append(everything(storage))
    assert all(answer == answers[0] for answer in answers)


# -- what lines mean ---------------------------------------------------------------------------------------------------


def an_entry(kind: str, data: dict[str, object]) -> Entry:
    return Entry(kind, "x", NOON, "noor", "laptop", "person", data)


def an_answer(raw: str, entity: str, project: str = "") -> Entry:
    return an_entry(kinds.ENTITY, {"mention": msgspec.to_builtins(NameAnswer(raw, entity, project))})


def meant(storage: Storage, memory: str) -> list[str]:
    kept = storage.memories.get(memory, NOOR)
    assert kept is not None
    return [f"{one.raw}={one.type}:{one.slug}" if one.resolved else one.raw for one in kept.related_entities]


def test_a_persons_answer_is_had_by_every_memory_that_waits_for_it(storage: Storage) -> None:
    mentions = (Mention("person", "Mira"), Mention("person", "Ann"))
    for id, project in (("m_1", ""), ("m_2", "shop")):
        memory = a_memory(id, related_entities=mentions, project_key=project)
        apply(an_entry(kinds.MEMORY, dict(memory_data(memory))), storage)
    apply(an_answer("mira", "person:mira-a", "shop"), storage)
    assert (meant(storage, "m_1"), meant(storage, "m_2")) == (["Mira", "Ann"], ["Mira=person:mira-a", "Ann"])
    apply(an_answer("MIRA", "project:mira-b"), storage)
    assert meant(storage, "m_1") == ["Mira=project:mira-b", "Ann"]
    assert meant(storage, "m_2") == ["Mira=person:mira-a", "Ann"], "what was said for there holds there"
    apply(an_answer("Mira", "", "shop"), storage)
    assert meant(storage, "m_2") == ["Mira", "Ann"], "not a name"


@pytest.mark.parametrize("generation", [1, 2])
def test_the_same_words_of_the_same_run_are_one_observation(storage: Storage, generation: int) -> None:
    apply(an_entry(kinds.MEMORY, dict(memory_data(a_memory("m_1")))), storage)
    for run, quote, confidence in (("r_1", "use tabs", 70), ("r_1", "use tabs", 99), ("r_2", "use tabs", 80)):
        evidence = {"run": run, "generation": generation, "line": 3, "step": f"{run}#t1.1", "quote": quote}
        data = {"memory": "m_1", "evidence": evidence, "formed_at": NOON.isoformat(), "confidence": confidence}
        apply(an_entry(kinds.OBSERVATION, data), storage)
    kept = storage.memories.get("m_1", NOOR)
    assert kept is not None
    assert (kept.times_observed, kept.confidence) == (3, 80)
    assert [one.run for one in kept.evidence] == ["r_1", "r_2"]


def test_a_window_is_read_by_a_kind_of_extractor_whichever_version(storage: Storage) -> None:
    for extractor in ("embedded@1", "embedded@2", "model@3"):
        data = {"run": "r_unknown", "extractor": extractor, "windows": [{"first": "t1.1", "last": "t2.1", "key": "w"}]}
        apply(an_entry(kinds.CAUGHT, data), storage)
    assert dict(storage.catches.read("r_unknown", NOOR)) == {"w": frozenset({"embedded", "model"})}
