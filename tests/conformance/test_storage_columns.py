"""Columns one asks by: which runs and which memories, in every engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.domain import Mention, RunFilter, Selection, State, Type
from memlane.storage import Result, Storage
from tests.conformance.rows import NOON, NOOR, a_chunk, a_memory, a_run, a_touch, give_memory_vectors


@pytest.fixture
def runs(storage: Storage) -> Storage:
    """Three runs, each of its own kind."""
    whole = (
        a_run("r_1", skills=("Release-Notes",), commands=("/review",), account="ann@acme", kind="change"),
        a_run("r_2", kind="look", account="bob"),
        a_run("r_3", kind="talk"),
    )
    for run in whole:
        storage.chunks.replace(run.id, "noor", 0, [a_chunk(run.id, 1, "zebra")])
        storage.runs.put(run)
    storage.touches.replace("r_2", "noor", 0, [a_touch("r_2", "/srv/app/src/mail/send.py")])
    storage.results.put(Result("r_1", True, NOON, ()), "noor")
    storage.results.put(Result("r_2", False, NOON, ()), "noor")
    return storage


@pytest.mark.parametrize(
    ("which", "ids"),
    [
        (RunFilter(skill="release-notes"), {"r_1"}),
        (RunFilter(command="review"), {"r_1"}),
        (RunFilter(command="/Review"), {"r_1"}),
        (RunFilter(account="bob"), {"r_2"}),
        (RunFilter(kind="talk"), {"r_3"}),
        (RunFilter(outcome="success"), {"r_1"}),
        (RunFilter(outcome="failure"), {"r_2"}),
        (RunFilter(outcome="none"), {"r_3"}),
        (RunFilter(file="mail/send.py"), {"r_2"}),
        (RunFilter(kind="change", outcome="failure"), set[str]()),
    ],
)
def test_runs_are_listed_and_searched_by_what_they_are(runs: Storage, which: RunFilter, ids: set[str]) -> None:
    assert {run.id for run in runs.runs.listed(which, NOOR)} == ids
    if not which.file:  # of a chunk it is the step that touched the file
        assert {one.chunk.run for one in runs.chunks.matching(["zebra"], which, NOOR, 10)} == ids


def test_a_run_that_is_written_again_is_asked_for_by_what_it_is_now(runs: Storage) -> None:
    before = runs.runs.get("r_1", NOOR)
    assert before is not None
    runs.runs.put(replace(before, skills=(), kind="talk"))
    assert runs.runs.listed(RunFilter(skill="release-notes"), NOOR) == []
    runs.runs.drop("r_1")
    assert [run.id for run in runs.runs.listed(RunFilter(kind="talk"), NOOR)] == ["r_3"]


def test_memories_are_asked_for_by_several_columns_at_once(storage: Storage) -> None:
    neal = Mention("person", "Neal", "brown-neal", resolved=True)
    decision, correction, insight = Type.DECISION, Type.CORRECTION, Type.INSIGHT
    for id, more in {
        "m_1": {"type": decision, "related_entities": (neal,), "times_observed": 2},
        "m_2": {"type": correction, "related_entities": (neal,), "times_observed": 3},
        "m_3": {"type": insight, "related_entities": (neal,), "times_observed": 2},
        "m_4": {"type": decision, "times_observed": 2},
        "m_5": {"type": decision, "related_entities": (neal,), "times_observed": 1},
        "m_6": {"type": decision, "related_entities": (Mention("", "brown-neal"),), "times_observed": 2},
    }.items():
        storage.memories.put(a_memory(id, **more))
    give_memory_vectors(storage)
    storage.memories.put(a_memory("m_7", type=decision, related_entities=(neal,), times_observed=2, title="not yet"))
    asked = Selection(types=("decision", "correction"), about=frozenset({"person:brown-neal"}), observed=2)
    assert {one.id for one in storage.memories.found(asked, NOOR)} == {"m_1", "m_2", "m_7"}
    assert {one.id for one in storage.memories.found(replace(asked, embedded=True), NOOR)} == {"m_1", "m_2"}
    assert {one.id for one in storage.memories.found(replace(asked, embedded=False), NOOR)} == {"m_7"}
    assert sum(storage.memories.tallied(replace(asked, embedded=True), NOOR).values()) == 2


def test_since_when_a_memory_has_a_vector_of_what_it_says_now(storage: Storage) -> None:
    storage.memories.put(a_memory("m_1"))
    assert storage.memories.embedded("m_1", NOOR) == []
    give_memory_vectors(storage)
    assert storage.memories.embedded("m_1", NOOR) == [("m@64", NOON)]
    storage.memories.put(a_memory("m_1", title="something else", state=State.ACTIVE))
    assert storage.memories.embedded("m_1", NOOR) == []
