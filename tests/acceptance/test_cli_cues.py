"""What a person reads where a cue brought a note: which cue it was, in words, and both numbers."""

from __future__ import annotations

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Occasion
from tests.acceptance.command_line import Person, misfits, schema_of
from tests.conftest import LaneHome

NOTE = "Add every new workspace package to the Dockerfile COPY list"
CUE = "the image cannot find the module I just made"
BECAUSE = f"because the prompt is like its cue “{CUE}”"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    with Lane(load(someone.surroundings({}))) as lane:
        lane.memories.remember(NOTE, someone.home, occasion=Occasion(cues=("add a package", CUE)))
    assert someone.lane("config", "set", "recall.second_look", "false").code == 0
    return someone


def asked(person: Person, prompt: str) -> None:
    with Lane(load(person.surroundings({}))) as lane:
        given = {"session_id": "s1", "cwd": str(person.home), "prompt": prompt, "transcript_path": ""}
        recall = lane.recall.hooked("claude-code", "UserPromptSubmit", given).recall
        assert recall is not None
        lane.recall.keep(recall)


def test_why_says_which_cue_the_prompt_is_like(person: Person) -> None:
    asked(person, CUE)
    document = person.lane("why", "--json").document
    assert not misfits(document, schema_of(document))
    (match,) = document["data"]["shown"]
    assert match["cue"]["text"] == CUE
    assert match["note"] < match["cue"]["similarity"]
    assert BECAUSE in " ".join(person.lane("why").out.split())


def test_a_note_that_is_like_the_prompt_itself_needs_no_cue_as_a_reason(person: Person) -> None:
    asked(person, f"why is it so: {NOTE}?")
    (match,) = person.lane("why", "--json").data["shown"]
    assert match["note"] > match["cue"]["similarity"]
    assert "its cue" not in person.lane("why").out


def test_what_is_gone_for_good_leaves_no_cue_behind(person: Person) -> None:
    asked(person, CUE)
    memory = person.lane("why", "--json").data["shown"][0]["id"]
    assert person.lane("mem", "forget", memory, "--now", "--yes").code == 0
    (match,) = person.lane("why", "--json").data["shown"]
    assert match["cue"] is None
    assert "its cue" not in person.lane("why").out
