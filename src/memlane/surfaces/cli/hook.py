"""`lane hook`: our hooks in one agent, put in, taken out, written anew, or listed. Repeating any is harmless."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame, hook_run
from memlane.surfaces.cli.findings import told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.init_report import show
from memlane.surfaces.cli.text import many

if TYPE_CHECKING:
    from memlane.app.setup import Done, Plan
    from memlane.app.setup.install import Installer

PARTLY = 6

command = frame.group("Our hooks in an agent: install, remove, repair, list.")
command.add_command(hook_run.command, "run")


@frame.command(of=command)
@click.argument("agent", required=False, default="")
@click.option("--recall/--no-recall", default=None, help="Whether the agent is told anything, or only captured.")
@click.option("--dry-run", is_flag=True, help="Show every change, do nothing.")
def install(screen: Screen, agent: str, recall: bool | None, dry_run: bool) -> None:
    """Put our hooks into AGENT (all that have hooks, without a name)."""
    _put_in(screen, "lane.hook.install/1", agent, recall, dry_run=dry_run)


@frame.command(of=command)
@click.argument("agent", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show every change, do nothing.")
def repair(screen: Screen, agent: str, dry_run: bool) -> None:
    """Write the plugin anew for this version and interpreter, and put back hooks that are gone."""
    _put_in(screen, "lane.hook.repair/1", agent, None, dry_run=dry_run)


@frame.command(of=command)
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


@frame.command("list", of=command)
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


def _show_plan(screen: Screen, schema: str, installing: Installer, plan: Plan) -> None:
    if screen.json:
        rows = [Finding(row.area, Level.NOTE, f"{row.where}: {row.what}") for row in installing.rows(plan)]
        changes = [{"area": c.area, "what": c.what, "diff": c.diff} for c in plan.changes]
        told(screen, schema, rows, {"dry_run": True, "changes": changes})
        return
    for change in plan.changes:
        show(screen, change.diff.splitlines())
    show(screen, [f"{many(len(plan.changes), 'change')}; nothing was done."])


def _tell(screen: Screen, schema: str, done: Done, changed: str, unchanged: str) -> None:
    findings = [Finding(area, Level.OK, changed) for area in done.changed]
    findings += [Finding(area, Level.OK, unchanged) for area in done.in_place if area not in done.changed]
    findings += [Finding(area, Level.NOTE, f"backup: {name}") for area, name in done.backups.items()]
    findings += [Finding("note", Level.NOTE, note) for note in done.notes]
    findings += [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in done.troubles]
    told(screen, schema, findings)
    if done.troubles:
        screen.leave(PARTLY)
