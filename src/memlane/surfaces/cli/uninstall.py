"""`lane uninstall`: everything we changed on this machine is taken back; what was captured stays, unless asked away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.daemon import end
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.init_report import show
from memlane.surfaces.cli.text import size
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.setup import Done, HomeRemains, Plan
    from memlane.app.setup.install import Installer

PARTLY = 6


@frame.command()
@click.option("--purge", is_flag=True, help="Delete what was captured too: archive, memories, settings.")
@click.option("--keep-data", is_flag=True, help="Keep it (this is what happens anyway).")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, do nothing.")
def command(screen: Screen, purge: bool, keep_data: bool, yes: bool, dry_run: bool) -> None:
    """Take our lines out of every agent, remove the timer, stop the daemon. Your data stays, and it says where."""
    purge = purge and not keep_data
    with screen.lane() as lane:
        installing = lane.setup
        plan, remains = installing.plan_removal(), installing.remains()
        if dry_run:
            _tell_plan(screen, installing, plan, remains, purge=purge)
            return
        if purge:
            _confirm(screen, installing, remains, yes=yes)
        end(screen.config)
        done = installing.remove(plan)
        rows = [f"{row.where}: {row.what}" for row in installing.rows(plan) if row.area in done.changed]
        rows += _out_of_memories(lane)
        remains = installing.remains()
        if purge and not done.troubles:
            installing.purge(remains)
        _tell(screen, installing, rows, done, remains, purged=purge and not done.troubles)
    if done.troubles:
        screen.leave(PARTLY)


def _out_of_memories(lane: Lane) -> Iterator[str]:
    """Our pages in Claude Code's memory, our lines in AGENTS.md."""
    for one in lane.folder.without_claude()[0].folders:
        yield f"{one.folder}: our pages and lines"
    for put in lane.folder.agents_file.take_out_everywhere():
        yield f"{put.path}: our lines"


def _confirm(screen: Screen, installing: Installer, remains: HomeRemains, *, yes: bool) -> None:
    home = installing.shown(screen.config.home)
    screen.say(f"This deletes {size(remains.bytes)} in {home} for good: every captured run, every memory.")
    if not screen.confirmed("Delete it?", yes=yes):
        screen.say("Nothing was changed.")
        screen.leave(0)


def _tell_plan(screen: Screen, installing: Installer, plan: Plan, remains: HomeRemains, *, purge: bool) -> None:
    rows = [Finding(row.area, Level.NOTE, f"{row.where}: {row.what}") for row in installing.rows(plan)]
    rows += [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in plan.left_alone]
    if screen.json:
        meta = {"dry_run": True, "changes": [{"area": c.area, "what": c.what, "diff": c.diff} for c in plan.changes]}
        screen.emit("lane.uninstall/1", [of_finding(row) for row in rows], meta)
        return
    show(
        screen,
        ["What would be taken back", *(f"  {row.what}" for row in rows)] if rows else ["Nothing of ours is here."],
    )
    for change in plan.changes:
        show(screen, ["", *change.diff.splitlines()])
    show(screen, ["", *_what_stays(screen, installing, remains, (), purged=purge), "", "Nothing was changed."])


def _tell(
    screen: Screen, installing: Installer, rows: list[str], done: Done, remains: HomeRemains, *, purged: bool
) -> None:
    stays = list(_what_stays(screen, installing, remains, done.stays, purged=purged))
    if screen.json:
        findings = [Finding("taken-back", Level.OK, row) for row in rows]
        findings += [Finding("stays", Level.NOTE, line.strip()) for line in stays]
        findings += [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in done.troubles]
        screen.emit("lane.uninstall/1", [of_finding(finding) for finding in findings], {"purged": purged})
        return
    show(screen, ["Taken back", *(f"  ok  {row}" for row in rows)] if rows else ["Nothing of ours was here."])
    show(screen, ["", *stays])
    for trouble in done.troubles:
        screen.say(f"error: {trouble.what}\n  hint: {trouble.hint}")


def _what_stays(
    screen: Screen, installing: Installer, remains: HomeRemains, backups: tuple[str, ...], *, purged: bool
) -> Iterator[str]:
    home = installing.shown(screen.config.home)
    if purged:
        yield f"Deleted: {size(remains.bytes)} in {home}"
    elif remains.ours:
        yield f"Stays: {size(remains.bytes)} in {home} (your runs and memories; `lane uninstall --purge` deletes them)"
    for path in remains.others:
        yield f"Stays: {installing.shown(path)} (not ours)"
    if remains.archive_elsewhere is not None:
        where = installing.shown(remains.archive_elsewhere)
        yield f"Stays: the archive in {where} (outside the home; other machines may use it)"
    for backup in backups:
        yield f"Stays: {backup} (as that file was before Lane; it was edited since)"
    yield "Stays: the program itself (uv tool uninstall memlane, or as you installed it)"
