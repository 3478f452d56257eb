"""The Journal, applied, in every engine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.domain import (
    Entry,
    State,
)
from memlane.domain import journal as kinds
from memlane.storage import Engine, apply, memory_data, recall_data
from tests.conformance.rows import (
    NOON,
    NOOR,
    a_memory,
    a_recall,
    everything_of,
)


def entries() -> st.SearchStrategy[Entry]:
    ids = st.sampled_from(["m_1", "m_2", "m_3"])
    memory = ids.map(lambda id: (kinds.MEMORY, id, memory_data(a_memory(id))))
    state = st.builds(
        lambda id, state: (kinds.STATE, id, {"memory": id, "state": state.value}), ids, st.sampled_from(State)
    )
    recall = st.builds(
        lambda n, id: (kinds.RECALL, f"l_{n}", recall_data(a_recall(f"l_{n}", "noor", n, f"r_{n % 2}", a_memory(id)))),
        st.integers(0, 5),
        ids,
    )
    bar = st.builds(
        lambda run, restored: (kinds.TOMBSTONE, run, {"run": run, "restored": restored}),
        st.sampled_from(["r_0", "r_1"]),
        st.booleans(),
    )
    unknown = st.just(("feedback", "f_1", {"feedback": {}}))
    made = st.one_of(memory, state, recall, bar, unknown)
    return made.map(lambda one: Entry(one[0], one[1], NOON, "noor", "laptop", "person", one[2]))


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(entries(), max_size=12))
def test_applying_a_journal_twice_changes_nothing(
    make: Callable[[Path], Engine], folder: Path, history: list[Entry]
) -> None:
    storage = make(Path(tempfile.mkdtemp(dir=folder))).begin()
    try:
        for entry in history:
            apply(entry, storage)
        once = everything_of(storage, NOOR)
        for entry in history:
            apply(entry, storage)
        assert everything_of(storage, NOOR) == once
    finally:
        storage.close()
