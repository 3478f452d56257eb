"""One user-level timer by whatever the computer has: real files in a temporary home, calls written down by fakes."""

from __future__ import annotations

import plistlib
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app.setup import changes
from memlane.app.setup.changes import Computer, SetupRequest
from tests.rooms.system.computers import AGENT, calls, computer, install, program, tree, uninstall

ONLY_TIMER = SetupRequest(agents=(), timer=True)

SYSTEMCTL = """
import os, pathlib, sys
wants = pathlib.Path(os.environ["HOME"], ".config/systemd/user/timers.target.wants/lane-tick.timer")
words = sys.argv[2:]
if words[0] == "enable":
    wants.parent.mkdir(parents=True, exist_ok=True)
    wants.is_symlink() or wants.symlink_to(wants.parent.parent / "lane-tick.timer")
if words[0] == "disable": wants.unlink(missing_ok=True)
if words[0] == "is-enabled": sys.exit(not wants.is_symlink())
"""
CRONTAB = """
import pathlib, sys
table = pathlib.Path(__file__).with_name("table")
match sys.argv[1]:
    case "-l":
        if not table.exists(): sys.exit("no crontab for somebody")
        sys.stdout.write(table.read_text())
    case "-": table.write_text(sys.stdin.read())
    case "-r": table.unlink()
"""
LAUNCHCTL = """
import pathlib, sys
mark = pathlib.Path(__file__).with_name("running")
match sys.argv[1]:
    case "bootstrap": mark.touch()
    case "bootout": mark.unlink()
    case "print": sys.exit(not mark.exists())
"""
SCHTASKS = """
import pathlib, sys
task = pathlib.Path(__file__).with_name("task")
match sys.argv[1]:
    case "/Create": task.write_text(sys.argv[sys.argv.index("/TR") + 1])
    case "/Delete": task.unlink()
    case "/Query": print(task.read_text()) if task.exists() else sys.exit(1)
"""
KINDS = {
    "systemctl": ("linux", SYSTEMCTL),
    "crontab": ("linux", CRONTAB),
    "launchctl": ("darwin", LAUNCHCTL),
    "schtasks": ("win32", SCHTASKS),
}


def made(tmp_path: Path, name: str) -> Computer:
    platform, body = KINDS[name]
    programs = tmp_path / "bin"
    program(programs, name, body)
    (tmp_path / "home").mkdir()
    return computer(tmp_path / "home", programs=programs, platform=platform)


def started(tmp_path: Path) -> str:
    """Everything the fakes were told and the files that were written, to look for words in."""
    written = [path.read_text() for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    return "\n".join(written)


@pytest.mark.parametrize("name", KINDS)
def test_it_is_put_in_once_by_the_absolute_interpreter_and_taken_out_without_a_trace(tmp_path: Path, name: str) -> None:
    here = made(tmp_path, name)
    before = tree(here.home)
    assert install(here, ONLY_TIMER).troubles == ()
    said = started(tmp_path)
    assert here.python in said
    assert "memlane" in said
    assert "tick" in said
    assert changes.plan(here, ONLY_TIMER).changes == ()
    assert changes.plan(here, ONLY_TIMER).in_place == ("timer",)
    uninstall(here)
    assert tree(here.home) == before
    assert changes.plan_removal(here, (), timer_too=True).changes == ()


@pytest.mark.parametrize("name", KINDS)
def test_a_home_somewhere_else_reaches_the_tick(tmp_path: Path, name: str) -> None:
    here = replace(made(tmp_path, name), lane_home=tmp_path / "big disk" / "lane 100%")
    here = replace(here, variables={**here.variables, "CODEX_HOME": "/data/codex"})
    install(here, ONLY_TIMER)
    said = started(tmp_path).replace("%%", "%").replace("\\%", "%")
    assert str(here.lane_home) in said
    assert "CODEX_HOME" in said


def test_systemd_is_asked_whether_it_is_there_and_told_to_start(tmp_path: Path) -> None:
    here = made(tmp_path, "systemctl")
    install(here, ONLY_TIMER)
    asked = calls(tmp_path / "bin")
    assert asked[0] == "systemctl --user show-environment"
    assert "systemctl --user daemon-reload" in asked
    assert asked[-1] == "systemctl --user enable --now lane-tick.timer"
    folder = here.home / ".config" / "systemd" / "user"
    assert "OnCalendar=*:0/5" in (folder / "lane-tick.timer").read_text()
    assert f"ExecStart={here.python} -P -m memlane tick" in (folder / "lane-tick.service").read_text()
    uninstall(here)
    assert "systemctl --user disable --now lane-tick.timer" in calls(tmp_path / "bin")


def test_systemd_without_a_user_bus_falls_back_to_cron(tmp_path: Path) -> None:
    program(tmp_path / "bin", "systemctl", "sys.exit('Failed to connect to bus')")
    here = made(tmp_path, "crontab")
    install(here, ONLY_TIMER)
    assert "*/5 * * * *" in (tmp_path / "bin" / "table").read_text()
    assert not (here.home / ".config").exists()


def test_other_lines_of_a_crontab_stay_as_they_are(tmp_path: Path) -> None:
    here = made(tmp_path, "crontab")
    table, mine = tmp_path / "bin" / "table", "# mine\n0 3 * * *  backup --to=50%\n\nMAILTO=me"
    table.write_text(mine)
    install(here, ONLY_TIMER)
    assert table.read_text().startswith(mine + "\n# lane tick")
    uninstall(here)
    assert table.read_text() == mine + "\n"


def test_a_timer_that_would_not_start_is_said_and_everything_else_is_done(tmp_path: Path) -> None:
    here = made(tmp_path, "systemctl")
    program(tmp_path / "bin", "systemctl", "sys.exit('no' if 'enable' in sys.argv else 0)")
    (here.home / ".claude").mkdir()
    done = install(here, SetupRequest(AGENT))
    (trouble,) = done.troubles
    assert trouble.area == "timer"
    assert "no" in trouble.what
    assert "claude-code" in done.changed


def test_units_go_also_where_systemd_cannot_be_reached_any_more(tmp_path: Path) -> None:
    here = made(tmp_path, "systemctl")
    before = tree(here.home)
    install(here, ONLY_TIMER)
    uninstall(replace(here, variables={**here.variables, "PATH": "/nothing"}))
    assert tree(here.home) == before


def test_where_there_is_no_timer_it_says_so_with_the_consequence(tmp_path: Path) -> None:
    here = computer(tmp_path)
    planned = changes.plan(here, ONLY_TIMER)
    assert planned.changes == ()
    (note,) = planned.notes
    assert "hooks capture each turn and run `lane tick`" in note


def test_a_launch_agent_says_what_launchd_wants_to_know(tmp_path: Path) -> None:
    here = made(tmp_path, "launchctl")
    install(here, ONLY_TIMER)
    path = here.home / "Library" / "LaunchAgents" / "dev.memlane.tick.plist"
    said = plistlib.loads(path.read_bytes())
    assert said["ProgramArguments"] == [here.python, "-P", "-m", "memlane", "tick"]
    assert said["StartInterval"] == 300
    assert calls(tmp_path / "bin")[-1] == f"launchctl bootstrap gui/501 {path}"
