"""How a hook and the daemon speak: a header line and the agent's own JSON there, a header and a line of JSON back.

Both name the protocol's version; the two never fail over a difference, they say nothing. Knows no agent and no Lane.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

NAME = b"lane/"
VERSION = 1
LARGEST_HEADER = 16_384
LARGEST_BODY = 1 << 20
LARGEST_ANSWER = 60_000  # what a hook can print in one piece
LONGEST_PATIENCE = 5.0  # seconds; a hook that claims more is not one of ours
MOVED = frozenset({"CLAUDE_CONFIG_DIR", "CODEX_HOME"})  # where an agent keeps its transcripts, if not as usual


@dataclass(frozen=True, slots=True)
class Request:
    """One hook call. After `until`, on the machine's monotonic clock, nobody waits for the answer."""

    agent: str
    event: str
    body: bytes
    until: float
    off: bool = False
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that gets an empty answer. `newer`: it speaks a version that only a newer daemon knows."""

    why: str
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """The first line, understood; `length` more bytes belong to it."""

    request: Request
    length: int


def read_header(line: bytes, token: str) -> Header | Refused:
    name, *pairs = line.decode("utf-8", "surrogateescape").split("\0")
    if name != (NAME + b"%d" % VERSION).decode():
        number = name.removeprefix(NAME.decode())
        return Refused("another version", newer=number.isdecimal() and len(number) < 5 and int(number) > VERSION)
    fields = {key: value for key, equals, value in (pair.partition("=") for pair in pairs) if equals}
    if not hmac.compare_digest(fields.get("token", "").encode("utf-8", "surrogateescape"), token.encode()):
        return Refused("wrong token")
    try:
        length, until = int(fields["length"]), int(fields["until"]) / 1e9
        request = Request(
            fields["agent"],
            fields["event"],
            b"",
            min(until, time.monotonic() + LONGEST_PATIENCE),
            off=fields.get("off") == "1",
            variables={name: fields[name] for name in MOVED & fields.keys()},
        )
    except (KeyError, ValueError):
        return Refused("not understood")
    return Header(request, length) if 0 <= length <= LARGEST_BODY else Refused("too large")


def reply(answer: bytes = b"") -> bytes:
    if len(answer) > LARGEST_ANSWER:
        answer = b""
    return NAME + b"%d %d\n" % (VERSION, len(answer)) + answer
