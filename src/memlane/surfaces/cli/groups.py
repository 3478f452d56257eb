"""`lane groups` and its verbs: groups of people on a Central, for sharing with all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, as_row, asked, changed
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.documents import of_group

command = frame.group("Groups of people on a Central: list them, add people, remove people.", bare="list")


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List the groups and the people in them."""
    with screen.lane() as lane:
        rows = cast(Sequence[Row] | None, asked(lane, "/api/groups"))
        if rows is None:
            rows = [of_group(one) for one in lane.control.groups.all()]
    columns = [
        Column(lambda r: str(r["name"]), lambda r: str(r["name"]), "cyan"),
        Column(_people, _people),
    ]
    screen.listing("lane.groups.list/1", rows, lambda row: row, columns, {"groups": len(rows)})


def _people(row: Row) -> str:
    return ", ".join(cast(Sequence[str], row["people"]))


@frame.command("add", of=command)
@click.argument("group")
@click.argument("people", nargs=-1, required=True)
def add(screen: Screen, group: str, people: tuple[str, ...]) -> None:
    """Add people to a group; a new name begins one. What is shared with the group is theirs to read from now on."""
    with screen.lane() as lane:
        if (found := asked(lane, "/api/groups/add", {"group": group, "people": people})) is None:
            found = of_group(lane.control.groups.add(group, people, lane.config.user))
    row = as_row(found)
    changed(screen, "lane.groups.add/1", row, f"{row['name']}: {_people(row)}")


@frame.command("remove", of=command)
@click.argument("group")
@click.argument("people", nargs=-1)
def remove(screen: Screen, group: str, people: tuple[str, ...]) -> None:
    """Remove people from a group; without names, the group ends. What was shared with it is not theirs any more."""
    with screen.lane() as lane:
        if (found := asked(lane, "/api/groups/remove", {"group": group, "people": people})) is None:
            found = of_group(lane.control.groups.remove(group, people, lane.config.user))
    row = as_row(found)
    changed(screen, "lane.groups.remove/1", row, f"{row['name']}: {_people(row) or 'it has ended'}")
