"""Said several times, it is one Memory with everything that stood behind each; near is not the same (E68)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from memlane.domain import Change, Evidence, Scope, State, Trust, Type
from memlane.dream import twins
from tests.rooms.dream.memories import JUNE, every_pair, note

THREE = [
    note("m_1", "Use Decimal for money, never float", "A cent was lost.", confidence=60),
    note("m_2", "Money is Decimal, not float", "Cents went missing.", confidence=80, at=JUNE, trust=Trust.AGENT),
    note("m_3", "Use Decimal and never float for money", times_observed=2, confidence=75),
]


def test_three_memories_of_one_lesson_are_one_with_all_that_stood_behind_them() -> None:
    (made,) = twins(THREE, every_pair(THREE))
    kept, *others = made.after
    assert made.change is Change.MERGED
    assert (kept.id, kept.title, kept.confidence) == ("m_2", "Money is Decimal, not float", 80)
    assert (kept.times_observed, kept.trust, kept.state) == (4, Trust.AGENT, State.ACTIVE)
    assert {one.run for one in kept.evidence} == {"r_m_1", "r_m_2", "r_m_3"}
    assert {(one.state, one.superseded_by) for one in others} == {(State.SUPERSEDED, "m_2")}
    assert {memory.id for memory in made.before} == {memory.id for memory in made.after}


def test_a_merged_memory_matters_whenever_one_of_them_did() -> None:
    first, second, third = THREE
    several = [
        replace(first, when="adding prices", cues=("add a price field", "Round the total")),
        replace(second, always=True, cues=("round the total", *(f"cue {n}" for n in range(9)))),
        third,
    ]
    (made,) = twins(several, every_pair(several))
    kept = made.after[0]
    assert (kept.when, kept.always, len(kept.cues)) == ("adding prices", True, 8)
    assert kept.cues[:2] == ("round the total", "cue 0")


@pytest.mark.parametrize("order", list(permutations(THREE)))
def test_the_order_in_which_they_are_read_changes_nothing(order: tuple[object, ...]) -> None:
    (made,) = twins(list(order), every_pair(list(order)))  # type: ignore[arg-type]
    assert made.after[0].id == "m_2"


def test_without_nearness_nothing_is_compared_and_nearness_alone_joins_nothing() -> None:
    assert list(twins(THREE, [])) == []
    near = [note("m_1", "Retry uploads at most 3 times"), note("m_2", "Retry uploads at most 5 times")]
    assert list(twins(near, every_pair(near, 0.99))) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": "kim"},
        {"project_key": "noor/other", "project": "noor/other"},
        {"scope": Scope.PERSON},
        {"target_agents": ("codex",)},
        {"state": State.PAUSED},
        {"state": State.RETIRED},
        {"trust": Trust.OUTSIDE},
        {"type": Type.GAP},
    ],
)
def test_what_holds_elsewhere_or_for_others_or_is_no_claim_is_not_joined(changes: dict[str, object]) -> None:
    pair = [THREE[0], note("m_9", THREE[0].title, **changes)]  # type: ignore[arg-type]
    assert list(twins(pair, every_pair(pair))) == []


def test_an_active_one_stands_for_a_held_one_however_sure_that_is() -> None:
    pair = [
        note("m_1", "Use tabs in the Makefile", state=State.HELD, confidence=95),
        note("m_2", "Use tabs in the Makefile"),
    ]
    (made,) = twins(pair, every_pair(pair))
    assert (made.after[0].id, made.after[0].state) == ("m_2", State.ACTIVE)


def test_what_can_be_read_by_itself_is_kept() -> None:
    pair = [
        note("m_1", "Never edit this config by hand", confidence=90),
        note("m_2", "Never edit config by hand", evidence=(Evidence("r_9", 1, 1, "r_9#t1.1", "never"),)),
    ]
    (made,) = twins(pair, every_pair(pair))
    assert made.after[0].id == "m_2"


def test_merged_once_nothing_is_left_to_merge() -> None:
    (made,) = twins(THREE, every_pair(THREE))
    assert list(twins(list(made.after), every_pair(list(made.after)))) == []


def test_the_reasons_of_all_are_kept_while_it_stays_short() -> None:
    (made,) = twins(THREE[:2], every_pair(THREE[:2]))
    assert made.after[0].content == "Cents went missing. A cent was lost."
    long = [note("m_1", THREE[0].title, "A cent was lost. " * 30), THREE[1]]
    (kept,) = [one.after[0] for one in twins(long, every_pair(long))]
    assert kept.content == THREE[1].content
