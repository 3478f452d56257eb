"""`lane audit`: who read, searched or was told something, and who changed what; on Central, or asked of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import click

from memlane.surfaces.central_documents import of_audit_faults, of_audit_line
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.central import must_be_central
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import many
from memlane.surfaces.json_values import plain

if TYPE_CHECKING:
    from memlane.app import Lane

Row = Mapping[str, object]
CSV = ("n", "at", "who", "machine", "act", "of", "what", "whom", "count")
FAULTS = 1  # the exit code
command = frame.group("The audit of a Central: who read, searched or was told what, and who changed what.", bare="list")


@frame.command("list", of=command, lists=True)
@click.option("--of", "of", default="", metavar="PERSON", help="Out of whose runs, or whom it concerns.")
@click.option("--by", default="", metavar="PERSON", help="Who did it or was told.")
@click.option("--act", default="", help="search, read, list, recall, machine, person, …")
@click.option("--since", default="", metavar="TIME", help="For example 7d, yesterday, 2026-10-01.")
@click.option("--limit", default=100, type=click.IntRange(1, 10_000), help="At most this many, newest first.")
@click.option("--csv", "as_csv", is_flag=True, help="As a table for other programs.")
def list_(screen: Screen, since: str, *, as_csv: bool, **fields: object) -> None:
    """List the audit, newest first: what concerns you; all of it for auditors. It has ids and counts, never text."""
    after = times.moment(since, screen.now.astimezone()).isoformat() if since else ""
    with screen.lane() as lane:
        rows = _rows(lane, {name: value for name, value in {**fields, "since": after}.items() if value})
    if as_csv:
        screen.line(_csv(rows))
        return
    screen.listing("lane.audit.list/1", rows, lambda row: row, _columns(screen), {"lines": len(rows)})


def _rows(lane: Lane, fields: Row) -> Sequence[Row]:
    if lane.shipment.member is not None:
        return cast(Sequence[Row], lane.shipment.ask(f"/api/audit?{urlencode(fields)}"))
    must_be_central(lane)
    from memlane.app.control import AuditWanted

    since = datetime.fromisoformat(str(fields["since"])) if "since" in fields else None
    given = {name: str(fields.get(name, "")) for name in ("of", "by", "act")}
    which = AuditWanted(**given, since=since, limit=int(str(fields["limit"])))
    return [cast(Row, plain(of_audit_line(one))) for one in lane.control.audit.lines(which)]


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(CSV)
    for row in rows:
        table.writerow([_of(row) if name == "of" else row[name] for name in CSV])
    return text.getvalue().rstrip("\n")


def _of(row: Row) -> str:
    of = cast(Mapping[str, Sequence[str]], row["of"])
    return "; ".join(f"{owner}: {' '.join(ids)}" for owner, ids in of.items())


def _columns(screen: Screen) -> list[Column]:
    return [
        Column(lambda r: _time(r, screen), lambda r: str(r["at"]), "dim"),
        Column(lambda r: str(r["who"]) or "Central", lambda r: str(r["who"]), "cyan"),
        Column(lambda r: str(r["machine"]), lambda r: str(r["machine"]), "dim", from_width=80),
        Column(lambda r: str(r["act"]), lambda r: str(r["act"])),
        Column(lambda r: _about(r), lambda r: f"{_of(r)}{r['what']}", stretch=True),
    ]


def _time(row: Row, screen: Screen) -> str:
    return f"{datetime.fromisoformat(str(row['at'])).astimezone(screen.now.astimezone().tzinfo):%Y-%m-%d %H:%M:%S}"


def _about(row: Row) -> str:
    """Whose, and how many; or the thing that was changed."""
    of, count = cast(Mapping[str, Sequence[str]], row["of"]), int(str(row["count"]))
    whose = f"of {', '.join(of)}" if of else ""
    thing = str(row["what"]) or (many(count, "run or memory", "runs and memories") if count else "")
    return " ".join(filter(None, (thing, whose, f"with {row['whom']}" if row["whom"] else "")))


@frame.command("verify", of=command)
@click.option("--accept", "why", default="", metavar="WHY", help="You know the reason for gaps: write it down.")
def verify(screen: Screen, why: str) -> None:
    """Read every line of the audit and name what was edited, cut off or put back. Exit code 1 if anything was."""
    with screen.lane() as lane:
        if lane.shipment.member is not None:
            data = cast(Row, lane.shipment.ask("/api/audit/faults", timeout=120.0))
        else:
            must_be_central(lane)
            if why:
                lane.control.audit.accept(why, lane.config.user)
            data = of_audit_faults(lane.control.audit)
    faults = cast(Sequence[Row], data["faults"])
    if screen.json:
        screen.emit("lane.audit.verify/1", faults, {"lines": data["lines"], "unclean": data["unclean"]})
    else:
        _told(screen, data, faults)
    if faults:
        screen.leave(FAULTS)


def _told(screen: Screen, data: Row, faults: Sequence[Row]) -> None:
    for one in faults:
        screen.line(f"{one['file']} line {one['n']}: {one['why']}")
    screen.say(f"{many(int(str(data['lines'])), 'line')}, {many(len(faults), 'fault')}")
    if unclean := int(str(data["unclean"])):
        ended = many(unclean, "time")
        screen.note(f"a server ended {ended} without saying so: reads of its last second may be missing")
    if any(one["gap"] for one in faults):
        screen.say("if the archive was put back from a copy: lane audit verify --accept WHY")
