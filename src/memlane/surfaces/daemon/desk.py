"""Our code inside an agent: its hook calls go to the loop, its acts to a thread of their own.

No hook waits for the lock or the disk; acts are done one after the other.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from memlane.errors import LaneError
from memlane.surfaces.api import http
from memlane.surfaces.api.http import HttpReply
from memlane.surfaces.api.listener import STATUS
from memlane.surfaces.daemon.current_lane import ONE_QUESTION, CurrentLane
from memlane.surfaces.daemon.protocol import HookConnection, HookRequest, HttpBytes
from memlane.surfaces.daemon.socket_door import SocketAct, SocketDoor, sent

MOST_WAITING = 64
BUSY = http.error(503, "busy", "too many requests at once", "try again")
FAILED = http.error(500, "failed", "it failed; the log says why", "lane logs")


class Desk:
    def __init__(self, token: str, opened: CurrentLane, say: Callable[[str, str], None]) -> None:
        self._door, self._opened, self._say = SocketDoor(token), opened, say
        self._queue: queue.Queue[tuple[HookConnection, SocketAct] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._do_all, name="desk", daemon=True)
        self._thread.start()

    def read(self, said: HttpBytes) -> HookRequest | HttpReply | SocketAct | None:
        """A HookRequest is the loop's to answer, an HttpReply is a refusal. None: more has to come."""
        return self._door.read(said.got)

    def take(self, connection: HookConnection, found: HttpReply | SocketAct) -> None:
        """From a connection that the loop has let go of."""
        if isinstance(found, HttpReply):
            _reply(connection, found)
            return
        try:
            self._queue.put_nowait((connection, found))
        except queue.Full:
            _reply(connection, BUSY)

    def leave(self, patience: float) -> None:
        self._queue.put(None)
        self._thread.join(patience)

    def _do_all(self) -> None:
        while (work := self._queue.get()) is not None:
            connection, act = work
            _reply(connection, self._done(act))

    def _done(self, act: SocketAct) -> HttpReply:
        try:
            return act.route.do(self._opened.lane(), act.want)
        except LaneError as error:
            return http.error(STATUS.get(error.kind, 500), error.kind, error.message, error.hint)
        except ONE_QUESTION as error:
            self._say("ERROR", f"{act.route.path}: {type(error).__name__}: {error}")
            return FAILED


def _reply(connection: HookConnection, reply: HttpReply) -> None:
    connection.frame = lambda _answer: sent(reply)
    connection.answer()
