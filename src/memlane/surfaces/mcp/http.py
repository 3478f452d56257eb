"""MCP as one POST: streamable HTTP with no stream and nothing kept between two, as every revision since 2025 allows.

Who may ask at all is decided before: this knows no token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import msgspec

from memlane.surfaces.mcp.desk import Desk
from memlane.surfaces.mcp.protocol import STATELESS, WITH_HANDSHAKE, answered, not_json

HEADER_MISMATCH = -32020
_NAMED_BY = {"tools/call": "name", "resources/read": "uri"}


@dataclass(frozen=True, slots=True)
class Posted:
    """The status, the body (empty for a notification), and what to do once it is gone."""

    status: int
    body: bytes = b""
    after: Callable[[], None] | None = None


def posted(body: bytes, headers: Mapping[str, str], desk: Desk) -> Posted:
    """`headers` by their names in lower case."""
    try:
        message: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return Posted(400, msgspec.json.encode(not_json()))
    version = headers.get("mcp-protocol-version", WITH_HANDSHAKE[2])
    if version not in (STATELESS, *WITH_HANDSHAKE):
        return Posted(400, _wrong(message, -32022, "unsupported protocol version"))
    if version == STATELESS and (why := _mismatch(message, headers)):
        return Posted(400, _wrong(message, HEADER_MISMATCH, why))
    answer = answered(message, desk)
    if answer.reply is None:
        return Posted(202, after=answer.after)
    return Posted(200, msgspec.json.encode(answer.reply), answer.after)


def _mismatch(message: object, headers: Mapping[str, str]) -> str:
    """The newest revision repeats method and name in the headers: both must say the same."""
    if not isinstance(message, dict):
        return ""
    given = cast(Mapping[str, object], message)
    method, params = given.get("method"), given.get("params")
    if "id" in given and headers.get("mcp-method") != method:
        return "mcp-method does not match the body's method"
    key = _NAMED_BY.get(str(method))
    named = cast(Mapping[str, object], params).get(key) if key and isinstance(params, dict) else None
    if isinstance(named, str) and named.isascii() and headers.get("mcp-name") != named:
        return f"mcp-name does not match the body's {key}"
    return ""


def _wrong(message: object, code: int, says: str) -> bytes:
    id_ = cast(Mapping[str, object], message).get("id") if isinstance(message, dict) else None
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": says}})
