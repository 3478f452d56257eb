"""HTTP as uvicorn reads it, with an end to the patience for who opens a line and says little, or does not listen.

A line is busy while a question that came whole is being answered. Of the others, where there are too many, the one that
has waited longest goes.
"""

from __future__ import annotations

import asyncio
from operator import attrgetter

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memlane.surfaces.api.http import LARGEST_HEAD

AT_ONCE = 256  # lines
MOST_AHEAD = 16  # requests on a line that wait for the answer to the one before them
FOR_HEAD = 10.0  # seconds for all of a head, or for a rest that nobody reads; a body has its own time (door)
FOR_READING = 60.0  # seconds until whoever is answered reads on


class TooManyAheadError(Exception):
    """Nobody asks so much before reading the first answer."""


class PatientProtocol(HttpToolsProtocol):
    """The time begins with the line, and again with each request on it."""

    _ends: asyncio.TimerHandle | None = None
    _gives_up: asyncio.TimerHandle | None = None
    _in_head, _head = True, 0  # bytes of it so far
    waits_since: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.waits_since = self.loop.time()
        self._begin()
        if len(self.connections) > AT_ONCE:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LARGEST_HEAD:
            self.send_400_response("The head of the request is too large.")
        elif self._ends is None and self._is_answered:  # uvicorn stops its own clock at every byte
            self._begin()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop()
        if len(self.pipeline) >= MOST_AHEAD:
            raise TooManyAheadError  # uvicorn answers that it is no good request, and closes
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self.waits_since = self.loop.time()
        super().on_response_complete()
        if self._is_answered and self.cycle.more_body:  # who was refused may send the rest, to read why
            self._begin()

    def timeout_keep_alive_handler(self) -> None:
        """Also where an answer was never read: closing would wait for that."""
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._gives_up = self.loop.call_later(FOR_READING, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._read_on()
        super().connection_lost(exc)

    @property
    def _is_answered(self) -> bool:
        return not self.cycle or self.cycle.response_complete  # None before the first request

    @property
    def is_busy(self) -> bool:
        return not self._is_answered and not self.cycle.more_body

    def _make_room(self) -> None:
        """At the worst the line that has just been opened."""
        lines = [one for one in self.connections if isinstance(one, PatientProtocol) and not one.is_busy]
        longest = min(lines, key=attrgetter("waits_since"))
        self.connections.discard(longest)
        longest.transport.abort()

    def _begin(self) -> None:
        self._stop()
        self._ends = self.loop.call_later(FOR_HEAD, self.transport.close)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None

    def _read_on(self) -> None:
        if self._gives_up is not None:
            self._gives_up.cancel()
            self._gives_up = None
