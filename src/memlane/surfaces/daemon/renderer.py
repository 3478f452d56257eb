"""`python -m memlane.surfaces.daemon.renderer`: draws pages. It only reads, and ends with the daemon."""

from __future__ import annotations

import os
import queue
import socket
import threading
from contextlib import suppress

import msgspec

from memlane.errors import LaneError
from memlane.surfaces.api import HttpReply
from memlane.surfaces.api.router import found
from memlane.surfaces.daemon.current_lane import CurrentLane
from memlane.surfaces.daemon.http import UNEXPECTED, PageHead, PageQuestion, read_question, table
from memlane.system.process import WAITED_FOR, give_way

IDLE = 300.0  # seconds
PATIENCE = 30.0  # seconds for whoever takes an answer
MOST_WAITING = 64
NO_TOKEN = ""  # who may come in was decided at the door


class PageRenderer:
    """One thread draws, one page after the other; each stream has a thread of its own."""

    def __init__(self) -> None:
        looks = CurrentLane(may_write=lambda: False)
        self._routes = table(NO_TOKEN, looks.lane)
        self._reads = CurrentLane(may_write=lambda: False)
        self._waiting: queue.Queue[socket.socket] = queue.Queue(MOST_WAITING)
        self._streams = 0

    def run(self, lifeline: socket.socket) -> None:
        threading.Thread(target=self._draw_all, name="draws", daemon=True).start()
        lifeline.settimeout(IDLE)
        while True:
            try:
                said, lines, _flags, _address = socket.recv_fds(lifeline, 1, 1)
            except TimeoutError:
                if self._waiting.empty() and not self._streams:
                    return
                continue
            if not said:
                return
            for descriptor in lines:
                self._waiting.put(socket.socket(fileno=descriptor))

    def _draw_all(self) -> None:
        while True:
            line = self._waiting.get()
            line.settimeout(PATIENCE)
            with suppress(OSError, msgspec.DecodeError):
                if (question := read_question(line)) is not None:
                    self._answer(line, question)
                    continue
            line.close()

    def _answer(self, line: socket.socket, question: PageQuestion) -> None:
        try:
            reply = self._drawn(question)
        except LaneError as error:
            said = PageHead(wrong=error.kind, says=error.message, hint=error.hint)
        except Exception as error:  # noqa: BLE001 - the outermost line: the daemon says it in the log, the next page is drawn
            said = PageHead(wrong=UNEXPECTED, says=f"{type(error).__name__}: {error}")
        else:
            if reply.pieces is not None:
                threading.Thread(target=self._stream, args=(line, reply), daemon=True).start()
                return
            with line:
                line.sendall(PageHead.of(reply).encoded() + reply.body)
            return
        with line:
            line.sendall(said.encoded())

    def _drawn(self, question: PageQuestion) -> HttpReply:
        want = question.want()
        route, _named = found(self._routes, want.asked)
        return route.do(self._reads.lane(), want)

    def _stream(self, line: socket.socket, reply: HttpReply) -> None:
        self._streams += 1
        try:
            with line, suppress(OSError):
                line.sendall(PageHead.of(reply).encoded())
                for piece in reply.pieces or ():
                    line.sendall(piece)
        finally:
            self._streams -= 1


def main() -> None:
    os.umask(0o077)
    give_way(WAITED_FOR)
    with socket.socket(fileno=0) as lifeline:
        PageRenderer().run(lifeline)
    os._exit(0)  # streams end with it


if __name__ == "__main__":
    main()
