"""The description of every route for programs, made from the table that answers them: it cannot fall behind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

import memlane
from memlane.surfaces.api.replies import Reply
from memlane.surfaces.api.router import PARTS, Route
from memlane.surfaces.api.rules import Check

Json = dict[str, object]
_PART = re.compile(r"\{(\w+)\}")
_REFUSALS = {
    Check.HOST: (421, "The Host is not ours."),
    Check.ORIGIN: (403, "The Origin is not ours."),
    Check.TOKEN: (401, "The token is missing or wrong."),
    Check.LENGTH: (413, "The body is too large."),
    Check.JSON: (415, "The body is not JSON."),
}


def described(routes: Sequence[Route]) -> Json:
    paths = dict[str, Json]()
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Memory Lane", "version": memlane.__version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def reply(routes: Sequence[Route]) -> Reply:
    return Reply(200, msgspec.json.encode(described(routes)))


def _operation(route: Route) -> Json:
    refusals = {str(_REFUSALS[check][0]): {"description": _REFUSALS[check][1]} for check in route.rule.checks}
    made: Json = {"summary": route.what, "responses": {"200": {"description": "Done."}, **refusals}}
    if parameters := [*_ids(route), *_query(route)]:
        made["parameters"] = parameters
    if route.method == "POST":
        body: Mapping[str, object] = route.takes or {"type": "object"}
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return made


def _ids(route: Route) -> list[Json]:
    names = cast(list[str], _PART.findall(route.path))
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": PARTS[name]}}
        for name in names
    ]


def _query(route: Route) -> list[Json]:
    if route.method != "GET" or route.takes is None:
        return []
    fields = cast(Mapping[str, object], route.takes["properties"])
    return [{"name": name, "in": "query", "schema": schema} for name, schema in fields.items()]
