"""What this run has said itself is not told to it again, and `why` says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.capture.sweep import LATER
from memlane.domain import Evidence, Outcome
from tests.flow.homes import a_lane, answer, called, prompt, said, transcript, write
from tests.flow.test_recall import ask, context

RULE = "Add every new workspace package to the Dockerfile COPY list"
PROMPT = "add another workspace package to the Dockerfile"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(RULE, tmp_path / "home")
        yield opened


def talk(lane: Lane, folder: Path, *words: str) -> None:
    turns = [record for n, one in enumerate(words) for record in (prompt("go", n), answer([said(one)], n))]
    write(transcript(folder), turns)
    lane.capture.sweep_places(lane.capture.places(), meaning=LATER)


def test_what_the_agent_just_said_is_not_told_to_it(lane: Lane, tmp_path: Path) -> None:
    talk(lane, tmp_path, f"Understood. {RULE.replace('Add', 'I add')}. Next I build it.")
    found = ask(lane, PROMPT)
    assert found.output == {}
    assert found.recall is not None
    assert (found.recall.outcome, found.recall.why) == (Outcome.SILENT, "already said in this run")
    assert [match.source for match in found.recall.near] == ["stated"]


def test_it_is_told_where_the_run_spoke_of_something_else(lane: Lane, tmp_path: Path) -> None:
    talk(lane, tmp_path, "The Dockerfile has a COPY list.", "Which workspace package is new?")
    assert RULE in context(ask(lane, PROMPT))


def test_what_stood_in_a_tool_call_was_not_said(lane: Lane, tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("go"), answer([called("Bash", {"command": f"echo '{RULE}'"})])])
    lane.capture.sweep_places(lane.capture.places(), meaning=LATER)
    assert RULE in context(ask(lane, PROMPT))


def test_it_is_told_once_the_context_has_begun_anew(lane: Lane, tmp_path: Path) -> None:
    talk(lane, tmp_path, f"{RULE}.")
    ask(lane, "", event="SessionStart", source="compact")
    assert RULE in context(ask(lane, PROMPT))


def test_a_prompt_that_says_it_itself_needs_no_note(lane: Lane) -> None:
    found = ask(lane, f"{RULE}, and do it for the new package of the gateway too")
    assert (found.output, found.recall and found.recall.why) == ({}, "already said in this run")


def test_what_was_caught_from_this_run_is_in_its_context(lane: Lane, tmp_path: Path) -> None:
    talk(lane, tmp_path, "Let us look at the image.")
    (run,), (memory,) = lane.runs.select(), lane.memories.all()
    here = replace(memory, evidence=(Evidence(run.id, 1, 1, f"{run.id}#t1.1", "the image"),))
    lane.home.storage().memories.put(here)
    assert ask(lane, PROMPT).output == {}
    assert RULE in context(ask(lane, PROMPT, session_id="22222222-2222-4333-8444-555555555555"))


def test_who_asks_by_hand_is_told(lane: Lane, tmp_path: Path) -> None:
    talk(lane, tmp_path, f"{RULE}.")
    assert [match.memory.title for match in lane.recall.asked(PROMPT, lane.config.person_home, "").shown] == [RULE]
