"""What a person reads of a second look: how likely a note was needed, why none was taken, how to switch it off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.app import Lane
from memlane.config import load
from tests.acceptance.command_line import Person, misfits, schema_of
from tests.conftest import LaneHome

NOTE = "Deploys of the shop go through make ship, never through kubectl apply"
PROMPT = "deploy the shop to production"
SKIPPED = "no time left"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    assert someone.lane("remember", NOTE, "--scope", "global").code == 0
    return someone


def asked(person: Person, **extra: str) -> None:
    """As the hook asks and writes down."""
    with Lane(load(person.surroundings({}))) as lane:
        given = {"session_id": "s1", "cwd": str(person.home), "prompt": PROMPT, "transcript_path": ""}
        recall = lane.recall.hooked("claude-code", "UserPromptSubmit", given).recall
        assert recall is not None
        lane.recall.keep(replace(recall, extra={**recall.extra, **extra}))


def test_why_says_how_likely_the_note_changes_what_the_agent_does(person: Person) -> None:
    asked(person)
    document = person.lane("why", "--json").document
    assert not misfits(document, schema_of(document))
    (match,) = document["data"]["shown"]
    assert match["needed"] >= 0.5
    assert match["parts"]["second look"] == pytest.approx(0.6 * (match["needed"] - match["similarity"]), abs=1e-3)
    assert f"useful: {match['needed']:.0%}" in person.lane("why").out


def test_why_says_that_none_was_taken(person: Person) -> None:
    asked(person, second_look_skipped=SKIPPED)
    assert person.lane("why", "--json").data["second_look_skipped"] == SKIPPED
    assert f"Not rechecked, decided by score alone: {SKIPPED}." in person.lane("why").out


def test_switched_off_the_floors_decide_and_the_doctor_says_so(person: Person) -> None:
    assert person.lane("config", "set", "recall.second_look", "false").code == 0
    asked(person)
    assert person.lane("why", "--json").data["second_look"] is None
    told = [one for one in person.lane("doctor", "--json").data if one["kind"] == "second look"]
    assert [one["what"] for one in told] == ["no second look, scores alone decide: recall.second_look is false"]
