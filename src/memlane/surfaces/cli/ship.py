"""`lane ship`: what Central does not have yet, sent now; and how far behind it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from memlane.app.home import contact
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import long_ago, many, size
from memlane.system.process import BEHIND, give_way

if TYPE_CHECKING:
    from memlane.app.shipment import Behind, ShipReport, ShipStanding
    from memlane.config import Config

PARTLY = 6
PATIENCE = 60.0  # seconds a person waits for an exchange that has begun already


@frame.command()
@click.option("--now", "at_once", is_flag=True, help="Send everything now, with progress.")
@click.option("--check", is_flag=True, help="With --now: first compare what Central holds with the receipts.")
@click.option("--background", is_flag=True, hidden=True)
@click.option("--after", type=float, default=0.0, hidden=True)
def command(screen: Screen, at_once: bool, check: bool, background: bool, after: float) -> None:
    """How far Central is behind this machine; with --now, send it what is new and fetch what others left."""
    if background and not _may_go(screen.config, after):
        return
    with screen.lane() as lane:
        if not (at_once or check or background):
            _tell_standing(screen, lane.shipment.must_stand())
            return
        with ProgressBar(screen.columns, quiet=screen.json or background) as progress:
            report = lane.shipment.now(
                lambda done, of: progress.show(ProgressStep("sending", done, of, done / max(1, of))),
                check=check,
                patience=0.0 if background else PATIENCE,
            )
        behind = lane.shipment.must_stand().behind
    _tell(screen, report, behind)
    if report.conflicts or report.damaged:
        screen.leave(PARTLY)


def _may_go(config: Config, after: float) -> bool:
    """What a command before this one changed, and whatever else is new by then."""
    give_way(BEHIND)
    if not config.switch("ship.background"):
        return False
    time.sleep(after)
    return contact.has_joined(config.home)


def _tell(screen: Screen, report: ShipReport, behind: Behind) -> None:
    if screen.json:
        data = {
            "runs": sorted(report.runs),
            "bytes": report.bytes,
            "sent": report.sent,
            "lines": report.lines,
            "received": report.received,
            "conflicts": report.conflicts,
            "damaged": report.damaged,
        }
        screen.emit("lane.ship/1", data, {"behind": _of(behind)})
        return
    what = f"Sent {many(len(report.runs), 'run')}, {size(report.bytes)}, and {size(report.lines)} of journal lines"
    if not (report.runs or report.lines or behind.runs or behind.lines):
        what = "Central has everything"
    fetched = f"; fetched {size(report.received)} of journal lines" if report.received else ""
    screen.line(f"{what}{fetched}")
    for said in report.conflicts:
        screen.say(f"conflict: {said}")
    for said in report.damaged:
        screen.say(f"not sent: {said}")
    if behind.runs or behind.lines:
        screen.say(f"still: {_waiting(behind)}")


def _waiting(behind: Behind) -> str:
    """Runs, and memories and other journal lines: both can be behind."""
    runs = [f"{many(behind.runs, 'run')}, {size(behind.bytes)}"] if behind.runs else []
    lines = [f"{size(behind.lines)} of memories and other journal lines"] if behind.lines else []
    return f"{' and '.join(runs + lines)} waiting (lane ship --now)" if runs or lines else "nothing is waiting"


def _tell_standing(screen: Screen, standing: ShipStanding) -> None:
    behind = standing.behind
    if screen.json:
        data = {"url": standing.link.url, "machine": standing.link.machine, "last": standing.last, "met": standing.met}
        screen.emit("lane.ship.status/1", {**data, "stopped": standing.stopped or None}, {"behind": _of(behind)})
        return
    last = f"all was there {long_ago(standing.last, screen.now)}" if standing.last else "nothing was sent yet"
    screen.line(f"{standing.link.url} as {standing.link.machine}: {_waiting(behind)}; {last}")
    if standing.stopped:
        screen.say(f"the last try stopped: {standing.stopped}")


def _of(behind: Behind) -> dict[str, object]:
    return {"runs": behind.runs, "bytes": behind.bytes, "lines": behind.lines}
