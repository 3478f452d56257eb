"""The harness itself: the real clients, driven through the fake model, do what the script says."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import pytest

from tests.clients.drive import ClaudeCode, Codex, environment
from tests.clients.fake_model import FakeModel
from tests.conftest import LaneHome


def test_claude_code_runs_a_scripted_tool_and_keeps_a_transcript(claude: Callable[..., ClaudeCode]) -> None:
    agent = claude()
    script = '@@call Bash {"command": "echo MARK-$((40 + 2))", "description": "count"}@@'
    session = agent.run(f"please count {script}", "--allowedTools", "Bash")
    assert (session.exit_code, session.stdout.strip()) == (0, "saw: MARK-42")
    assert len(session.turns) == 2
    (transcript,) = agent.transcripts()
    assert "MARK-42" in transcript.read_text()


def test_a_second_prompt_forgets_the_script_of_the_first(claude: Callable[..., ClaudeCode]) -> None:
    agent = claude()
    assert agent.run("one @@say hello@@").stdout.strip() == "hello"
    assert agent.run("two MARK-two", "--continue").stdout.strip() == "saw: MARK-two"


def test_a_subagent_follows_its_own_script(claude: Callable[..., ClaudeCode]) -> None:
    agent = claude()
    inner = 'look @@call Bash {"command": "echo MARK-$((1 + 1))", "description": "x"}@@ @@say below@@'
    task = {"description": "look", "prompt": inner, "subagent_type": "general-purpose", "run_in_background": False}
    session = agent.run(f"go @@call Task {json.dumps(task)}@@ @@say above@@", "--allowedTools", "Bash", "Task")
    assert session.stdout.strip() == "above"
    assert session.saw("MARK-2")
    assert [path.parent.name for path in agent.transcripts()].count("subagents") == 1


def test_a_compacted_session_goes_on_from_its_summary(claude: Callable[..., ClaudeCode]) -> None:
    agent = claude()
    agent.run("one MARK-one @@say hello@@")
    assert agent.run("/compact", "--continue").exit_code == 0
    after = agent.run("three", "--continue")
    assert after.stdout.strip() == "saw: MARK-one"  # the fake's summary named it
    assert not after.saw("@@say hello@@")


def test_codex_runs_a_scripted_tool_and_keeps_a_transcript(codex: Callable[..., Codex]) -> None:
    agent = codex()
    session = agent.run('please count @@call exec_command {"cmd": "echo MARK-$((40 + 2))"}@@')
    assert (session.exit_code, len(session.turns)) == (0, 2)
    assert "saw: MARK-42" in session.stdout
    (transcript,) = agent.transcripts()
    assert "saw: MARK-42" in transcript.read_text()


def test_codex_resumes_with_a_script_of_its_own(codex: Callable[..., Codex]) -> None:
    agent = codex()
    agent.run("one @@say hello@@")
    assert "saw: MARK-two" in agent.resume("two MARK-two").stdout


def test_claude_code_asks_for_nothing_outside(claude: Callable[..., ClaudeCode], model: FakeModel) -> None:
    assert claude().run("hello").exit_code == 0
    assert model.refused == []


def test_nothing_of_this_machines_environment_reaches_a_client(
    lane_home: LaneHome, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "ours")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "ours")
    known = environment(lane_home.home, model, lane_home.variables)
    assert "ours" not in known.values()
    assert known["HOME"] == os.environ["HOME"] == str(lane_home.home)
