"""HTTP as we speak it: one request, read strictly, a connection; and what goes back. No route is known here."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast
from urllib.parse import parse_qsl

import msgspec

from memlane.domain.door import in_json
from memlane.surfaces.api.answers import JSON
from memlane.surfaces.json_values import plain

LARGEST_HEAD = 16_384
PATIENCE = 5.0  # seconds to say what is wanted, head and body together
MOST_FIELDS = 20  # in a query
_AT_ONCE = 1 << 16
_LINE = re.compile(rb"([A-Z]{3,7}) (/[!-~]*) HTTP/1\.[01]")
_HEADER = re.compile(rb"([A-Za-z0-9-]{1,64}):[ \t]*([\t -~\x80-\xff]*?)[ \t]*")
_LENGTH = re.compile(r"[0-9]{1,12}")
ONLY_ONCE = frozenset({"authorization", "content-length", "content-type", "origin", "mcp-method", "mcp-name"})


class RefusedError(Exception):
    """Answered with this status, before any handler."""

    def __init__(
        self, status: int, kind: str, says: str, hint: str = "", allow: str = "", retry_after: int = 0
    ) -> None:
        super().__init__(says)
        self.status, self.kind, self.says, self.hint = status, kind, says, hint
        self.headers = {"Allow": allow} if allow else {}
        if retry_after:
            self.headers["Retry-After"] = str(retry_after)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """`hosts` are all that were named: a request with none or two is nobody's."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case
    hosts: Sequence[str]
    length: int | None
    body: bytes = b""


class HttpConnection:
    """A connection until its request is read, or its time is over."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._until = time.monotonic() + PATIENCE
        self._rest = b""

    def head(self) -> bytes:
        got = b""
        while b"\r\n\r\n" not in got:
            if len(got) > LARGEST_HEAD:
                raise RefusedError(431, "too-large", "the head of the request is too large")
            got += self._more()
        head, _, self._rest = got.partition(b"\r\n\r\n")
        if len(head) > LARGEST_HEAD:
            raise RefusedError(431, "too-large", "the head of the request is too large")
        return head

    def body(self, length: int) -> bytes:
        got = [self._rest[:length]]
        missing = length - len(got[0])
        while missing > 0:
            got.append(self._more()[:missing])
            missing -= len(got[-1])
        return b"".join(got)

    def _more(self) -> bytes:
        left = self._until - time.monotonic()
        if left <= 0:
            raise RefusedError(408, "too-slow", "the request took too long to arrive")
        self._line.settimeout(left)
        try:
            piece = self._line.recv(_AT_ONCE)
        except TimeoutError:
            raise RefusedError(408, "too-slow", "the request took too long to arrive") from None
        if not piece:
            raise RefusedError(400, "cut", "the request ended too early")
        return piece


def understood(head: bytes) -> HttpRequest:
    first, *lines = head.split(b"\r\n")
    found = _LINE.fullmatch(first)
    if found is None:
        raise RefusedError(400, "not-understood", "the first line is not one of HTTP/1.1")
    path, _, query = found[2].decode("ascii").partition("?")
    headers, hosts = _headers(lines)
    if "transfer-encoding" in headers:
        raise RefusedError(411, "no-length", "a body is sent with its length, not in pieces")
    length = headers.get("content-length")
    if length is not None and _LENGTH.fullmatch(length) is None:
        raise RefusedError(400, "not-understood", "content-length is not a number")
    return HttpRequest(
        found[1].decode("ascii"), path, _fields(query), headers, hosts, int(length) if length is not None else None
    )


def _headers(lines: Sequence[bytes]) -> tuple[dict[str, str], list[str]]:
    headers, hosts = dict[str, str](), list[str]()
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise RefusedError(400, "not-understood", "a header is not one of HTTP/1.1")
        name, value = found[1].decode("ascii").lower(), found[2].decode("latin-1")
        if name == "host":
            hosts.append(value)
        elif name in headers and name in ONLY_ONCE:
            raise RefusedError(400, "not-understood", f"{name} is given twice")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers, hosts


def _fields(query: str) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=MOST_FIELDS)
    except ValueError:
        raise RefusedError(400, "not-understood", "the query is not understood") from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise RefusedError(400, "not-understood", "a field of the query is given twice")
    return dict(pairs)


USUAL: Mapping[str, str] = {
    "Connection": "close",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}


@dataclass(frozen=True, slots=True)
class HttpReply:
    """`pieces` stand in for the body of what may be long; `after` is done once all of it has gone out. `headers` come
    before the usual ones of the same name."""

    status: int
    body: bytes = b""
    type: str = JSON
    pieces: Iterator[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    after: Callable[[], None] | None = None
    lent: Mapping[str, Sequence[str]] = field(
        default_factory=dict[str, Sequence[str]]
    )  # ids of what others share with who asks → their owners


def document(data: object, status: int = 200, **links: str) -> HttpReply:
    """`links` by their relation; those of each part stand in the part itself."""
    return HttpReply(status, _encoded(linked({"data": data}, **links)))


def linked(part: Mapping[str, object], **links: str) -> dict[str, object]:
    """A part of a document, with its own links."""
    return {**part, "_links": {name: {"href": href} for name, href in links.items() if href}}


def error(status: int, kind: str, message: str, hint: str = "", **more: str) -> HttpReply:
    return HttpReply(status, _encoded({"error": {"kind": kind, "message": message, "hint": hint, **more}}))


def head(reply: HttpReply) -> bytes:
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
        return in_json(msgspec.json.encode(plain(value)).decode()).encode()
    except UnicodeEncodeError:  # half a surrogate pair in what an agent wrote
        return in_json(msgspec.json.encode(_whole(plain(value))).decode()).encode()


def _whole(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {str(_whole(key)): _whole(inner) for key, inner in cast(dict[str, object], value).items()}
    return [_whole(inner) for inner in cast(list[object], value)] if isinstance(value, list) else value
