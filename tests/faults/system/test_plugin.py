"""The plugin's hooks, called as the agent calls them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.rooms.agents.test_claude_code_plugin import commands
from tests.rooms.system.computers import computer, install, settings_of


@pytest.mark.fault("F6")
@pytest.mark.parametrize("name", ["plain", "with space", 'quo"te$HOME`x`'])
def test_a_hook_runs_from_anywhere_with_no_environment_at_all(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    settings_of(home, {})
    here = computer(home)
    install(here)
    called = commands(here.home / ".claude" / "settings.json")["Stop"]
    nothing = subprocess.run(["/bin/sh", "-c", called], cwd="/", env={}, input=b"", capture_output=True, check=False)
    assert (nothing.returncode, nothing.stdout) == (0, b"")
    assert (here.lane_home / "log" / "hooks.log").read_text().count("claude-code Stop") == 1


def test_a_hook_whose_script_or_interpreter_is_gone_refuses_nothing(tmp_path: Path) -> None:
    """Python ends with 2 when it finds no script, and 2 tells an agent to refuse the prompt."""
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    here.hook_script.unlink()
    path = tmp_path / ".claude" / "settings.json"
    for called in (*commands(path).values(), commands(path)["Stop"].replace(here.python, "/gone/python")):
        done = subprocess.run(["/bin/sh", "-c", called], env={}, input=b"{}", capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"")
