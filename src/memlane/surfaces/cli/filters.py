"""Which runs: the filters that every list shares, those of `search` alone, and how an empty answer names them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import Author
from memlane.errors import UsageError
from memlane.surfaces.cli import times
from memlane.surfaces.cli.frame import Screen

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.domain import RunFilter

OF_RUNS = (
    *("agent", "project", "machine", "since", "until", "tag"),
    *("entity", "skill", "command", "account", "kind", "outcome"),
)
OUTCOMES = ("success", "failure", "none")
KINDS = ("change", "look", "talk")
OF_STEPS = ("author", "tool", "file")
AUTHORS = tuple(author.value for author in Author)


def filters(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--outcome", type=click.Choice(OUTCOMES), default=None, help="How it went; none: nobody said."),
        click.option(
            "--kind", type=click.Choice(KINDS), default=None, help="Kind of work: files changed, read, talk only."
        ),
        click.option("--account", default="", metavar="NAME", help="Of this account with the agent."),
        click.option("--command", default="", metavar="NAME", help="In which this slash command was run."),
        click.option("--skill", default="", metavar="NAME", help="In which this skill was used."),
        click.option("--entity", default="", metavar="NAME", help="That name this person, project or thing."),
        click.option("--tag", default="", metavar="TAG", help="With this tag (see lane tag)."),
        click.option("--until", default="", metavar="WHEN", help="Started before: 2026-10-01, yesterday 3pm."),
        click.option("--since", default="", metavar="WHEN", help="Active after: 3d, last week, in march."),
        click.option("--machine", default="", metavar="NAME", help="Captured on this machine."),
        click.option("--project", default="", metavar="NAME", help="A project by name; . is the current one."),
        click.option("--agent", default="", metavar="NAME", help="An agent, as `lane runs` names it."),
    ):
        function = option(function)
    return function


def step_filters(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option(
            "--file", default="", metavar="PATH", help="Steps that touched this file; the end of its path is enough."
        ),
        click.option(
            "--tool", default="", metavar="NAME", help="A tool, by its exact name: Bash (Claude Code), bash (Pi)."
        ),
        click.option("--author", type=click.Choice(AUTHORS), default=None, help="Who said it."),
    ):
        function = option(function)
    return function


def chosen(
    screen: Screen, lane: Lane, given: Mapping[str, Any], limit: int | None = None, *, quiet: bool = False
) -> RunFilter:
    """What was asked for, understood; `quiet` where a note would stand in the way."""
    from memlane.domain import RunFilter

    here = screen.now.astimezone()
    return RunFilter(
        agent=_agent(lane, given["agent"]),
        machine=given["machine"],
        project=project_named(screen, lane, given["project"], quiet=quiet),
        since=times.moment(given["since"], here) if given["since"] else None,
        until=times.moment(given["until"], here, end=True) if given["until"] else None,
        tag=given["tag"].strip().lower().lstrip("+#"),
        entities=lane.entities.keys(screen.meant(given["entity"])) if given["entity"] else frozenset(),
        skill=given["skill"].strip(),
        command=given["command"].strip(),
        account=given["account"].strip(),
        kind=given["kind"] or "",
        outcome=given["outcome"] or "",
        author=given.get("author") or "",
        tool=given.get("tool", "").strip(),
        file=whole_path(given.get("file", "").strip()),
        limit=limit,
    )


def _agent(lane: Lane, given: str) -> str:
    from memlane.domain import RunFilter

    known = sorted(lane.home.sources) if given else []
    if given and given not in known and not lane.runs.select(RunFilter(agent=given, limit=1)):
        raise UsageError(f"there is no agent {given!r}", hint=f"one of: {', '.join(known)}")
    return given


def project_named(screen: Screen, lane: Lane, given: str, *, quiet: bool = False) -> str:
    if not given:
        return ""
    if given.startswith((".", "/", "~")):
        return lane.runs.project_at(Path(given).expanduser().resolve()).key
    names = lane.runs.projects_like(given)
    if len(names) > 1:
        raise UsageError(f"{given!r} could be any of: {', '.join(names)}", hint="type more of its name")
    if names and names[0] != given and not quiet:
        screen.note(f"{given} is {names[0]}")
    return names[0] if names else given


def whole_path(given: str) -> str:
    """`./x` and `~/x` are places here; anything else may be the last parts of a path anywhere."""
    return str(Path(os.path.abspath(Path(given).expanduser()))) if given.startswith(("./", "../", "~")) else given  # noqa: PTH100


def named(given: Mapping[str, Any]) -> str:
    """The filters in force, for an empty answer; "" when there are none."""
    return ", ".join(f"--{name} {given[name]}" for name in (*OF_RUNS, *OF_STEPS) if given.get(name))
