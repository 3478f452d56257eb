"""`lane logs`: what was written down when something went wrong; a traceback is here and never on a screen."""

from __future__ import annotations

import sys
import time

import click

from memlane.surfaces.cli import frame, when
from memlane.surfaces.cli.following import until_interrupted
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.log import entries
from memlane.surfaces.cli.text import clean

EVERY = 1.0  # seconds between two looks


@frame.command()
@click.option("--follow", "-f", is_flag=True, help="Go on: print each line as it is written.")
@click.option("--last-error", is_flag=True, help="Only the last error, whole.")
@click.option("--since", default="", metavar="WHEN", help="Only after: 1h, yesterday.")
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, help="At most this many entries.")
def command(screen: Screen, follow: bool, last_error: bool, since: str, limit: int) -> None:
    """What was written down about errors, oldest first."""
    found = list(entries(screen.config))
    if since:
        after = when.moment(since, screen.now.astimezone())
        found = [entry for entry in found if entry.at is None or entry.at >= after]
    if last_error:
        found = [entry for entry in found if entry.level == "ERROR"][-1:]
    shown = found[-limit:]
    if screen.json:
        documents = [{"kind": e.level, "what": clean(e.text), "hint": "", "at": e.at, "file": e.file} for e in shown]
        screen.emit("lane.logs/1", documents, {"entries": len(found)})
        return
    screen.paged((clean(entry.text) for entry in shown), pager=not follow)
    if not shown and not follow:
        screen.say("No error was written down." if last_error else "Nothing was written down.")
    if follow:
        with until_interrupted(screen):
            _follow(screen, len(found))


def _follow(screen: Screen, known: int) -> None:
    while True:
        time.sleep(EVERY)
        found = list(entries(screen.config))
        for entry in found[known:]:
            screen.line(clean(entry.text))
        sys.stdout.flush()
        known = len(found)
