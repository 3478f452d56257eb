"""The policy over HTTP: shown to whoever has a code, before they join; set by an admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.central_documents import of_policy

if TYPE_CHECKING:
    from memlane.app import Lane


def shown(lane: Lane, _want: RouteRequest) -> HttpReply:
    return document(of_policy(lane.control.policy.now()), self="/api/policy")


def before_joining(lane: Lane, want: RouteRequest) -> HttpReply:
    """The rules for the person of this code, which stays open."""
    import msgspec  # noqa: PLC0415

    code = lane.control.codes.opened(str(want.fields["code"]))
    return document(msgspec.to_builtins(lane.control.rules_for(code.owner)), self="/api/join/rules", join="/api/join")


def change(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.app.control import Sharing  # noqa: PLC0415 - loaded with the first question

    lane.control.people.must_be_admin(want.who.owner)
    never, sharing = cast("list[str]", want.fields["never"]), Sharing(str(want.fields["sharing"]))
    made = lane.control.policy.set(never, sharing, want.who.owner, mask=bool(want.fields["mask"]))
    return document(of_policy(made), self="/api/policy")
