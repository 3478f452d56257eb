"""Killed or without power at every step: rows A1, A2 and C1 of the failure model, and that the bench is honest."""

from __future__ import annotations

import pytest

from campaigns import kill, power
from campaigns.mutants import MUTANTS, Mutant

SEED = 2026
KILLS = 300


@pytest.mark.parametrize(("days", "kills"), [(kill.Trials, KILLS), (kill.FirstDays, 200)], ids=["later", "first"])
def test_a1_killed_at_every_step_nothing_is_lost_or_there_twice(days: type[kill.Trials], kills: int) -> None:
    trials, result = days(SEED), kill.Result()
    try:
        trials.run(kills, result)
        missed = [where for where in trials.passed if not result.hits[trials.prefix + where]]
    finally:
        trials.close()
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.acknowledged > kills
    assert missed == [], "every step is hit at least once"


def test_a2_without_power_before_any_operation_what_was_acknowledged_is_there() -> None:
    result = power.losses(SEED, n=1, ways=1)
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.losses > 150
    assert result.acknowledged > result.losses


def test_a2_also_when_a_process_was_killed_there_before() -> None:
    result = power.Result()
    power.PowerlessDay(SEED, 1, result).run(killed_at=90)
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.losses > 150


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name} by {mutant.caught_by}")
def test_a_broken_product_is_caught(mutant: Mutant) -> None:
    if mutant.caught_by == "kill":
        found = kill.caught(mutant.breaking, KILLS, SEED).faults
    else:
        found = power.caught(mutant.breaking, SEED).faults
    assert any(found.values())
