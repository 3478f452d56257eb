"""What machines ask of Central: to join, to leave bytes, to fetch what others left; and about each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from memlane.domain.token import MACHINE, SHIPPER
from memlane.errors import UsageError
from memlane.surfaces.api.answers import BYTES
from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.api.rules import READ
from memlane.surfaces.documents import of_machine

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.domain import RunFilter

FOUND = 10  # turns


def join(lane: Lane, want: RouteRequest) -> HttpReply:
    """A code for a token. The only question that is answered without one."""
    from memlane.app.control import Joining  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    asked = Joining(
        str(fields["code"]),
        str(fields["user"]),
        str(fields["machine"]),
        str(fields.get("computer", "")),
        bool(fields.get("fresh", False)),
        bool(fields.get("thin", False)),
    )
    made = lane.control.machines.join(asked)
    data = {
        "central": lane.control.central,
        "owner": made.owner,
        "token": made.token,
        "at": made.at,
        "machine": of_machine(made.machine),
    }
    return document(data, 201, self="/api/join", ship="/api/ship")


def sign_ins(lane: Lane, _want: RouteRequest) -> HttpReply:
    """How somebody without a code may join."""
    offer = lane.control.sign_in.offer()
    atproto = {"audience": offer.audience, "method": offer.method} if offer.audience else None
    issuer = {"issuer": offer.issuer, "client": offer.client} if offer.issuer else None
    return document({"atproto": atproto, "oidc": issuer}, self="/api/sign-in", join="/api/join")


def sign_in(lane: Lane, want: RouteRequest) -> HttpReply:
    """Another service's word for a one-time code."""
    from memlane.app.control import Asking  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    asking = Asking(
        str(fields.get("atproto", "")),
        str(fields.get("oidc", "")),
        str(fields.get("user", "")),
        bool(fields.get("fresh", False)),
    )
    code, made = lane.control.sign_in.code_for(asking)
    data = {"code": code, "owner": made.owner, "until": made.until}
    return document(data, 201, self="/api/sign-in", join="/api/join")


def ship(lane: Lane, want: RouteRequest) -> HttpReply:
    answers = lane.arrivals.take(want.asked.body, only_runs=_ships_only(want))
    return document([_answer(one) for one in answers], self="/api/ship", lines="/api/lines")


def _answer(one: object) -> object:
    import msgspec  # noqa: PLC0415

    return msgspec.to_builtins(one)


def _ships_only(want: RouteRequest) -> bool:
    return READ not in want.who.rights


def held(lane: Lane, want: RouteRequest) -> HttpReply:
    """A token that only ships is told of its own machine's runs alone."""
    arrivals, only = lane.arrivals, _ships_only(want)
    runs = {
        one.run: {"generations": {str(n): list(what) for n, what in one.generations.items()}, "files": one.files}
        for one in arrivals.held(want.who.machine if only else "")
    }
    journals = {} if only else dict(arrivals.journals())
    orders = {} if only else dict(arrivals.orders())
    return document({"runs": runs, "journals": journals, "orders": orders}, self="/api/ship")


def lines(lane: Lane, want: RouteRequest) -> HttpReply:
    """Journal lines of all the owner's machines behind those named, as frames."""
    files = cast(Sequence[Mapping[str, object]], want.fields.get("files", ()))
    known = {str(one.get("name", "")): (int(str(one.get("size", 0))), str(one.get("last", ""))) for one in files}
    return _page(lane.arrivals.lines_beyond(known))


def frames(lane: Lane, want: RouteRequest) -> HttpReply:
    """What a machine that wants to read a run does not have of it."""
    return _page(lane.arrivals.frames_of(want.named["run"], want.fields))


def _page(found: tuple[bytes, bool]) -> HttpReply:
    body, more = found
    return HttpReply(200, body, BYTES, headers={"X-Lane-More": "1" if more else "0"})


def found(lane: Lane, want: RouteRequest) -> HttpReply:
    """What `lane search` shows, for another machine's."""
    from memlane.app.search import Mode  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    limit, mode = int(str(fields.get("limit", FOUND))), Mode(str(fields.get("mode", Mode.AUTO)))
    answer = lane.everywhere.views.search(str(fields["query"]), _which(want), limit, mode)
    return document(_answer(answer), self="/api/views/search")


def listed(lane: Lane, want: RouteRequest) -> HttpReply:
    """What `lane runs` and `lane tree` show, for another machine's."""
    return document(_answer(list(lane.everywhere.views.runs(_which(want)))), self="/api/views/runs")


def _which(want: RouteRequest) -> RunFilter:
    import msgspec  # noqa: PLC0415

    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question
    from memlane.domain.times import in_bounds  # noqa: PLC0415

    try:
        which = msgspec.convert(want.fields["which"], RunFilter)
    except msgspec.ValidationError as error:
        raise UsageError(f"which: {error}") from None
    if any(at is not None and in_bounds(at) is None for at in (which.since, which.until)):
        raise UsageError("which: this time cannot be")
    return which


def shown(lane: Lane, want: RouteRequest) -> HttpReply:
    """A part of a run, masked, for the page of a machine that does not have it."""
    given, at, first, most = (want.fields[name] for name in ("run", "at", "first", "most"))
    there = lane.everywhere.views.run(str(given), str(at), cast(int, first), cast(int, most))
    return document(_answer(there), self="/api/views/run")


def machines(lane: Lane, want: RouteRequest) -> HttpReply:
    found = lane.control.machines.of(want.who.owner)
    seen = lane.control.sightings.all()
    return document([of_machine(one, seen.get(one.id)) for one in found], self="/api/machines")


def invite(lane: Lane, want: RouteRequest) -> HttpReply:
    """For one more machine of whoever asks."""
    kind = SHIPPER if want.fields.get("ship_only") else MACHINE
    code, made = lane.control.codes.another(want.who.owner, kind, by=want.who.id)
    return document({"code": code, "owner": made.owner, "until": made.until}, 201, self="/api/machines/invite")


def revoke(lane: Lane, want: RouteRequest) -> HttpReply:
    gone = lane.control.machines.revoke(str(want.fields["machine"]), want.who.owner)
    return document(of_machine(gone), self="/api/machines")


def rename(lane: Lane, want: RouteRequest) -> HttpReply:
    fields = want.fields
    named = lane.control.machines.rename(str(fields["machine"]), str(fields["title"]), want.who.owner)
    return document(of_machine(named), self="/api/machines")
