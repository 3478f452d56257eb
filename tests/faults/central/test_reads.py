"""Every route and every kind of reader, on both engines; and builds with one filter left out: each is seen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from campaigns.reads import Household, caught, database, grid
from campaigns.reads_mutants import MUTANTS
from campaigns.world import scratch


@pytest.fixture(params=["embedded", "postgres"])
def world(request: pytest.FixtureRequest) -> Iterator[Household]:
    folder = scratch()
    made = Household(folder, database() if request.param == "postgres" else "")
    yield made
    made.close()
    shutil.rmtree(folder)


def test_every_reader_is_told_what_is_theirs_or_shared_with_them_and_nothing_else(world: Household) -> None:
    result = grid(world)
    assert (result.leaks, result.uneven, result.refused, result.missing) == ([], [], [], [])
    assert result.cells > 1000
    assert world.said == [], "no question fails"


@pytest.mark.parametrize("world", ["embedded"], indirect=True)
def test_a_filter_that_is_left_out_is_seen(world: Household) -> None:
    assert [mutant.name for mutant in MUTANTS if not caught(mutant, world)] == []
