"""What a reader says about a lesson besides the lesson: how much it is worth, and which Memory it makes wrong."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.catch.assignments import Assignment
from memlane.catch.model.prompt import rendered
from memlane.domain import Memory, State
from memlane.flow.journal import understand
from memlane.surfaces.phrases import receipt_lines
from tests.flow.test_answer_parts import sent
from tests.flow.test_assignments import AMY, LESSON, NOTHING, Clock, a_run, home

FORMAL = ("Send the offer to Amy", "No, Amy Hoy wants a formal tone in mail now", "thanks")
NOW_FORMAL = LESSON | {
    "title": "Amy Hoy wants a formal tone in mail",
    "content": "Mail to Amy Hoy is formal.",
    "quotes": [{"step": "t2.1", "words": "Amy Hoy wants a formal tone in mail now"}],
}


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    a_run(tmp_path, 1, *AMY)
    a_run(tmp_path, 2, *FORMAL)
    made = home(tmp_path, Clock())
    made.capture.sweep()
    return made


def first_window(lane: Lane) -> Assignment:
    run = next(window.run for window in lane.catch.open_windows("agent") if "casual" in rendered(window, ()))
    handed = lane.catch.assignments.next("one", [run])
    assert handed
    return handed


def casual(lane: Lane) -> Memory:
    """What the first Run taught."""
    handed = first_window(lane)
    (memory,) = lane.catch.assignments.submit(handed.token, sent(LESSON)).caught.made
    assert memory.state is State.ACTIVE
    return memory


def test_what_its_reader_finds_worth_little_is_not_kept(lane: Lane) -> None:
    with lane:
        handed = first_window(lane)
        taken = lane.catch.assignments.submit(handed.token, sent(LESSON | {"worth": 1}))
        assert [*receipt_lines(taken)] == ["not kept: you say that it is worth 1"]
        assert lane.memories.all() == []
        assert lane.catch.assignments.submit(handed.token, NOTHING).already, "the window is read"


def test_a_lesson_replaces_the_one_it_makes_wrong(lane: Lane) -> None:
    with lane:
        before = casual(lane)
        handed = lane.catch.assignments.next("one")
        assert handed
        assert f"- {before.id} correction: {before.title}\n" in handed.text
        taken = lane.catch.assignments.submit(handed.token, sent(NOW_FORMAL | {"replaces": before.id}))
        (made,) = taken.caught.made
        after = lane.memories.get(before.id)
        assert (after.state, after.superseded_by) == (State.SUPERSEDED, made.id)
        assert f"replaced by it: {before.id} correction: {before.title}" in list(receipt_lines(taken))


def test_what_a_person_wrote_is_not_replaced_by_a_reader(lane: Lane) -> None:
    with lane:
        before = casual(lane)
        lane.memories.edit(before.id, {"title": "Amy Hoy prefers a casual tone in mail, I said"})
        handed = lane.catch.assignments.next("one")
        assert handed
        taken = lane.catch.assignments.submit(handed.token, sent(NOW_FORMAL | {"replaces": before.id}))
        assert taken.caught.replaced == ()
        assert lane.memories.get(before.id).state is State.ACTIVE


def test_only_a_memory_of_this_project_or_person_can_be_replaced(lane: Lane) -> None:
    with lane:
        handed = lane.catch.assignments.next("one")
        assert handed
        taken = lane.catch.assignments.submit(handed.token, sent(NOW_FORMAL | {"replaces": "m_nobodys"}))
        assert "memories[0].replaces" in [problem.field for problem in taken.problems]


def test_a_run_that_was_begun_is_read_to_its_end(tmp_path: Path) -> None:
    """Also where another one promises more by now."""
    a_run(tmp_path, 1, "No, that is wrong, always use the tide tables", *(f"Look at table {n}" for n in range(30)))
    a_run(tmp_path, 2, *(f"Look at map {n}" for n in range(12)), "No, never use the wind tables, that is wrong")
    with home(tmp_path, Clock()) as lane:
        lane.capture.sweep()
        handed, runs = lane.catch.assignments.next("one"), list[str]()
        while handed:
            runs.append(handed.window.run)
            lane.catch.assignments.submit(handed.token, NOTHING)
            handed = lane.catch.assignments.next("one")
        assert len(runs) > 3
        assert sum(one != other for one, other in pairwise(runs)) == 1


def test_of_far_memories_only_the_nearest_three_are_shown(lane: Lane, tmp_path: Path) -> None:
    far = (
        "Migrations run in one transaction",
        "Postgres listens on port 5433",
        "Dates are in UTC",
        "Charts have a grid",
    )
    with lane:
        window = first_window(lane).window
        for title in far:
            lane.memories.edit(lane.memories.remember(title, tmp_path).id, {"scope": "person"})
        understand(lane.catch_tools())
        assert len(lane.catch.nearby(window)) == 3
        near = lane.memories.remember("Mail to Amy is casual, use a friendly tone", tmp_path)
        lane.memories.edit(near.id, {"scope": "person"})
        understand(lane.catch_tools())
        shown = lane.catch.nearby(window)
        assert (shown[0].id, len(shown)) == (near.id, 3)
