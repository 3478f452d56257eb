"""The page of the commands is what the commands say."""

from __future__ import annotations

from memlane.surfaces.cli.commands import COMMANDS
from tools.check import ROOT
from tools.commands import commands_page


def test_the_page_is_current() -> None:
    assert commands_page() in (ROOT / "docs" / "reference" / "cli.md").read_text(), "run: python -m tools.pages"


def test_every_command_has_its_place_on_it() -> None:
    page = commands_page()
    assert [name for name in COMMANDS if f"### `lane {name}`" not in page] == []
