"""When memories matter of which nobody has said it: asked when no window is open, and never over a person's words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.catch.questions import MemoryQuestion
from tests.flow.test_assignments import Clock, home
from tests.rooms.llm.server import Model, says

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


@pytest.fixture
def model() -> Iterator[Model]:
    served = Model()
    yield served
    served.stop()


def reader(tmp_path: Path, clock: Clock, model: Model, **more: str) -> Lane:
    settings = {
        "LANE_CATCH_WITH": "model",
        "LANE_CATCH_MODEL": "anthropic",
        "LANE_CATCH_NAME": "claude-haiku-4-5",
        "LANE_CATCH_URL": model.url,
        "LANE_CATCH_KEY_VARIABLE": "TINY_KEY",
        "LANE_CATCH_TIMEOUT": "2",
        "LANE_EMBED_MODEL": "none",
        "TINY_KEY": "not-a-key",
    }
    return home(tmp_path, clock, **(settings | more))


def test_a_model_says_it_for_ten_at_a_time_and_is_asked_once(
    lane: Lane, tmp_path: Path, clock: Clock, model: Model
) -> None:
    known = [memory.id for memory in lane.memories.all()]
    lane.close()
    parts = [{"id": id_, "when": "cutting a release", "cues": CUES} for id_ in known]
    model.usual = says({"memories": parts})
    with reader(tmp_path, clock, model) as reading:
        first, second = reading.catch.improve(), reading.catch.improve()
        assert (len(first), len(second), reading.catch.improve()) == (10, 2, ())
        assert len(model.asked) == 2
        assert {memory.cues for memory in reading.memories.all()} == {tuple(CUES)}
        assert reading.memories.history(known[0])[-1].entry.actor == "lane"


def test_a_model_that_answers_nonsense_is_not_asked_about_the_same_again(
    lane: Lane, tmp_path: Path, clock: Clock, model: Model
) -> None:
    lane.close()
    model.usual = says({"memories": [{"id": "m_zzzzzzzzzzzzz"}]})
    with reader(tmp_path, clock, model) as reading:
        assert [reading.catch.improve() for _ in range(4)] == [(), (), (), ()]
        assert len(model.asked) == 2
        assert {memory.cues for memory in reading.memories.all()} == {()}


def test_without_a_model_nobody_is_asked(lane: Lane) -> None:
    with lane:
        assert lane.catch.improve() == ()
