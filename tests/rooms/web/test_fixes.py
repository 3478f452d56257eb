"""Which button helps against which finding: only commands that exist, and only those a hint begins with."""

from __future__ import annotations

import pytest

from memlane.surfaces.cli import commands
from memlane.surfaces.web.fixes import FIXES, fix_for
from memlane.surfaces.web.routes import ACTS


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("lane rebuild", "rebuild"),
        ("lane rebuild   (the archive is untouched)", "rebuild"),
        ("lane tick", "tick"),
        ("lane tick   (computes them again; words answer meanwhile)", "tick"),
        ("lane hook install claude-code", "hooks"),
        ("lane hook repair", "repair"),
        ("lane archive repair brings back what can be", "archive"),
        ("lane pause --off", "resume"),
    ],
)
def test_a_hint_that_begins_with_a_command_of_ours_has_its_button(hint: str, name: str) -> None:
    fix = fix_for(hint)
    assert fix is not None
    assert fix.name == name


@pytest.mark.parametrize(
    "hint", ["", "lane", "lane rebuilder", "lane uninstall --purge", "rm -r /", "lane forget r_1 --now", "lane logs"]
)
def test_nothing_else_is_ever_run(hint: str) -> None:
    assert fix_for(hint) is None


def test_each_is_a_command_and_an_act_with_a_rule() -> None:
    assert {one.command[0] for one in FIXES} <= set(commands.COMMANDS)
    assert {one.path for one in FIXES} <= {act.path for act in ACTS}
