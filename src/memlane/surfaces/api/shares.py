"""What people share, over HTTP: given, listed, taken back. Whose it is comes from the token, never from the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.central_documents import of_grant, of_grant_receipt, of_grants

if TYPE_CHECKING:
    from memlane.app import Lane


def given(lane: Lane, want: RouteRequest) -> HttpReply:
    """Both sides see it."""
    found = of_grants(lane.control.grants, want.who.owner, lane.home.clock())
    return document(found, self="/api/shares")


def share(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.app.control import Grant, GrantType, Reading  # noqa: PLC0415 - loaded with the first question

    fields = {name: str(value) for name, value in want.fields.items()}
    asked = Grant(
        "",
        want.who.owner,
        GrantType(fields["type"]),
        fields["name"],
        fields.get("title", fields["name"]),
        fields["whom"],
        reading=Reading(fields.get("reading", Reading.LESSONS)),
        until=fields.get("until", ""),
    )
    made = lane.control.grants.give(asked)
    return document(of_grant(made, lane.home.clock()), 201, self="/api/shares")


def revoke(lane: Lane, want: RouteRequest) -> HttpReply:
    gone = lane.control.grants.revoke(str(want.fields["share"]), want.who.owner)
    return document(of_grant_receipt(lane.control.receipt(gone), lane.home.clock()), self="/api/shares")


def lent_mark(lane: Lane, want: RouteRequest) -> HttpReply:
    """What a machine should have of what others share with its person; and what it says that it has is noted."""
    version = lane.loans.mark(want.who.id, str(want.fields["version"]))
    given = [of_grant(one, lane.home.clock()) for one in lane.loans.given()]
    return document({"version": version, "given": given}, self="/api/shares/lent")


def lent(lane: Lane, want: RouteRequest) -> HttpReply:
    """All of it, for recall without a network."""
    import msgspec  # noqa: PLC0415 - loaded with the first question

    version, memories = lane.loans.lend(want.who.id)
    return document({"version": version, "memories": msgspec.to_builtins(memories)}, self="/api/shares/lent")


def receipt(lane: Lane, want: RouteRequest) -> HttpReply:
    """Asked again later: which machines have been reached since."""
    one = lane.control.grants.one(str(want.fields["share"]), want.who.owner)
    return document(of_grant_receipt(lane.control.receipt(one), lane.home.clock()), self="/api/shares")
