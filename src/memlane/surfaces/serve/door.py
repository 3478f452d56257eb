"""Central as an ASGI callable: the same strict reading, rules and routes as the daemon's HTTP, for many owners.

Nothing here knows what an answer says. A request that is refused never reaches an owner's thread.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import secrets
import time
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from memlane.app import Lane
from memlane.app.arrivals import size_of
from memlane.errors import LaneError, UnreachableError
from memlane.surfaces.api import HttpFailure, HttpReply, RouteRequest, in_json
from memlane.surfaces.api.http import LARGEST_HEAD, HttpRequest, RefusedError, understood
from memlane.surfaces.api.listener import STATUS
from memlane.surfaces.api.router import Route, found, wanted
from memlane.surfaces.api.rules import AT_THE_DOOR, AccessRule, Check, TokenHolder, keep, nobody
from memlane.surfaces.serve.address import CentralAddress
from memlane.surfaces.serve.bodies import Receive, Send, long_reply, received_body, sent
from memlane.surfaces.serve.limits import Limit
from memlane.surfaces.serve.metrics import Metrics
from memlane.surfaces.serve.owners import CENTRAL, DeskUse, FullDeskError, OwnerDesks
from memlane.surfaces.serve.trail import AuditTrail, line_of
from memlane.system.disk import FULL

Scope = MutableMapping[str, Any]
Say = Callable[[str, str], None]
DOOR = AccessRule(AT_THE_DOOR)
READY_HOLDS = 1.0  # seconds
TEXT = "text/plain; charset=utf-8"
ID = re.compile(r"[A-Za-z0-9-]{8,64}")
REFUSED = 400
NO_ROOM = "Central has no disk space left"
ROOM_HINT = "free some disk space on Central; nothing is lost: machines send again what it did not take"
PROXIES = frozenset({"forwarded", "x-forwarded-for", "x-real-ip"})  # what they say of who asks through them
OURS = frozenset({"/health", "/ready", "/metrics"})


class CentralDoor:
    def __init__(
        self, routes: Sequence[Route], address: CentralAddress, desks: OwnerDesks, trail: AuditTrail, say: Say
    ) -> None:
        self._routes, self._address, self._desks, self._say = routes, address, desks, say
        self._trail = trail
        self.metrics = Metrics()
        self._asked = Limit(240, 20, "this machine asks too often")
        self._knocked = Limit(10, 1 / 6, "too many tries to join from this address")
        self._sent = Limit(1 << 30, 64 << 20, "this machine sends too much at once")
        self._looked: asyncio.Future[str] | None = None
        self._looked_at = 0.0
        self.closing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            return
        began, given = time.monotonic(), _header(scope, b"x-request-id")
        name = given if ID.fullmatch(given) else secrets.token_hex(8)
        route, reply, received = await self._reply(scope, receive, name)
        reply = replace(reply, headers={**reply.headers, "X-Request-Id": name})
        try:
            await sent(send, reply, scope["method"])
        except (LaneError, OSError, FullDeskError, RefusedError) as error:  # half of it is out: the line closes
            self._say("ERROR", f"{name}: {type(error).__name__}: {error}")
        path = route.path if route is not None else scope["path"] if scope["path"] in OURS else "other"
        self.metrics.took(scope["method"], path, reply.status, time.monotonic() - began, received)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                self.closing = True
                await asyncio.to_thread(self._desks.close)
                await asyncio.to_thread(self._trail.close)
                await send({"type": "lifespan.shutdown.complete"})
                return

    # -- one request -----------------------------------------------------------------------------------------------

    async def _reply(self, scope: Scope, receive: Receive, name: str) -> tuple[Route | None, HttpReply, int]:
        route, asked, received = None, None, 0
        try:
            asked = _understood(scope)
            if asked.path in OURS:
                return None, await self._own(asked, scope), 0
            keep(DOOR, asked, self._address)
            route, named = self._found(asked)
            knocks = f"{_peer(scope)} {route.path}" if Check.TOKEN not in route.rule.checks else ""
            if knocks:
                (self._knocked if route.outside else self._asked).take(knocks)
            keep(route.rule, asked, self._address)
            who = self._address.holder(asked) or TokenHolder()
            if who.id:
                self._asked.take(who.id)
                self._sent.take(who.id, float(asked.length or 0))
            body = await received_body(receive, asked.length or 0)
            received = len(body)
            if who.id and Check.FRAMES in route.rule.checks:
                with suppress(LaneError):  # what says no size is refused by who takes it
                    self._sent.take(who.id, float(max(0, size_of(body) - received)))
            want = replace(wanted(route, named, replace(asked, body=body)), who=who)
            reply = await self._answered(route, want, name)
            if knocks and route.outside and reply.status < REFUSED:
                self._knocked.give_back(knocks)
            elif knocks and not route.outside and reply.status >= REFUSED:
                self._knocked.take(
                    knocks
                )  # after the look: who has a right code is let in, whoever else tries from there
            return route, reply, received
        except RefusedError as refused:
            said = in_json(asked, HttpFailure(refused.status, refused.kind, refused.says, refused.hint))
            return route, replace(said, headers={**said.headers, **refused.headers}), received
        except UnreachableError as error:  # who asks is in the archive too
            said = in_json(asked, HttpFailure(503, error.kind, error.message, error.hint))
            return route, replace(said, headers={**said.headers, "Retry-After": "5"}), received

    def _found(self, asked: HttpRequest) -> tuple[Route, Any]:
        try:
            return found(self._routes, asked)
        except RefusedError:
            if self._address.holder(asked) is None:
                raise nobody() from None
            raise

    async def _answered(self, route: Route, want: RouteRequest, name: str) -> HttpReply:
        owner, use = CENTRAL if route.own else want.who.owner, _desk_of(route)

        def answer(lane: Lane) -> HttpReply:
            self._must_hold_still(lane, route, want)
            return _done(lane, route, want)

        try:
            asked = self._desks.ask(owner, answer, use, want.who.owner)
            reply = await asyncio.wrap_future(asked)
            if reply.pieces is not None:
                pieces = reply.pieces

                def piece(lane: Lane) -> bytes:
                    self._must_hold_still(lane, route, want)
                    return next(pieces, b"")

                reply = long_reply(reply, lambda: self._desks.ask(owner, piece, use))
        except RefusedError:
            raise
        except FullDeskError:
            return self._wrong(want, HttpFailure(503, "busy", "too many requests at once", "try again"), 1)
        except LaneError as error:
            status = {**STATUS, "not-allowed": 403, "damaged": 400}.get(error.kind, 500)
            said = HttpFailure(status, error.kind, error.message, error.hint)
            return self._wrong(want, said, 1 if status == 503 else 0)
        except OSError as error:
            if error.errno not in FULL:
                return self._failed(want, name, error)
            self._say("ERROR", f"{name}: {error}")
            return self._wrong(want, HttpFailure(507, UnreachableError.kind, NO_ROOM, ROOM_HINT, name), 0)
        except Exception as error:  # noqa: BLE001 - the outermost line: one question ends nothing else
            return self._failed(want, name, error)
        if reply.after is not None:
            after = reply.after
            self._desks.ask(owner, lambda _lane: after(), use)
        if route.audit:
            self._trail.note(line_of(route, want, reply))
        self._saw(want)
        return reply

    def _must_hold_still(self, lane: Lane, route: Route, want: RouteRequest) -> None:
        """A token may have ended while its question waited for its turn, or while a long answer went out."""
        if want.who.id:
            rule = AccessRule((Check.TOKEN,), right=route.rule.right)
            keep(rule, want.asked, replace(self._address, control=lane.control))

    def _saw(self, want: RouteRequest) -> None:
        if want.who.id:
            behind = [want.asked.headers.get(f"x-lane-behind-{what}", "") for what in ("runs", "bytes")]
            runs, size = (int(one) if one.isdecimal() and len(one) < 16 else None for one in behind)
            with suppress(OSError):
                self._address.control.sightings.note(want.who.id, runs, size)

    def _failed(self, want: RouteRequest, name: str, error: Exception) -> HttpReply:
        self._say("ERROR", f"{name}: {type(error).__name__}: {error}")
        return self._wrong(want, HttpFailure(500, "failed", "it failed; Central's log says why", "", name), 0)

    def _wrong(self, want: RouteRequest, said: HttpFailure, retry_after: int) -> HttpReply:
        reply = in_json(want.asked, said)
        return replace(reply, headers={"Retry-After": str(retry_after)}) if retry_after else reply

    # -- about this server -----------------------------------------------------------------------------------------

    async def _own(self, asked: HttpRequest, scope: Scope) -> HttpReply:
        if asked.path == "/health":
            return HttpReply(200, b"ok\n", TEXT)
        if asked.path == "/ready":
            why = "stopping" if self.closing else await self._not_ready_of_late()
            return HttpReply(503 if why else 200, f"{why or 'ready'}\n".encode(), TEXT)
        if not _is_local(_peer(scope)) or not PROXIES.isdisjoint(asked.headers):
            raise RefusedError(403, "not-allowed", "metrics are for programs on this computer")
        return HttpReply(200, self.metrics.text().encode(), "text/plain; version=0.0.4")

    async def _not_ready_of_late(self) -> str:
        """Looked at once for all who ask within a second."""
        if self._looked is None or (self._looked.done() and time.monotonic() > self._looked_at + READY_HOLDS):
            self._looked, self._looked_at = asyncio.ensure_future(self._not_ready()), time.monotonic()
        return await asyncio.shield(self._looked)

    async def _not_ready(self) -> str:
        """Whether Central's own records can be read: without them nobody is let in."""
        try:
            await asyncio.wrap_future(self._desks.ask(CENTRAL, lambda lane: lane.control.central, by="/ready"))
        except (LaneError, OSError, FullDeskError) as error:
            return f"not ready: {type(error).__name__}"
        return ""


