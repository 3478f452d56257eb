"""Several runs as one story: chosen, of a tree, of a file or of an entity. The turns come later: runs must be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.domain import RunFilter
from memlane.errors import NotFoundError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.views import PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.handover import Story

MOST_TURNS = 200  # on a page; a file has all of them
MOST_RUNS = 40
ABOUT = {"runs": "of the runs you chose", "tree": "of a run with its forks and resumes"}
TAKES: Mapping[str, Schema] = {
    "runs": schema.text("ids of runs, comma-separated", 2000, least=0),
    "tree": schema.text("a run: every run of its tree", 40, least=0),
    "changed": schema.text("the name of a file, compared and never opened: turns that changed it", 1000, least=0),
    "entity": schema.text("an entity: turns that name it", 200, least=0),
}


def page(_lane: Lane, want: RouteRequest) -> PageView:
    about = next((ABOUT.get(name, field(want, name)) for name in TAKES if field(want, name)), "")
    command = next((_typed(name, field(want, name)) for name in TAKES if field(want, name)), "")
    return view("story.html", "Story", about=about, command=command, later=want.asked.path.rstrip("/") + "/turns")


def turns(lane: Lane, want: RouteRequest) -> PageView:
    try:
        story = _story(lane, want)
    except NotFoundError:
        story = None
    return view("story_turns.html", "Turns", story=story, most=MOST_TURNS)


def _story(lane: Lane, want: RouteRequest) -> Story | None:
    if chosen := [one for one in field(want, "runs").split(",") if one][:MOST_RUNS]:
        return lane.handovers.story(chosen)
    if tree := field(want, "tree"):
        return lane.handovers.story_of_tree(tree)
    if changed := field(want, "changed"):
        return lane.handovers.story_of_file(changed, RunFilter())
    if entity := field(want, "entity"):
        found = lane.entities.about(entity)
        runs = [run.id for run in lane.entities.runs_about(found, MOST_RUNS)]
        return lane.handovers.story(runs, found.entity.name, (found.entity.name, *found.entity.aliases))
    return None


def _typed(name: str, value: str) -> str:
    options = {"runs": "", "changed": "--file "}
    return f"lane story {options.get(name, f'--{name} ')}{value.replace(',', ' ')}"
