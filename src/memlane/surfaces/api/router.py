"""How a path finds its route, and what its handler is given. No route without a rule; only ids in a path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.surfaces.api.answers import ANYTHING, ReplySchema
from memlane.surfaces.api.http import HttpReply, HttpRequest, RefusedError
from memlane.surfaces.api.rules import AT_THE_DOOR, AccessRule, Door, TokenHolder, keep, known, nobody
from memlane.surfaces.schema import ACT, DREAM, EVENT, FILE, MEMORY, RECALL, RUN, SHA, SLUG, Schema, given, problems

if TYPE_CHECKING:
    from memlane.app import Lane

NOTHING_GIVEN = given()
DOOR = AccessRule(AT_THE_DOOR)
PARTS: Mapping[str, str] = {
    "run": RUN,
    "memory": MEMORY,
    "recall": RECALL,
    "act": ACT,
    "dream": DREAM,
    "type": SLUG,
    "slug": SLUG,
    "sha": SHA,
    "file": FILE,
    "agent": SLUG,
    "event": EVENT,
}


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """What a handler is given: the ids of the path, the fields of the query or the body, both checked."""

    named: Mapping[str, str]
    fields: Mapping[str, object]
    asked: HttpRequest
    who: TokenHolder = field(default_factory=TokenHolder)


Handler = Callable[["Lane", RouteRequest], HttpReply]


@dataclass(frozen=True, slots=True)
class Route:
    """`rule` has no default, on purpose. `takes` is of the query for a GET, of the body for a POST; None: not ours to
    check (an MCP message)."""

    method: str
    path: str  # /api/runs/{run}
    what: str
    rule: AccessRule
    do: Handler
    takes: Schema | None = field(default_factory=lambda: NOTHING_GIVEN)
    gives: ReplySchema = ANYTHING
    own: bool = False  # on Central: about Central's own records, not about what a person keeps there
    outside: bool = False  # on Central: it asks another server, and must not hold up what does not
    beside: bool = False  # it only reads, and may take a while: another process may answer it
    audit: str = ""  # on Central: what the Audit calls it; "": nobody is told anything by it
    live: bool = False  # an agent waits: whoever answers hooks answers it

    def match(self, path: str) -> Mapping[str, str] | None:
        wanted, found = self.path.split("/"), path.split("/")
        if len(wanted) != len(found):
            return None
        named = dict[str, str]()
        for want, have in zip(wanted, found, strict=True):
            if not want.startswith("{"):
                if want != have:
                    return None
            else:
                name, _, end = want[1:].partition("}")  # {run}, {run}.json
                id_ = have.removesuffix(end)
                if not have.endswith(end) or not re.fullmatch(PARTS[name], id_):
                    return None
                named[name] = id_
        return named


def admitted(asked: HttpRequest, routes: Sequence[Route], place: Door) -> tuple[Route, Mapping[str, str]]:
    """Its route, once every rule holds. What is not there is nobody's business but who is known."""
    keep(DOOR, asked, place)
    try:
        route, named = found(routes, asked)
    except RefusedError:
        if not known(asked, place):
            raise nobody() from None
        raise
    keep(route.rule, asked, place)
    return route, named


def found(routes: Sequence[Route], asked: HttpRequest) -> tuple[Route, Mapping[str, str]]:
    """Nothing is decoded in a path: what needs it is no path of ours."""
    fitting = [(route, named) for route in routes if (named := route.match(asked.path)) is not None]
    for route, named in fitting:
        if route.method == asked.method:
            return route, named
    if fitting:
        allowed = ", ".join(route.method for route, _ in fitting)
        raise RefusedError(405, "no-method", f"{allowed} only", allow=allowed)
    raise RefusedError(404, "not-found", "not found", "GET /api/openapi.json")


def wanted(route: Route, named: Mapping[str, str], asked: HttpRequest) -> RouteRequest:
    if route.takes is None:
        return RouteRequest(named, {}, asked)
    fields = _numbers(asked.query, route) if route.method == "GET" else _decoded(asked)
    if wrong := list(problems(route.takes, fields))[:10]:
        raise RefusedError(400, "usage", "; ".join(wrong), "GET /api/openapi.json")
    return RouteRequest(named, cast(Mapping[str, object], fields), asked)


def _decoded(asked: HttpRequest) -> object:
    if asked.query:
        raise RefusedError(400, "usage", "this takes no query", "GET /api/openapi.json")
    try:
        found: object = msgspec.json.decode(asked.body)
    except (msgspec.DecodeError, RecursionError):
        raise RefusedError(400, "not-json", "the body is not JSON") from None
    return _whole(cast(Mapping[str, object], found)) if isinstance(found, dict) else found


def _whole(fields: Mapping[str, object]) -> object:
    """To JSON, 3.0 is an integer."""
    return {name: int(one) if isinstance(one, float) and one.is_integer() else one for name, one in fields.items()}


def _numbers(query: Mapping[str, str], route: Route) -> object:
    """A query has only text; what should be a number and looks like one is one."""
    known = cast(Mapping[str, Mapping[str, object]], (route.takes or {}).get("properties", {}))
    wanted = {name for name, schema in known.items() if schema["type"] == "integer"}
    return {n: int(v) if n in wanted and v.isascii() and v.isdigit() and len(v) < 10 else v for n, v in query.items()}
