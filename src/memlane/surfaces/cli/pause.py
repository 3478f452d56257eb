"""`lane pause`: capture nothing for a while. Runs that grow meanwhile are left out from there on."""

from __future__ import annotations

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame, when
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, duration


@frame.command()
@click.argument("length", required=False, default="")
@click.option("--off", is_flag=True, help="Capture again.")
def command(screen: Screen, length: str, off: bool) -> None:
    """Capture nothing for LENGTH (30m, 2h), or until --off."""
    if off and length:
        raise UsageError("either a length or --off", hint="lane pause 30m, or: lane pause --off")
    wanted = when.length(length) if length else None
    with screen.lane() as lane:
        if off:
            was = lane.capture.end_pause()
            what = "goes on" if was else "was not paused"
            acted(screen, "lane.pause/1", [done("capture", what)], "", {"paused": None})
            return
        paused = lane.capture.start_pause(wanted)
    until = f"until {clock(paused.until)} ({duration(wanted)})" if paused.until and wanted else "until you say so"
    meta = {"paused": {"since": paused.since, "until": paused.until}}
    acted(screen, "lane.pause/1", [done("paused", f"nothing is captured {until}", "lane pause --off")], "end it", meta)
