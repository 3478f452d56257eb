"""`lane init`, `lane hook` and `lane uninstall` as a stranger runs them: consent first, and everything taken back."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import ROOT, Person, misfits, schema_of
from tests.clients.drive import ClaudeCode, installed
from tests.conftest import LaneHome
from tests.rooms.system.computers import CLAUDE, calls, program, tree

CAPTURING = {"Stop", "SubagentStop", "PreCompact", "SessionEnd"}
SETTINGS = '{\n    "zeta": 1,\n  "hooks": {"Stop": [{"hooks": [{"type":"command","command":"echo hi"}]}]}\n}'
VALIDATED = "Validation passed"


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    """Two agents with a run each, settings of their own, and nothing on PATH."""
    home = tmp_path / "home"
    made = Person(home, {"PATH": str(tmp_path / "bin")}, quick=True)
    made.claude_run("0b4f8f0e-0000-4000-8000-000000000001", "why does the worker crash on thursdays")
    shutil.copytree(ROOT / "tests" / "fixtures" / "transcripts" / "codex", home / ".codex" / "sessions" / "2026")
    (home / ".claude" / "settings.json").write_text(SETTINGS)
    (home / ".claude" / "settings.json").chmod(0o640)
    yield made
    if made.lane_home.is_dir():
        made.lane("daemon", "stop")


@pytest.fixture
def with_claude(person: Person) -> Path:
    folder = Path(person.variables["PATH"])
    program(folder, "claude", CLAUDE)
    return folder


def settings(person: Person) -> dict[str, Any]:
    return json.loads((person.home / ".claude" / "settings.json").read_text())


def without_ours(home: Path) -> dict[str, str]:
    return {name: what for name, what in tree(home).items() if not name.startswith(".memlane")}


# -- before the yes ----------------------------------------------------------------------------------------------------


def test_no_means_no(person: Person) -> None:
    before = tree(person.home)
    said = person.on_screen("init", typed="n\n")
    assert said.code == 0
    assert "Nothing was changed." in said.out
    assert tree(person.home) == before


def test_the_exact_changes_are_shown_on_request_and_the_question_comes_again(person: Person) -> None:
    before = tree(person.home)
    said = person.on_screen("init", typed="d\nn\n", columns=200)
    assert "+++ " in said.out
    assert "claude-code SessionStart" in said.out
    assert said.out.count("Go ahead?") == 2
    assert tree(person.home) == before


def test_the_table_says_what_is_there_and_how_it_is_captured(person: Person) -> None:
    (person.home / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 20}')
    run = next((person.home / ".claude" / "projects").rglob("*.jsonl"))
    os.utime(run, (1, 1))
    said = person.on_screen("init", typed="n\n").out
    assert re.search(r"Claude Code +1 .*hooks \(each turn\)", said)
    assert re.search(r"Codex +\d+ .*hooks \(each turn\)", said)
    without = " ".join(person.on_screen("init", "--no-hooks", typed="n\n").out.split())
    assert re.search(r"Codex \d+ .*watched while the daemon runs, else by your next `lane capture`", without)
    assert "Claude Code deletes transcripts after 20 days on this machine." in said
    assert "1 would be deleted within 7 days. Lane copies them first." in said


def test_a_dry_run_prints_the_plan_with_every_change_and_writes_nothing(person: Person, with_claude: Path) -> None:
    before = tree(person.home)
    said = person.lane("init", "--dry-run")
    assert said.code == 0
    assert "What Lane will do" in said.out
    assert re.search(r"^  run   .*plugin marketplace add", said.out, re.M)
    assert re.search(r"^  new   \S+/hooks\.json   \d+ lines added$", said.out, re.M)
    assert "Nothing was changed." in said.out
    assert "@@" not in said.out, "what a person reads is the plan; the text of our hooks is for a program"
    assert tree(person.home) == before
    assert calls(with_claude) == []
    document = person.lane("init", "--dry-run", "--json").document
    assert any("UserPromptSubmit" in change["diff"] for change in document["meta"]["changes"])
    assert document["schema"] == "lane.init/1"
    assert {agent["name"] for agent in document["meta"]["agents"]} == {"claude-code", "codex"}
    assert {"kind", "what", "hint"} <= set(document["data"][0])
    assert tree(person.home) == before


def test_without_a_terminal_it_refuses_and_writes_nothing(person: Person) -> None:
    before = tree(person.home)
    said = person.lane("init")
    assert said.code == 2
    assert "error: this terminal cannot answer questions (no TTY)" in said.err
    assert "lane init --yes        (accept the plan above)" in said.err
    assert "lane init --dry-run    (print the plan only)" in said.err
    assert tree(person.home) == before


def test_no_agent_at_all_is_said_and_no_home_is_made(tmp_path: Path) -> None:
    home = tmp_path / "empty"
    home.mkdir()
    (home / ".aider").mkdir()
    before = tree(home)
    said = Person(home, {"PATH": str(tmp_path)}).lane("init", "--yes")
    assert said.code == 0
    assert "No coding agent was found on this machine." in said.out
    assert "~/.claude/projects" in said.out
    assert tree(home) == before


def test_from_a_cache_nothing_is_set_up_but_search_works(person: Person, tmp_path: Path) -> None:
    python = tmp_path / "uv" / "archive-v0" / "Xy12" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    person.lane("capture")
    before = tree(person.home)
    packages = sysconfig.get_path("purelib")
    cached = {**person.surroundings({}), "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{packages}"}
    said = _run([str(python), "-m", "memlane", "init", "--yes"], cached)
    assert said[0] == 2
    assert "cannot be set up from uvx" in said[1]
    assert "uv tool install memlane && lane init" in said[1]
    assert tree(person.home) == before
    assert _run([str(python), "-m", "memlane", "search", "thursdays"], cached)[0] == 0


def _run(command: list[str], variables: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_a_folder_that_is_sent_elsewhere_is_no_home(person: Person) -> None:
    home = person.home / "Dropbox" / "lane"
    home.parent.mkdir()
    before = tree(person.home)
    said = person.lane("init", "--yes", LANE_HOME=str(home))
    assert said.code == 2
    assert "(~/Dropbox/lane); sync tools corrupt databases" in said.err
    assert tree(person.home) == before


def test_too_little_room_is_said_before_anything_is_copied(person: Person) -> None:
    path = next((person.home / ".claude" / "projects").rglob("*.jsonl"))
    os.truncate(path, 10**13)  # a hole, not ten terabytes
    before = {str(p) for p in person.home.rglob("*")}
    said = person.lane("init", "--yes")
    assert said.code == 1
    assert re.search(r"error: .* free, about 15\.0 TB needed on ", said.err)
    assert {str(p) for p in person.home.rglob("*")} == before


# -- the yes -----------------------------------------------------------------------------------------------------------


def test_yes_sets_up_captures_and_says_where_to_go_next(person: Person) -> None:
    said = person.on_screen("init", "--reader", "embedded", typed="\n")
    assert said.code == 0
    assert "ok  Claude Code   ~/.claude/settings.json     backup settings.json.lane-1" in said.out
    assert re.search(r"done  \d+ runs, .* 2 agents, \d+ projects, in ", said.out)
    assert 'lane search "something you remember"' in said.out
    assert person.lane("search", "crash on thursdays").code == 0
    assert {run["agent"] for run in person.lane("runs", "--json").data} == {"claude-code", "codex"}
    assert (person.home / ".claude" / "settings.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("by_program", [False, True])
def test_again_and_again_everything_is_in_place(
    person: Person, request: pytest.FixtureRequest, by_program: bool
) -> None:
    if by_program:
        request.getfixturevalue("with_claude")
    assert person.lane("init", "--yes").code == 0
    first = without_ours(person.home)
    for _ in range(3):
        said = person.lane("init", "--yes")
        assert said.code == 0
        assert "Everything is installed." in said.out
    assert without_ours(person.home) == first
    areas = ("claude-code", "plugin", "codex", "hook-program")
    assert person.lane("hook", "install").out.count("already installed") == len(areas)


def test_an_agent_that_is_not_chosen_is_left_out_for_good(person: Person) -> None:
    said = person.on_screen("init", "--reader", "embedded", typed="c\n2\n\n\n")
    assert said.code == 0
    assert "Left out: Codex" in said.out
    assert {run["agent"] for run in person.lane("runs", "--json").data} == {"claude-code"}
    assert person.lane("tick").code == 0
    assert {run["agent"] for run in person.lane("runs", "--json").data} == {"claude-code"}
    person.lane("init", "--yes", "--agent", "claude-code", "--agent", "codex")
    assert {run["agent"] for run in person.lane("runs", "--json").data} == {"claude-code", "codex"}


def test_without_hooks_no_agent_is_touched(person: Person) -> None:
    before = without_ours(person.home)
    assert person.lane("init", "--yes", "--no-hooks", "--no-timer").code == 0
    assert without_ours(person.home) == before
    assert person.lane("runs", "--json").data


def test_settings_that_do_not_parse_leave_that_agent_alone_and_the_rest_is_done(person: Person) -> None:
    path = person.home / ".claude" / "settings.json"
    path.write_text('{\n "a": 1,\n "hooks": {oops\n}\n')
    before = {name: what for name, what in without_ours(person.home).items() if name.startswith(".claude")}
    said = person.lane("init", "--yes")
    assert said.code == 6
    assert 'error: ~/.claude/settings.json is not valid JSON (line 3, after "hooks")' in said.err
    assert "lane hook install claude-code" in said.err
    after = without_ours(person.home)
    assert {name: what for name, what in after.items() if name.startswith(".claude")} == before
    assert ".codex/hooks.json" in after
    assert {run["agent"] for run in person.lane("runs", "--json").data} == {"claude-code", "codex"}
    path.write_text("{}")
    assert person.lane("hook", "install", "claude-code").code == 0
    assert set(settings(person)["hooks"]) == {"SessionStart", "UserPromptSubmit", "PostToolUse", *CAPTURING}


def test_next_to_another_memory_tool_it_captures_but_does_not_recall(person: Person) -> None:
    (person.home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"claude-mem@thedotmack": true}}')
    said = person.lane("init", "--yes")
    assert "claude-mem is also adding context to Claude Code." in said.out
    assert "Two memory systems double the tokens." in said.out
    assert set(settings(person)["hooks"]) == CAPTURING
    assert person.lane("hook", "install", "claude-code", "--recall").code == 0
    assert "UserPromptSubmit" in settings(person)["hooks"]


def test_a_timer_is_added_where_there_is_one(person: Person) -> None:
    folder = Path(person.variables["PATH"])
    program(folder, "systemctl", "sys.exit('is-enabled' in sys.argv)")
    said = person.lane("init", "--yes")
    assert "Add one user timer: `lane tick` every 5 minutes" in said.out
    assert "systemctl --user enable --now lane-tick.timer" in calls(folder)
    unit = person.home / ".config" / "systemd" / "user" / "lane-tick.service"
    assert sys.executable in unit.read_text()
    person.lane("uninstall", "--yes")
    assert not unit.exists()
    assert not (person.home / ".config").exists()


def test_what_programs_get_is_one_document(person: Person) -> None:
    asked = [
        "init --dry-run",
        "init --yes",
        "init --yes",
        "hook status",
        "hook install",
        "hook repair --dry-run",
        "hook remove --dry-run",
        "hook remove",
        "hook repair",
        "uninstall --dry-run",
        "uninstall --yes",
    ]
    said = [person.lane(*words.split(), "--json").document for words in asked]
    verbs = [words.partition(" -")[0].replace(" ", ".") for words in asked]
    assert [document["schema"] for document in said] == [f"lane.{verb}/1" for verb in verbs]
    assert [misfit for document in said for misfit in misfits(document, schema_of(document))] == []
    levels = {finding["kind"]: finding["level"] for finding in said[1]["data"]}
    assert (levels["plugin"], levels["claude-code"], levels["capture"]) == ("ok", "ok", "ok")
    kinds = {"plugin", "hook-program", "hooks", "trust", "commands", "timer", "recall"}
    assert {finding["kind"] for finding in said[3]["data"]} == kinds


# -- taking it back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_program", [False, True])
def test_uninstall_gives_back_every_byte_and_says_what_stays(
    person: Person, request: pytest.FixtureRequest, by_program: bool
) -> None:
    if by_program:
        request.getfixturevalue("with_claude")
    before = without_ours(person.home)
    person.lane("init", "--yes")
    assert without_ours(person.home) != before
    planned = person.lane("uninstall", "--dry-run")
    assert "Nothing was changed." in planned.out
    assert without_ours(person.home) != before
    said = person.lane("uninstall", "--yes")
    assert said.code == 0
    assert re.search(r"Stays: .* in ~/.memlane", said.out)
    assert without_ours(person.home) == before
    assert not (person.lane_home / "plugin").exists()
    assert not (person.lane_home / "setup.json").exists()
    assert person.lane("search", "crash on thursdays").code == 0
    assert "Nothing to remove." in person.lane("uninstall", "--yes").out


def test_an_edit_made_meanwhile_stays(person: Person) -> None:
    path = person.home / ".claude" / "settings.json"
    person.lane("init", "--yes")
    path.write_text(path.read_text().replace('"zeta": 1', '"zeta": 2'))
    said = person.lane("uninstall", "--yes")
    assert path.read_text() == SETTINGS.replace('"zeta": 1', '"zeta": 2')
    assert "~/.claude/settings.json.lane-1" in said.out


def test_the_data_goes_only_when_it_is_asked_away_twice(person: Person) -> None:
    before = tree(person.home)
    person.lane("init", "--yes")
    (person.lane_home / "mine.txt").write_text("not theirs")
    refused = person.lane("uninstall", "--purge")
    assert refused.code == 2
    assert (person.lane_home / "archive").exists()
    assert person.on_screen("uninstall", "--purge", typed="n\n").code == 0
    assert (person.lane_home / "archive").exists()
    said = person.lane("uninstall", "--purge", "--yes")
    assert said.code == 0
    assert "mine.txt (not ours)" in said.out
    assert [path.name for path in person.lane_home.iterdir()] == ["mine.txt"]
    shutil.rmtree(person.lane_home)
    assert tree(person.home) == before


def test_status_says_that_nothing_is_captured_or_told_by_itself_once_the_hooks_are_gone(person: Person) -> None:
    person.lane("init", "--yes")
    assert "hooks are not installed" not in person.lane("status").out
    person.lane("uninstall", "--yes")
    status = person.lane("status", "--json")
    said = {line["kind"]: (line["what"], line["hint"]) for line in status.data}
    assert said["capturing"][0].startswith("hooks are not installed; seen here: Claude Code")
    assert said["recall"] == ("hooks are not installed: no agent gets notes", "lane init")
    assert status.document["meta"]["hooks"] is False


def test_the_daemon_is_stopped(person: Person) -> None:
    person.lane("init", "--yes")
    assert person.lane("daemon", "start", "--json").data["running"]
    person.lane("uninstall", "--yes")
    assert not person.lane("daemon", "status", "--json").data["running"]


def test_a_hook_run_by_hand_answers_an_agent_with_nothing_and_0(person: Person) -> None:
    said = person.lane("hook", "run", "claude-code", "Stop", given="{}")
    assert (said.code, said.out) == (0, "")


@pytest.mark.parametrize(("agent", "said"), [("chatgpt", "has no hooks"), ("nobody", "is not an agent")])
def test_an_agent_without_hooks_is_named(person: Person, agent: str, said: str) -> None:
    refused = person.lane("hook", "install", agent)
    assert refused.code == 2
    assert said in refused.err


def test_what_a_person_has_to_do_in_codex_is_said_before_and_after_and_until_it_is_done(person: Person) -> None:
    trust = "at its next start Codex shows `Hooks need review`: press 2, then Enter (once)"
    planned = person.lane("init", "--dry-run").out
    assert "~/.codex/hooks.json                    + 7 hooks" in planned
    assert f"then: {trust}" in planned
    told = person.lane("init", "--yes").out
    assert f"Left for you\n  Codex: {trust}" in told
    rows = {row["what"]: row["hint"] for row in person.lane("hook", "status", "codex", "--json").data}
    hint = "start codex in a terminal, press 2 (Trust all and continue), then Enter"
    assert rows["Codex does not run Lane's hooks until you trust them"] == hint
    assert "Codex itself has not called its hook yet, so that part was not seen" in rows
    assert any(what.startswith("Codex: its hook was asked and answered in ") for what in rows)


def test_without_the_claude_program_it_says_what_is_missing_and_completes_it_later(person: Person) -> None:
    told = person.lane("init", "--yes")
    missing = "not its commands, skill and tools"
    assert missing in told.out
    assert missing in person.lane("hook", "install", "claude-code").out
    assert "hooks" in settings(person)
    program(Path(person.variables["PATH"]), "claude", CLAUDE)
    completed = person.lane("hook", "install", "claude-code")
    assert (completed.code, missing in completed.out) == (0, False)
    assert settings(person)["enabledPlugins"] == {"lane@lane-local": True}
    assert "client.py" not in json.dumps(settings(person))
    assert person.lane("uninstall", "--yes").code == 0
    assert (person.home / ".claude" / "settings.json").read_text() == SETTINGS


def test_uninstall_shows_its_plan_and_asks(person: Person) -> None:
    person.lane("init", "--yes")
    before = without_ours(person.home)
    refused = person.lane("uninstall")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    said = person.on_screen("uninstall", typed="n\n")
    assert (said.code, without_ours(person.home)) == (0, before)
    assert "This removes" in said.out
    assert "~/.claude/settings.json" in said.out
    assert "Nothing was changed." in said.out


# -- the real Claude Code ----------------------------------------------------------------------------------------------


def at_home(lane_home: LaneHome, agent: ClaudeCode) -> Person:
    known = agent.environment()
    path = f"{installed('claude').parent}:{known['PATH']}"
    return Person(lane_home.home, {**known, "PATH": path})


def of_plugins(home: Path) -> dict[str, str]:
    """What the client keeps about plugins; its transcripts and statistics are its own."""
    return {name: what for name, what in tree(home).items() if re.match(r"\.claude/(plugins(?!/store)|settings)", name)}


def test_the_real_client_takes_the_plugin_and_keeps_no_trace_of_it(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode]
) -> None:
    agent = claude()
    agent.run("@@say hello@@")  # it makes its own folders first
    path = lane_home.home / ".claude" / "settings.json"
    path.write_text(SETTINGS)
    person = at_home(lane_home, agent)
    before = of_plugins(lane_home.home)
    said = person.lane("init", "--yes")
    assert said.code == 0, said.err
    assert settings(person)["enabledPlugins"] == {"lane@lane-local": True}
    assert path.read_text().startswith(SETTINGS.rstrip("\n}"))
    for folder in (lane_home.path / "plugin", lane_home.path / "plugin" / "plugins" / "lane"):
        assert VALIDATED in agent.command("plugin", "validate", folder).stdout
    listed = json.loads(agent.command("plugin", "list", "--json").stdout)
    assert [(found["id"], found["enabled"]) for found in listed] == [("lane@lane-local", True)]
    assert agent.run("@@say hello again@@").exit_code == 0
    assert person.lane("uninstall", "--yes").code == 0
    assert of_plugins(lane_home.home) == before
    ours = re.compile(rb"lane@lane-local|lane-local|plugins/lane")
    places = [p for p in (lane_home.home / ".claude").rglob("*") if p.is_file() and "projects" not in p.parts]
    assert [p for p in [*places, lane_home.home / ".claude.json"] if ours.search(p.read_bytes())] == []


def test_a_plugin_whose_script_is_gone_does_not_stand_in_the_real_clients_way(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode]
) -> None:
    agent = claude()
    person = at_home(lane_home, agent)
    assert person.lane("hook", "install", "claude-code").code == 0
    (lane_home.path / "plugin" / "plugins" / "lane" / "bin" / "client.py").unlink()
    done = agent.run("@@say all is well@@")
    assert done.exit_code == 0
    assert "all is well" in done.stdout
    person.lane("daemon", "stop")
