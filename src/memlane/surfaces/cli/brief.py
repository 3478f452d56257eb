"""`lane brief`: a hand-over of runs as Markdown or JSON; every line names the step it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import RunSummary
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.documents import of_hand_over

if TYPE_CHECKING:
    from memlane.app import Lane

EXAMPLES = """
lane brief 1
lane brief r_3ks7 r_9dqa > handover.md
lane brief r_3ks7 --tree
lane brief --day yesterday
lane brief --project . --since 7d
"""
MOST = 20  # runs, unless more are asked for


@frame.command(examples=EXAMPLES)
@click.argument("runs", metavar="[RUN…]", nargs=-1)
@click.option("--tree", is_flag=True, help="With every run of the same tree: forks, resumes, subagents.")
@click.option("--day", default="", metavar="WHEN", help="The runs of one day: today, yesterday, 2026-10-01.")
@filters
@click.option("--limit", type=click.IntRange(1, 500), default=MOST, show_default=True, help="At most this many runs.")
@click.option("--read", is_flag=True, help="Have it written by the model that reads for you (lane catch setup).")
def command(screen: Screen, runs: tuple[str, ...], tree: bool, day: str, limit: int, read: bool, **given: Any) -> None:
    """Print a hand-over: the goal, the state, decisions, files, what failed and what is next, each with its step.

    Without RUN it is about the runs that the filters choose, or the last run of the current project. Secrets are
    masked. It is made by rules, on this machine; --read asks the model that reads for you.
    """
    with screen.lane() as lane:
        found = _chosen(screen, lane, runs, given, tree=tree, day=day)[:limit]
        title = _title(found, day, given)
        over = lane.handovers.of(found, title, read=read)
        from memlane.app.handover import markdown

        if screen.json:
            screen.emit("lane.brief/1", of_hand_over(over), {"runs": len(over.runs), "by": over.by})
            return
        screen.paged(markdown(over).splitlines(), pager=screen.terminal)


def _chosen(
    screen: Screen, lane: Lane, runs: Sequence[str], given: dict[str, Any], *, tree: bool, day: str
) -> list[RunSummary]:
    from memlane.app.handover import without_subagents

    if runs and (day or named(given)):
        raise UsageError("either RUN or a filter", hint="lane brief RUN, or lane brief --project NAME --since 7d")
    if runs:
        ids = [lane.runs.address(screen.meant(one)).run for one in runs]
        together = [one for run in ids for one in (lane.handovers.family(run) if tree else [lane.runs.get(run)])]
        return list({run.id: run for run in together}.values())
    if not day and not named(given):
        return _last_here(lane)
    if day:
        here = screen.now.astimezone()
        given = {
            **given,
            "since": times.moment(day, here).isoformat(),
            "until": times.moment(day, here, end=True).isoformat(),
        }
    return without_subagents(lane.runs.select(chosen(screen, lane, given)))


def _last_here(lane: Lane) -> list[RunSummary]:
    from memlane.app.handover import without_subagents
    from memlane.domain import RunFilter

    project = lane.runs.project_at(Path.cwd())
    found = without_subagents(lane.runs.select(RunFilter(project=project.key))) if project.key else []
    if not found:
        raise NotFoundError("there is no run of this folder", hint="lane brief RUN, or: lane brief --day today")
    return found[:1]


def _title(found: Sequence[RunSummary], day: str, given: dict[str, Any]) -> str:
    if len(found) < 2:
        return ""
    about = [day, given["project"] if given["project"] != "." else found[0].project.name]
    return f"Hand-over: {', '.join(part for part in about if part) or f'{len(found)} runs'}"
