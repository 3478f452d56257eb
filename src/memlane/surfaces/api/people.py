"""Who belongs to Central, over HTTP: people and groups. Who may change them is decided by the token's owner alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.central_documents import of_learned
from memlane.surfaces.documents import of_group, of_identity, of_person

if TYPE_CHECKING:
    from memlane.app import Lane


def people(lane: Lane, want: RouteRequest) -> HttpReply:
    book, asks = lane.control.people, want.who.owner
    admin = book.is_admin(asks)
    found = [of_person(one, whole=admin or one.name == asks) for one in book.all()]
    return document(found, self="/api/people", groups="/api/groups")


def insight(lane: Lane, want: RouteRequest) -> HttpReply:
    """Numbers alone: an admin reads nobody's content."""
    from memlane.app.insight import learned  # noqa: PLC0415 - loaded with the first question

    lane.control.people.must_be_admin(want.who.owner)
    found = [of_learned(one) for one in learned(lane.home, lane.control.people)]
    return document(found, self="/api/people/insight", people="/api/people")


def invite(lane: Lane, want: RouteRequest) -> HttpReply:
    """A code for the first machine of somebody; another one takes the place of the first."""
    from memlane.app.control import Role  # noqa: PLC0415 - loaded with the first question

    person, role = str(want.fields["person"]), Role(str(want.fields.get("role", Role.MEMBER)))
    lane.control.people.must_be_admin(want.who.owner)
    lane.control.people.must_be_new(person)
    code, made = lane.control.codes.invite_person(person, role, by=want.who.id)
    return document({"code": code, "owner": made.owner, "until": made.until}, 201, self="/api/people/invite")


def role(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.app.control import Role  # noqa: PLC0415 - loaded with the first question

    book, by = lane.control.people, want.who.owner
    book.must_be_admin(by)
    made = book.give_role(str(want.fields["person"]), Role(str(want.fields["role"])), by)
    return document(of_person(made, whole=True), self="/api/people")


def limit(lane: Lane, want: RouteRequest) -> HttpReply:
    book, by = lane.control.people, want.who.owner
    book.must_be_admin(by)
    made = book.limit(str(want.fields["person"]), int(str(want.fields["machines"])), by)
    return document(of_person(made, whole=True), self="/api/people")


def identities(lane: Lane, want: RouteRequest) -> HttpReply:
    """All of them for an admin; else one's own."""
    admin, asks = lane.control.people.is_admin(want.who.owner), want.who.owner
    found = [of_identity(one) for one in lane.control.identities.all() if admin or one.owner == asks]
    return document(found, self="/api/people/identities", people="/api/people")


def link(lane: Lane, want: RouteRequest) -> HttpReply:
    person, asks = str(want.fields["person"]), want.who.owner
    lane.control.people.must_be_admin(asks)
    if person != asks:
        lane.control.people.must_be_new(person)
    made = lane.control.sign_in.link(person, str(want.fields["subject"]))
    return document(of_identity(made), self="/api/people/identities")


def unlink(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    ended = lane.control.identities.end(str(want.fields["subject"]))
    return document(of_identity(ended), self="/api/people/identities")


def groups(lane: Lane, _want: RouteRequest) -> HttpReply:
    return document([of_group(one) for one in lane.control.groups.all()], self="/api/groups", people="/api/people")


def add_to_group(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    made = lane.control.groups.add(str(want.fields["group"]), _people(want), want.who.owner)
    return document(of_group(made), self="/api/groups")


def remove_from_group(lane: Lane, want: RouteRequest) -> HttpReply:
    lane.control.people.must_be_admin(want.who.owner)
    made = lane.control.groups.remove(str(want.fields["group"]), _people(want), want.who.owner)
    return document(of_group(made), self="/api/groups")


def _people(want: RouteRequest) -> Sequence[str]:
    return cast(Sequence[str], want.fields.get("people", ()))
