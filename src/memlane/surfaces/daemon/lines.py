"""What the daemon and whoever draws pages say to each other: a question, an answer's head, each a line of JSON."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import cast

import msgspec

from memlane.errors import LaneError
from memlane.surfaces.api import Reply, Want
from memlane.surfaces.api.asked import Asked

LARGEST = 1 << 20  # bytes of a line


class Question(msgspec.Struct, frozen=True):
    """One that was let in and understood."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    named: Mapping[str, str]
    fields: Mapping[str, str | int | float | bool | None]

    @staticmethod
    def of(want: Want) -> Question:
        fields = cast("Mapping[str, str | int | float | bool | None]", want.fields)
        return Question(want.asked.path, want.asked.query, want.asked.headers, want.named, fields)

    def want(self) -> Want:
        return Want(self.named, self.fields, Asked("GET", self.path, self.query, self.headers, (), None))

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


class Answered(msgspec.Struct, frozen=True):
    """`length` None: as long as it comes. `wrong`: the kind of a LaneError, or `unexpected`."""

    status: int = 200
    type: str = ""
    headers: Mapping[str, str] = {}
    length: int | None = None
    wrong: str = ""
    says: str = ""
    hint: str = ""

    @staticmethod
    def of(reply: Reply) -> Answered:
        length = len(reply.body) if reply.pieces is None else None
        return Answered(reply.status, reply.type, reply.headers, length)

    def error(self) -> Exception:
        if self.wrong == UNEXPECTED:
            return ChildProcessError(self.says)
        error = LaneError(self.says, self.hint)
        error.kind = self.wrong
        return error

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


UNEXPECTED = "unexpected"


def answered(line: socket.socket) -> Answered | None:
    """None: whoever was asked is gone."""
    head = one_line(line)
    return msgspec.json.decode(head, type=Answered) if head else None


def asked(line: socket.socket) -> Question | None:
    said = one_line(line)
    return msgspec.json.decode(said, type=Question) if said else None


def one_line(line: socket.socket) -> bytes:
    """Not a byte more is taken than the line has; empty if it never ends."""
    got = b""
    while len(got) < LARGEST:
        seen = line.recv(4096, socket.MSG_PEEK)
        upto = seen.find(b"\n") + 1 or len(seen)
        got += line.recv(upto)
        if not seen or got.endswith(b"\n"):
            return got if seen else b""
    return b""
