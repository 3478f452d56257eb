"""`lane people` and its verbs: who belongs to a Central, on Central itself or from a machine of an admin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import cast

import click

from memlane.errors import UsageError
from memlane.surfaces.central_documents import of_learned
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, as_row, asked, changed, must_be_central, must_be_on_central
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import clock, many
from memlane.surfaces.documents import of_identity, of_person

ROLES = ("member", "admin", "auditor")
command = frame.group("People of a Central: list them, invite one, change a role, let one go.", bare="list")


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List the people of a Central with their roles. No role opens what another person keeps."""
    with screen.lane() as lane:
        rows = cast(Sequence[Row] | None, asked(lane, "/api/people"))
        if rows is None:
            rows = [of_person(one, whole=True) for one in lane.control.people.all()]
    columns = [
        Column(lambda r: str(r["name"]), lambda r: str(r["name"]), "cyan"),
        Column(lambda r: str(r["role"]), lambda r: str(r["role"])),
        Column(lambda r: str(r["state"]), lambda r: str(r["state"]), "dim"),
    ]
    screen.listing("lane.people.list/1", rows, lambda row: row, columns, {"people": len(rows)})


@frame.command("insight", of=command, lists=True)
def insight(screen: Screen) -> None:
    """Count what was learned in eight weeks, by week, project and type; for admins. Nobody's words, nobody's name."""
    with screen.lane() as lane:
        rows = cast(Sequence[Row] | None, asked(lane, "/api/people/insight"))
        if rows is None:
            from memlane.app.insight import learned

            rows = [of_learned(one) for one in learned(lane.home, lane.control.people)]
    columns = [
        Column(lambda r: str(r["week"]), lambda r: str(r["week"]), "dim"),
        Column(lambda r: str(r["project"] or "other"), lambda r: str(r["project"] or ""), "cyan"),
        Column(lambda r: str(r["type"]), lambda r: str(r["type"])),
        Column(lambda r: str(r["memories"]), lambda r: str(r["memories"])),
    ]
    screen.listing("lane.people.insight/1", rows, lambda row: row, columns, {"weeks": len({r["week"] for r in rows})})


@frame.command("invite", of=command)
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="member", help="What they may do; default: member.")
def invite(screen: Screen, name: str, role: str) -> None:
    """Make a one-time code for a person's first machine; it holds for three days. A second code ends the first."""
    with screen.lane() as lane:
        if (link := lane.shipment.member) is not None:
            row, url = as_row(lane.shipment.ask("/api/people/invite", {"person": name, "role": role})), link.url
        else:
            from memlane.app.control import Role

            lane.home.begin()
            code, made = lane.control.codes.invite_person(name, Role(role))
            row, url = {"code": code, "owner": made.owner, "until": made.until.isoformat()}, "URL"
    if screen.json:
        screen.emit("lane.people.invite/1", row)
        return
    screen.line(str(row["code"]))
    until = datetime.fromisoformat(str(row["until"]))
    screen.say(f"for {row['owner']}'s first machine, until {clock(until)}; on that machine: lane join {url}")


@frame.command("role", of=command)
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
def role(screen: Screen, name: str, role: str) -> None:
    """Change what a person may do. The last admin stays one."""
    with screen.lane() as lane:
        if (found := asked(lane, "/api/people/role", {"person": name, "role": role})) is None:
            from memlane.app.control import Role

            found = of_person(lane.control.people.give_role(name, Role(role), lane.config.user), whole=True)
    row = as_row(found)
    changed(screen, "lane.people.role/1", row, f"{row['name']} is {row['role']} now")


@frame.command("limit", of=command)
@click.argument("name")
@click.option("--machines", type=click.IntRange(0, 10_000), required=True, help="At most so many; 0: any number.")
def limit(screen: Screen, name: str, machines: int) -> None:
    """Limit how many machines a person may have. Those that have joined stay."""
    with screen.lane() as lane:
        if (found := asked(lane, "/api/people/limit", {"person": name, "machines": machines})) is None:
            found = of_person(lane.control.people.limit(name, machines, lane.config.user), whole=True)
    row = as_row(found)
    said = many(machines, "machine") if machines else "any number of machines"
    changed(screen, "lane.people.limit/1", row, f"{row['name']} may have {said}")


