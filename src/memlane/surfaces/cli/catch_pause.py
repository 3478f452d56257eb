"""`lane catch pause`, `resume` and `skip`: reading in the background waits, goes on, or leaves a project out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.domain import RunFilter
from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, duration

if TYPE_CHECKING:
    from memlane.app import Lane

SKIPPED = "catch.skip_projects"


@frame.command("pause", examples="lane catch pause\nlane catch pause 2h")
@click.argument("length", required=False, default="")
def pause(screen: Screen, length: str) -> None:
    """Read nothing in the background for LENGTH (30m, 2h), or until `lane catch resume`."""
    wanted = times.length(length) if length else None
    with screen.lane() as lane:
        paused = lane.catch.background.pause(wanted)
    until = f"until {clock(paused.until)} ({duration(wanted)})" if paused.until and wanted else "until you resume it"
    meta = {"paused": {"since": paused.since, "until": paused.until}}
    what = f"nothing is read in the background {until}"
    acted(screen, "lane.catch.pause/1", [done("paused", what, "lane catch resume")], "resume", meta)


@frame.command("resume", examples="lane catch resume")
def resume(screen: Screen) -> None:
    """Read again, also with a model that was paused after failures or at its plan's limit."""
    with screen.lane() as lane:
        was = lane.catch.background.now().paused
        lane.catch.background.resume()
    acted(
        screen, "lane.catch.resume/1", [done("reading", "resumed" if was else "was not paused")], "", {"paused": None}
    )


@frame.command("skip", examples="lane catch skip acme/app\nlane catch skip .\nlane catch skip acme/app --off")
@click.argument("projects", nargs=-1, metavar="PROJECT...")
@click.option("--off", is_flag=True, help="Read these projects again.")
def skip(screen: Screen, projects: tuple[str, ...], off: bool) -> None:
    """Leave projects out of reading: no agent and no model gets them. Without a PROJECT: list them."""
    from memlane.app.home import save_settings

    before = screen.config.names(SKIPPED)
    with screen.lane() as lane:
        meant = [_project(lane, name, before if off else ()) for name in projects]
    after = [name for name in before if name not in meant] if off else [*dict.fromkeys([*before, *meant])]
    if tuple(after) != before:
        save_settings(screen.config, {SKIPPED: tuple(after)})
    said = [done("reading" if off else "skipped", name) for name in meant] or [done("skipped", name) for name in after]
    acted(screen, "lane.catch.skip/1", said, "lane catch skip PROJECT --off", {"projects": after})


def _project(lane: Lane, given: str, held: tuple[str, ...]) -> str:
    """As runs name it; a folder means the project it belongs to."""
    if given in held:
        return given
    projects = [run.project for run in lane.runs.select(RunFilter())]
    path = Path(given).expanduser()
    keys = {project.key for project in projects}
    if path.is_dir() and (key := lane.catch.project_in(path.resolve())) in keys:
        return key
    found = next((project.key for project in projects if given in (project.key, project.name)), "")
    if not found:
        known = ", ".join(sorted({project.name for project in projects if project.name})[:8])
        raise NotFoundError(f"there is no project {given!r}", hint=f"projects: {known or 'none yet'}")
    return found
