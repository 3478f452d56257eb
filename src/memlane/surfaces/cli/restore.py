"""`lane restore`: bring a forgotten run back."""

from __future__ import annotations

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen


@frame.command()
@click.argument("run")
def command(screen: Screen, run: str) -> None:
    """Bring a forgotten RUN back."""
    with screen.lane() as lane:
        restored = lane.archive.restore_run(screen.meant(run))
    meta = {"run": restored, "undo": f"lane forget {restored}"}
    acted(screen, "lane.restore/1", [done("restored", restored, f"lane show {restored}")], "read", meta)
