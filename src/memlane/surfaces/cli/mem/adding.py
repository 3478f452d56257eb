"""`lane mem add`: the same as `lane remember`, where one looks for it among the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command
from memlane.surfaces.cli.remember import noted, noting


@frame.command("add", of=command)
@noting
def add(screen: Screen, text: tuple[str, ...], cwd: Path, **given: Any) -> None:
    """A note in your own words, the same as `lane remember`. `-` reads it from stdin."""
    noted(screen, "lane.mem.add/1", text, cwd, given)
