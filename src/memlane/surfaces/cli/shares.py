"""`lane share`, `lane unshare` and `lane shares`: what you let others read, and what they let you read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

import click

from memlane.errors import NotAllowedError, UsageError
from memlane.surfaces.central_documents import asked_grant, of_grant, of_grant_receipt, of_grant_wish, of_grants
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, as_row, asked, must_be_central
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import day, many, one_line
from memlane.surfaces.cli.times import length, moment

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.control import Grant
    from memlane.app.grant_wishes import GrantWish

WISH = "w_"  # how the id of what an agent suggests begins
EXAMPLES = """
lane share acme/api --with jo
lane share r_7f3k --with team --transcripts --until 30d
lane share tag:onboarding --with team
lane share w_41c9  # what an agent suggests
"""


@frame.command(examples=EXAMPLES)
@click.argument("what")
@click.option("--with", "whom", default="", metavar="WHOM", help="A person or a group of this Central.")
@click.option("--tree", is_flag=True, help="WHAT is a run: all that came out of it too.")
@click.option("--transcripts/--lessons", default=False, help="The runs too; default: memories without their evidence.")
@click.option("--until", default="", metavar="TIME", help="When it ends by itself: 30d, 2026-12-01.")
@click.option("--preview", is_flag=True, help="Only show what they would see.")
def share(screen: Screen, what: str, whom: str, tree: bool, transcripts: bool, until: str, preview: bool) -> None:
    """Share a run, a project, a memory, tag:NAME or what an agent suggests. It can be taken back: lane unshare."""
    from memlane.app.control import Reading

    with screen.lane() as lane:
        _must_be_the_person(lane)
        wish = _wish(lane, what := screen.meant(what))
        if wish is not None and (whom or until or tree or transcripts):
            raise UsageError(f"{wish.id} says itself how much is shared, and with whom", hint=f"lane share {wish.id}")
        if wish is None and not whom:
            raise UsageError("say with whom", hint=f"lane share {what} --with WHOM")
        reading = Reading.TRANSCRIPTS if transcripts else Reading.LESSONS
        end = _end(screen, until)
        grant = wish.grant if wish else lane.grant_plans.meant(what, whom, reading, end, tree=tree)
        whom = grant.whom
        seen = lane.grant_plans.preview(grant)
        row = of_grant(grant, screen.now) if preview else _given(screen, lane, grant, wish)
    if screen.json:
        screen.emit("lane.share/1", row, {"memories": seen.memories, "runs": seen.runs, "done": not preview})
        return
    read = "would read" if preview else "can read"
    screen.line(f"{whom} {read} {many(seen.memories, 'lesson')} and {many(seen.runs, 'run')} of {grant.title}")
    for title in seen.titles:
        screen.say(f"  {title}")
    if seen.memories > len(seen.titles):
        screen.say(f"  and {seen.memories - len(seen.titles)} more; new ones come along")
    if not preview:
        screen.say(f"to take it back: lane unshare {row['id']}")


def _must_be_the_person(lane: Lane) -> None:
    if lane.home.agent:
        raise NotAllowedError("what is yours is shared by you alone, not by an agent", hint="type it yourself")


def _wish(lane: Lane, given: str) -> GrantWish | None:
    return lane.grant_wishes.one(given) if given.startswith(WISH) else None


def _given(screen: Screen, lane: Lane, grant: Grant, wish: GrantWish | None) -> Row:
    from memlane.app.grant_wishes import WishAnswer

    found = asked(lane, "/api/shares", asked_grant(grant))
    row = as_row(found) if found else of_grant(lane.control.grants.give(grant), screen.now)
    if wish is not None:
        lane.grant_wishes.answer(wish, WishAnswer.SHARED)
    lane.shipment.learn_shares()
    return row


def _end(screen: Screen, until: str) -> str:
    """A length counts from now; a date ends with its day."""
    if not until:
        return ""
    try:
        return (screen.now + length(until)).isoformat()
    except UsageError:
        end = moment(until, screen.now, end=True)
    if end <= screen.now:
        raise UsageError(f"{until} is over already", hint="--until 30d")
    return end.isoformat()


@frame.command()
@click.argument("share_", metavar="SHARE")
def unshare(screen: Screen, share_: str) -> None:
    """Take a share back, or refuse what an agent suggests. The receipt says where it is gone, and for whom."""
    with screen.lane() as lane:
        id = screen.meant(share_)
        if id.startswith(WISH):
            _refuse(screen, lane, lane.grant_wishes.one(id))
            return
        if (found := asked(lane, "/api/shares/revoke", {"share": id})) is None:
            gone = lane.control.grants.revoke(id, lane.config.user)
            found = of_grant_receipt(lane.control.receipt(gone), screen.now)
        lane.shipment.learn_shares()
    row = as_row(found)
    if screen.json:
        screen.emit("lane.unshare/1", row)
        return
    grant = cast(Row, row["share"])
    screen.line(f"{grant['title']} is not shared with {grant['whom']} any more")
    screen.line(f"gone from: {', '.join(cast(Sequence[str], row['gone']))}")
    screen.line(f"for: {', '.join(cast(Sequence[str], row['people']))}")
    if reached := _places(row["reached"]):
        screen.line(f"not recalled any more on: {reached}")
    if waiting := _places(row["waiting"]):
        screen.line(f"not reached yet, until they are in contact: {waiting}")


def _refuse(screen: Screen, lane: Lane, wish: GrantWish) -> None:
    from memlane.app.grant_wishes import WishAnswer

    _must_be_the_person(lane)
    act = lane.grant_wishes.answer(wish, WishAnswer.REFUSED)
    if screen.json:
        nowhere = {"gone": list[str](), "people": list[str](), "reached": list[Row](), "waiting": list[Row]()}
        kept = {**of_grant(wish.grant, screen.now), "id": wish.id, "holds": False}
        screen.emit("lane.unshare/1", {"share": kept, **nowhere})
        return
    screen.line(f"{wish.grant.title} stays yours; nothing was shared with {wish.grant.whom}")
    screen.say(f"to undo: lane undo {act}")


def _places(found: object) -> str:
    return ", ".join(f"{one['machine']} ({one['person']})" for one in cast(Sequence[Row], found))


@frame.command(lists=True)
@click.option("--ended", is_flag=True, help="Those that ended too.")
def shares(screen: Screen, ended: bool) -> None:
    """List what you share, what is shared with you, and what agents suggest to share."""
    with screen.lane() as lane:
        found = as_row(asked(lane, "/api/shares"))
        if not found:
            must_be_central(lane)
            found = of_grants(lane.control.grants, lane.config.user, screen.now)
        owner = lane.config.user
        wishes = lane.grant_wishes.all()
    every = [*cast(Sequence[Row], found["given"]), *cast(Sequence[Row], found["received"])]
    rows = [row for row in every if ended or row["holds"]]
    columns = [
        Column(lambda r: str(r["id"]), lambda r: str(r["id"]), "dim"),
        Column(lambda r: f"{r['type']} {r['title']}", lambda r: str(r["title"])),
        Column(lambda r: str(r["reading"]), lambda r: str(r["reading"])),
        Column(lambda r: _sides(r, owner), lambda r: str(r["whom"]), "cyan"),
        Column(lambda r: _ends(r, screen.now), lambda r: str(r["until"] or r["revoked"] or ""), "dim"),
    ]
    screen.remember_list([str(row["id"]) for row in rows])
    proposed = [of_grant_wish(one, screen.now) for one in wishes]
    screen.listing("lane.shares/1", rows, lambda row: row, columns, {"shares": len(rows), "proposed": proposed})
    if not screen.json:
        for one in wishes:
            _suggested(screen, one)


def _suggested(screen: Screen, one: GrantWish) -> None:
    grant, why = one.grant, f": {one_line(one.because)}" if one.because else ""
    until = f", until {day(datetime.fromisoformat(grant.until), screen.now)}" if grant.until else ""
    what = f"the {grant.reading} of {grant.type} {one_line(grant.title)} with {grant.whom}{until}"
    screen.say(f"{one_line(one.by) or 'an agent'} suggests sharing {what}{why}")
    screen.say(f"  yes: lane share {one.id}   no: lane unshare {one.id}")


def _sides(row: Row, owner: str) -> str:
    return f"with {row['whom']}" if row["owner"] == owner else f"by {row['owner']}"


def _ends(row: Row, now: datetime) -> str:
    if row["revoked"]:
        return f"ended {day(datetime.fromisoformat(str(row['revoked'])), now)}"
    return f"until {day(datetime.fromisoformat(str(row['until'])), now)}" if row["until"] else "stays"
