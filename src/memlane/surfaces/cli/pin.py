"""`lane pin`: a run to keep in sight. `lane runs` marks it."""

from __future__ import annotations

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.runs import title
from memlane.surfaces.cli.text import cut


@frame.command()
@click.argument("run")
@click.option("--off", is_flag=True, help="Let it go again.")
def command(screen: Screen, run: str, off: bool) -> None:
    """Mark RUN to keep it in sight: `lane runs` shows a pin beside it."""
    with screen.lane() as lane:
        before = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        after = lane.runs.labels.pin(before.id, on=not off)
    undo = f"lane pin {after.id}{' --off' * after.pinned}" if before.pinned != after.pinned else ""
    kind = ("pinned" if after.pinned else "not-pinned-any-more") if undo else "nothing-changed"
    words = f'{after.id} "{cut(title(after), 50)}"' if title(after) else after.id
    acted(
        screen,
        "lane.pin/1",
        [done(kind, words, undo)],
        "undo",
        {"run": after.id, "pinned": after.pinned, "undo": undo or None},
    )
