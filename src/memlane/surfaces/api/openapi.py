"""The description of every route for programs, made from the table that answers them: it cannot fall behind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

import memlane
from memlane.surfaces.api.answers import NO_BODY, SCHEMAS, ref
from memlane.surfaces.api.http import HttpReply
from memlane.surfaces.api.router import PARTS, Route
from memlane.surfaces.api.rules import FRAMES, JSON, Check
from memlane.surfaces.schema import Schema

Json = dict[str, object]
_PART = re.compile(r"\{(\w+)\}")
_ERROR = {"application/json": {"schema": ref("Error")}}
_REFUSALS: Mapping[Check, Sequence[int]] = {
    Check.HOST: (421,),
    Check.ORIGIN: (403,),
    Check.TOKEN: (401,),
    Check.PASS: (401,),
    Check.KNOWN: (401,),
    Check.LENGTH: (413,),
    Check.JSON: (411, 415),
    Check.FRAMES: (411, 415),
}
_ALWAYS = (400, 404)
_FREE: Mapping[str, Schema] = {
    JSON: {"description": "a JSON-RPC message, or several"},
    FRAMES: {"type": "string", "format": "binary", "description": "one zstd frame: see docs/formats/shipment.md"},
}
_NO_NUL = r"^[^\u0000]*$"
_SAYS = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"
_WRONG = {
    "400": "The request is invalid or has an unknown field.",
    "401": "The token is missing or wrong.",
    "403": "The Origin is not allowed.",
    "404": "Not found.",
    "411": "The body has no length.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The Host is not allowed.",
    "default": "No such method (405), too slow (408), not set up (409), too busy (503), failed (500).",
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
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": SCHEMAS,
            "responses": {name: {"description": says, "content": _ERROR} for name, says in _WRONG.items()},
        },
    }


def reply(routes: Sequence[Route]) -> HttpReply:
    return HttpReply(200, msgspec.json.encode(described(routes)))


def _operation(route: Route) -> Json:
    made: Json = {"summary": route.what, "responses": _responses(route)}
    if parameters := [*_ids(route), *_query(route)]:
        made["parameters"] = parameters
    if route.method == "POST":
        type_ = FRAMES if Check.FRAMES in route.rule.checks else JSON
        body = _exact(route.takes) if route.takes else _FREE[type_]
        made["requestBody"] = {"required": True, "content": {type_: {"schema": body}}}
    return made


def _responses(route: Route) -> Json:
    refused = sorted({*_ALWAYS, *(status for check in route.rule.checks for status in _REFUSALS[check])})
    made: Json = {name: {"$ref": f"#/components/responses/{name}"} for name in (*map(str, refused), "default")}
    for status, says in route.gives.statuses.items():
        content = {} if status == NO_BODY else {"content": {route.gives.type: {"schema": route.gives.schema}}}
        made[str(status)] = {"description": says, **content}
    return made


def _exact(takes: Schema) -> Schema:
    """With what is asked of a text beside its length: that it says something, and has no NUL in it."""
    fields = cast(Mapping[str, Schema], takes["properties"])
    return {**takes, "properties": {name: _text(one) for name, one in fields.items()}}


def _text(one: Schema) -> Schema:
    if one["type"] != "string" or "pattern" in one or "enum" in one:
        return one
    return {**one, "pattern": _SAYS if one.get("minLength") else _NO_NUL}


def _ids(route: Route) -> list[Json]:
    names = cast(list[str], _PART.findall(route.path))
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": PARTS[name]}}
        for name in names
    ]


def _query(route: Route) -> list[Json]:
    if route.method != "GET" or route.takes is None:
        return []
    fields = cast(Mapping[str, Schema], _exact(route.takes)["properties"])
    return [{"name": name, "in": "query", "schema": schema} for name, schema in fields.items()]
