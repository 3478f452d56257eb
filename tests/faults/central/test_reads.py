"""Every route and every kind of reader; some of them on PostgreSQL; and builds with one filter left out: each is seen.

All words that are asked with, and the whole grid on PostgreSQL: `python -m campaigns.reads [--postgres]`.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from campaigns.reads import FEW, READERS, GridResult, Household, caught, database, grid
from campaigns.reads_mutants import MUTANTS
from campaigns.world import scratch

ON_POSTGRES = ("lessons", "transcripts", "revoked")


@contextmanager
def household(url: str = "") -> Generator[Household]:
    folder = scratch()
    made = Household(folder, url)
    yield made
    made.close()
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def embedded() -> Iterator[Household]:
    with household() as made:
        yield made


def holds(result: GridResult, world: Household) -> None:
    assert (result.leaks, result.uneven, result.refused, result.missing) == ([], [], [], [])
    assert world.said == [], "no question fails"


def test_every_reader_is_told_what_is_theirs_or_shared_with_them_and_nothing_else(embedded: Household) -> None:
    result = grid(embedded, words=FEW)
    holds(result, embedded)
    assert result.cells > 80 * len(READERS)


def test_so_it_is_on_postgresql() -> None:
    with household(database()) as world:
        holds(grid(world, ON_POSTGRES, FEW[:1]), world)


def test_a_filter_that_is_left_out_is_seen(embedded: Household) -> None:
    assert [mutant.name for mutant in MUTANTS if not caught(mutant, embedded)] == []
