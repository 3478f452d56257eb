"""Our hooks into Claude Code's settings and out again: everybody else's lines stay, to the last byte."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.agents.claude_code import install as claude_code
from memlane.app.setup import changes
from memlane.app.setup.changes import AgentProgramChange, Computer, FileChange, SetupRequest
from memlane.system.disk import Disk
from tests.examples import examples
from tests.rooms.system.computers import (
    AGENT,
    CLAUDE,
    QuickDisk,
    WithClaude,
    calls,
    computer,
    install,
    program,
    settings_of,
    tree,
    uninstall,
)
from tests.rooms.system.test_json_text import values, written

ODD = """{
    "zeta": 1,
  "hooks": {"Stop": [{"hooks": [{"type":"command","command":"echo hi"}]}], "PreToolUse": []},
  "alpha":   {"unknown": [1,2,   3]}, "//": "a note of mine"
}"""
CAPTURING = ("Stop", "SubagentStop", "PreCompact", "SessionEnd")
EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", *CAPTURING)

somebodys_hooks = st.dictionaries(
    st.sampled_from([*EVENTS, "PreToolUse"]),
    st.lists(st.fixed_dictionaries({"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=5)}))})),
    max_size=3,
)
somebodys_settings = st.fixed_dictionaries(
    {},
    optional={
        "hooks": somebodys_hooks,
        "enabledPlugins": st.dictionaries(st.text(max_size=5), st.booleans(), max_size=2),
        "extraKnownMarketplaces": st.dictionaries(st.text(max_size=5), values, max_size=2),
        "model": values,
        "env": values,
    },
)
few = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(8), deadline=None)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def with_claude(home: Path) -> Path:
    """A folder for PATH with a `claude` in it."""
    folder = home.parent / "bin"
    program(folder, "claude", CLAUDE)
    return folder


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


def test_without_its_program_the_hooks_go_into_the_settings(home: Path) -> None:
    path = settings_of(home, ODD)
    install(here := computer(home))
    hooks = read(path)["hooks"]
    for event in EVENTS:
        (group,) = [g for g in hooks[event] if "client.py" in json.dumps(g)]
        (hook,) = group["hooks"]
        assert hook["command"].startswith(f'"{here.python}" -I -S "{here.hook_script}" claude-code {event}')
        assert 1 <= hook["timeout"] <= 5
    assert hooks["SessionStart"][-1]["matcher"] == "*"
    assert hooks["Stop"][0]["hooks"][0]["command"] == "echo hi"


def test_with_its_program_it_becomes_a_plugin_and_the_file_keeps_its_order_and_mode(
    home: Path, with_claude: Path
) -> None:
    path = settings_of(home, ODD)
    path.chmod(0o640)
    install(here := computer(home, programs=with_claude))
    assert calls(with_claude) == [
        f"claude plugin marketplace add {here.plugin}",
        "claude plugin install lane@lane-local",
    ]
    assert list(read(path)) == ["zeta", "hooks", "alpha", "//", "extraKnownMarketplaces", "enabledPlugins"]
    assert path.read_text().startswith(ODD.rstrip("\n}").rstrip())
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("by_program", [False, True])
def test_ten_times_changes_nothing_after_the_first(home: Path, with_claude: Path, by_program: bool) -> None:
    settings_of(home, ODD)
    here = computer(home, programs=with_claude if by_program else None)
    install(here)
    after_the_first = tree(home)
    for _ in range(9):
        assert changes.plan(here, SetupRequest(AGENT, timer=False)).changes == ()
        install(here)
    assert tree(home) == after_the_first


@pytest.mark.fault("F7", "M3")
@pytest.mark.parametrize("by_program", [False, True])
@given(text=written(somebodys_settings))
@few
def test_in_and_out_again_leaves_the_same_tree(
    tmp_path_factory: pytest.TempPathFactory, by_program: bool, text: str
) -> None:
    home = tmp_path_factory.mktemp("h")
    settings_of(home, text)
    before = tree(home)
    here = computer(home, kind=WithClaude if by_program else Computer)
    assert install(here, disk=QuickDisk()).troubles == ()
    assert tree(home) != before
    assert uninstall(here, disk=QuickDisk()).troubles == ()
    assert tree(home) == before


@pytest.mark.parametrize("by_program", [False, True])
@given(text=written(somebodys_settings), key=st.text(min_size=1, max_size=4), value=values, rewritten=st.booleans())
@few
def test_what_was_edited_meanwhile_stays_and_ours_goes(
    tmp_path_factory: pytest.TempPathFactory, by_program: bool, text: str, key: str, value: object, rewritten: bool
) -> None:
    home = tmp_path_factory.mktemp("h")
    path = settings_of(home, text)
    before = read(path)
    here = computer(home, kind=WithClaude if by_program else Computer)
    install(here, disk=QuickDisk())
    edited = {**read(path), f"mine {key}": value}
    path.write_text(json.dumps(edited, indent=4 if rewritten else None))
    uninstall(here, disk=QuickDisk())
    assert read(path) == {**before, f"mine {key}": value}
    assert "client.py" not in path.read_text()
    assert "lane-local" not in path.read_text()


@pytest.mark.fault("F7")
def test_an_edit_by_hand_keeps_its_every_byte(home: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home)
    install(here)
    path.write_text(path.read_text().replace('"zeta": 1,', '"zeta": 1,  "mine":[ 1 ],'))
    uninstall(here)
    assert path.read_text() == ODD.replace('"zeta": 1,', '"zeta": 1,  "mine":[ 1 ],')


def test_the_backup_of_an_edited_file_stays_and_is_named(home: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home)
    install(here)
    path.write_text(path.read_text().replace('"zeta": 1', '"zeta": 2'))
    assert uninstall(here).stays == ("~/.claude/settings.json.lane-1",)
    assert (home / ".claude" / "settings.json.lane-1").read_text() == ODD


def test_no_settings_before_no_settings_after(home: Path, with_claude: Path) -> None:
    (home / ".claude").mkdir()
    before = tree(home)
    for here in (computer(home), computer(home, programs=with_claude)):
        install(here)
        assert (home / ".claude" / "settings.json").exists()
        uninstall(here)
        assert tree(home) == before


def test_what_its_program_leaves_behind_of_us_goes_and_other_plugins_stay(home: Path, with_claude: Path) -> None:
    settings_of(home, ODD)
    plugins = home / ".claude" / "plugins"
    (plugins / "cache" / "other").mkdir(parents=True)
    (plugins / "installed_plugins.json").write_text('{\n  "version": 2,\n  "plugins": {\n    "x@other": []\n  }\n}')
    before = tree(home)
    install(here := computer(home, programs=with_claude))
    assert "lane@lane-local" in (plugins / "installed_plugins.json").read_text()
    uninstall(here)
    assert tree(home) == before


def test_ours_goes_also_when_its_program_has_been_uninstalled_since(home: Path, with_claude: Path) -> None:
    settings_of(home, ODD)
    before = tree(home)
    install(computer(home, programs=with_claude))
    uninstall(computer(home))
    assert tree(home) == before


def test_half_of_what_a_failing_program_did_is_taken_back(home: Path, with_claude: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home, programs=with_claude, variables={"FAKE_FAILS_TO": "install"})
    install(here)
    assert "lane-local" not in path.read_text()
    assert len(read(path)["hooks"]["Stop"]) == 2


def test_what_its_program_changed_besides_is_kept(home: Path, with_claude: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home, programs=with_claude, variables={"FAKE_MIGRATES": "1"})
    install(here)
    assert read(path)["new in this version"] == 1
    uninstall(here)
    assert read(path) == {**json.loads(ODD), "new in this version": 1}


@pytest.mark.fault("F7")
def test_a_linked_settings_file_stays_a_link_and_its_target_is_edited(home: Path) -> None:
    target = home / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text(ODD)
    link = settings_of(home)
    link.symlink_to("../dotfiles/claude.json")
    before = tree(home)
    here = computer(home)
    install(here)
    assert link.is_symlink()
    assert "client.py" in target.read_text()
    assert sorted(path.name for path in target.parent.iterdir()) == ["claude.json"]
    uninstall(here)
    assert tree(home) == before


def test_another_config_folder_is_respected(home: Path) -> None:
    elsewhere = home / "elsewhere"
    elsewhere.mkdir()
    here = computer(home, variables={"CLAUDE_CONFIG_DIR": str(elsewhere)})
    install(here)
    assert "client.py" in (elsewhere / "settings.json").read_text()
    assert not (home / ".claude").exists()


def test_settings_that_do_not_parse_are_named_with_the_line_and_left_alone(home: Path, with_claude: Path) -> None:
    settings_of(home, '{\n "a": 1,\n "hooks": {oops\n}\n')
    before = tree(home)
    here = computer(home, programs=with_claude)
    (trouble,) = install(here).troubles
    assert trouble.what == '~/.claude/settings.json is not valid JSON (line 3, after "hooks")'
    assert "lane hook install claude-code" in trouble.hint
    assert tree(home) == before
    assert calls(with_claude) == []


def test_a_file_without_write_permission_is_left_alone(home: Path) -> None:
    path = settings_of(home, ODD)
    path.chmod(0o444)
    before = tree(home)
    (trouble,) = install(computer(home)).troubles
    assert "no permission to write it (owner: " in trouble.what
    assert tree(home) == before


def test_a_file_that_changed_while_the_plan_was_read_is_not_touched(home: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home)
    wanted = SetupRequest(AGENT, timer=False)
    agreed = changes.plan(here, wanted)
    path.write_text("{}")
    (trouble,) = changes.apply(agreed, here, Disk(), wanted).troubles
    assert "was changed while the plan was shown" in trouble.what
    assert path.read_text() == "{}"


def test_hooks_of_another_interpreter_are_replaced_not_doubled(home: Path) -> None:
    path = settings_of(home, ODD)
    old = computer(home)
    install(replace(old, python="/gone/python"))
    assert path.read_text().count("/gone/python") == len(EVENTS)
    install(old)
    assert "/gone/python" not in path.read_text()
    assert path.read_text().count("client.py") == len(EVENTS)
    assert not (home / ".claude" / "settings.json.lane-2").exists()
    uninstall(old)
    assert path.read_text() == ODD


def test_our_hook_inside_somebodys_group_goes_alone(home: Path) -> None:
    path = settings_of(home, {})
    here = computer(home)
    install(here)
    document = read(path)
    document["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    path.write_text(json.dumps(document))
    uninstall(here)
    assert read(path) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}


def test_a_plugin_the_person_switched_off_stays_off(home: Path, with_claude: Path) -> None:
    path = settings_of(home, ODD)
    here = computer(home, programs=with_claude)
    install(here)
    path.write_text(path.read_text().replace('"lane@lane-local": true', '"lane@lane-local": false'))
    agreed = changes.plan(here, SetupRequest(AGENT, timer=False))
    assert agreed.changes == ()
    assert any("disabled" in note for note in agreed.notes)


def test_a_lost_record_costs_no_more_than_the_backup(home: Path, with_claude: Path) -> None:
    settings_of(home, {"a": 1, "hooks": {"Stop": [{"hooks": []}]}})
    for here in (computer(home), computer(home, programs=with_claude)):
        install(here)
        (home / ".memlane" / "setup.json").unlink()
        uninstall(here)
        assert read(home / ".claude" / "settings.json") == {"a": 1, "hooks": {"Stop": [{"hooks": []}]}}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"enabledPlugins": {"claude-mem@thedotmack": True}}, ("claude-mem",)),
        ({"hooks": {"Stop": [{"hooks": [{"command": "npx mem0-hook"}]}]}}, ("mem0",)),
        ({"enabledPlugins": {"claude-mem@x": False, "engrammar@y": True}}, ()),
        ({"env": {"NOTE": "claude-mem"}}, ()),
    ],
)
def test_another_memory_tool_is_known_by_name(home: Path, given: dict[str, object], named: tuple[str, ...]) -> None:
    settings_of(home, given)
    assert claude_code.rivals(computer(home)) == named


def test_next_to_another_memory_tool_only_capture_is_set_up_unless_chosen(home: Path) -> None:
    path = settings_of(home, {"enabledPlugins": {"claude-mem@thedotmack": True}})
    here = computer(home)
    install(here)
    assert set(read(path)["hooks"]) == set(CAPTURING)
    install(here, SetupRequest(AGENT, timer=False, recall=True))
    assert set(read(path)["hooks"]) == set(EVENTS)
    install(here)
    assert set(read(path)["hooks"]) == set(EVENTS)  # what was chosen once holds


def test_the_plan_shows_every_change_as_a_diff_and_changes_nothing(home: Path, with_claude: Path) -> None:
    settings_of(home, ODD)
    before = tree(home)
    agreed = changes.plan(computer(home, programs=with_claude), SetupRequest(AGENT, timer=False))
    (by_program,) = [change for change in agreed.changes if isinstance(change, AgentProgramChange)]
    assert by_program.diff.startswith("$ ")
    assert '+  "alpha"' in by_program.diff
    new = [change for change in agreed.changes if isinstance(change, FileChange)]
    assert all(change.diff.startswith("--- /dev/null\n") for change in new)
    assert tree(home) == before


def test_how_many_days_it_keeps_transcripts(home: Path) -> None:
    assert claude_code.cleanup_days(computer(home)) == 30
    settings_of(home, {"cleanupPeriodDays": 90})
    assert claude_code.cleanup_days(computer(home)) == 90


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_the_owner_of_the_file_stays_its_owner(home: Path) -> None:
    path = settings_of(home, ODD)
    os.chown(path, 12345, 12345)
    install(computer(home))
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12345)
