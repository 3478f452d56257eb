"""Holds, retention and receipts over HTTP: an admin sets them, everybody reads what concerns them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.central_documents import of_hold, of_receipt, of_retention, of_retention_plan

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.control import RetentionRule


def holds(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    return document([of_hold(one) for one in lane.control.holds.all()], self="/api/holds")


def hold(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    kind, what, why = (str(want.fields[name]) for name in ("kind", "what", "why"))
    return document(of_hold(lane.control.holds.add(kind, what, why, want.who.owner)), 201, self="/api/holds")


def release(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    return document(of_hold(lane.control.holds.release(str(want.fields["hold"]), want.who.owner)), self="/api/holds")


def retention(lane: Lane, want: RouteRequest) -> HttpReply:
    """The rules that concern whoever asks."""
    found = lane.control.retention.concerning(want.who.owner)
    return document([of_retention(one) for one in found], self="/api/retention")


def plan(lane: Lane, want: RouteRequest) -> HttpReply:
    """What a rule would delete, counted. Nothing is changed."""
    lane.control.people.must_be_admin(want.who.owner)
    found = lane.retention.plans(lane.control, _rule(lane, want))
    return document([of_retention_plan(one) for one in found], self="/api/retention")


def keep(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    made = lane.control.retention.set(_rule(lane, want))
    return document(of_retention(made), 201, self="/api/retention")


def end(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    ended = lane.control.retention.end(str(want.fields["rule"]), want.who.owner)
    return document(of_retention(ended), self="/api/retention")


def receipts(lane: Lane, want: RouteRequest) -> HttpReply:
    """Of what was deleted of whoever asks."""
    return document([of_receipt(one) for one in lane.control.receipts.of(want.who.owner)], self="/api/receipts")


def rules(lane: Lane, want: RouteRequest) -> HttpReply:
    """What the machine of whoever asks has to keep to."""
    import msgspec  # noqa: PLC0415

    return document(msgspec.to_builtins(lane.control.rules_for(want.who.owner)), self="/api/rules")


def _rule(lane: Lane, want: RouteRequest) -> RetentionRule:
    fields = want.fields
    days, person, project = int(str(fields["days"])), str(fields.get("person", "")), str(fields.get("project", ""))
    return lane.control.retention.planned(days, person, project, want.who.owner)
