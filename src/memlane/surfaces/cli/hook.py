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
    from memlane.app import Lane
    from memlane.app.setup import HomeRemains, Plan, Setup, SetupOutcome

PARTLY = 6

hook = frame.group("Lane's hooks in your agents: install, remove, repair, status.", bare="status")
hook.add_command(agent_programs.hook_run, "run")


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--recall/--no-recall", default=None, help="Whether the agent gets notes or is only captured.")
@click.option("--dry-run", is_flag=True, help="Show every change and do nothing.")
def install(screen: Screen, agent: str, recall: bool | None, dry_run: bool) -> None:
    """Install Lane's hooks in AGENT (default: every agent that supports hooks)."""
    _put_in(screen, "lane.hook.install/1", agent, recall, dry_run=dry_run)


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show every change and do nothing.")
def repair(screen: Screen, agent: str, dry_run: bool) -> None:
    """Rewrite the plugin for this version and interpreter and restore missing hooks."""
    _put_in(screen, "lane.hook.repair/1", agent, None, dry_run=dry_run)


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show every change and do nothing.")
def remove(screen: Screen, agent: str, dry_run: bool) -> None:
    """Remove Lane's hooks from AGENT. Captured data and the timer stay."""
    with screen.lane() as lane:
        installing = lane.setup
        plan = installing.plan_removal(installing.removable(agent), timer_too=False)
        if dry_run:
            _show_plan(screen, "lane.hook.remove/1", installing, plan)
            return
        done = installing.remove(plan, timer_too=False)
    _tell(screen, "lane.hook.remove/1", done, "removed", "nothing to remove")


@frame.command(of=hook)
@click.argument("agent", required=False, default="")
def status(screen: Screen, agent: str) -> None:
    """Show the state of Lane's hooks in AGENT (default: everywhere), and send a marked prompt through each."""
    with screen.lane() as lane:
        lane.setup.hookable(agent)
        findings = [*lane.setup.check(agent), *lane.health.hooks.findings(only=agent)]
    told(screen, "lane.hook.status/1", findings)


def _put_in(screen: Screen, schema: str, agent: str, recall: bool | None, *, dry_run: bool) -> None:
    with screen.lane() as lane:
        installing = lane.setup
        wanted = installing.wanted(installing.hookable(agent), timer=False, recall=recall)
        plan = installing.plan(wanted)
        if dry_run:
            _show_plan(screen, schema, installing, plan)
            return
        done = installing.apply(plan, wanted)
    _tell(screen, schema, done, "installed", "already installed")


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


@frame.command()
@click.option("--purge", is_flag=True, help="Also delete captured data: archive, memories, settings.")
@click.option("--keep-data", is_flag=True, help="Keep the data (the default).")
@click.option("--yes", "-y", is_flag=True, help="Accept the plan without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would be removed and do nothing.")
def uninstall(screen: Screen, purge: bool, keep_data: bool, yes: bool, dry_run: bool) -> None:
    """Remove Lane from every agent, remove the timer, stop the daemon: shows the plan and asks. Your data stays."""
    purge = purge and not keep_data
    with screen.lane() as lane:
        installing = lane.setup
        if purge:
            installing.must_be_free()
        plan, remains = installing.plan_removal(), installing.remains()
        if dry_run:
            _tell_removal_plan(screen, installing, plan, remains, purge=purge)
            return
        _confirm(screen, installing, plan, remains, yes=yes, purge=purge)
        end(screen.config)
        done = installing.remove(plan)
        rows = [f"{row.where}: {row.what}" for row in installing.rows(plan) if row.area in done.changed]
        rows += _out_of_memories(lane)
        remains = installing.remains()
        if purge and not done.troubles:
            installing.purge(remains)
        _tell_removal(screen, installing, rows, done, remains, purged=purge and not done.troubles)
    if done.troubles:
        screen.leave(PARTLY)


def _out_of_memories(lane: Lane) -> Iterator[str]:
    """Our pages in Claude Code's memory, our lines in AGENTS.md."""
    for one in lane.folder.without_claude()[0].folders:
        yield f"{one.folder}: Lane's pages and lines"
    for put in lane.folder.agents_file.take_out_everywhere():
        yield f"{put.path}: Lane's lines"


def _confirm(screen: Screen, installing: Setup, plan: Plan, remains: HomeRemains, *, yes: bool, purge: bool) -> None:
    """What would be removed, before anything is. Where nothing is, nothing is asked."""
    rows = [f"  {row.where}: {row.what}" for row in installing.rows(plan)]
    if rows and not yes:
        screen.say("\n".join(("This removes", *rows, "Your runs and memories stay." if not purge else "")).rstrip())
    if purge:
        home = installing.shown(screen.config.home)
        screen.say(f"This deletes {size(remains.bytes)} in {home} permanently: every captured run, every memory.")
    if (rows or purge) and not screen.confirmed("Delete it?" if purge else "Go ahead?", yes=yes):
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
        ["Would be removed", *(f"  {row.what}" for row in rows)] if rows else ["Nothing to remove."],
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
    show(screen, ["Removed", *(f"  ok  {row}" for row in rows)] if rows else ["Nothing to remove."])
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
        yield f"Stays: {backup} (the file before Lane; it has been edited since)"
    yield "Stays: the program itself (uv tool uninstall memlane, or however you installed it)"
