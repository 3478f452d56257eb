"""The HTTP server of the daemon: connections are read by threads of their own, questions are answered by one.

Only what has passed its rules reaches the thread that owns the Lane; nothing here knows what an answer says.
"""

from __future__ import annotations

import errno
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from memlane.errors import LaneError
from memlane.surfaces.api import http
from memlane.surfaces.api.http import HttpConnection, HttpReply, HttpRequest, RefusedError, understood
from memlane.surfaces.api.router import Route, RouteRequest, admitted, wanted
from memlane.surfaces.api.rules import HttpAddress, known, renewed
from memlane.system.disk import FULL, advice_for

if TYPE_CHECKING:
    from memlane.app import Lane

HERE, HERE_TOO = "127.0.0.1", "::1"  # and nowhere else, whatever the settings say
BACKLOG = 64
MOST_CONNECTIONS = 32
LONGEST_ANSWER = 60.0  # seconds
TO_SEND = 30.0
TO_LINGER = 0.5
BREATH = 0.2
MOST_UNREAD = 128  # pieces
AWAY = {"store-away": 503, "overtaken": 503}  # of the archive: it is asked again later
STATUS: Mapping[str, int] = {"usage": 400, "not-found": 404, "not-set-up": 409, "not-allowed": 404, "busy": 503, **AWAY}


@dataclass(frozen=True, slots=True)
class HttpFailure:
    """Why there is no answer. `id` stands in the log too."""

    status: int
    kind: str
    says: str
    hint: str = ""
    id: str = ""


FailureReply = Callable[[HttpRequest | None, HttpFailure], HttpReply]


def in_json(_asked: HttpRequest | None, wrong: HttpFailure) -> HttpReply:
    named = {"id": wrong.id} if wrong.id else {}
    return http.error(wrong.status, wrong.kind, wrong.says, wrong.hint, **named)


@dataclass(slots=True)
class _Ticket:
    """One question on its way to the thread that answers, and its answer on the way back."""

    asked: HttpRequest | None
    do: Callable[[], HttpReply]
    reply: HttpReply | None = None
    done: threading.Event = field(default_factory=threading.Event)


def _of_the_disk(error: OSError, name: str) -> HttpFailure:
    """A full or read-only disk is the person's to mend, so it is said, without the path; the log has the rest."""
    if error.errno in (*FULL, errno.EROFS):
        return HttpFailure(500, LaneError.kind, os.strerror(error.errno), advice_for(error), name)
    return HttpFailure(500, LaneError.kind, "it failed; the log says why", "lane logs", name)