def _done(lane: Lane, route: Route, want: RouteRequest) -> HttpReply:
    """What changes Central's own records is written down under the name of who asks."""
    if not route.own:
        reply = route.do(lane, want)
        return replace(reply, lent=lane.loans.owners()) if route.audit and not route.live else reply
    with lane.control.acting(want.who.owner, want.who.machine):
        return route.do(lane, want)


def _desk_of(route: Route) -> DeskUse:
    if Check.FRAMES in route.rule.checks:
        return DeskUse.ARRIVES
    if route.outside:
        return DeskUse.OUTSIDE
    return DeskUse.HOOK if route.live else DeskUse.ASKED


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _head(scope: Scope) -> bytes:
    """As it came, so that it is read as strictly as the daemon reads."""
    target = scope.get("raw_path") or scope["path"].encode()
    if scope["query_string"]:
        target = target.partition(b"?")[0] + b"?" + scope["query_string"]
    lines = [b"%s %s HTTP/1.1" % (scope["method"].encode(), target)]
    lines += [b"%s: %s" % pair for pair in scope["headers"]]
    return b"\r\n".join(lines)


def _understood(scope: Scope) -> HttpRequest:
    head = _head(scope)
    if len(head) > LARGEST_HEAD:
        raise RefusedError(431, "too-large", "the head of the request is too large")
    return understood(head)


def _peer(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _is_local(peer: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(peer).is_loopback
    return not peer  # a Unix socket
