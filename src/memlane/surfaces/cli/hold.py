"""`lane hold`: what must not be deleted until the hold is released; on Central, or from an admin's machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import cast

import click

from memlane.errors import UsageError
from memlane.surfaces.central_documents import of_hold
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, as_row, asked, changed
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import long_ago
from memlane.surfaces.json_values import plain

ID = re.compile(r"[rm]_[a-z2-7]{13}")
command = frame.group("Holds of a Central: what must not be deleted, by anybody or any rule.", bare="list")


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List the holds, and those that were released."""
    with screen.lane() as lane:
        rows = asked(lane, "/api/holds")
        if rows is None:
            rows = [plain(of_hold(one)) for one in lane.control.holds.all()]
    found = cast(Sequence[Row], rows)
    screen.remember_list([str(row["id"]) for row in found])
    screen.listing("lane.hold.list/1", found, lambda row: row, _columns(screen), {"holds": len(found)})


@frame.command("add", of=command)
@click.argument("what", default="")
@click.option("--person", default="", help="Everything of this person.")
@click.option("--project", default="", help="Everything of this project, by its name or key.")
@click.option("--why", required=True, help="The reason; shown to whoever tries to delete it.")
def add(screen: Screen, what: str, person: str, project: str, why: str) -> None:
    """Hold WHAT, the id of a run or memory: it beats retention, `forget --now` and leaving, until it is released."""
    kind, name = _named(screen, what, person, project)
    with screen.lane() as lane:
        row = asked(lane, "/api/holds", {"kind": kind, "what": name, "why": why})
        if row is None:
            row = plain(of_hold(lane.control.holds.add(kind, name, why, lane.config.user)))
    row = as_row(row)
    changed(screen, "lane.hold.add/1", row, f"{row['id']}: {kind} {name} is not deleted until this hold is released")


def _named(screen: Screen, what: str, person: str, project: str) -> tuple[str, str]:
    given = [(kind, name) for kind, name in (("person", person), ("project", project)) if name]
    if what:
        whole = screen.meant(what)
        if not ID.fullmatch(whole):
            raise UsageError(
                f"{what!r} is not the whole id of a run or memory", hint="lane runs; or: --person NAME, --project NAME"
            )
        given.append(("run" if whole.startswith("r_") else "memory", whole))
    if len(given) != 1:
        raise UsageError("one thing is held at a time", hint="an id, --person NAME or --project NAME")
    return given[0]


@frame.command("release", of=command)
@click.argument("hold")
def release(screen: Screen, hold: str) -> None:
    """Release HOLD. What was to be deleted meanwhile is deleted soon after."""
    name = screen.meant(hold)
    with screen.lane() as lane:
        row = asked(lane, "/api/holds/release", {"hold": name})
        if row is None:
            row = plain(of_hold(lane.control.holds.release(name, lane.config.user)))
    row = as_row(row)
    changed(screen, "lane.hold.release/1", row, f"{row['kind']} {row['what']} may be deleted again")


def _columns(screen: Screen) -> list[Column]:
    def since(row: Row) -> str:
        at = datetime.fromisoformat(str(row["since"]))
        return f"released by {row['released_by']}" if row["released"] else f"since {long_ago(at, screen.now)}"

    return [
        Column(lambda r: str(r["id"]), lambda r: str(r["id"]), "dim"),
        Column(lambda r: f"{r['kind']} {r['what']}", lambda r: f"{r['kind']} {r['what']}", "cyan"),
        Column(lambda r: str(r["why"]), lambda r: str(r["why"]), stretch=True),
        Column(lambda r: str(r["by"]), lambda r: str(r["by"]), "dim", from_width=80),
        Column(since, lambda r: str(r["released"] or r["since"])),
    ]
