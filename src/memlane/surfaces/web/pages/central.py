"""Machines, people and the audit of a Central: asked of it with this machine's token, or read where this home is one.
Shares are in `shares`, beside this one.

The lists are parts of their pages, because Central may take a while to answer, or be away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.central_documents import of_audit_line, of_grants, of_learned
from memlane.surfaces.documents import of_group, of_machine, of_person
from memlane.surfaces.json_values import plain
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.views import ActReport, PageView, Shows, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

Row = Mapping[str, object]
Shares = Mapping[str, Sequence[Row]]
Own = Callable[["Lane"], object]
PATIENCE = 4.0  # seconds for Central to answer
MOST = 200  # lines of the audit
SILENT = timedelta(days=1)  # without a word from a machine, after which its row says what may be wrong
TABS = (("machines", "Machines"), ("people", "People"), ("shares", "Shares"), ("audit", "Audit"))
SAYS = {
    "list": "listed runs",
    "read": "read a run",
    "search": "searched",
    "recall": "tried a recall",
    "memories": "read memories",
    "mcp": "asked through an agent",
    "audit": "read the audit",
    "insight": "counted what was learned",
    "machine": "changed a machine",
    "code": "made or used a code",
    "person": "changed a person",
    "group": "changed a group",
    "grant": "shared something",
    "hold": "set a hold",
    "retention": "set a retention rule",
    "policy": "set the policy",
    "deleted": "deleted for good",
    "central": "set Central up",
    "opened": "a server started",
    "closed": "a server stopped",
    "lost": "lines could not be written",
    "broken": "lines before this one are not as written",
    "accepted": "gave the reason for a gap",
}
MACHINE: Mapping[str, Schema] = {"machine": schema.matching(r"^k_[a-z2-7]{2,13}$", "the id of a machine")}


def page_of(tab: str, title: str) -> Shows:
    """Its head, and a place for its list."""

    def page(lane: Lane, _want: RouteRequest) -> PageView:
        member, here = lane.shipment.member, is_here(lane)
        url = member.url if member is not None else ""
        return view("central.html", title, tab=tab, tabs=TABS, here=here, url=url)

    return page


def is_here(lane: Lane) -> bool:
    """Whether there is a Central: this home, or the one it joined."""
    return lane.shipment.member is not None or lane.control.is_central


def machines(lane: Lane, _want: RouteRequest) -> PageView:
    rows, why = _asked(lane, "/api/machines", _own_machines)
    since = lane.home.clock() - SILENT
    return view("central_machines.html", "Machines", rows=[timed(r, "last_seen") for r in rows], since=since, why=why)


def people(lane: Lane, _want: RouteRequest) -> PageView:
    rows, why = _asked(lane, "/api/people", _own_people)
    groups, _why = _asked(lane, "/api/groups", lambda lane: [of_group(one) for one in lane.control.groups.all()])
    learned, _why = _asked(lane, "/api/people/insight", _own_learned)
    shares, _why = answered(lane, "/api/shares", own_shares) if not why else (None, "")
    between = _between(cast(Shares, shares or {"given": [], "received": []}), groups)
    values = {"rows": rows, "groups": groups, "between": between, "learned": _by_project(learned), "why": why}
    return view("central_people.html", "People", me=lane.config.user, **values)


def own_shares(lane: Lane) -> object:
    return of_grants(lane.control.grants, lane.config.user, lane.home.clock())


def _between(shares: Shares, groups: Sequence[Row]) -> Mapping[str, tuple[int, int]]:
    """Each person → how many shares of whoever looks they have, and how many of theirs whoever looks has."""
    inside = {str(one["name"]): cast(Sequence[str], one["people"]) for one in groups}
    given = [one for one in shares["given"] if one["holds"]]
    has = Counter(name for one in given for name in (inside.get(str(one["whom"]), [str(one["whom"])])))
    lends = Counter(str(one["owner"]) for one in shares["received"])
    return {name: (has[name], lends[name]) for name in has | lends}


def _own_learned(lane: Lane) -> object:
    from memlane.app.insight import learned  # noqa: PLC0415 - only where this home is a Central

    return [of_learned(one) for one in learned(lane.home, lane.control.people)]


def _by_project(rows: Sequence[Row]) -> Mapping[str, Mapping[str, int]]:
    """Over all weeks, by type; "": other projects. Nothing for who is no admin."""
    found = dict[str, dict[str, int]]()
    for row in rows:
        types = found.setdefault(str(row["project"] or ""), {})
        types[str(row["type"])] = types.get(str(row["type"]), 0) + cast(int, row["memories"])
    return found


def audit(lane: Lane, _want: RouteRequest) -> PageView:
    rows, why = _asked(lane, f"/api/audit?limit={MOST}", _own_audit)
    return view("central_audit.html", "Audit", rows=[_said(timed(row, "at")) for row in rows], most=MOST, why=why)


def _own_people(lane: Lane) -> object:
    return [of_person(one, whole=True) for one in lane.control.people.all()]


def _own_machines(lane: Lane) -> object:
    seen = lane.control.sightings.all()
    return [of_machine(one, seen.get(one.id)) for one in lane.control.machines.of()]


def _own_audit(lane: Lane) -> object:
    from memlane.app.control import AuditWanted  # noqa: PLC0415 - only where this home is a Central

    return [of_audit_line(one) for one in lane.control.audit.lines(AuditWanted(limit=MOST))]


def _asked(lane: Lane, path: str, own: Own) -> tuple[Sequence[Row], str]:
    found, why = answered(lane, path, own)
    return cast(Sequence[Row], found or []), why


def answered(lane: Lane, path: str, own: Own) -> tuple[object, str]:
    """By Central, or None and why there is no answer."""
    try:
        return lane.shipment.ask(path, timeout=PATIENCE) if lane.shipment.member is not None else plain(own(lane)), ""
    except LaneError as error:
        return None, error.message


def timed(row: Row, name: str) -> Row:
    """With its time as a time."""
    said = row[name]
    return {**row, name: datetime.fromisoformat(str(said)) if said else None}


def _said(row: Row) -> Row:
    """With what was done in words."""
    kind, _, over = str(row["act"]).partition(" ")
    return {**row, "says": f"ended a {kind}" if over else SAYS.get(kind, kind)}


# -- acts --------------------------------------------------------------------------------------------------------


def revoke(lane: Lane, want: RouteRequest) -> ActReport:
    machine = field(want, "machine")
    if lane.shipment.member is not None:
        title = str(cast(Row, lane.shipment.ask("/api/machines/revoke", {"machine": machine}))["title"])
    else:
        must_be_central(lane)
        title = lane.control.machines.revoke(machine).title
    return ActReport(f"{title} is revoked: its next request is refused. What it sent is kept.")


def invite(lane: Lane, _want: RouteRequest) -> ActReport:
    member = lane.shipment.member
    if member is not None:
        code, url = str(cast(Row, lane.shipment.ask("/api/machines/invite", {}))["code"]), member.url
    else:
        must_be_central(lane)
        code, url = lane.control.codes.invite(lane.config.user)[0], "URL"
    return ActReport(f"On the new machine, within 30 minutes: lane join {url} --code {code}")


def must_be_central(lane: Lane) -> None:
    if not lane.control.is_central:
        raise NotSetUpError("this home is no Central and has joined none", hint="lane join URL")
