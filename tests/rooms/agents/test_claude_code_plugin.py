"""The plugin folder: what is rendered, and that an agent can call it from anywhere without ever being held up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.agents.claude_code.plugin import HOOKS, HookSpec
from tests.rooms.system.computers import computer, install, settings_of

LONGEST = 5  # seconds: another agent's milliseconds written here would be hours


def commands(path: Path) -> dict[str, str]:
    hooks = json.loads(path.read_text())["hooks"]
    return {event: group["hooks"][0]["command"] for event, (group,) in hooks.items()}


@pytest.mark.fault("F8")
def test_every_timeout_is_in_seconds_and_short() -> None:
    assert all(1 <= spec.timeout <= LONGEST for specs in HOOKS.values() for spec in specs)
    with pytest.raises(ValueError, match="5000"):
        HookSpec("Stop", 5000, recalls=False)


def test_marketplace_plugin_and_hooks_say_the_same_name_and_version(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    install(here := computer(tmp_path))
    market = json.loads((here.plugin / ".claude-plugin" / "marketplace.json").read_text())
    assert market["name"] == "lane-local"
    (listed,) = market["plugins"]
    inside = here.plugin / listed["source"]
    about = json.loads((inside / ".claude-plugin" / "plugin.json").read_text())
    assert (about["name"], about["version"]) == (listed["name"], listed["version"]) == ("lane", here.version)
    recalling, capturing = ["SessionStart", "UserPromptSubmit", "PostToolUse"], ["Stop", "SubagentStop", "PreCompact"]
    assert list(commands(inside / "hooks" / "hooks.json")) == [*recalling, *capturing, "SessionEnd"]
    assert (inside / "bin" / "home.txt").read_text() == f"{here.lane_home}\n{here.python}\n"


def test_another_version_writes_it_anew_and_leaves_nothing_of_the_old(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    (here.plugin / "plugins" / "lane" / "old.md").write_text("of an older version")
    newer = replace(here, version="9.9.9", python="/usr/bin/other-python")
    install(newer)
    inside = here.plugin / "plugins" / "lane"
    assert json.loads((inside / ".claude-plugin" / "plugin.json").read_text())["version"] == "9.9.9"
    assert "/usr/bin/other-python" in (inside / "hooks" / "hooks.json").read_text()
    assert not (inside / "old.md").exists()
