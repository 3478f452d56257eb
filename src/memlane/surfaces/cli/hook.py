"""`lane hook`: our hooks in an agent; `lane uninstall`: everything we changed is taken back, the data stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from memlane.domain import Finding, Level
from memlane.surfaces.cli import agent_programs, frame
from memlane.surfaces.cli.daemon import end
from memlane.surfaces.cli.findings import told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.init_report import show
from memlane.surfaces.cli.text import many, size
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app.setup import Plan, Setup, SetupOutcome
if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.setup import HomeRemains, Plan, Setup, SetupOutcome

PARTLY = 6

hook = frame.group("Our hooks in an agent: install, remove, repair, list.")
hook.add_command(agent_programs.hook_run, "run")


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--recall/--no-recall", default=None, help="Whether the agent is told anything, or only captured.")
@click.option("--dry-run", is_flag=True, help="Show every change, do nothing.")
def install(screen: Screen, agent: str, recall: bool | None, dry_run: bool) -> None:
    """Put our hooks into AGENT (all that have hooks, without a name)."""
    _put_in(screen, "lane.hook.install/1", agent, recall, dry_run=dry_run)


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show every change, do nothing.")
def repair(screen: Screen, agent: str, dry_run: bool) -> None:
    """Write the plugin anew for this version and interpreter, and put back hooks that are gone."""
    _put_in(screen, "lane.hook.repair/1", agent, None, dry_run=dry_run)


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show every change, do nothing.")
def remove(screen: Screen, agent: str, dry_run: bool) -> None:
    """Take our hooks out of AGENT. What was captured stays; the timer too."""
    with screen.lane() as lane:
        installing = lane.setup
        plan = installing.plan_removal(installing.hookable(agent), timer_too=False)
        if dry_run:
            _show_plan(screen, "lane.hook.remove/1", installing, plan)
            return
        done = installing.remove(plan, timer_too=False)
    _tell(screen, "lane.hook.remove/1", done, "taken out", "nothing of ours was there")


@frame.command("list", of=hook)
def list_(screen: Screen) -> None:
    """How our hooks stand in each agent, and the timer."""
    with screen.lane() as lane:
        findings = lane.setup.check()
    told(screen, "lane.hook.list/1", findings)


def _put_in(screen: Screen, schema: str, agent: str, recall: bool | None, *, dry_run: bool) -> None:
    with screen.lane() as lane:
        installing = lane.setup
        wanted = installing.wanted(installing.hookable(agent), timer=False, recall=recall)
        plan = installing.plan(wanted)
        if dry_run:
            _show_plan(screen, schema, installing, plan)
            return
        done = installing.apply(plan, wanted)
    _tell(screen, schema, done, "in place now", "already in place")


def _show_plan(screen: Screen, schema: str, installing: Setup, plan: Plan) -> None:
    if screen.json:
        rows = [Finding(row.area, Level.NOTE, f"{row.where}: {row.what}") for row in installing.rows(plan)]
        changes = [{"area": c.area, "what": c.what, "diff": c.diff} for c in plan.changes]
        told(screen, schema, rows, {"dry_run": True, "changes": changes})
        return
    for change in plan.changes:
        show(screen, change.diff.splitlines())
    show(screen, [f"{many(len(plan.changes), 'change')}; nothing was done."])


def _tell(screen: Screen, schema: str, done: SetupOutcome, changed: str, unchanged: str) -> None:
    findings = [Finding(area, Level.OK, changed) for area in done.changed]
    findings += [Finding(area, Level.OK, unchanged) for area in done.in_place if area not in done.changed]
    findings += [Finding(area, Level.NOTE, f"backup: {name}") for area, name in done.backups.items()]
    findings += [Finding("note", Level.NOTE, note) for note in done.notes]
    findings += [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in done.troubles]
    told(screen, schema, findings)
    if done.troubles:
        screen.leave(PARTLY)


PARTLY_TAKEN_BACK = 6


@frame.command()
@click.option("--purge", is_flag=True, help="Delete what was captured too: archive, memories, settings.")
@click.option("--keep-data", is_flag=True, help="Keep it (this is what happens anyway).")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing.")
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, do nothing.")
def uninstall(screen: Screen, purge: bool, keep_data: bool, yes: bool, dry_run: bool) -> None:
    """Take our lines out of every agent, remove the timer, stop the daemon. Your data stays, and it says where."""
    purge = purge and not keep_data
    with screen.lane() as lane:
        installing = lane.setup
        plan, remains = installing.plan_removal(), installing.remains()
        if dry_run:
            _tell_removal_plan(screen, installing, plan, remains, purge=purge)
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
        _tell_removal(screen, installing, rows, done, remains, purged=purge and not done.troubles)
    if done.troubles:
        screen.leave(PARTLY_TAKEN_BACK)


def _out_of_memories(lane: Lane) -> Iterator[str]:
    """Our pages in Claude Code's memory, our lines in AGENTS.md."""
    for one in lane.folder.without_claude()[0].folders:
        yield f"{one.folder}: our pages and lines"
    for put in lane.folder.agents_file.take_out_everywhere():
        yield f"{put.path}: our lines"


def _confirm(screen: Screen, installing: Setup, remains: HomeRemains, *, yes: bool) -> None:
    home = installing.shown(screen.config.home)
    screen.say(f"This deletes {size(remains.bytes)} in {home} for good: every captured run, every memory.")
    if not screen.confirmed("Delete it?", yes=yes):
        screen.say("Nothing was changed.")
        screen.leave(0)


def _tell_removal_plan(screen: Screen, installing: Setup, plan: Plan, remains: HomeRemains, *, purge: bool) -> None:
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


def _tell_removal(
    screen: Screen, installing: Setup, rows: list[str], done: SetupOutcome, remains: HomeRemains, *, purged: bool
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
    screen: Screen, installing: Setup, remains: HomeRemains, backups: tuple[str, ...], *, purged: bool
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
