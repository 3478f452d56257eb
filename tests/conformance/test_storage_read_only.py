"""An index that was opened for reading only: it answers, and whatever is tried, nothing of it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from memlane.domain import State
from memlane.storage import Engine, Storage
from tests.conformance.rows import NOOR, a_memory, a_vector, everything_of, fill_everything, give_memory_vectors

WRITES: dict[str, Callable[[Storage], None]] = {
    "put": lambda storage: storage.memories.put(a_memory("m_2")),
    "state": lambda storage: storage.memories.set_state("m_1", "noor", State.RETIRED, ""),
    "drop": lambda storage: storage.memories.drop("m_1", "noor"),
    "run": lambda storage: storage.runs.drop("r_1"),
    "note": lambda storage: storage.notes.put("name", "value"),
    "journal": lambda storage: storage.work.journal_done({"2026-05/desk.jsonl": 1}),
}


@pytest.mark.parametrize("write", WRITES)
def test_what_was_opened_for_reading_answers_and_cannot_be_changed(engine: Engine, write: str) -> None:
    fresh = engine.begin()
    fill_everything(fresh, "noor", "1")
    engine.swap(fresh)
    reading = engine.open_to_read()
    try:
        before = everything_of(reading, NOOR)
        assert before == everything_of(fresh, NOOR)
        with pytest.raises(OSError, match="read"):
            WRITES[write](reading)
        with pytest.raises(OSError, match="read"), reading.transaction():
            WRITES[write](reading)
        assert everything_of(fresh, NOOR) == before
    finally:
        reading.close()
        fresh.close()


def test_all_that_memories_mean_is_read_at_once_and_only_what_they_say_now(storage: Storage) -> None:
    said, edited = a_memory("m_1", content="zebra"), a_memory("m_2", content="lion")
    for memory in (said, edited, a_memory("m_3", owner="mira")):
        storage.memories.put(memory)
    give_memory_vectors(storage)
    storage.memories.put(replace(edited, content="tiger"))
    found = storage.memories.meanings("m@64", NOOR)
    assert list(found) == ["m_1"]
    assert found["m_1"] @ a_vector(said.text) == pytest.approx(1.0, abs=0.01)
    assert storage.memories.meanings("other", NOOR) == {}
