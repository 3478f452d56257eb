"""Hook calls over HTTP, as code inside an agent makes them. The daemon's socket answers; here is what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from memlane.errors import NotFoundError
from memlane.surfaces.api.http import HttpReply, RefusedError
from memlane.surfaces.api.router import RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane


class HookOrigin(msgspec.Struct, frozen=True):
    """The version of our code that calls, and of the agent it runs in."""

    version: str = ""
    client: str = ""


class HookQuestion(msgspec.Struct, frozen=True):
    """`given` is what the agent says at this event. `until` is on the wall clock: Unix time in milliseconds."""

    given: msgspec.Raw
    until: float = 0.0
    off: bool = False
    variables: Mapping[str, str] = {}
    meant: Sequence[str] = ()  # entities that the person has just chosen
    by: HookOrigin = HookOrigin()


def question_of(want: RouteRequest) -> HookQuestion:
    try:
        return msgspec.json.decode(want.asked.body, type=HookQuestion)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RefusedError(400, "usage", f"this is not a hook call: {error}", "GET /api/openapi.json") from None


def on_the_socket(_lane: Lane, _want: RouteRequest) -> HttpReply:
    """What the port answers: only the thread that answers every hook knows what a run was told last."""
    raise NotFoundError("hooks are answered on the daemon's socket", hint="use run/daemon.sock in LANE_HOME")
