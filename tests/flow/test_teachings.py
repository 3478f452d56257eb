"""What a person teaches in a prompt is kept at once, said back, recalled, taken back by one word, and never doubled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.memories import MemoryProposal
from memlane.app.recall import HookAnswer
from memlane.domain import Memory, Scope, State, Trust
from tests.flow.homes import SESSION, a_lane, answer, prompt, said, transcript, write
from tests.flow.test_outcomes import NOTE, WORDS
from tests.flow.test_recall import context

RULE = "please remember: releases of the shop are cut on Thursdays only"
KEPT = "Releases of the shop are cut on Thursdays only."
OTHER = "99999999-2222-4333-8444-555555555555"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.home.begin()
        yield opened


def type_in(lane: Lane, words: str, session: str = SESSION) -> HookAnswer:
    """A prompt, answered; then what the daemon writes down afterwards."""
    given = {"session_id": session, "cwd": "/home/dev/app", "prompt": words}
    answered = lane.recall.hooked("claude-code", "UserPromptSubmit", given)
    if answered.recall is not None:
        lane.recall.keep(answered.recall)
    if answered.taught is not None:
        lane.recall.keep_taught(answered.taught)
    return answered


def standing(lane: Lane) -> list[Memory]:
    return list(lane.memories.all([State.ACTIVE, State.HELD]))


def test_a_teaching_is_kept_and_said_back(lane: Lane) -> None:
    answered = type_in(lane, f"{RULE}. Then fix the footer.")
    (memory,) = standing(lane)
    assert (memory.title, memory.state, memory.trust) == (KEPT, State.ACTIVE, Trust.PERSON)
    assert memory.evidence[0].quote == "releases of the shop are cut on Thursdays only."
    assert answered.output["systemMessage"] == f"Lane kept: {KEPT} (undo: lane undo)"
    assert KEPT in context(answered)


def test_it_is_recalled_in_the_next_run(lane: Lane) -> None:
    type_in(lane, f"from now on {NOTE[0].lower()}{NOTE[1:]}")
    assert NOTE in context(type_in(lane, WORDS, OTHER))


def test_a_habit_of_the_person_holds_everywhere(lane: Lane) -> None:
    type_in(lane, "from now on answer in German. And in this repo we use pnpm, not npm.")
    scopes = {memory.title: memory.scope for memory in standing(lane)}
    assert scopes == {"Answer in German.": Scope.PERSON, "In this repo we use pnpm, not npm.": Scope.PROJECT}


def test_one_undo_takes_back_all_that_one_prompt_taught(lane: Lane) -> None:
    type_in(lane, "remember:\n- tests run with --runInBand\n- migrations go in db/migrate_v2")
    assert len(standing(lane)) == 2
    lane.acts.undo(lane.acts.get())
    assert standing(lane) == []


def test_what_is_for_this_once_is_not_kept(lane: Lane) -> None:
    answered = type_in(lane, "always show me the diff first, just this time")
    assert answered.output == {}
    assert standing(lane) == []


def test_with_the_setting_off_nothing_is_kept(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_CATCH_TEACHINGS="false") as lane:
        lane.home.begin()
        assert type_in(lane, RULE).output == {}
        assert standing(lane) == []


def test_a_secret_in_it_is_refused_and_the_rule_is_journaled(lane: Lane, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answered = type_in(lane, f"remember: the deploy token is {secret}")
    assert answered.output == {}
    assert standing(lane) == []
    lines = "\n".join(path.read_text() for path in (tmp_path / "lane" / "archive").rglob("*.jsonl"))
    assert '"kind":"refusal"' in lines
    assert secret not in lines


def read_window(lane: Lane, folder: Path, words: str) -> None:
    replies = [answer([said("Understood, I will do it so.")], 2), answer([said("Done.")], 4)]
    write(transcript(folder), [prompt(words, 1), replies[0], prompt("thanks, go on", 3), replies[1]])
    lane.capture.sweep()
    lane.catch.run()


def test_its_window_places_it_and_makes_no_second_memory(lane: Lane, tmp_path: Path) -> None:
    type_in(lane, RULE)
    read_window(lane, tmp_path, RULE)
    (memory,) = standing(lane)
    (evidence,) = memory.evidence
    assert evidence.step.endswith("#t1.1"), "it stands where it was typed"
    assert memory.times_observed == 1, "it was said once"


def test_an_agent_that_notes_it_first_makes_no_second_memory(lane: Lane, tmp_path: Path) -> None:
    """The daemon writes a Teaching down after its answer; an agent may be quicker."""
    given = {"session_id": SESSION, "cwd": "/home/dev/app", "prompt": RULE}
    taught = lane.recall.hooked("claude-code", "UserPromptSubmit", given).taught
    assert taught is not None
    write(transcript(tmp_path), [prompt(RULE, 1)])
    where = MemoryProposal(KEPT, taught.query.project, said=RULE, by="claude-code", folder=Path("/home/dev/app"))
    noted = lane.memories.proposals.remember(where).memory
    lane.recall.keep_taught(taught)
    assert [memory.id for memory in standing(lane)] == [noted.id]


def test_without_hooks_the_window_keeps_it(lane: Lane, tmp_path: Path) -> None:
    read_window(lane, tmp_path, RULE)
    assert [memory.title for memory in standing(lane)] == [KEPT]


def test_what_may_be_a_rule_is_held_at_the_prompt_and_not_found_in_old_transcripts(lane: Lane, tmp_path: Path) -> None:
    unclear = "The nightly job is run by the ops account."
    read_window(lane, tmp_path, unclear)
    assert standing(lane) == []
    type_in(lane, unclear)
    (held,) = standing(lane)
    assert (held.title, held.state) == (unclear, State.HELD)


def test_what_may_be_a_rule_is_placed_by_its_window_too(lane: Lane, tmp_path: Path) -> None:
    unclear = "The nightly job is run by the ops account."
    type_in(lane, unclear)
    read_window(lane, tmp_path, unclear)
    (held,) = standing(lane)
    assert held.evidence[0].step.endswith("#t1.1")


def test_what_was_taken_back_does_not_return_with_its_window(lane: Lane, tmp_path: Path) -> None:
    type_in(lane, RULE)
    lane.acts.undo(lane.acts.get())
    read_window(lane, tmp_path, RULE)
    assert standing(lane) == []


def test_the_same_rule_in_another_run_is_seen_again(lane: Lane) -> None:
    type_in(lane, RULE)
    type_in(lane, RULE, OTHER)
    (memory,) = standing(lane)
    assert memory.times_observed == 2


def test_taking_it_back_in_prose_is_proposed_and_never_done(lane: Lane) -> None:
    type_in(lane, RULE)
    (memory,) = standing(lane)
    answered = type_in(lane, "forget what I said about releases of the shop", OTHER)
    assert f"lane mem forget {memory.id}" in str(answered.output["systemMessage"])
    assert list(lane.memories.proposals.to_forget()) == [memory.id]
    assert standing(lane) == [memory]
