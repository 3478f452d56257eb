"""Agents that do not say when they have forgotten: a later prompt brings the rules again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.agents.gemini_cli.hooks import REMIND_AFTER
from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.domain import Occasion
from tests.flow.homes import a_lane

RULE = "Never commit for Rob"
NOTE = "Add every new workspace package to the Dockerfile COPY list"
ABOUT = "add another workspace package to the Dockerfile"
SPEAKS = {"copilot-cli": "sessionId", "cursor": "conversation_id", "gemini-cli": "session_id"}


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(RULE, tmp_path / "home", occasion=Occasion(always=True))
        opened.memories.remember(NOTE, tmp_path / "home")
        yield opened


def call(lane: Lane, agent: str, event: str, **more: object) -> str:
    """One event as this agent tells it; what its model gets."""
    given = {SPEAKS[agent]: "s-1", "cwd": str(lane.config.person_home), **more}
    answer: HookAnswer = lane.recall.hooked(agent, event, given)
    for recall in filter(None, (answer.ahead, answer.recall)):
        lane.recall.keep(recall)
    return json.dumps(dict(answer.output))


@pytest.mark.parametrize("agent", ["copilot-cli", "cursor"])
def test_after_a_compaction_the_next_prompt_brings_the_rules_and_what_was_told_before(lane: Lane, agent: str) -> None:
    assert RULE in call(lane, agent, "SessionStart", source="new")
    assert NOTE in call(lane, agent, "UserPromptSubmit", prompt=ABOUT)
    assert call(lane, agent, "UserPromptSubmit", prompt=ABOUT) == "{}"
    assert call(lane, agent, "PreCompact") == "{}"
    again = call(lane, agent, "UserPromptSubmit", prompt=ABOUT)
    assert (RULE in again, NOTE in again) == (True, True)
    assert call(lane, agent, "UserPromptSubmit", prompt=ABOUT) == "{}", "once"


def test_who_switched_it_off_is_told_nothing_after_a_compaction(lane: Lane) -> None:
    call(lane, "copilot-cli", "SessionStart", source="new")
    call(lane, "copilot-cli", "UserPromptSubmit", prompt="/lane:off")
    call(lane, "copilot-cli", "PreCompact")
    assert call(lane, "copilot-cli", "UserPromptSubmit", prompt=ABOUT) == "{}"


def test_one_that_never_says_so_is_reminded_after_a_number_of_prompts(lane: Lane) -> None:
    assert RULE in call(lane, "gemini-cli", "SessionStart", source="startup")
    told = [RULE in call(lane, "gemini-cli", "UserPromptSubmit", prompt="yes") for _ in range(2 * REMIND_AFTER + 2)]
    assert [n for n, there in enumerate(told, 1) if there] == [REMIND_AFTER + 1, 2 * REMIND_AFTER + 1]


def test_what_was_told_at_the_start_is_no_part_of_the_prompt_of_gemini(lane: Lane) -> None:
    """Without a terminal it puts that before what was typed."""
    call(lane, "gemini-cli", "SessionStart", source="startup")
    before = '<hook_context>&lt;lane-memory nonce="x" count="1"&gt; Dockerfile COPY list</hook_context>\n\n'
    assert call(lane, "gemini-cli", "UserPromptSubmit", prompt=f"{before}what is the capital of France") == "{}"
    assert lane.recall.newest()[0].query.words == "what is the capital of France"
