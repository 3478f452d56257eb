"""Whose is what: a Reader is told of their own and of nothing else, in every engine."""

from __future__ import annotations

import pytest

from memlane.domain import (
    Reader,
    RunFilter,
    State,
)
from memlane.storage import Statistics, Storage
from tests.conformance.rows import (
    NOOR,
    a_vector,
    everything_of,
    fill,
    fill_everything,
    give_vectors,
)


@pytest.mark.fault("K5")
def test_another_owners_rows_are_invisible_and_change_nothing(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    before = everything_of(storage, NOOR)
    fill_everything(storage, "mira", "m")
    assert everything_of(storage, NOOR) == before
    assert everything_of(storage, Reader("nobody")) != before
    storage.memories.set_state("m_1", "mira", State.FORGOTTEN, "")
    storage.memories.drop("m_1", "mira")
    storage.recalls.drop_words("r_1", "mira")
    storage.bars.lift("r_1barred", "mira")
    assert everything_of(storage, NOOR) == before, "nor does what another owner asks for"


@pytest.mark.fault("K6")
def test_a_thousand_rows_of_others_change_no_match_no_statistic_and_no_nearness(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one", "zebra lion two", "lion three")
    give_vectors(storage)

    def told() -> list[object]:
        return [
            storage.chunks.matching(["zebra", "lion"], RunFilter(), NOOR, 2),
            storage.chunks.statistics(["zebra", "lion"], NOOR),
            storage.vectors.nearest(a_vector("zebra lion"), "m@64", RunFilter(), NOOR, 2),
            storage.vectors.share("m@64", NOOR),
        ]

    before = told()
    fill(storage, "mira", "r_m", *(f"zebra lion {n}" for n in range(1000)))
    give_vectors(storage)
    assert told() == before
    storage.settle()
    assert told() == before


def test_a_reader_with_nothing_is_told_nothing(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    told = everything_of(storage, Reader("noo"))
    nothing = (Statistics(0, 0, {}), (0, 0))
    values = (value for answer in told for value in (answer if isinstance(answer, list) else [answer]))
    assert [value for value in values if value and value not in nothing] == []
