"""What a person shares and what is shared with them: listed, given after a preview, taken back with a receipt.

Grants are Central's: it is asked as in `central`, beside this one. What a grant would open is read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from memlane.errors import UsageError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.central_documents import asked_grant, of_grant_receipt, of_grant_wish
from memlane.surfaces.documents import of_group, of_person
from memlane.surfaces.json_values import plain
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.dates import day_of, midnight
from memlane.surfaces.web.pages import central
from memlane.surfaces.web.pages.central import Row
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.control import Grant
    from memlane.app.grant_wishes import GrantWish

READING = ("lessons", "transcripts")
TAKES: Mapping[str, Schema] = {
    "what": schema.text("a project, the id of a run or a memory, or tag:NAME", 1000, least=0),
    "whom": schema.text("a person or a group", 64, least=0),
    "reading": schema.one_of(["", *READING], "the memories alone, or the transcripts too"),
    "until": schema.text("its last day", 10, least=0),
    "tree": schema.text("on: with all that came out of the run", 10, least=0),
}
ANSWER: Mapping[str, Schema] = {
    "wish": schema.matching(schema.SHARE_WISH, "the id of a suggestion"),
    "to": schema.one_of(["shared", "refused"], "what becomes of it"),
}
SHARE: Mapping[str, Schema] = {"share": schema.matching(r"^x_[a-z2-7]{2,13}$", "its id")}


def listed(lane: Lane, _want: RouteRequest) -> PageView:
    found, why = grants(lane)
    people, _why = central.answered(lane, "/api/people", _own_people) if not why else (None, "")
    groups, _why = central.answered(lane, "/api/groups", _own_groups) if not why else (None, "")
    given, received = ([_timed(row) for row in found[side]] for side in ("given", "received"))
    return view(
        "central_shares.html",
        "Shares",
        given=[row for row in given if row["holds"]],
        ended=[row for row in given if not row["holds"]],
        received=[{**row, "opens": _opens(row)} for row in received],
        wishes=[_suggested(lane, one) for one in lane.grant_wishes.all()],
        projects=sorted({one.name for one in lane.home.storage().runs.projects(lane.home.reader) if one.name}),
        names=sorted(_names(people, lane.config.user) | _names(groups)),
        why=why,
    )


def _opens(row: Row) -> str:
    """The page where it is read."""
    name = quote(str(row["name"]), safe="")
    match row["type"], row["reading"]:
        case "memory", _:
            return f"/m/{name}"
        case _, "lessons":
            return "/memories#shared"
        case "run" | "tree", _:
            return f"/runs/{name}"
        case "project", _:
            return f"/tree?project={quote(str(row['title']), safe='')}"
        case _:
            return "/tree"


def grants(lane: Lane) -> tuple[Mapping[str, Sequence[Row]], str]:
    """Given and received; none, and why Central did not answer."""
    found, why = central.answered(lane, "/api/shares", central.own_shares)
    return cast(Mapping[str, Sequence[Row]], found or {"given": [], "received": []}), why


def _own_people(lane: Lane) -> object:
    return [of_person(one, whole=False) for one in lane.control.people.all()]


def _own_groups(lane: Lane) -> object:
    return [of_group(one) for one in lane.control.groups.all()]


def _names(found: object, but: str = "") -> set[str]:
    rows = cast(Sequence[Row], found or [])
    return {str(row["name"]) for row in rows if row.get("state") != "left"} - {but}


def _timed(row: Row) -> Row:
    return central.timed(central.timed(central.timed(row, "until"), "revoked"), "since")


# -- shared ------------------------------------------------------------------------------------------------------


def preview(lane: Lane, want: RouteRequest) -> PageView:
    """What they could read now, before anything is shared."""
    grant = _meant(lane, want)
    asked = {name: value for name in TAKES if (value := field(want, name))}
    until = midnight(day_of(field(want, "until")))
    seen = lane.grant_plans.preview(grant)
    return view("share_preview.html", f"Share {grant.title}", grant=grant, seen=seen, asked=asked, until=until)


def give(lane: Lane, want: RouteRequest) -> ActReport:
    grant = _meant(lane, want)
    _give(lane, grant)
    return ActReport(f"{grant.whom} can read {grant.title}.", go="/shares")


def _give(lane: Lane, grant: Grant) -> None:
    if lane.shipment.member is not None:
        lane.shipment.ask("/api/shares", asked_grant(grant))
        lane.shipment.learn_shares()
    else:
        central.must_be_central(lane)
        lane.control.grants.give(grant)


def _meant(lane: Lane, want: RouteRequest) -> Grant:
    from memlane.app.control import Reading  # noqa: PLC0415 - loaded with the first question

    what, whom = field(want, "what"), field(want, "whom")
    if not what or not whom:
        raise UsageError("say what to share, and with whom", hint="both fields are needed")
    reading = Reading(field(want, "reading") or READING[0])
    until = lane.grant_plans.end_of(field(want, "until"))
    return lane.grant_plans.meant(what, whom, reading, until, tree=bool(field(want, "tree")))


def answer(lane: Lane, want: RouteRequest) -> ActReport:
    """To what an agent suggests."""
    from memlane.app.grant_wishes import WishAnswer  # noqa: PLC0415 - loaded with the first question

    wish, said = lane.grant_wishes.one(field(want, "wish")), WishAnswer(field(want, "to"))
    if said is WishAnswer.SHARED:
        _give(lane, wish.grant)
        lane.grant_wishes.answer(wish, said)
        return ActReport(f"{wish.grant.whom} can read {wish.grant.title}.", go="/shares")
    return ActReport(f"Nothing was shared with {wish.grant.whom}.", lane.grant_wishes.answer(wish, said))


def _suggested(lane: Lane, one: GrantWish) -> Row:
    """With what it would open now."""
    row = _timed({**of_grant_wish(one, lane.home.clock()), "holds": True})
    return {**row, "seen": lane.grant_plans.preview(one.grant)}


# -- taken back --------------------------------------------------------------------------------------------------


def revoke(lane: Lane, want: RouteRequest) -> ActReport:
    id = field(want, "share")
    if lane.shipment.member is not None:
        found = lane.shipment.ask("/api/shares/revoke", {"share": id})
        lane.shipment.learn_shares()
    else:
        central.must_be_central(lane)
        found = _receipt(lane, lane.control.grants.revoke(id, lane.config.user))
    grant = cast(Row, cast(Row, found)["share"])
    return ActReport(f"{grant['title']} is not shared with {grant['whom']} any more.", go=f"/shares/receipt?share={id}")


def receipt(lane: Lane, want: RouteRequest) -> PageView:
    """Where it is gone by now, and for whom."""
    id = field(want, "share")
    if lane.shipment.member is not None:
        found = lane.shipment.ask("/api/shares/receipt", {"share": id})
    else:
        found = _receipt(lane, lane.control.grants.one(id, lane.config.user))
    row = cast(Row, found)
    return view("share_receipt.html", "Receipt", **{**row, "share": _timed(cast(Row, row["share"]))})


def _receipt(lane: Lane, grant: Grant) -> object:
    return plain(of_grant_receipt(lane.control.receipt(grant), lane.home.clock()))