class HttpListener:
    """Answers until it is closed. `lane` is called in one thread only, and what it gives is used there alone.

    `beside` answers what may be answered elsewhere (`Route.beside`), in the thread of the connection that asked.
    """

    def __init__(
        self,
        place: HttpAddress,
        routes: Sequence[Route],
        lane: Callable[[], Lane],
        say: Callable[[str, str], None],
        wrong: FailureReply = in_json,
        beside: Callable[[RouteRequest], HttpReply] | None = None,
    ) -> None:
        self.asked = 0.0  # when somebody we know was last here, on the monotonic clock
        self._routes, self._lane, self._say, self._wrong, self._beside = routes, lane, say, wrong, beside
        self._listeners = _listening(place.port)
        self.place = replace(place, port=cast(int, self._listeners[0].getsockname()[1]))
        self._turns: queue.Queue[_Ticket | None] = queue.Queue(MOST_CONNECTIONS)
        self._busy = threading.Semaphore(MOST_CONNECTIONS)
        self._open: set[socket.socket] = set()
        self._saying: dict[socket.socket, None] = {}  # what they want, the longest first
        self._closed = False
        threading.Thread(target=self._answer_all, name="http-answers", daemon=True).start()
        for listener in self._listeners:
            threading.Thread(target=self._accept, args=(listener,), name="http", daemon=True).start()

    def close(self) -> None:
        self._closed = True
        for listener in self._listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for line in list(self._open):  # a stream would never end by itself
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        with suppress(queue.Full):
            self._turns.put_nowait(None)

    # -- in the thread that accepts ----------------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                line, _address = listener.accept()
            except OSError:
                if listener.fileno() < 0 or self._closed:
                    return
                time.sleep(BREATH)  # no room for one more file: it passes
                continue
            if self._busy.acquire(blocking=False) or self._room():
                self._saying[line] = None
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()
            else:
                line.close()

    def _room(self) -> bool:
        """Whoever has been saying longest what they want makes room: an honest request is said at once."""
        slowest = next(iter(dict(self._saying)), None)
        if slowest is None:
            return False
        self._saying.pop(slowest, None)
        with suppress(OSError):
            slowest.shutdown(socket.SHUT_RDWR)
        return self._busy.acquire(timeout=BREATH)

    # -- in a thread of each connection ------------------------------------------------------------------------------

    def _serve(self, line: socket.socket) -> None:
        try:
            self._open.add(line)
            with line, suppress(OSError):
                reply = self._replied(line)
                line.settimeout(TO_SEND)
                self._send(line, reply)
                if reply.after is not None:
                    self._afterwards(reply.after)
        except Exception as error:  # noqa: BLE001 - in the middle of an answer: this line ends, nothing else does
            self._failed(error)
        finally:
            self._open.discard(line)
            self._saying.pop(line, None)
            self._busy.release()

    def _send(self, line: socket.socket, reply: HttpReply) -> None:
        line.sendall(http.head(reply) + reply.body)
        for piece in reply.pieces or ():
            line.sendall(piece)
            self.asked = time.monotonic()  # who listens is here
        _linger(line)

    def _replied(self, who: socket.socket) -> HttpReply:
        asked, line = None, HttpConnection(who)
        try:
            asked = understood(line.head())
            route, named = admitted(asked, self._routes, self.place)
            if known(asked, self.place):
                self.asked = time.monotonic()
            want = wanted(route, named, replace(asked, body=line.body(asked.length or 0)))
        except RefusedError as refused:
            said = self._wrong(asked, HttpFailure(refused.status, refused.kind, refused.says, refused.hint))
            body = b"" if asked and asked.method == "HEAD" else said.body
            return replace(said, body=body, headers={**said.headers, **refused.headers})
        finally:
            self._saying.pop(who, None)
        reply = self._answer_to(route, want)
        return replace(reply, headers={**renewed(asked, self.place), **reply.headers})

    def _answer_to(self, route: Route, want: RouteRequest) -> HttpReply:
        if (beside := self._beside) is not None and route.beside:
            return self._answered(_Ticket(want.asked, lambda: beside(want)))
        turn = _Ticket(want.asked, lambda: route.do(self._lane(), want))
        try:
            self._turns.put(turn, timeout=LONGEST_ANSWER)
        except queue.Full:
            return self._wrong(want.asked, HttpFailure(503, "busy", "too many requests at once", "try again"))
        if not turn.done.wait(LONGEST_ANSWER) or turn.reply is None:
            return self._wrong(want.asked, HttpFailure(503, "busy", "it took too long", "try again"))
        return turn.reply

    def _afterwards(self, do: Callable[[], None]) -> None:
        def and_nothing() -> HttpReply:
            do()
            return HttpReply(204)

        with suppress(queue.Full):
            self._turns.put_nowait(_Ticket(None, and_nothing))

    # -- in the thread that answers ----------------------------------------------------------------------------------

    def _answer_all(self) -> None:
        while (turn := self._turns.get()) is not None:
            turn.reply = self._answered(turn)
            turn.done.set()

    def _answered(self, turn: _Ticket) -> HttpReply:
        try:
            return turn.do()
        except LaneError as error:
            wrong = HttpFailure(STATUS.get(error.kind, 500), error.kind, error.message, error.hint)
            return self._wrong(turn.asked, wrong)
        except OSError as error:
            return self._wrong(turn.asked, _of_the_disk(error, self._failed(error)))
        except Exception as error:  # noqa: BLE001 - the outermost line: one question ends neither this thread nor hooks
            name = self._failed(error)
            return self._wrong(turn.asked, HttpFailure(500, "failed", "it failed; the log says why", "lane logs", name))

    def _failed(self, error: Exception) -> str:
        """Said in the log, under a name."""
        name = secrets.token_hex(4)
        self._say("ERROR", f"http {name}: {type(error).__name__}: {error}")
        return name


def _listening(port: int) -> Sequence[socket.socket]:
    """At both addresses that a name of this computer stands for: a browser tries the newer one first, and whoever else
    had our port there would be told what is meant for us."""
    first = _bound(socket.AF_INET, HERE, port)
    if not socket.has_ipv6:
        return [first]
    try:
        return [first, _bound(socket.AF_INET6, HERE_TOO, cast(int, first.getsockname()[1]))]
    except OSError as error:
        if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):  # no browser gets there either
            return [first]
        first.close()
        raise


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _linger(line: socket.socket) -> None:
    line.shutdown(socket.SHUT_WR)
    line.settimeout(TO_LINGER)
    for _ in range(MOST_UNREAD):  # a line closed with something unread in it would take the answer with it
        if not line.recv(1 << 16):
            return
