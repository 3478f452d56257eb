"""Pages are drawn by a process beside the daemon, started when somebody looks: it never keeps a hook waiting.

A question goes over a line of its own and its answer comes back on it; what is said there is in `lines.py`. A process
that ended is started again with the next question.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress

from memlane.surfaces.api import Reply, Want
from memlane.surfaces.daemon.lines import Answered, Question, answered

COMMAND = (sys.executable, "-P", "-m", "memlane.surfaces.daemon.drawing")
LONGEST_ANSWER = 60.0  # seconds
TO_LEAVE = 1.0
AGAIN = 2  # one that is just leaving, or dying, may take a question along
PIECE = 1 << 16
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


class Beside:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = {**variables, **_PYTHON}
        self._starting = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._lifeline: socket.socket | None = None

    def ask(self, want: Want) -> Reply:
        """In the thread of whoever asks."""
        for _ in range(AGAIN):
            line, asked = self._line()
            line.settimeout(LONGEST_ANSWER)
            try:
                line.sendall(Question.of(want).encoded())
                line.shutdown(socket.SHUT_WR)
                if (found := answered(line)) is not None:
                    return _reply(found, line)
            except (BrokenPipeError, ConnectionResetError):
                pass
            line.close()
            self._give_up(asked)
        raise ChildProcessError("whoever draws pages ended before it answered")

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


def _reply(found: Answered, line: socket.socket) -> Reply:
    if found.wrong:
        line.close()
        raise found.error()
    if found.length is None:
        return Reply(found.status, type=found.type, headers=found.headers, pieces=_pieces(line))
    with line:
        body = b"".join(iter(lambda: line.recv(PIECE), b""))
    if len(body) != found.length:
        raise ChildProcessError("whoever draws pages ended in the middle of its answer")
    return Reply(found.status, body, found.type, headers=found.headers)


def _pieces(line: socket.socket) -> Iterator[bytes]:
    with line:
        yield from iter(lambda: line.recv(PIECE), b"")
