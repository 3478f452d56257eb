"""What Claude Code would run on a prompt: by its settings, by a copy of our plugin, or nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from memlane.agents.claude_code import install as claude_code
from tests.rooms.system.computers import computer, install, settings_of


def test_settings_that_name_our_script_are_what_it_runs(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    hook = claude_code.installed(here)
    assert hook is not None
    assert hook.words == (here.python, "-I", "-S", str(here.hook_script), "claude-code", "UserPromptSubmit")


def test_of_a_plugin_it_runs_the_copy_it_has_made(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    copy = tmp_path / ".claude" / "plugins" / "cache" / "lane"
    shutil.copytree(here.plugin / "plugins" / "lane", copy)
    settings_of(tmp_path, {"enabledPlugins": {"lane@lane-local": True}})
    listed = {"version": 2, "plugins": {"lane@lane-local": [{"scope": "user", "installPath": str(copy)}]}}
    (tmp_path / ".claude" / "plugins" / "installed_plugins.json").write_text(json.dumps(listed))
    hook = claude_code.installed(here)
    assert hook is not None
    assert hook.words[3] == str(copy / "bin" / "client.py")
    shutil.rmtree(copy)
    hook = claude_code.installed(here)
    assert hook is not None
    assert hook.words[3] == str(here.hook_script), "as it was before there was a copy"


def test_hooks_of_others_hooks_that_are_off_and_broken_settings_are_none_of_ours(tmp_path: Path) -> None:
    here = computer(tmp_path)
    other = {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo hello"}]}]}
    for settings in ({}, {"hooks": other}, {"enabledPlugins": {"lane@lane-local": False}}, "{oops", {"hooks": [1]}):
        settings_of(tmp_path, settings)
        assert claude_code.installed(here) is None
    install(here)
    settings_of(tmp_path, {"disableAllHooks": True, "enabledPlugins": {"lane@lane-local": True}})
    assert claude_code.installed(here) is None


def test_hooks_that_only_capture_have_no_command_for_a_prompt(tmp_path: Path) -> None:
    here = computer(tmp_path)
    ours = f'"{here.python}" -I -S "{here.hook_script}" claude-code Stop || :'
    settings_of(tmp_path, {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ours}]}]}})
    hook = claude_code.installed(here)
    assert hook is not None
    assert hook.command == ""
