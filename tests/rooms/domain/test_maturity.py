"""Two runs that went well prove a memory; one that went wrong takes one of them away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.domain import Maturity, Memory
from memlane.domain.memory import credited, successes_left
from tests.rooms.app.memories import a_memory

S, F = True, False


@pytest.mark.parametrize(
    ("outcomes", "left"),
    [
        ([], 0),
        ([S], 1),
        ([F], 0),
        ([S, S], 2),
        ([S, F], 0),
        ([F, S, S], 2),
        ([S, F, S], 1),
        ([S, F, S, S], 2),
        ([S, S, F], 1),
        ([S, S, S, F], 2),
        ([F, F, F, S], 1),
    ],
)
def test_a_failure_takes_one_success_away(outcomes: list[bool], left: int) -> None:
    assert successes_left(outcomes) == left


@pytest.mark.parametrize(
    ("was", "confidence", "outcomes", "becomes", "then"),
    [
        ("candidate", 80, [S], "candidate", 80),
        ("candidate", 80, [S, S], "proven", 85),
        ("candidate", 98, [S, S], "proven", 100),
        ("candidate", 80, [S, F, S], "candidate", 80),
        ("candidate", 80, [F, F], "candidate", 80),
        ("proven", 85, [S, S, S], "proven", 85),
        ("proven", 85, [S, S, F], "candidate", 80),
        ("proven", 85, [S, S, S, F], "proven", 85),
        ("proven", 3, [F], "candidate", 0),
        ("proven", 85, [], "candidate", 80),
    ],
)
def test_proven_is_worth_five_points_while_it_lasts(
    was: str, confidence: int, outcomes: list[bool], becomes: str, then: int
) -> None:
    memory = replace(a_memory(), maturity=Maturity(was), confidence=confidence)
    after = credited(memory, outcomes)
    assert (after.maturity.value, after.confidence) == (becomes, then)
    assert credited(after, outcomes) == after, "said again, it changes nothing"
    assert _rest(after) == _rest(memory)


def _rest(memory: Memory) -> Memory:
    return replace(memory, maturity=Maturity.CANDIDATE, confidence=0)