@frame.command("identities", of=command, lists=True)
def identities(screen: Screen) -> None:
    """List the accounts that people sign in with: yours; all of them for an admin."""
    with screen.lane() as lane:
        rows = cast(Sequence[Row] | None, asked(lane, "/api/people/identities"))
        if rows is None:
            rows = [of_identity(one) for one in lane.control.identities.all()]
    columns = [
        Column(lambda r: str(r["person"]), lambda r: str(r["person"]), "cyan"),
        Column(lambda r: str(r["subject"]), lambda r: str(r["subject"])),
        Column(lambda r: str(r["shown"]), lambda r: str(r["shown"])),
        Column(lambda r: str(r["issuer"]), lambda r: str(r["issuer"]), "dim"),
    ]
    screen.listing("lane.people.identities/1", rows, lambda row: row, columns, {"identities": len(rows)})


@frame.command("link", of=command)
@click.argument("name")
@click.argument("subject")
def link(screen: Screen, name: str, subject: str) -> None:
    """Let a person sign in with an account: a DID (did:plc:…), or what your OpenID issuer calls them (its `sub`)."""
    with screen.lane() as lane:
        if lane.shipment.member is None:
            lane.home.begin()
            found = of_identity(lane.control.sign_in.link(name, subject))
        else:
            found = lane.shipment.ask("/api/people/link", {"person": name, "subject": subject})
    row = as_row(found)
    changed(screen, "lane.people.link/1", row, f"{row['subject']} may sign in as {row['person']}")


@frame.command("unlink", of=command)
@click.argument("subject")
def unlink(screen: Screen, subject: str) -> None:
    """End what an account opens here. Machines that have joined keep their tokens: lane machines revoke."""
    with screen.lane() as lane:
        if (found := asked(lane, "/api/people/unlink", {"subject": subject})) is None:
            found = of_identity(lane.control.identities.end(subject))
    row = as_row(found)
    changed(screen, "lane.people.unlink/1", row, f"{row['subject']} no longer signs in as {row['person']}")


@frame.command("remove", of=command)
@click.argument("name")
@click.option(
    "--runs",
    type=click.Choice(("keep", "export", "forget")),
    required=True,
    help="What happens to what they sent: it stays, goes into --to FOLDER, or is deleted.",
)
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Where their runs and journal go.")
@click.option("--yes", is_flag=True, help="Do it; without it, only what would happen is shown.")
def remove(screen: Screen, name: str, runs: str, folder: Path | None, yes: bool) -> None:
    """Let a person go: their machines and shares end. Shows what would happen; `--yes` does it. On Central only."""
    if (runs == "export") != (folder is not None):
        raise UsageError("--runs export and --to FOLDER belong together", hint="lane people remove NAME --runs keep")
    with screen.lane() as lane:
        must_be_on_central(lane, "letting a person go", "lane people remove, there")
        must_be_central(lane)
        plan = lane.departures.plan(name, runs, folder)
        if yes:
            lane.departures.carry_out(plan)
    data = {
        "person": plan.name,
        "runs": plan.runs,
        "bytes": plan.bytes,
        "what": plan.what,
        "to": str(plan.folder) if plan.folder else None,
        "machines": list(plan.machines),
        "shares": plan.shares,
        "done": yes,
    }
    if screen.json:
        screen.emit("lane.people.remove/1", data)
        return
    verb = "ended" if yes else "would end"
    screen.line(f"{name}: {many(len(plan.machines), 'machine')} and {many(plan.shares, 'share')} {verb}")
    screen.line(f"{many(plan.runs, 'run')}: {plan.words(done=yes)}")
    if not yes:
        screen.say("to do it: the same command with --yes")
