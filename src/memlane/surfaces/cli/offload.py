"""`lane offload`: take old transcripts out of their agents' folders, after a plan; `undo` puts them back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.filters import chosen, filters
from memlane.surfaces.cli.frame import Screen, VerbGroup
from memlane.surfaces.cli.text import cut, many, one_line, size

if TYPE_CHECKING:
    from memlane.app.resume import OffloadRow

EXAMPLES = """
lane offload --dry-run
lane offload --older 90d --project api
lane offload --larger 10MB
lane offload undo
"""
SHOWN = 15
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(k|m|g)?i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@frame.command(examples=EXAMPLES, kind=VerbGroup)
@click.option("--run", "runs", multiple=True, metavar="RUN", help="Only this run, however old; may be repeated.")
@click.option("--older", default="30d", show_default=True, metavar="LENGTH", help="Not active for this long.")
@click.option("--larger", default="0", metavar="SIZE", help="Only runs of at least this size: 500KB, 10MB.")
@filters
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Skip the confirmation.")
def command(
    screen: Screen, runs: tuple[str, ...], older: str, larger: str, dry_run: bool, yes: bool, **given: Any
) -> None:
    """Take transcripts out of their agents' folders to free space. The archive keeps every byte of them.

    Only files that are byte for byte in the archive are taken, after both copies are read and compared. A run that was
    active in the last day, is pinned or (with sync set up) not synced yet stays. `lane resume RUN` brings a run back,
    `lane offload undo` puts its files back where they were.
    """
    with screen.lane() as lane:
        which = replace(chosen(screen, lane, given), until=screen.now - times.length(older))
        plan = lane.offloads.plan(which, _bytes(larger), [screen.meant(one) for one in runs])
        going = [one for one in plan if not one.stays]
        if not screen.json:
            _show(screen, plan, lane.config.archive_place)
        if dry_run or not going:
            _tell(screen, plan, done=False)
            return
        if not screen.confirmed(f"Take {many(len(going), 'run')} out? The archive keeps them.", yes=yes):
            screen.say("Nothing was changed.")
            return
        gone = lane.offloads.take_out(going)
    _tell(screen, gone, done=True)
    if not screen.json:
        total = size(sum(one.bytes for one in gone))
        screen.say(f"taken out  {many(len(gone), 'run')}, {total}   (lane offload undo)")


@frame.command("undo", of=cast(click.Group, command), examples="lane offload undo\nlane offload undo r_3ks7")
@click.argument("runs", metavar="[RUN…]", nargs=-1)
def undo(screen: Screen, runs: tuple[str, ...]) -> None:
    """Put the files of RUN back where they were, or of every run that is out. What is there now stays."""
    with screen.lane() as lane:
        back = lane.offloads.put_back([screen.meant(one) for one in runs])
    if screen.json:
        screen.emit("lane.offload.undo/1", [str(path) for path in back], {"files": len(back)})
    else:
        screen.say(f"put back  {many(len(back), 'file')}")


@frame.command("out", of=cast(click.Group, command), examples="lane offload out")
def out(screen: Screen) -> None:
    """List the runs that are out of their agent's folder."""
    with screen.lane() as lane:
        gone = lane.offloads.out()
    if screen.json:
        rows = [
            {"run": one.run, "bytes": sum(file.size for file in one.files), "files": [file.path for file in one.files]}
            for one in gone
        ]
        screen.emit("lane.offload.out/1", rows, {"runs": len(rows)})
        return
    for one in gone:
        screen.line(f"{one.run}  {size(sum(file.size for file in one.files)):>9}  {one.files[0].path}")
    if not gone:
        screen.say("No run is out.")


def _bytes(given: str) -> int:
    found = _SIZE.fullmatch(given.strip())
    if found is None:
        raise UsageError(f"{given!r} is not a size", hint="500KB, 10MB, 1GB")
    return int(float(found[1]) * _UNITS[(found[2] or "").lower()])


def _show(screen: Screen, plan: Sequence[OffloadRow], archive: str) -> None:
    going = [one for one in plan if not one.stays]
    for one in going[:SHOWN]:
        title = cut(one_line(one.run.title), 50)
        screen.line(f"{size(one.bytes):>9}  {one.run.agent}  {one.run.id}  {title}")
    if len(going) > SHOWN:
        screen.line(f"{'':>9}  {len(going) - SHOWN:,} more (--json lists all)")
    for why, count in Counter(one.stays for one in plan if one.stays).most_common():
        screen.say(f"stays: {many(count, 'run')}, {why}")
    if going:
        total = size(sum(one.bytes for one in going))
        screen.say(f"{many(len(going), 'run')}, {total}. From then on the archive has the only copy: {archive}")
    else:
        screen.say("Nothing to take out.")


def _tell(screen: Screen, rows: Sequence[OffloadRow], *, done: bool) -> None:
    if screen.json:
        data = [
            {
                "run": one.run.id,
                "agent": one.run.agent,
                "title": one.run.title,
                "bytes": one.bytes,
                "files": [file.path for file in one.files],
                "stays": one.stays or None,
            }
            for one in rows
        ]
        screen.emit("lane.offload/1", data, {"done": done, "undo": "lane offload undo" if done else None})
