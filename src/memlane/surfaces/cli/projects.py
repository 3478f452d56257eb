"""`lane projects` and its verbs: every project with its names and why they are one; join, split, rename."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.domain import Project
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_project, of_proposal

if TYPE_CHECKING:
    from memlane.app.projects import JoinProposal, ProjectRow

command = frame.group("Projects: list them with all their names, join two, split one, rename.", bare="list")
EXAMPLES_OF_JOIN = """
lane projects join cli entireio/cli                (the first becomes part of the second)
lane projects join /home/ada/old/tides tides
"""
EXAMPLES_OF_SPLIT = """
lane projects split /home/ada/old/tides            (one of its keys)
"""


@frame.command("list", of=command, lists=True)
@click.option("--joined", is_flag=True, help="Only those with several names.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def list_(screen: Screen, joined: bool, limit: int | None) -> None:
    """List projects with their names, runs, memories and the reason for each join."""
    with screen.lane() as lane:
        rows = [row for row in lane.projects.all() if len(row.keys) > 1 or not joined][:limit]
        proposals = lane.projects.proposals()
    screen.remember_list([row.project.key for row in rows])
    meta = {"projects": len(rows), "proposals": [of_proposal(one) for one in proposals]}
    screen.listing("lane.projects.list/1", rows, of_project, _columns(rows), meta)
    if screen.json or screen.form.asked or not screen.terminal:
        return
    for row in rows:
        _why(screen, row)
    for one in proposals:
        screen.say(f"Same project? {_both(one)} ({one.why})")
        screen.say(f"  yes: lane projects join {_typed(one.one.key)} {_typed(one.other.key)}")
        screen.say(f"  no:  lane projects split {_typed(one.one.key)}")
    if not rows:
        screen.say("No projects yet.")


def _both(one: JoinProposal) -> str:
    names = (one.one.name, one.other.name) if one.one.name != one.other.name else (one.one.key, one.other.key)
    return " and ".join(one_line(name) for name in names)


def _why(screen: Screen, row: ProjectRow) -> None:
    """Under the list: each joined key and what shows it."""
    for one in row.keys:
        if one.by:
            why = "; ".join(reason.text for reason in one.reasons) or "joined"
            screen.line(screen.cut(f"{row.project.name}: {one.project.key} ({one_line(why)})", screen.columns))


def _columns(rows: Sequence[ProjectRow]) -> list[Column]:
    numbers = {row.project.key: str(n) for n, row in enumerate(rows, 1)}
    return [
        Column(lambda r: numbers[r.project.key], None, "dim", right=True),
        Column(lambda r: one_line(r.project.name), lambda r: r.project.name, "cyan", most=36),
        Column(lambda r: one_line(_places(r)), lambda r: r.project.key, stretch=True),
        Column(None, lambda r: ",".join(one.project.key for one in r.keys if one.project.key != r.project.key)),
        Column(lambda r: many(r.runs, "run"), lambda r: str(r.runs), right=True),
        Column(lambda r: many(r.memories, "memory", "memories"), lambda r: str(r.memories), right=True),
    ]


def _places(row: ProjectRow) -> str:
    others = len(row.keys) - 1
    more = f" and {many(others, 'other name')}" if others > 0 else ""
    return f"{row.project.key}{more}"


@frame.command("join", of=command, examples=EXAMPLES_OF_JOIN)
@click.argument("project")
@click.argument("into")
def join(screen: Screen, project: str, into: str) -> None:
    """Make PROJECT part of INTO: a name, a key or a folder each. Runs and memories follow."""
    with screen.lane() as lane:
        one, other, act = lane.projects.join(_meant(screen, project), _meant(screen, into))
    _told(
        screen,
        "join",
        f"Joined: {one.name} ({one.key}) into {other.name} ({other.key})",
        other,
        act,
        {"joined": one.key},
    )


@frame.command("split", of=command, examples=EXAMPLES_OF_SPLIT)
@click.argument("key")
def split(screen: Screen, key: str) -> None:
    """Let one KEY of a project be a project of its own. Lane does not join it again."""
    with screen.lane() as lane:
        apart, act = lane.projects.split(_meant(screen, key))
    _told(screen, "split", f"On its own: {apart.name} ({apart.key})", apart, act)


@frame.command("rename", of=command)
@click.argument("project")
@click.argument("name")
def rename(screen: Screen, project: str, name: str) -> None:
    """Call PROJECT by another NAME. Its keys stay."""
    with screen.lane() as lane:
        renamed, act = lane.projects.rename(_meant(screen, project), name)
    _told(screen, "rename", f"Its name is now {renamed.name} ({renamed.key})", renamed, act)


def _meant(screen: Screen, given: str) -> str:
    """A number of the last list, or as it was typed; `.` and `~/app` are folders."""
    if given in (".", "..") or given.startswith(("./", "../", "~")):
        return str(Path(given).expanduser().resolve())
    return screen.meant(given)


def _typed(key: str) -> str:
    import shlex

    return shlex.quote(key)


def _told(
    screen: Screen, verb: str, said: str, project: Project, act: str, meta: Mapping[str, object] | None = None
) -> None:
    undo = f"lane undo {act}"
    if screen.json:
        document = {"key": project.key, "name": project.name}
        screen.emit(f"lane.projects.{verb}/1", document, {**(meta or {}), "undo": undo})
    elif screen.terminal:
        screen.line(screen.cut(one_line(said), screen.columns))
        screen.line(f"  undo: {undo}")
    else:
        screen.record(project.key, project.name, undo)
