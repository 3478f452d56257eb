"""The plugin made for Claude Code, as it lies in the home, in the real Codex and the real Copilot CLI."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.acceptance.hooks import HookHome, until
from tests.acceptance.test_claude_code import BEYOND_ITS_TITLE, NOTE, PROMPT
from tests.clients.drive import Codex, Copilot
from tests.conftest import LaneHome

UNRELATED = "what is the capital of France @@say Paris@@"


@pytest.fixture
def hooked(lane_home: LaneHome) -> Iterator[HookHome]:
    """A note, and the plugin rendered as `lane init` does it; the daemon answers already."""
    script = lane_home.path / "plugin" / "plugins" / "lane" / "bin" / "client.py"
    made = HookHome(lane_home.home, lane_home.path, script)
    made.project.mkdir()
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    assert made.command("hook", "install", "claude-code").returncode == 0
    made.command("daemon", "start")
    yield made
    made.command("daemon", "stop")


def recalled(hooked: HookHome) -> list[tuple[str, str, str]]:
    """Agent, moment and outcome of each, oldest first."""
    data = json.loads(hooked.command("recalls", "--json").stdout)["data"]
    return [(one["agent"], one["moment"], one["outcome"]) for one in reversed(data)]


def captured(hooked: HookHome, agent: str) -> set[str]:
    runs = json.loads(hooked.command("runs", "--json").stdout)["data"]
    return {run["id"] for run in runs if run["agent"] == agent}


def told_and_kept(hooked: HookHome, agent: str) -> None:
    assert until(lambda: (agent, "prompt", "shown") in recalled(hooked), looks=200)
    assert {who for who, _moment, _outcome in recalled(hooked)} == {agent}
    hooked.command("capture", "--quiet")
    runs = captured(hooked, agent)
    with hooked.lane() as lane:
        assert {one.query.run for one in lane.recall.newest()} <= runs


def plugin(hooked: HookHome) -> Path:
    return hooked.path / "plugin"


def test_codex_loads_it_and_its_model_is_told(hooked: HookHome, codex: Callable[..., Codex]) -> None:
    agent = codex()
    assert agent.command("plugin", "marketplace", "add", plugin(hooked)).exit_code == 0
    assert agent.command("plugin", "add", "lane@lane-local").exit_code == 0
    told = agent.run(PROMPT)
    assert f"saw: {BEYOND_ITS_TITLE}" in told.stdout
    assert "clamping" not in told.stdout + told.stderr, "it warns at every start of a timeout it does not accept"
    assert told.saw("mcp__lane")
    told_and_kept(hooked, "codex")
    assert not codex(cwd="other").run(UNRELATED).saw("lane-memory")
    assert agent.command("plugin", "remove", "lane@lane-local").exit_code == 0
    assert not agent.run(PROMPT).saw(BEYOND_ITS_TITLE)


def test_copilot_loads_it_and_its_model_is_told(hooked: HookHome, copilot: Callable[..., Copilot]) -> None:
    agent = copilot()
    assert agent.command("plugin", "marketplace", "add", plugin(hooked)).exit_code == 0
    assert agent.command("plugin", "install", "lane@lane-local").exit_code == 0
    told = agent.run(PROMPT)
    assert f"saw: {BEYOND_ITS_TITLE}" in told.stdout
    assert told.saw("lane-recall")
    told_and_kept(hooked, "copilot-cli")
    assert not copilot(cwd="other").run(UNRELATED).saw("lane-memory")


def test_uninstall_takes_it_out_of_codex_and_nothing_of_the_person_changes(
    hooked: HookHome, codex: Callable[..., Codex]
) -> None:
    agent = codex()
    agent.environment()
    settings = hooked.home / ".codex" / "config.toml"
    before = settings.read_bytes()
    assert agent.command("plugin", "marketplace", "add", plugin(hooked)).exit_code == 0
    assert agent.command("plugin", "add", "lane@lane-local").exit_code == 0
    assert settings.read_bytes() != before
    assert hooked.command("uninstall", "--yes").returncode == 0
    assert settings.read_bytes() == before
    assert not (hooked.home / ".codex" / "plugins" / "cache" / "lane-local").exists()
    assert "lane@lane-local" not in agent.command("plugin", "list").stdout
    assert not agent.run(PROMPT).saw("lane-memory")


def test_after_uninstall_copilot_does_not_warn(hooked: HookHome, copilot: Callable[..., Copilot]) -> None:
    agent = copilot()
    assert agent.command("plugin", "marketplace", "add", plugin(hooked)).exit_code == 0
    assert agent.command("plugin", "install", "lane@lane-local").exit_code == 0
    assert agent.run(PROMPT).saw(BEYOND_ITS_TITLE)
    assert hooked.command("uninstall", "--yes").returncode == 0
    after = agent.run(PROMPT)
    assert (after.exit_code, after.stderr.strip()) == (0, "")
    assert not after.saw(BEYOND_ITS_TITLE)
