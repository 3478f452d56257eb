"""`lane forget`: take a run out of everything we answer with; with `--now`, its bytes too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, many, one_line, size

if TYPE_CHECKING:
    from memlane.app.archive import ForgetPlan


@frame.command()
@click.argument("run")
@click.option("--now", is_flag=True, help="For good: its bytes leave archive, journal and index.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def command(screen: Screen, run: str, now: bool, dry_run: bool, yes: bool) -> None:
    """Take RUN out of everything we answer with; never captured again. `lane restore` brings it back until --now."""
    with screen.lane() as lane:
        plan = lane.archive.plan_forget(screen.meant(run))
        if dry_run:
            acted(screen, "lane.forget/1", [_would(plan, now=now)], "do it", _meta(plan, now=now, done=False))
            return
        if not now:
            lane.archive.forget_run(plan.run)
            gone = done("forgotten", _named(plan), f"lane restore {plan.run}")
            acted(screen, "lane.forget/1", [gone], "undo", _meta(plan, now=False, done=True))
            return
        screen.say(_would(plan, now=True).what)
        if not screen.confirmed("Take it out for good? This cannot be undone.", yes=yes):
            screen.say("Nothing was changed.")
            return
        lane.archive.forget_for_good(plan)
        lane.folder.write()  # what was caught from it stands on pages too
    gone = done("gone for good", f"{_named(plan)}: {_bytes(plan)}")
    acted(screen, "lane.forget/1", [gone], "", _meta(plan, now=True, done=True))


def _named(plan: ForgetPlan) -> str:
    return f'{plan.run} "{cut(one_line(plan.title), 60)}"' if plan.title else plan.run


def _bytes(plan: ForgetPlan) -> str:
    caught = f", what {many(plan.memories, 'memory', 'memories')} had from it" if plan.memories else ""
    return f"{many(plan.files, 'file')}, {size(plan.bytes)}, the words of {many(plan.recalls, 'recall')}{caught}"


def _would(plan: ForgetPlan, *, now: bool) -> Finding:
    if not now:
        what = f"{_named(plan)} would no longer be found, shown or captured; its bytes stay"
        return Finding("would-forget", Level.NOTE, what, f"lane forget {plan.run}")
    what = f"{_named(plan)}: {_bytes(plan)} will be taken out of {plan.folder}, the journal and the index"
    return Finding("would-remove", Level.NOTE, what, f"lane forget {plan.run} --now --yes")


def _meta(plan: ForgetPlan, *, now: bool, done: bool) -> dict[str, object]:
    return {
        "run": plan.run,
        "now": now,
        "done": done,
        "folder": plan.folder,
        "bytes": plan.bytes,
        "files": plan.files,
        "recalls": plan.recalls,
        "memories": plan.memories,
        "undo": f"lane restore {plan.run}" if done and not now else None,
    }
