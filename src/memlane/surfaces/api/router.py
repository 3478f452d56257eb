"""How a path finds its route. A route cannot be made without a rule; the only names in a path are ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlane.surfaces.api.answers import ANYTHING, Gives
from memlane.surfaces.api.asked import Asked, RefusedError
from memlane.surfaces.api.replies import Reply
from memlane.surfaces.api.rules import Rule
from memlane.surfaces.schema import ACT, DREAM, FILE, MEMORY, RECALL, RUN, SHA, SLUG, Schema, given

if TYPE_CHECKING:
    from memlane.app import Lane

NOTHING_GIVEN = given()
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
}


@dataclass(frozen=True, slots=True)
class Want:
    """What a handler is given: the ids of the path, the fields of the query or the body, both checked."""

    named: Mapping[str, str]
    fields: Mapping[str, object]
    asked: Asked


Handler = Callable[["Lane", Want], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """`rule` has no default, on purpose. `takes` is of the query for a GET, of the body for a POST; None: not ours to
    check (an MCP message)."""

    method: str
    path: str  # /api/runs/{run}
    what: str
    rule: Rule
    do: Handler
    takes: Schema | None = field(default_factory=lambda: NOTHING_GIVEN)
    gives: Gives = ANYTHING
    beside: bool = False  # it only reads, and may take a while: another process may answer it

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


def found(routes: Sequence[Route], asked: Asked) -> tuple[Route, Mapping[str, str]]:
    """Nothing is decoded in a path: what needs it is no path of ours."""
    fitting = [(route, named) for route in routes if (named := route.match(asked.path)) is not None]
    for route, named in fitting:
        if route.method == asked.method:
            return route, named
    if fitting:
        allowed = ", ".join(route.method for route, _ in fitting)
        raise RefusedError(405, "no-method", f"{allowed} only", allow=allowed)
    raise RefusedError(404, "not-found", "there is nothing here", "GET /api/openapi.json")
