"""`lane machines` and its verbs: the machines of a Central, on Central itself or from a machine that has joined it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

import click

from memlane.domain.token import MACHINE, SHIPPER
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, changed, must_be_central
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import clock, long_ago, many, size
from memlane.surfaces.documents import of_machine

if TYPE_CHECKING:
    from memlane.app import Lane

command = frame.group("Machines of a Central: list them, invite one, rename or revoke one.", bare="list")


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List the machines: who they belong to, when they were last seen, and how far behind they are."""
    with screen.lane() as lane:
        rows = _rows(lane)
    screen.remember_list([str(row["id"]) for row in rows])
    screen.listing("lane.machines.list/1", rows, lambda row: row, _columns(screen), {"machines": len(rows)})
    if not rows and screen.terminal:
        screen.say("No machine has joined yet: lane machines invite")


def _rows(lane: Lane) -> Sequence[Row]:
    if lane.shipment.member is not None:
        return lane.shipment.machines()
    must_be_central(lane)
    seen = lane.control.sightings.all()
    return [of_machine(one, seen.get(one.id)) for one in lane.control.machines.of()]


def _columns(screen: Screen) -> list[Column]:
    return [
        Column(lambda r: str(r["title"]), lambda r: str(r["title"]), "cyan"),
        Column(lambda r: str(r["owner"]), lambda r: str(r["owner"])),
        Column(lambda r: str(r["kind"]), lambda r: str(r["kind"]), "dim", from_width=80),
        Column(lambda r: _state(screen, r), lambda r: str(r["revoked"] or r["last_seen"] or "")),
        Column(_behind, _behind),
        Column(lambda r: str(r["id"]), lambda r: str(r["id"]), "dim"),
    ]


def _state(screen: Screen, row: Row) -> str:
    if row["revoked"]:
        return "revoked"
    seen = row["last_seen"]
    return f"seen {long_ago(datetime.fromisoformat(str(seen)), screen.now)}" if seen else "not seen yet"


def _behind(row: Row) -> str:
    behind = cast(Mapping[str, object], row["behind"])
    if behind["runs"] is None:
        return ""
    waiting = f"{many(int(str(behind['runs'])), 'run')} waiting"
    return f"{waiting}, {size(int(str(behind['bytes'])))}" if behind["runs"] else "up to date"


@frame.command("invite", of=command)
@click.option("--for", "owner", default="", metavar="PERSON", help="Whose machine it is; default: you.")
@click.option("--ship-only", is_flag=True, help="Its token sends runs, and reads and changes nothing.")
def invite(screen: Screen, owner: str, ship_only: bool) -> None:
    """Make a one-time code for one more machine. It is shown this once and holds for 30 minutes."""
    with screen.lane() as lane:
        link = lane.shipment.member
        if link is not None:
            if owner and owner != link.owner:
                raise UsageError(
                    f"from here only {link.owner} can be invited",
                    hint=f"on Central: lane machines invite --for {owner}",
                )
            data = cast(Row, lane.shipment.ask("/api/machines/invite", {"ship_only": ship_only}))
            url = link.url
        else:
            lane.home.begin()
            kind = SHIPPER if ship_only else MACHINE
            code, made = lane.control.codes.invite(owner or lane.config.user, kind)
            data, url = {"code": code, "owner": made.owner, "until": made.until.isoformat()}, "URL"
    if screen.json:
        screen.emit("lane.machines.invite/1", data)
        return
    screen.line(str(data["code"]))
    until = datetime.fromisoformat(str(data["until"]))
    screen.say(f"for one machine of {data['owner']}, until {clock(until)}; on that machine: lane join {url}")


@frame.command("revoke", of=command)
@click.argument("machine")
def revoke(screen: Screen, machine: str) -> None:
    """End a machine's token: its next request is refused. What it sent is kept, and nothing on it is lost."""
    with screen.lane() as lane:
        if lane.shipment.member is not None:
            row = cast(Row, lane.shipment.ask("/api/machines/revoke", {"machine": screen.meant(machine)}))
        else:
            must_be_central(lane)
            row = of_machine(lane.control.machines.revoke(screen.meant(machine)))
    changed(
        screen,
        "lane.machines.revoke/1",
        row,
        f"{row['title']} of {row['owner']} is revoked: its next request is refused",
    )


@frame.command("rename", of=command)
@click.argument("machine")
@click.argument("title")
def rename(screen: Screen, machine: str, title: str) -> None:
    """Give a machine another title. Its runs keep the name that is part of their ids."""
    with screen.lane() as lane:
        if lane.shipment.member is not None:
            asked = {"machine": screen.meant(machine), "title": title}
            row = cast(Row, lane.shipment.ask("/api/machines/rename", asked))
        else:
            must_be_central(lane)
            row = of_machine(lane.control.machines.rename(screen.meant(machine), title))
    changed(screen, "lane.machines.rename/1", row, f"{row['name']} is now called {row['title']}")
