"""Damage that somebody does to the files of a home is named, costs nothing that is not named, and is mended."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campaigns import damage, damage_mutants
from campaigns.mutants import Mutant
from campaigns.victim import as_it_is

SAMPLE = (
    "raw a bit flipped",
    "metadata swapped with another",
    "side file deleted",
    "journal deleted",
    "register the last line gone",
    "terms idx deleted",
    "vectors about cut in half",
    "run folder deleted",
)


@pytest.fixture(scope="module")
def grid() -> Iterator[damage.Grid]:
    made = damage.Grid()
    yield made
    made.close()


@pytest.mark.fault("A26", "C2", "C7", "M7")
@pytest.mark.parametrize("name", SAMPLE)
def test_damage_is_named_and_mended(grid: damage.Grid, name: str) -> None:
    """Some cells here; `python -m campaigns.damage` takes all."""
    result = damage.Result()
    grid.run([cell for cell in grid.cells() if cell.name == name], result)
    assert {fault: found for fault, found in result.faults.items() if found} == {}
    assert result.outcomes == {name: "healed"}


@pytest.mark.parametrize("mutant", damage_mutants.MUTANTS, ids=lambda mutant: mutant.name)
def test_a_product_that_looks_away_is_caught(grid: damage.Grid, mutant: Mutant) -> None:
    result = damage.Result()
    grid.breaking = mutant.breaking
    try:
        grid.run([cell for cell in grid.cells() if cell.name == damage_mutants.MUTANTS[mutant]], result)
    finally:
        grid.breaking = as_it_is
    assert [fault for fault, found in result.faults.items() if found] == [mutant.caught_by]
