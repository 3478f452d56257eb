"""How a hook and the daemon speak: a header line and JSON, both ways. Knows no agent and no Lane.

Code inside an agent speaks HTTP on the same socket: its bytes are handed on as they come.
"""

from __future__ import annotations

import hmac
import os
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

NAME = b"lane/"
VERSION = 1
LARGEST_HEADER = 16_384
LARGEST_BODY = 1 << 20
LARGEST_ANSWER = 60_000  # what a hook can print in one piece
WRONG_TOKEN = "wrong token"
LONGEST_PATIENCE = 5.0  # seconds; a hook that claims more is not one of ours
# Where an agent that calls hooks keeps its transcripts, if not as usual.
MOVED = frozenset(
    {
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "CURSOR_CONFIG_DIR",
        "PI_CODING_AGENT_DIR",
        "PI_CODING_AGENT_SESSION_DIR",
    }
)


@dataclass(frozen=True, slots=True)
class HookRequest:
    """One hook call. After `until`, on the machine's monotonic clock, nobody waits for the answer."""

    agent: str
    event: str
    body: bytes
    until: float
    off: bool = False
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    mod: ModSign | None = None  # called by our code inside the agent, which can show a card
    meant: tuple[str, ...] = ()  # entities that the person has just chosen


@dataclass(frozen=True, slots=True)
class ModSign:
    """Our code inside an agent: its version, and the agent's."""

    version: str
    client: str


@dataclass(frozen=True, slots=True)
class HttpBytes:
    """All that has come so far on a connection that speaks HTTP."""

    got: bytes


@dataclass(frozen=True, slots=True)
class HookRefusal:
    """A request that gets an empty answer. `newer`: it speaks a version that only a newer daemon knows."""

    why: str
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """The first line, understood; `length` more bytes belong to it."""

    request: HookRequest
    length: int


def read_header(line: bytes, token: str) -> Header | HookRefusal:
    name, *pairs = line.decode("utf-8", "surrogateescape").split("\0")
    if name != (NAME + b"%d" % VERSION).decode():
        number = name.removeprefix(NAME.decode())
        return HookRefusal("another version", newer=number.isdecimal() and len(number) < 5 and int(number) > VERSION)
    fields = {key: value for key, equals, value in (pair.partition("=") for pair in pairs) if equals}
    if not hmac.compare_digest(fields.get("token", "").encode("utf-8", "surrogateescape"), token.encode()):
        return HookRefusal(WRONG_TOKEN)
    try:
        length, until = int(fields["length"]), int(fields["until"]) / 1e9
        request = HookRequest(
            fields["agent"],
            fields["event"],
            b"",
            min(until, time.monotonic() + LONGEST_PATIENCE),
            off=fields.get("off") == "1",
            variables={name: fields[name] for name in MOVED & fields.keys()},
        )
    except (KeyError, ValueError):
        return HookRefusal("not understood")
    return Header(request, length) if 0 <= length <= LARGEST_BODY else HookRefusal("too large")


def reply(answer: bytes = b"") -> bytes:
    if len(answer) > LARGEST_ANSWER:
        answer = b""
    return NAME + b"%d %d\n" % (VERSION, len(answer)) + answer


_AT_ONCE = 1 << 18
_NOTHING_YET = (BlockingIOError, InterruptedError)


class HookConnection:
    """Belongs to the loop that selects it."""

    def __init__(self, line: socket.socket, token: str) -> None:
        line.settimeout(0)
        self.line = line
        self.since = time.monotonic()
        self._token = token
        self.frame: Callable[[bytes], bytes] = reply  # how an answer is put on the line
        self._got = bytearray()
        self._header: Header | None = None

    def read(self) -> HookRequest | HookRefusal | HttpBytes | None:
        """None: more has to come."""
        try:
            piece = self.line.recv(_AT_ONCE)
        except _NOTHING_YET:
            return None
        except OSError:
            piece = b""
        if not piece:
            return HookRefusal("cut")
        self._got += piece
        if self._got[:1].isupper():  # `POST`; our own header begins with `lane/`
            return HttpBytes(bytes(self._got))
        if self._header is None:
            head, ended, rest = self._got.partition(b"\n")
            if not ended:
                return HookRefusal("not understood") if len(self._got) > LARGEST_HEADER else None
            understood = read_header(bytes(head), self._token)
            if isinstance(understood, HookRefusal):
                return understood
            self._header, self._got = understood, rest
        if len(self._got) < self._header.length:
            return None
        return replace(self._header.request, body=bytes(self._got[: self._header.length]))

    def answer(self, answer: bytes = b"") -> bool:
        """Whether it went out. A hook that has left, or does not read, is not waited for."""
        whole = self.frame(answer)
        try:
            return self.line.send(whole) == len(whole)
        except OSError:
            return False
        finally:
            self.close()

    def close(self) -> None:
        self.line.close()


def is_mine(line: socket.socket) -> bool:
    """Whether the other end runs as this user, where the system can tell; its folder and the token say so anyway."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _pid, user, _group = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return user == os.getuid()
