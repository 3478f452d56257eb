"""How sure we are: by evidence, classifier and the reader's record; its own number makes nothing active."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.catch.activation import ClassifierOpinion, standing_of
from memlane.catch.basis import Basis
from memlane.catch.confidence import NEEDS_A_YES, Grounds, confidence_of
from memlane.catch.record import ExtractorRecord
from memlane.catch.trust import trust_of
from memlane.domain import Draft, Quote, Spot, Type, Window
from tests.rooms.catch.small_runs import agent, prompt, run, shell, window

CLAUDE = ExtractorRecord("model/command/claude")
NEUTRAL = Grounds(Basis.PERSON, triggered=False, opinion=None, seconded=False, quotes=1, own=75)
KNOWN_READERS = st.sampled_from(["agent/claude-code", "model/command/claude", "model/anthropic/claude-haiku-4-5"])


@st.composite
def records(draw: st.DrawFn) -> ExtractorRecord:
    answers = draw(st.integers(0, 200))
    return ExtractorRecord(
        draw(KNOWN_READERS),
        answers=answers,
        agreeing=draw(st.integers(0, min(20, answers))),
        inventing=draw(st.integers(0, answers)),
        accepted=draw(st.integers(0, 50)),
        rejected=draw(st.integers(0, 50)),
    )


def tools_only() -> tuple[Draft, Window]:
    seen = window(run(prompt("check the harbour map"), shell("harbour lint", "charts are sorted by depth")))
    quotes = (Quote(Spot(1, 2), "charts are sorted by depth"),)
    return Draft(Type.LEARNING, "Harbour charts are sorted by depth", "The linter says so.", quotes, "", 90), seen


@given(st.integers(0, 100), records(), st.sampled_from([None, -3.0, 0.0, 4.0]), st.booleans())
def test_no_number_of_a_reader_activates_what_only_a_tool_printed(
    own: int, record: ExtractorRecord, score: float | None, keeps: bool
) -> None:
    draft, seen = tools_only()
    stands = standing_of(
        replace(draft, confidence=own),
        seen,
        trust_of(draft, seen),
        record,
        lambda _spot: ClassifierOpinion(score, keeps),
    )
    assert "a tool's output" in stands.held_because
    assert stands.confidence < 60


@given(st.sampled_from(sorted(NEEDS_A_YES)), st.integers(0, 100), records(), st.integers(1, 8), st.booleans())
def test_what_needs_a_yes_stays_below_the_bar_whatever_else_speaks_for_it(
    basis: Basis, own: int, record: ExtractorRecord, quotes: int, seconded: bool
) -> None:
    grounds = Grounds(basis, triggered=True, opinion=5.0, seconded=seconded, quotes=quotes, own=own)
    assert 40 <= confidence_of(grounds, record) < 60


@given(st.integers(0, 100), st.integers(0, 100))
def test_the_readers_number_is_a_small_part_of_it(one: int, other: int) -> None:
    apart = confidence_of(replace(NEUTRAL, own=one), CLAUDE) - confidence_of(replace(NEUTRAL, own=other), CLAUDE)
    assert abs(apart) <= 10


@pytest.mark.parametrize("basis", [Basis.PERSON, Basis.AGREED, Basis.WORKED])
def test_one_doubt_does_not_hold_what_a_person_or_a_proof_stands_for(basis: Basis) -> None:
    doubted = replace(NEUTRAL, basis=basis, opinion=-2.0, own=60)
    assert confidence_of(doubted, CLAUDE) >= 60


def test_the_better_the_evidence_the_surer() -> None:
    sure = [confidence_of(replace(NEUTRAL, basis=basis), CLAUDE) for basis in Basis]
    assert sure == sorted(sure, reverse=True)


def test_each_thing_that_speaks_for_it_makes_it_surer_and_against_it_less() -> None:
    usual = confidence_of(NEUTRAL, CLAUDE)
    assert confidence_of(replace(NEUTRAL, triggered=True), CLAUDE) > usual
    assert confidence_of(replace(NEUTRAL, quotes=2), CLAUDE) > usual
    assert confidence_of(replace(NEUTRAL, seconded=True), CLAUDE) > confidence_of(replace(NEUTRAL, opinion=1.0), CLAUDE)
    assert (
        confidence_of(replace(NEUTRAL, opinion=1.0), CLAUDE)
        > usual
        > confidence_of(replace(NEUTRAL, opinion=-1.0), CLAUDE)
    )
    liked, disliked = replace(CLAUDE, accepted=9, rejected=1), replace(CLAUDE, accepted=1, rejected=8)
    assert confidence_of(NEUTRAL, liked) > usual > confidence_of(NEUTRAL, disliked)
    assert confidence_of(NEUTRAL, replace(CLAUDE, answers=10, inventing=4)) < usual


def test_the_classifiers_number_is_ours_and_stays_as_it_is() -> None:
    seen = window(run(prompt("always sort charts by depth"), agent("Sorted.")))
    quotes = (Quote(Spot(1, 1), "always sort charts by depth"),)
    draft = Draft(Type.COMMITMENT, "Always sort charts by depth", "The person said so.", quotes, "", 63)
    stands = standing_of(draft, seen, trust_of(draft, seen), ExtractorRecord("embedded"))
    assert (stands.confidence, stands.held_because) == (63, "")


def test_every_reason_is_said() -> None:
    draft, seen = tools_only()
    doubted = replace(draft, doubts=("its title is odd",), confidence=50)
    stands = standing_of(doubted, seen, trust_of(draft, seen), ExtractorRecord("model/openai/tiny-1b"))
    assert stands.held_because == "its title is odd; only a tool's output says so; its reader tiny-1b is on probation"
    unsure = standing_of(replace(draft, confidence=50), seen, trust_of(draft, seen), CLAUDE)
    assert unsure.held_because == "only a tool's output says so; its reader was not sure (50 of 100)"
