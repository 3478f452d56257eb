"""What an agent wants forgotten waits for the person, outlives the index, and is answered once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.memories.proposals import ForgetWish
from memlane.domain import State
from tests.flow.homes import a_lane
from tests.flow.test_outcomes import WORDS, a_note, run_with_recall
from tests.flow.test_recall import ask

NOTE = "Deploys of the shop go through make ship"
WHY = "we use helm now"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(NOTE, tmp_path / "home")
        yield opened


def the_note(lane: Lane) -> str:
    (memory,) = lane.memories.all([State.ACTIVE, State.PAUSED])
    return memory.id


def wanted(lane: Lane) -> list[ForgetWish]:
    return list(lane.memories.proposals.to_forget().values())


def test_it_waits_changes_nothing_and_outlives_the_index(lane: Lane, tmp_path: Path) -> None:
    memory = the_note(lane)
    lane.memories.proposals.forget(memory, "codex", WHY)
    lane.memories.proposals.forget(memory, "pi", "again")
    (wish,) = wanted(lane)
    assert (wish.memory, wish.by, wish.because) == (memory, "codex", WHY)
    assert lane.memories.get(memory).state is State.ACTIVE
    lane.close()
    shutil.rmtree(tmp_path / "lane" / "index")
    with a_lane(tmp_path) as again:
        again.home.begin()
        again.archive.rebuild()
        assert wanted(again) == [wish]


def test_the_no_of_a_person_is_an_act_that_can_be_taken_back(lane: Lane) -> None:
    memory = the_note(lane)
    lane.memories.proposals.forget(memory, "codex", WHY)
    assert [act.id for act in lane.acts.all()][1:] == [], "an agent's wish is no act of the person"
    lane.memories.proposals.settled(memory)
    assert wanted(lane) == []
    undone = lane.acts.undo(lane.acts.get())
    assert [(wish.by, wish.because) for wish in wanted(lane)] == [("codex", WHY)]
    lane.acts.undo(lane.acts.get(undone.by))
    assert wanted(lane) == []
    lane.memories.proposals.forget(memory, "codex", "still")
    assert [wish.because for wish in wanted(lane)] == ["still"], "asked once more"


@pytest.mark.parametrize("verb", ["forget", "pause"])
def test_whatever_the_person_does_with_it_answers_it(lane: Lane, verb: str) -> None:
    memory = the_note(lane)
    lane.memories.proposals.forget(memory, "codex", WHY)
    getattr(lane.memories, verb)([memory])
    assert wanted(lane) == []
    before = len(lane.acts.all())
    lane.memories.proposals.settled(memory)
    assert len(lane.acts.all()) == before, "nothing is left to be said"


def test_its_history_names_who_wanted_it(lane: Lane) -> None:
    memory = the_note(lane)
    lane.memories.proposals.forget(memory, "codex", WHY)
    told = [(moved.entry.kind, moved.entry.actor) for moved in lane.memories.history(memory)]
    assert ("wish", "agent:codex") in told


def test_forgotten_for_good_nothing_that_was_said_about_it_is_left(lane: Lane) -> None:
    memory = the_note(lane)
    lane.memories.proposals.forget(memory, "codex", WHY)
    told = ask(lane, "how do deploys of the shop go?").recall
    assert told is not None
    lane.recall.feedback.judge(memory, up=False, recall=told.id, because="helm took its place")
    lane.memories.forget_for_good(lane.memories.plan_gone([memory]))
    kept = b"".join(path.read_bytes() for path in lane.config.home.rglob("*") if path.is_file())
    assert [words for words in (NOTE, WHY, "helm took its place") if words.encode() in kept] == []


def test_a_run_forgotten_for_good_takes_the_words_of_its_verdicts_along(lane: Lane, tmp_path: Path) -> None:
    memory = a_note(lane)
    run = run_with_recall(lane, tmp_path, 1)
    lane.recall.feedback.judge(memory.id, up=True, recall=lane.recall.newest(1, run=run)[0].id, because="spot on there")
    lane.archive.forget_for_good(lane.archive.plan_forget(run))
    kept = b"".join(path.read_bytes() for path in lane.config.home.rglob("*") if path.is_file())
    assert [words for words in (WORDS, "spot on there") if words.encode() in kept] == []
    lane.archive.rebuild()
    assert [(one.up, one.query) for one in lane.recall.feedback.verdicts(memory.id)] == [(True, "")]
