"""What comes in a request and what goes out in an answer, piece by piece: nobody makes us hold more than was said."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from memlane.surfaces.api import HttpReply
from memlane.surfaces.api.http import USUAL, RefusedError

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
NextPiece = Callable[[], Future[bytes]]  # b"": that was all
PATIENCE = 60.0  # seconds for a whole body: a slow line sends 16 MiB in them at 2 Mbit/s
ONE_PIECE = 1 << 20  # bytes that are handed on before whoever is answered must have read


@dataclass(frozen=True, slots=True)
class LongReply(HttpReply):
    """Each piece is read, in the thread of its Lane, once the one before has gone out."""

    more: NextPiece = field(kw_only=True)


def long_reply(reply: HttpReply, more: NextPiece) -> LongReply:
    return LongReply(reply.status, b"", reply.type, None, reply.headers, reply.after, reply.lent, more=more)


async def received_body(receive: Receive, length: int) -> bytes:
    """Piece by piece, never more than was said."""
    pieces, size = list[bytes](), 0
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedError(400, "cut", "the request ended too early")
                pieces.append(message.get("body", b""))
                size += len(pieces[-1])
                if size > length:
                    raise RefusedError(413, "too-large", "the body is longer than it says")
                if not message.get("more_body"):
                    break
    except TimeoutError:
        raise RefusedError(408, "too-slow", "the request took too long to arrive") from None
    if size < length:
        raise RefusedError(400, "cut", "the request ended too early")
    return b"".join(pieces)


async def sent(send: Send, reply: HttpReply, method: str) -> None:
    headers = {**USUAL, **reply.headers, "Content-Type": reply.type}
    if not isinstance(reply, LongReply):
        headers["Content-Length"] = str(len(reply.body))
    headers.pop("Connection")  # lines are kept: a machine that ships asks often
    pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": pairs})
    if isinstance(reply, LongReply):
        while piece := await asyncio.wrap_future(reply.more()):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return
    body = b"" if method == "HEAD" else reply.body
    ends = range(ONE_PIECE, len(body), ONE_PIECE)
    for end in ends:
        await send({"type": "http.response.body", "body": body[end - ONE_PIECE : end], "more_body": True})
    await send({"type": "http.response.body", "body": body[len(ends) * ONE_PIECE :]})
