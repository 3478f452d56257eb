"""What a handler is given: the fields of the query or the body, held against what its route takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from memlane.surfaces.api.asked import Asked, RefusedError
from memlane.surfaces.api.router import Route, Want
from memlane.surfaces.schema import problems


def wanted(route: Route, named: Mapping[str, str], asked: Asked) -> Want:
    if route.takes is None:
        return Want(named, {}, asked)
    fields = _numbers(asked.query, route) if route.method == "GET" else _decoded(asked)
    if wrong := list(problems(route.takes, fields))[:10]:
        raise RefusedError(400, "usage", "; ".join(wrong), "GET /api/openapi.json")
    return Want(named, cast(Mapping[str, object], fields), asked)


def _decoded(asked: Asked) -> object:
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
