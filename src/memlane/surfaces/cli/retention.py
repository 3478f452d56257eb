"""`lane retention`: how long a Central keeps runs, and the receipts for what it deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

import click

from memlane.errors import UsageError
from memlane.surfaces.central_documents import of_receipt, of_retention, of_retention_plan
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.central import Row, as_row, asked, changed
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import clock, many, size
from memlane.surfaces.json_values import plain

if TYPE_CHECKING:
    from memlane.app import Lane

command = frame.group("How long a Central keeps runs; receipts for what was deleted.", bare="list")


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List the rules that concern you; on Central, all. Where several fit, the narrowest counts."""
    with screen.lane() as lane:
        rows = asked(lane, "/api/retention")
        if rows is None:
            rows = [plain(of_retention(one)) for one in lane.control.retention.now()]
    found = cast(Sequence[Row], rows)
    screen.remember_list([str(row["id"]) for row in found])
    screen.listing("lane.retention.list/1", found, lambda row: row, _columns(), {"rules": len(found)})
    if not found and screen.terminal:
        screen.say("No rule: everything is kept. To set one: lane retention set 365d")


@frame.command("set", of=command)
@click.argument("keep")
@click.option("--person", default="", help="Only runs of this person.")
@click.option("--project", default="", help="Only runs of this project, by its name or key.")
@click.option("--dry-run", is_flag=True, help="Show what the rule would delete and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Skip the confirmation.")
def set_(screen: Screen, keep: str, person: str, project: str, dry_run: bool, yes: bool) -> None:
    """Keep runs for KEEP (365d, 2y, forever) after their last word, then delete them, here and on their machines.

    First it shows what that is today. The rule deletes nothing for a day.
    """
    days = 0 if keep == "forever" else times.length(keep).days
    if days == 0 and keep != "forever":
        raise UsageError(f"{keep!r} is less than a day", hint="lane retention set 365d, or: forever")
    fields = {"days": days, "person": person, "project": project}
    with screen.lane() as lane:
        plan = _plan(lane, fields)
        for row in plan:
            screen.say(_would(row))
        if not plan:
            screen.say("Today it would delete nothing.")
        if dry_run or not screen.confirmed("Set this rule?", yes=yes):
            changed(screen, "lane.retention.plan/1", {"rule": fields, "plan": plan}, "Nothing was changed.")
            return
        rule = as_row(_set(lane, fields))
    words = f"{rule['id']}: {rule['says']}"
    from_then = f"; it deletes nothing before {clock(datetime.fromisoformat(str(rule['deletes_from'])))}"
    changed(screen, "lane.retention.set/1", {**rule, "plan": plan}, words + (from_then if days else ""))


def _plan(lane: Lane, fields: Row) -> Sequence[Row]:
    rows = asked(lane, "/api/retention/plan", fields)
    if rows is None:
        rule = lane.control.retention.planned(*_rule(fields), lane.config.user)
        rows = [plain(of_retention_plan(one)) for one in lane.retention.plans(lane.control, rule)]
    return cast(Sequence[Row], rows)


def _set(lane: Lane, fields: Row) -> object:
    row = asked(lane, "/api/retention", fields)
    if row is None:
        rule = lane.control.retention.planned(*_rule(fields), lane.config.user)
        row = plain(of_retention(lane.control.retention.set(rule)))
    return row


def _rule(fields: Row) -> tuple[int, str, str]:
    return int(str(fields["days"])), str(fields["person"]), str(fields["project"])


def _would(row: Row) -> str:
    held = f"; {many(int(str(row['held'])), 'run')} under a hold would stay" if row["held"] else ""
    return (
        f"{row['owner']}: {many(int(str(row['runs'])), 'run')}, {size(int(str(row['bytes'])))} would be deleted{held}"
    )


@frame.command("end", of=command)
@click.argument("rule")
def end(screen: Screen, rule: str) -> None:
    """End RULE: it deletes nothing more."""
    name = screen.meant(rule)
    with screen.lane() as lane:
        row = asked(lane, "/api/retention/end", {"rule": name})
        if row is None:
            row = plain(of_retention(lane.control.retention.end(name, lane.config.user)))
    row = as_row(row)
    changed(screen, "lane.retention.end/1", row, f"{row['id']} has ended")


@frame.command("receipts", of=command, lists=True)
def receipts(screen: Screen) -> None:
    """List what was deleted for good: what, when, by which rule, with digests of the content and of the receipt."""
    with screen.lane() as lane:
        rows = asked(lane, "/api/receipts")
        if rows is None:
            rows = [plain(of_receipt(one)) for one in lane.control.receipts.of()]
    found = cast(Sequence[Row], rows)
    columns = [
        Column(lambda r: str(r["at"])[:19], lambda r: str(r["at"]), "dim"),
        Column(lambda r: str(r["name"]), lambda r: str(r["name"]), "cyan"),
        Column(lambda r: str(r["owner"]), lambda r: str(r["owner"])),
        Column(lambda r: size(int(str(r["bytes"]))), lambda r: str(r["bytes"])),
        Column(lambda r: str(r["rule"]), lambda r: str(r["rule"]), stretch=True),
        Column(lambda r: str(r["digest"])[:16], lambda r: str(r["digest"]), "dim", from_width=100),
    ]
    screen.listing("lane.retention.receipts/1", found, lambda row: row, columns, {"receipts": len(found)})


def _columns() -> list[Column]:
    return [
        Column(lambda r: str(r["id"]), lambda r: str(r["id"]), "dim"),
        Column(lambda r: str(r["says"]), lambda r: str(r["says"]), "cyan", stretch=True),
        Column(lambda r: f"by {r['by']}", lambda r: str(r["by"]), "dim"),
    ]
