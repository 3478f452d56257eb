"""What `lane doctor` hears about hooks, plugin and timer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app.setup import changes
from memlane.app.setup.changes import Computer, SetupRequest
from memlane.app.setup.checks import lasting_command, own_command
from memlane.domain import Level
from tests.rooms.system.computers import AGENT, computer, install, settings_of


@pytest.fixture
def here(tmp_path: Path) -> Computer:
    settings_of(tmp_path, {})
    made = computer(tmp_path)
    install(made)
    return made


def found(here: Computer) -> dict[str, tuple[Level, str, str]]:
    return {finding.kind: (finding.level, finding.what, finding.hint) for finding in changes.check(here)}


def test_what_is_as_it_should_be_is_ok(here: Computer) -> None:
    assert [found(here)[kind][0] for kind in ("plugin", "hooks")] == [Level.OK, Level.OK]


def test_a_plugin_of_another_version_or_interpreter_is_to_be_repaired(here: Computer) -> None:
    for other in (replace(here, version="9.9.9"), replace(here, python="/usr/bin/env")):
        level, _what, hint = found(other)["plugin"]
        assert (level, hint) == (Level.WARN, "lane hook repair")


def test_an_interpreter_that_is_gone_is_a_failure(here: Computer) -> None:
    gone = replace(here, python="/gone/python")
    install(gone)
    level, what, _hint = found(here)["plugin"]
    assert level is Level.FAIL
    assert "/gone/python" in what


def test_hooks_that_somebody_took_out_are_missed(here: Computer) -> None:
    settings_of(here.home, {})
    assert found(here)["hooks"][0] is Level.WARN


def test_hooks_that_were_never_put_in_are_warned_about(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    level, _what, hint = found(computer(tmp_path))["hooks"]
    assert (level, hint) == (Level.WARN, "lane hook install claude-code")


def test_settings_its_agent_cannot_read_are_a_failure(here: Computer) -> None:
    settings_of(here.home, "{oops")
    assert found(here)["hooks"][0] is Level.FAIL


def test_hooks_that_are_all_switched_off_are_said(here: Computer) -> None:
    path = here.home / ".claude" / "settings.json"
    path.write_text(path.read_text().replace("{", '{"disableAllHooks": true,', 1))
    assert "disableAllHooks" in found(here)["hooks"][1]


def test_no_timer_is_a_note_with_its_consequence(here: Computer) -> None:
    level, what, _hint = found(here)["timer"]
    assert level is Level.NOTE
    assert "hooks capture each turn" in what


def test_a_computer_without_claude_code_has_nothing_to_say_about_it(tmp_path: Path) -> None:
    assert set(found(computer(tmp_path))) == {"timer"}


def test_what_uvx_runs_may_be_gone_tomorrow(tmp_path: Path) -> None:
    here = computer(tmp_path)
    cached = replace(here, python="/home/me/.cache/uv/archive-v0/Xy12/bin/python")
    moved = replace(here, python="/big/uv/x/bin/python", variables={**here.variables, "UV_CACHE_DIR": "/big/uv"})
    tool = replace(here, python="/home/me/.local/share/uv/tools/memlane/bin/python")
    assert [changes.runs_from_a_cache(c) for c in (cached, moved, tool, here)] == [True, True, False, False]


def test_a_command_is_named_as_it_works_in_this_installation(tmp_path: Path) -> None:
    """On PATH, in a folder that is not, without a program of its own, and from a cache."""
    folder, cached = tmp_path / "my tools" / "bin", "/home/me/.cache/uv/archive-v0/Xy12/bin/python"
    folder.mkdir(parents=True)
    python = str(folder / "python")
    assert own_command(python, {"PATH": str(folder)}) == f"'{python}' -m memlane"
    program = folder / "lane"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    other = tmp_path / "other"
    other.mkdir()
    (other / "lane").write_text("#!/bin/sh\n")
    (other / "lane").chmod(0o755)
    assert own_command(python, {"PATH": str(folder)}) == "lane"
    assert own_command(python, {"PATH": "/bin"}) == own_command(python, {"PATH": str(other)}) == f"'{program}'"
    (other / "lane").unlink()
    (other / "lane").symlink_to(program)  # as uv and pipx put it
    assert own_command(python, {"PATH": str(other)}) == "lane"
    assert lasting_command(cached, {}) == "uv tool install memlane && lane"
    assert own_command(cached, {}) == "uvx --from memlane lane"
    assert lasting_command(python, {"PATH": "/bin"}) == own_command(python, {"PATH": "/bin"})


def test_the_wish_of_a_person_is_kept_by_repairing(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here, SetupRequest(AGENT, timer=False, recall=False))
    install(replace(here, version="9.9.9"))
    assert "UserPromptSubmit" not in (tmp_path / ".claude" / "settings.json").read_text()
