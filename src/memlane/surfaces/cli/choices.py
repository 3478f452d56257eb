"""Which runs: the filters that `runs`, `tree` and `search` share, and how an empty answer names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import when
from memlane.surfaces.cli.frame import Screen

if TYPE_CHECKING:
    from memlane.lane import Lane, RunFilter

ALL = 1_000_000
_NAMES = ("agent", "project", "machine", "since", "until")


def filters(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--until", default="", metavar="WHEN", help="Begun before: 2026-10-01, yesterday 3pm."),
        click.option("--since", default="", metavar="WHEN", help="Something happened after: 3d, last week."),
        click.option("--machine", default="", metavar="NAME", help="Captured on this machine."),
        click.option("--project", default="", metavar="NAME", help="A project by name; . is the one here."),
        click.option("--agent", default="", metavar="NAME", help="claude-code, codex."),
    ):
        function = option(function)
    return function


def chosen(screen: Screen, lane: Lane, given: dict[str, Any], limit: int = ALL) -> RunFilter:
    """What was asked for, understood."""
    from memlane.lane import RunFilter

    here = screen.now.astimezone()
    return RunFilter(
        agent=_agent(lane, given["agent"]),
        machine=given["machine"],
        project=_project(screen, lane, given["project"]),
        since=when.moment(given["since"], here) if given["since"] else None,
        until=when.moment(given["until"], here, end=True) if given["until"] else None,
        author=given.get("author") or "",
        limit=limit,
    )


def _agent(lane: Lane, given: str) -> str:
    from memlane.lane import RunFilter

    known = sorted(lane.home.sources)
    if given and given not in known and not lane.reading.runs(RunFilter(agent=given, limit=1)):
        raise UsageError(f"there is no agent {given!r}", hint=f"one of: {', '.join(known)}")
    return given


def _project(screen: Screen, lane: Lane, given: str) -> str:
    if not given:
        return ""
    if given.startswith((".", "/", "~")):
        return lane.reading.project_at(Path(given).expanduser().resolve()).key
    names = lane.reading.projects_like(given)
    if len(names) > 1:
        raise UsageError(f"{given!r} could be any of: {', '.join(names)}", hint="give more of its name")
    if names and names[0] != given:
        screen.note(f"{given} is {names[0]}")
    return names[0] if names else given


def named(given: dict[str, Any]) -> str:
    """The filters in force, for an empty answer; "" when there are none."""
    return ", ".join(f"--{name} {given[name]}" for name in (*_NAMES, "author") if given.get(name))
