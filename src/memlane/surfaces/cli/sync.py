"""`lane sync`: your runs in a place of yours too, and those of your other machines here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.capture import PARTLY
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import many, one_line, size
from memlane.system.process import give_way

if TYPE_CHECKING:
    from memlane.app.sync import SyncReport

FEW = 5  # problems named on a screen


@frame.command(
    examples="""
lane sync /mnt/nas/lane
lane sync s3://my-bucket/lane
lane sync hf://buckets/me/traces
"""
)
@click.argument("target", metavar="TARGET", required=False, default="")
@click.option("--raw", is_flag=True, help="The archive itself, unmasked; only to a private place.")
@click.option("--yes", "-y", is_flag=True, help="Skip the question that --raw asks.")
@click.option("--quiet", "-q", is_flag=True, help="Hide progress.")
def command(screen: Screen, target: str, raw: bool, yes: bool, quiet: bool) -> None:
    """Copy your runs, masked, to TARGET, and take in what your other machines put there.

    TARGET is a folder, s3://BUCKET/PREFIX or hf://buckets/OWNER/NAME; without it, the setting `sync.target`. Only what
    changed is sent, each file is read back and compared, and nothing is deleted on either side.
    """
    from memlane.errors import UsageError

    give_way()
    with screen.lane() as lane:
        place = target or lane.config.text("sync.target")
        if not place:
            raise UsageError("no target", hint="lane sync TARGET, or: lane config set sync.target TARGET")
        if raw and not screen.confirmed(f"Copy your transcripts UNMASKED, secrets included, to {place}?", yes=yes):
            screen.say("Nothing was sent.")
            return
        with ProgressBar(screen.columns, quiet=quiet or screen.json) as progress:
            go = lane.syncs.mirror if raw else lane.syncs.sync
            report = go(place, lambda what, n, total: progress.show(ProgressStep(what, n, total, n / max(1, total))))
    if screen.json:
        screen.emit("lane.sync/1", _document(report), {"raw": raw, "set_aside": len(report.set_aside)})
    else:
        _tell(screen, report)
    if report.set_aside:
        screen.leave(PARTLY)


def _document(report: SyncReport) -> dict[str, object]:
    return {
        "target": report.place,
        "sent": report.sent,
        "taken": report.taken,
        "unchanged": report.unchanged,
        "bytes": report.bytes,
        "set_aside": [{"name": name, "reason": reason} for name, reason in report.set_aside],
    }


def _tell(screen: Screen, report: SyncReport) -> None:
    if not screen.terminal:
        screen.record(report.place, len(report.sent), len(report.taken), report.unchanged, report.bytes)
    sent = f"{many(len(report.sent), 'file')} sent ({size(report.bytes)})"
    screen.say(f"done  {sent}, {many(len(report.taken), 'run')} taken in, {report.unchanged:,} unchanged")
    for name, reason in report.set_aside[:FEW]:
        screen.say(f"note  {one_line(name)}: {one_line(reason)}")
    if len(report.set_aside) > FEW:
        screen.say(f"note  {len(report.set_aside) - FEW} more (--json)")
