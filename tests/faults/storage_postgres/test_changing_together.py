"""Two who change Memories at once: whoever keeps their vectors in mind misses neither."""

from __future__ import annotations

import numpy as np
import pytest

from memlane.domain import Reader, State
from memlane.errors import BusyError
from memlane.storage.postgres import PostgresEngine, PostgresStorage
from tests.conformance.rows import NOON, a_memory

NOOR = Reader("noor")


def near(storage: PostgresStorage) -> list[str]:
    asked = storage.memories.nearest(np.ones(8, np.float32), "m@8", [State.ACTIVE], NOOR, 9)
    return sorted(memory.id for memory, _likeness in asked)


def give(storage: PostgresStorage) -> None:
    waiting = storage.memories.waiting("m@8", 9)
    storage.memories.give("m@8", waiting, np.ones((len(waiting), 8), np.float32), NOON)


def test_a_change_waits_for_one_that_is_not_done_so_that_none_is_seen_out_of_turn(engine: PostgresEngine) -> None:
    first = engine.begin()
    engine.swap(first)
    second, reader = engine.open(), engine.open()
    try:
        with first.transaction():
            first.memories.put(a_memory("m_1"))
            give(first)
            with pytest.raises(BusyError):
                second.memories.put(a_memory("m_2"))
            assert near(reader) == []
        second.memories.put(a_memory("m_2"))
        give(second)
        assert near(reader) == ["m_1", "m_2"]
    finally:
        for storage in (first, second, reader):
            storage.close()
