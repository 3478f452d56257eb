"""The real Copilot CLI, offline: what it wrote is in the archive byte for byte, its turns are what was asked of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import Person
from tests.clients.drive import Copilot
from tests.conftest import LaneHome

COUNT = 'please count @@call bash {"command": "echo MARK-$((40 + 2))", "description": "count"}@@'
HOOK = """#!/bin/sh
cat > /dev/null
echo '{"additionalContext": "MARK-brief"}'
"""


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    return Person(lane_home.home)


def captured(person: Person) -> list[dict[str, Any]]:
    assert person.lane("capture", "--json").code == 0
    return person.lane("runs", "--agent", "copilot-cli", "--json").data


def turns(person: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    return person.lane("show", run["id"], "--json").data["turns"]


def calls_of(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [step["tool_call"] for step in turn["steps"] if step.get("tool_call")]


def test_a_session_of_copilot_is_kept_as_it_wrote_it_and_read_as_it_was(
    copilot: Callable[..., Copilot], person: Person
) -> None:
    agent = copilot()
    assert agent.run(COUNT).stdout.strip() == "saw: MARK-42"
    (file,) = agent.transcripts()
    (run,) = captured(person)
    assert person.raw(run["id"]) == file.read_bytes()
    assert (run["session_id"], run["cwd"], run["turns"]) == (file.parent.name, str(agent.cwd), 1)
    (turn,) = turns(person, run)
    assert (turn["person"], turn["agent"]) == (COUNT, "saw: MARK-42")
    assert [(call["name"], call["error"]) for call in calls_of(turn)] == [("bash", False)]


def test_a_resumed_session_is_the_same_run_and_only_grew(copilot: Callable[..., Copilot], person: Person) -> None:
    agent = copilot()
    agent.run("one @@say first@@")
    (before,) = captured(person)
    fail = 'two @@call bash {"command": "exit 3", "description": "fail"}@@ @@say second@@'
    agent.resume(fail)
    (after,) = captured(person)
    (file,) = agent.transcripts()
    assert (after["id"], before["turns"], after["turns"]) == (before["id"], 1, 2)
    assert person.raw(after["id"]) == file.read_bytes()
    assert len(list(person.lane_home.rglob("g*.raw"))) == 1
    second = turns(person, after)[1]
    assert (second["person"], [call["error"] for call in calls_of(second)]) == (fail, [True])


def test_a_subagents_steps_are_no_turns_of_the_persons(copilot: Callable[..., Copilot], person: Person) -> None:
    below = 'look @@call bash {"command": "echo MARK-$((1 + 1))", "description": "x"}@@ @@say below@@'
    task = {"description": "look", "prompt": below, "agent_type": "general-purpose", "name": "looker", "mode": "sync"}
    above = f"go @@call task {json.dumps(task)}@@ @@say above@@"
    session = copilot().run(above)
    assert session.saw("MARK-2")
    (run,) = captured(person)
    (turn,) = turns(person, run)
    assert (turn["person"], turn["agent"]) == (above, "above")
    authors = {step["author"] for step in turn["steps"] if step.get("text") in (below, "below")}
    assert authors == {"program"}
    assert {call["name"] for call in calls_of(turn)} >= {"task", "bash"}


def test_what_a_hook_injects_is_seen_by_the_model_and_is_nobodys_words(
    copilot: Callable[..., Copilot], person: Person
) -> None:
    agent = copilot()
    script = person.home / "brief.sh"
    script.write_text(HOOK)
    script.chmod(0o755)
    hooks = Path(agent.cwd, ".github", "hooks")
    hooks.mkdir(parents=True)
    told = {"version": 1, "hooks": {"userPromptSubmitted": [{"type": "command", "bash": str(script)}]}}
    (hooks / "brief.json").write_text(json.dumps(told))
    assert agent.run("hello").stdout.strip() == "saw: MARK-brief"
    (run,) = captured(person)
    (turn,) = turns(person, run)
    assert (turn["person"], turn["agent"]) == ("hello", "saw: MARK-brief")
    assert [step["author"] for step in turn["steps"]] == ["person", "agent"]


def test_what_lies_beside_a_session_is_kept_with_its_run(copilot: Callable[..., Copilot], person: Person) -> None:
    copilot().run("one @@say first@@")
    captured(person)
    (kept,) = person.lane_home.rglob("files/workspace.yaml")
    (there,) = person.home.glob(".copilot/session-state/*/workspace.yaml")
    assert kept.read_bytes() == there.read_bytes()
