"""The protocol of reading: answers taken part by part, windows in a row, and any memory that may be named again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Draft, Evidence, Memory, Quote, Spot, State, Type, Window, WindowDrafts
from tests.flow.test_assignments import AMY, LESSON, NOTHING, PLAIN, Clock, a_run, home

CUES = ["mail Amy", "reply to Ms Hoy", "draft for Amy"]
CUED = LESSON | {"when": "writing to Amy", "cues": CUES}
WRONG = CUED | {"type": "preference"}
SECRET = "AKIA" + "QLZ7M3XW5TRD2VNB"


def sent(*parts: object) -> str:
    return json.dumps({"memories": parts})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def two(tmp_path: Path, clock: Clock) -> Lane:
    a_run(tmp_path, 1, *AMY)
    a_run(tmp_path, 2, *PLAIN, "Look at the moon tables")
    lane = home(tmp_path, clock)
    lane.capture.sweep()
    return lane


def test_one_bad_part_refuses_no_other_and_is_sent_again_alone(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        taken = two.catch.assignments.submit(handed.token, sent(CUED, WRONG))
        assert [problem.field for problem in taken.problems] == ["memories[1].type"]
        (memory,) = taken.caught.made
        again = two.catch.assignments.next("one")
        assert again
        assert again.token == handed.token, "the window stays with whoever mends it"
        decision = CUED | {"type": "decision"}
        mended = two.catch.assignments.submit(handed.token, sent(decision))
        assert not mended.problems
        assert {found.id for found in two.memories.all()} >= {memory.id}
        assert all(found.state is not State.RETIRED for found in two.memories.all())
        after = two.catch.assignments.next("one")
        assert after
        assert after.window.run != handed.window.run


def test_what_cannot_be_mended_is_left_out(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        two.catch.assignments.submit(handed.token, sent(CUED, WRONG))
        assert not two.catch.assignments.submit(handed.token, NOTHING).problems
        assert len(two.memories.all()) == 1
        assert two.catch.assignments.submit(handed.token, NOTHING).already


def test_the_number_of_a_bad_part_is_its_own(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        unnamed = {name: value for name, value in CUED.items() if name != "title"}
        taken = two.catch.assignments.submit(handed.token, sent("no object", WRONG, CUED, unnamed))
        assert [problem.field for problem in taken.problems] == ["memories[0]", "memories[1].type", "memories[3].title"]
        assert len(taken.caught.made) == 1


def test_a_secret_is_refused_at_once_and_written_nowhere(two: Lane, tmp_path: Path) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        taken = two.catch.assignments.submit(handed.token, sent(CUED | {"cues": [f"use {SECRET}"]}, WRONG))
        (refused,) = taken.caught.refused
        assert (refused.by, refused.place) == ("gate", "cues")
        assert len(taken.problems) == 1
    kept = [path for path in (tmp_path / "lane").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert kept == []


def test_a_reader_without_a_name_gets_the_window_it_was_told_to_mend(two: Lane) -> None:
    with two:
        first = two.catch.assignments.next()
        assert first
        two.catch.assignments.submit(first.token, sent(WRONG))
        again = two.catch.assignments.next()
        assert again
        assert (again.token, again.again) == (first.token, True)
        named = two.catch.assignments.next("another")
        assert named
        assert named.token != first.token


def test_an_answer_brings_the_next_window_to_the_same_reader(two: Lane) -> None:
    with two:
        first = two.catch.assignments.next()
        assert first
        two.catch.assignments.submit(first.token, NOTHING)
        second = two.catch.assignments.onward(first.token)
        assert second
        two.catch.assignments.submit(second.token, NOTHING)
        assert two.catch.assignments.onward(second.token) is None


def test_several_windows_at_once_are_answered_one_by_one(two: Lane) -> None:
    with two:
        first, second = two.catch.assignments.several("one", count=5)
        assert two.catch.assignments.several("one", count=1)[0].token == first.token
        two.catch.assignments.submit(first.token, NOTHING)
        assert two.catch.assignments.onward(first.token) is None
        assert two.catch.assignments.unanswered(first.token) == [second.token]


def test_how_far_it_has_come_is_counted(two: Lane) -> None:
    with two:
        assert two.catch.assignments.progress().of(1) == "1 of 2"
        handed = two.catch.assignments.next("one")
        assert handed
        two.catch.assignments.submit(handed.token, NOTHING)
        assert two.catch.assignments.progress().of(1) == "2 of 2"
        other = two.catch.assignments.next("one")
        assert other
        two.catch.keep(other.window, WindowDrafts(()), _Reader("model"))
        assert (two.catch.assignments.progress().read, two.catch.assignments.progress().left) == (2, 0)


def test_any_memory_of_this_project_or_person_may_be_the_same(two: Lane, tmp_path: Path) -> None:
    with two:
        known = two.memories.remember("Amy Hoy prefers a casual tone in mail to her", tmp_path)
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        foreign = two.memories.remember("Amy Hoy prefers a casual, friendly tone", elsewhere)
        handed = two.catch.assignments.next("one")
        assert handed
        two.memories.edit(known.id, {"scope": "person"})
        taken = two.catch.assignments.submit(handed.token, sent(CUED | {"same_as": foreign.id}))
        assert ["same_as" in problem.field for problem in taken.problems] == [True]
        taken = two.catch.assignments.submit(handed.token, sent(CUED | {"same_as": known.id}))
        assert [memory.id for memory in taken.caught.again] == [known.id]
        after = two.memories.get(known.id)
        assert (after.title, after.times_observed) == (known.title, 2), "a person's words stay"
        assert after.cues == tuple(CUES), "and when it matters is filled in"


def guessed(lane: Lane) -> Memory:
    """As the classifier words it."""
    (window,) = (one for one in lane.catch.open_windows("embedded") if one.triggers)
    quote = Quote(Spot(2, 1), "No, Amy and I are casual, use a friendly tone")
    draft = Draft(Type.CORRECTION, "Amy and I are casual", "Amy and I are casual, said so.", (quote,), "rule", 55)
    (memory,) = lane.catch.keep(window, WindowDrafts((draft,)), _Reader("embedded")).made
    assert memory.state is State.HELD
    return memory


def test_a_surer_reader_says_what_the_classifier_found_better(two: Lane) -> None:
    with two:
        heart = guessed(two)
        handed = two.catch.assignments.next("one")
        assert handed
        part = CUED | {"type": heart.type.value, "quotes": [_quote(heart.evidence[0])]}
        taken = two.catch.assignments.submit(handed.token, sent(part))
        assert [memory.id for memory in taken.caught.improved] == [heart.id]
        after = two.memories.get(heart.id)
        assert (after.title, after.content, after.state) == (LESSON["title"], LESSON["content"], State.ACTIVE)
        assert after.maker.startswith("agent@")
        changes = [change.field for step in two.memories.history(heart.id) for change in step.changes]
        assert "title" in changes


def test_a_person_s_edit_is_never_reworded(two: Lane) -> None:
    with two:
        heart = guessed(two)
        two.memories.edit(heart.id, {"title": "Mails to Amy are casual, I said"})
        handed = two.catch.assignments.next("one")
        assert handed
        part = CUED | {"type": heart.type.value, "quotes": [_quote(heart.evidence[0])]}
        two.catch.assignments.submit(handed.token, sent(part))
        after = two.memories.get(heart.id)
        assert after.title == "Mails to Amy are casual, I said"
        assert after.cues == tuple(CUES)


def test_what_is_held_says_why(two: Lane) -> None:
    from memlane.surfaces.phrases import receipt_lines

    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        taken = two.catch.assignments.submit(handed.token, sent(CUED | {"confidence": 45}))
        (line,) = receipt_lines(taken)
        assert line.startswith("held: m_")
        assert "not sure (45 of 100)" in line


def _quote(evidence: Evidence) -> dict[str, str]:
    return {"step": evidence.step.partition("#")[2], "words": evidence.quote}


@dataclass(frozen=True, slots=True)
class _Reader:
    name: str
    version: str = "1"

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 - an Extractor's verb
        raise AssertionError("what was read is handed in")
