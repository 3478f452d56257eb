"""Our mod in the plugin, and the command hooks beside it: never both at once, and `lane doctor` knows which it is."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memlane.agents.claude_code import install as claude_code
from memlane.system.computer import Computer, InstalledHook
from memlane.system.edits import load_record
from tests.rooms.system.computers import computer, install, settings_of


@pytest.fixture
def here(tmp_path: Path) -> Computer:
    settings_of(tmp_path, {})
    install(made := computer(tmp_path))
    return made


def inside(here: Computer) -> Path:
    return here.plugin / "plugins" / "lane"


def hooks(here: Computer, name: str = "hooks.json") -> dict[str, str]:
    document = json.loads((inside(here) / "hooks" / name).read_text())
    return {event: group["hooks"][0]["command"] for event, (group,) in document["hooks"].items()}


def test_the_mod_is_named_and_all_it_imports_is_there(here: Computer) -> None:
    document = json.loads((inside(here) / "hooks" / "hooks.json").read_text())
    assert document["modules"] == ["./lane.js"]
    assert {path.name for path in (inside(here) / "hooks").glob("*.js")} == {"lane.js", "card.js", "home.js"}
    assert f'HOME = "{here.lane_home}"' in (inside(here) / "hooks" / "home.js").read_text()
    types = json.loads((inside(here) / ".claude-plugin" / "plugin.json").read_text())["types"]
    assert (inside(here) / types).is_file()


def test_codex_is_given_a_file_without_modules(here: Computer) -> None:
    about = json.loads((inside(here) / ".codex-plugin" / "plugin.json").read_text())
    theirs = json.loads((inside(here) / about["hooks"]).read_text())
    assert set(theirs) == {"description", "hooks"}
    assert list(theirs["hooks"]) == list(hooks(here))
    assert not any("test -s" in command for command in hooks(here, "codex.json").values())


@pytest.mark.parametrize(("mark", "runs"), [(None, True), (b"", True), (b"mod\n", False)])
def test_a_marked_session_starts_no_program(here: Computer, mark: bytes | None, *, runs: bool) -> None:
    command = hooks(here)["UserPromptSubmit"]
    program = tmp = here.lane_home / "ran"
    command = command.replace(f'"{here.python}"', f'touch "{tmp}" ; :')
    if mark is not None:
        (here.lane_home / "run" / "mods").mkdir(parents=True)
        (here.lane_home / "run" / "mods" / "s-abc").write_bytes(mark)
    done = subprocess.run(["/bin/sh", "-c", command], env={"CLAUDE_CODE_SESSION_ID": "abc"}, check=False)
    assert (done.returncode, program.exists()) == (0, runs)


def test_a_session_without_a_name_is_never_marked(here: Computer) -> None:
    """As in another agent that loads the same plugin."""
    (here.lane_home / "run" / "mods").mkdir(parents=True)
    guard = hooks(here)["Stop"].partition(" || ")[0]
    assert subprocess.run(["/bin/sh", "-c", guard], env={}, check=False).returncode == 1


def test_the_program_behind_the_guard_is_found(here: Computer) -> None:
    hook = InstalledHook(hooks(here)["Stop"], {"CLAUDE_PLUGIN_ROOT": "/root of it"})
    assert hook.words == (here.python, "-I", "-S", "/root of it/bin/client.py", "claude-code", "Stop")


def served(here: Computer, **last: dict[str, object]) -> list[str]:
    run = here.lane_home / "run"
    run.mkdir(exist_ok=True)
    for way, said in last.items():
        (run / f"{way}-claude-code.json").write_text(json.dumps(said))
    found = claude_code.check(here, load_record(here.lane_home))
    return [f"{one.level.value} {one.what}" for one in found if one.kind == "mod"]


def test_doctor_says_whether_the_mod_runs(here: Computer) -> None:
    settings = {"enabledPlugins": {"lane@lane-local": True}}
    source = {"source": {"source": "directory", "path": str(here.plugin)}}
    settings_of(here.home, {**settings, "extraKnownMarketplaces": {"lane-local": source}})
    mod: dict[str, object] = {"version": here.version, "client": "2.1.325", "at": 20}
    assert served(here) == []
    assert served(here, mod=mod) == ["ok Claude Code 2.1.325 runs Lane's mod: cards above the prompt"]
    assert "command hooks served" in served(here, mod=mod, hook={"at": 21})[0]
    assert "this is" in served(here, mod={**mod, "version": "0.0.1", "at": 30})[1]
