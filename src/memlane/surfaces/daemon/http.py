"""The daemon's HTTP: programs, agents and pages behind one port. A process of its own draws the pages."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.errors import LaneError
from memlane.surfaces import api, mcp, web
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.api.http import HttpRequest
from memlane.surfaces.api.router import Route
from memlane.surfaces.daemon.current_lane import CurrentLane
from memlane.surfaces.daemon.files import DaemonClaim
from memlane.surfaces.daemon.scribe import Scribe

if TYPE_CHECKING:
    from memlane.app import Lane


def serving(port: int, token: str, claim: DaemonClaim, scribe: Scribe, beside: PageProcess) -> api.HttpListener | None:
    """None: somebody else has that port. Hooks are answered all the same. `beside` draws the pages."""

    def begin(lane: Lane) -> None:
        lane.recall.keep_by = scribe.keep

    answers, looks = CurrentLane(claim.ours, begin), CurrentLane(lambda: False)
    routes = table(token, looks.lane)
    try:
        return api.HttpListener(api.HttpAddress(port, token), routes, answers.lane, scribe.say, web.in_html, beside.ask)
    except OSError as error:
        scribe.say("ERROR", f"nothing is answered at 127.0.0.1:{port}: {error.strerror}")
        return None


def table(token: str, looks: Callable[[], Lane]) -> Sequence[Route]:
    """Every route there is. `looks` opens the Lane of the thread that watches for what is new."""
    return [*api.table(by_mcp, [*api.agent_table(), *web.twins()]), *web.table(token, web.NewsStream(looks))]


def by_mcp(lane: Lane, want: api.RouteRequest) -> api.HttpReply:
    """Nothing is kept between two messages: whoever asks introduces themselves again, or stays unnamed."""
    told = mcp.posted(want.asked.body, want.asked.headers, mcp.AgentDesk(lambda: lane))
    return api.HttpReply(told.status, told.body, after=told.after)


COMMAND = (sys.executable, "-P", "-m", "memlane.surfaces.daemon.renderer")
LONGEST_ANSWER = 60.0  # seconds
TO_LEAVE = 1.0
AGAIN = 2  # one that is just leaving, or dying, may take a question along
PIECE = 1 << 16
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


class PageProcess:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = {**variables, **_PYTHON}
        self._starting = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._lifeline: socket.socket | None = None

    def ask(self, want: RouteRequest) -> HttpReply:
        """In the thread of whoever asks."""
        for _ in range(AGAIN):
            line, asked = self._line()
            line.settimeout(LONGEST_ANSWER)
            try:
                line.sendall(PageQuestion.of(want).encoded())
                line.shutdown(socket.SHUT_WR)
                if (found := read_head(line)) is not None:
                    return _reply(found, line)
            except (BrokenPipeError, ConnectionResetError):
                pass
            line.close()
            self._give_up(asked)
        raise ChildProcessError("the page process ended before it answered")

    def close(self) -> None:
        with self._starting:
            self._end()

    def _line(self) -> tuple[socket.socket, subprocess.Popen[bytes] | None]:
        """Ours of two ends, and the process that has the other one in its hands."""
        ours, theirs = socket.socketpair()
        with theirs, self._starting:
            lifeline = self._process()
            with suppress(BrokenPipeError, ConnectionResetError):
                socket.send_fds(lifeline, [b"?"], [theirs.fileno()])
            return ours, self._child

    def _give_up(self, asked: subprocess.Popen[bytes] | None) -> None:
        """Whoever left a question unanswered is not asked again: it may be dying, and seems to live until it has."""
        with self._starting:
            if self._child is asked:
                self._end()

    def _process(self) -> socket.socket:
        if self._lifeline is None or self._child is None or self._child.poll() is not None:
            self._end()
            self._lifeline, theirs = socket.socketpair()
            with theirs:
                self._child = subprocess.Popen(
                    COMMAND,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=self._variables,
                    start_new_session=True,
                )
        return self._lifeline

    def _end(self) -> None:
        """It leaves when its lifeline is cut."""
        if self._lifeline is not None:
            self._lifeline.close()
        if self._child is not None:
            try:
                self._child.wait(TO_LEAVE)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._child = self._lifeline = None


def _reply(found: PageHead, line: socket.socket) -> HttpReply:
    if found.wrong:
        line.close()
        raise found.error()
    if found.length is None:
        return HttpReply(found.status, type=found.type, headers=found.headers, pieces=_pieces(line))
    with line:
        body = b"".join(iter(lambda: line.recv(PIECE), b""))
    if len(body) != found.length:
        raise ChildProcessError("the page process ended in the middle of its answer")
    return HttpReply(found.status, body, found.type, headers=found.headers)


def _pieces(line: socket.socket) -> Iterator[bytes]:
    with line:
        yield from iter(lambda: line.recv(PIECE), b"")


LARGEST = 1 << 20  # bytes of a line


class PageQuestion(msgspec.Struct, frozen=True):
    """One that was let in and understood."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    named: Mapping[str, str]
    fields: Mapping[str, str | int | float | bool | None]

    @staticmethod
    def of(want: RouteRequest) -> PageQuestion:
        fields = cast("Mapping[str, str | int | float | bool | None]", want.fields)
        return PageQuestion(want.asked.path, want.asked.query, want.asked.headers, want.named, fields)

    def want(self) -> RouteRequest:
        return RouteRequest(self.named, self.fields, HttpRequest("GET", self.path, self.query, self.headers, (), None))

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


class PageHead(msgspec.Struct, frozen=True):
    """`length` None: as long as it comes. `wrong`: the kind of a LaneError, or `unexpected`."""

    status: int = 200
    type: str = ""
    headers: Mapping[str, str] = {}
    length: int | None = None
    wrong: str = ""
    says: str = ""
    hint: str = ""

    @staticmethod
    def of(reply: HttpReply) -> PageHead:
        length = len(reply.body) if reply.pieces is None else None
        return PageHead(reply.status, reply.type, reply.headers, length)

    def error(self) -> Exception:
        if self.wrong == UNEXPECTED:
            return ChildProcessError(self.says)
        error = LaneError(self.says, self.hint)
        error.kind = self.wrong
        return error

    def encoded(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"


UNEXPECTED = "unexpected"


def read_head(line: socket.socket) -> PageHead | None:
    """None: whoever was asked is gone."""
    head = one_line(line)
    return msgspec.json.decode(head, type=PageHead) if head else None


def read_question(line: socket.socket) -> PageQuestion | None:
    said = one_line(line)
    return msgspec.json.decode(said, type=PageQuestion) if said else None


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
