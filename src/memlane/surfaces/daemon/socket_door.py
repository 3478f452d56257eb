"""HTTP on the daemon's own socket, for our code inside an agent: the same routes, rules and token as on the port.

It only understands a request. Hook calls become the requests that the loop knows; acts are done by another thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from memlane.surfaces.api import http
from memlane.surfaces.api.hooks import question_of
from memlane.surfaces.api.http import LARGEST_HEAD, HttpReply, RefusedError, understood
from memlane.surfaces.api.router import Route, RouteRequest, admitted, wanted
from memlane.surfaces.api.routes import agent_table
from memlane.surfaces.api.rules import HttpAddress
from memlane.surfaces.daemon.protocol import LONGEST_PATIENCE, MOVED, HookRequest, ModSign

USUAL_PATIENCE = 0.35  # seconds, for a caller that names none
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class SocketAct:
    """Something to be done with a Lane that may write."""

    route: Route
    want: RouteRequest


class SocketDoor:
    def __init__(self, token: str) -> None:
        self._place = HttpAddress(0, token)
        self._routes = agent_table()

    def read(self, got: bytes) -> HookRequest | SocketAct | HttpReply | None:
        """None: more has to come. An HttpReply is a refusal."""
        head, ended, rest = got.partition(b"\r\n\r\n")
        try:
            if len(head) > LARGEST_HEAD:
                raise RefusedError(431, "too-large", "the head of the request is too large")
            if not ended:
                return None
            asked = understood(head)
            route, named = admitted(asked, self._routes, self._place)
            length = asked.length or 0
            if len(rest) < length:
                return None
            want = wanted(route, named, replace(asked, body=rest[:length]))
            return hook_request(want) if route.live else SocketAct(route, want)
        except RefusedError as refused:
            return http.error(refused.status, refused.kind, refused.says, refused.hint)


def hook_request(want: RouteRequest) -> HookRequest:
    asked, now = question_of(want), time.monotonic()
    patience = asked.until / 1000 - time.time() if asked.until else USUAL_PATIENCE
    return HookRequest(
        want.named["agent"],
        want.named["event"],
        bytes(asked.given),
        now + min(patience, LONGEST_PATIENCE),
        off=asked.off,
        variables={name: value for name, value in asked.variables.items() if name in MOVED},
        mod=ModSign(asked.by.version[:LONGEST_NAME], asked.by.client[:LONGEST_NAME]),
        meant=tuple(asked.meant),
    )


def framed(answer: bytes) -> bytes:
    """A hook's answer, as HTTP."""
    return sent(HttpReply(200, answer or b"{}"))


def sent(reply: HttpReply) -> bytes:
    return http.head(reply) + reply.body
