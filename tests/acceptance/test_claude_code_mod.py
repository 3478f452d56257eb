"""The mod as Claude Code's own tools see it, in faults and in its other lives: the session always goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.acceptance.test_claude_code import AtHome, at_home

TESTS = Path(__file__).resolve().parent.parent / "clients" / "mod"

__all__ = ["at_home"]


def test_claude_codes_own_tools_accept_the_mod_and_pass_its_tests(at_home: AtHome, tmp_path: Path) -> None:
    plugin = tmp_path / "lane"
    shutil.copytree(at_home.hooked.path / "plugin" / "plugins" / "lane", plugin)
    shutil.copytree(TESTS, plugin / "tests")
    valid = at_home.claude().command("plugin", "validate", plugin)
    assert valid.exit_code == 0, valid.stdout + valid.stderr
    tested = at_home.claude().command("plugin", "test", plugin)
    assert tested.exit_code == 0, tested.stdout + tested.stderr
    assert "0 fail" in tested.stdout + tested.stderr, tested.stdout + tested.stderr
