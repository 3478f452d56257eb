"""When memories matter of which nobody has said it: asked when no window is open, and never over a person's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.catch.questions import MemoryQuestion
from tests.flow.test_assignments import Clock, home

CUES = ["ship it", "Version veröffentlichen", "cut a release"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lane(tmp_path: Path, clock: Clock) -> Lane:
    lane = home(tmp_path, clock)
    lane.home.begin()
    for number in range(12):
        lane.memories.remember(f"Releases of part {number} are cut on Thursdays only", tmp_path)
    return lane


def asked(lane: Lane, by: str = "one") -> MemoryQuestion:
    found = lane.catch.assignments.question(by)
    assert found is not None
    return found


def told(*parts: Mapping[str, object]) -> str:
    return json.dumps({"memories": parts})


def test_ten_at_a_time_each_by_one_reader(lane: Lane) -> None:
    with lane:
        assert lane.catch.assignments.next("one") is None
        first, again, other = asked(lane), asked(lane), asked(lane, "two")
        assert (len(first.memories), len(other.memories)) == (10, 2)
        assert again.token == first.token
        assert not {m.id for m in first.memories} & {m.id for m in other.memories}
        assert lane.catch.assignments.question("three") is None
        assert all(memory.id in first.text for memory in first.memories)


def test_an_answer_is_an_edit_by_the_reader(lane: Lane) -> None:
    with lane:
        question = asked(lane)
        id_ = question.memories[0].id
        part = {"id": id_, "when": "cutting a release", "always": True, "cues": CUES}
        taken = lane.catch.assignments.submit(question.token, told(part))
        assert [memory.id for memory in taken.caught.improved] == [id_]
        after = lane.memories.get(id_)
        assert (after.when, after.always, after.cues) == ("cutting a release", True, tuple(CUES))
        assert lane.memories.history(id_)[-1].entry.actor == "agent:agent"
        assert lane.catch.assignments.submit(question.token, told()).already
        assert len(asked(lane, "two").memories) == 2, "what was left out is not asked again"


def test_a_bad_part_refuses_no_other(lane: Lane) -> None:
    with lane:
        question = asked(lane)
        first, second, third = (memory.id for memory in question.memories[:3])
        secret = "AKIA" + "QLZ7M3XW5TRD2VNB"
        parts = [
            {"id": first, "cues": CUES},
            {"id": second, "cues": [f"use {secret}"]},
            {"id": "m_zzzzzzzzzzzzz", "cues": CUES},
            {"id": third, "cues": "ship it"},
        ]
        taken = lane.catch.assignments.submit(question.token, told(*parts))
        assert [problem.field for problem in taken.problems] == [
            "memories[1].cues",
            "memories[2].id",
            "memories[3].cues",
        ]
        assert lane.memories.get(first).cues == tuple(CUES)
        assert lane.memories.get(second).cues == ()
        mended = lane.catch.assignments.submit(question.token, told({"id": second, "cues": ["ship it"]}))
        assert not mended.problems
        assert lane.memories.get(second).cues == ("ship it",)


def test_what_a_person_said_stays(lane: Lane) -> None:
    with lane:
        question = asked(lane)
        id_ = question.memories[0].id
        lane.memories.edit(id_, {"when": "on Thursdays", "always": "no", "cues": "my own cue"})
        part = {"id": id_, "when": "something else", "always": True, "cues": CUES}
        lane.catch.assignments.submit(question.token, told(part))
        after = lane.memories.get(id_)
        assert (after.when, after.always, after.cues) == ("on Thursdays", False, ("my own cue",))
