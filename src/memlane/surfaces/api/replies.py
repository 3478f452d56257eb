"""What goes back: a document with links, bytes, or an error that says no more than its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

import msgspec

from memlane.surfaces.api.answers import JSON
from memlane.surfaces.plain import plain

USUAL: Mapping[str, str] = {
    "Connection": "close",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """`pieces` stand in for the body of what may be long; `after` is done once all of it has gone out. `headers` come
    before the usual ones of the same name."""

    status: int
    body: bytes = b""
    type: str = JSON
    pieces: Iterator[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    after: Callable[[], None] | None = None


def document(data: object, status: int = 200, **links: str) -> Reply:
    """`links` by their relation; those of each part stand in the part itself."""
    return Reply(status, _encoded(linked({"data": data}, **links)))


def linked(part: Mapping[str, object], **links: str) -> dict[str, object]:
    """A part of a document, with its own links."""
    return {**part, "_links": {name: {"href": href} for name, href in links.items() if href}}


def error(status: int, kind: str, message: str, hint: str = "", **more: str) -> Reply:
    return Reply(status, _encoded({"error": {"kind": kind, "message": message, "hint": hint, **more}}))


def head(reply: Reply) -> bytes:
    lines = [
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
        *(f"{name}: {value}" for name, value in {**USUAL, **reply.headers}.items()),
    ]
    if reply.body or reply.pieces is not None:
        lines.append(f"Content-Type: {reply.type}")
    if reply.pieces is None:
        lines.append(f"Content-Length: {len(reply.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _encoded(value: object) -> bytes:
    try:
        return msgspec.json.encode(plain(value))
    except UnicodeEncodeError:  # half a surrogate pair in what an agent wrote
        return msgspec.json.encode(_whole(plain(value)))


def _whole(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {str(_whole(key)): _whole(inner) for key, inner in cast(dict[str, object], value).items()}
    return [_whole(inner) for inner in cast(list[object], value)] if isinstance(value, list) else value
