"""HTTP as uvicorn reads it, with an end to the patience for a head: who opens a line and says little loses it."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

FOR_HEAD = 10.0  # seconds for all of a head; a body has its own time (door)


class PatientProtocol(HttpToolsProtocol):
    """The time begins with the line, and again with each request on it."""

    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._begin()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begin()

    def on_headers_complete(self) -> None:
        self._stop()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _begin(self) -> None:
        self._stop()
        self._ends = self.loop.call_later(FOR_HEAD, self.transport.close)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
