"""Killed or without power at every step: rows A1, A2 and C1 of the failure model, and that the bench is honest."""

from __future__ import annotations

import pytest

from campaigns import kill, power
from campaigns.mutants import MUTANTS, Mutant

SEED = 2026
KILLS = 300  # at most: a broken product is caught sooner, and every step is hit
OTHERS = 6  # one in so many


@pytest.mark.fault("A1", "C1")
@pytest.mark.parametrize("days", [kill.Trials, kill.FirstDays], ids=["later", "first"])
def test_a1_killed_at_every_step_nothing_is_lost_or_there_twice(days: type[kill.Trials]) -> None:
    """At every step once here; `python -m campaigns.kill` goes on.

    Of a first day: all that later days do not have, and some of the others.
    """
    trials, result = days(SEED), kill.Result()
    if days is kill.FirstDays:
        later = kill.places(kill.Trials, SEED)
        trials.only({*(trials.passed.keys() - later), *sorted(later)[::OTHERS]})
    try:
        trials.run_until_all_are_hit(KILLS, result)
    finally:
        trials.close()
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.kills >= len(trials.passed) > 20
    assert result.acknowledged > len(trials.passed) // 2, "most are killed after something was acknowledged"
    assert trials.missed(result) == [], "every step is hit at least once"


@pytest.mark.fault("A2")
def test_a2_without_power_before_any_operation_what_was_acknowledged_is_there() -> None:
    result = power.losses(SEED, n=1, ways=1)
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.losses > 150
    assert result.acknowledged > result.losses


@pytest.mark.fault("A2")
def test_a2_also_when_a_process_was_killed_there_before() -> None:
    result = power.Result()
    day = power.PowerlessDay(SEED, 1, result)
    day.every = 4  # `python -m campaigns.power` takes all
    day.run(killed_at=90)
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.losses > 35


@pytest.mark.fault("M7")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name} by {mutant.caught_by}")
def test_a_broken_product_is_caught(mutant: Mutant) -> None:
    if mutant.caught_by == "kill":
        found = kill.caught(mutant.breaking, KILLS, SEED).faults
    else:
        found = power.caught(mutant.breaking, SEED).faults
    assert any(found.values())
