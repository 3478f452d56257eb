"""What was read goes into the Audit after it was answered: in batches, durable within seconds, in nobody's way.

What cannot be written waits; beyond a limit it is counted, and the count is written as soon as anything can be.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import chain

from memlane.app import Lane
from memlane.app.control import CLOSED, LOST, OPENED, AuditLine
from memlane.config import Config
from memlane.errors import LaneError
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.api.router import Route

EVERY = 1.0  # seconds between two writes
MOST_WAITING = 10_000  # lines
MOST_NAMED = 50  # ids in one line; the rest is counted
LOOKED_AT = 4 << 20  # bytes of one answer
ID = re.compile(rb"\b[rm]_[a-z2-7]{13}\b")
Write = Callable[[Sequence[AuditLine]], None]


def line_of(route: Route, want: RouteRequest, reply: HttpReply) -> AuditLine:
    """Who was told about which runs and memories: their ids are in the answer, or in the path."""
    named = (one.encode() for one in want.named.values())
    found = sorted({one.decode() for one in chain(named, ID.findall(reply.body[:LOOKED_AT]))})
    of = dict[str, list[str]]()
    for n, one in enumerate(found):
        of.setdefault(reply.lent.get(one, want.who.owner), []).extend([one] if n < MOST_NAMED else [])
    return AuditLine(datetime.now(UTC), want.who.owner, route.audit, want.who.machine, of, count=len(found))


class AuditTrail:
    """One thread writes for all answers of this process."""

    def __init__(self, write: Write, machine: str, say: Callable[[str, str], None]) -> None:
        self._write, self._machine, self._say = write, machine, say
        self._waiting, self._lost = list[AuditLine](), 0
        self._lock, self._over = threading.Lock(), threading.Event()
        self.note(self._own(OPENED))
        self._flush()  # durable before the first answer: a server that dies without a word is counted
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def note(self, line: AuditLine) -> None:
        """At once: nothing waits for the disk."""
        with self._lock:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(line)
            else:
                self._lost += 1

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(EVERY):
            self._flush()
        with self._lock:
            self._waiting.append(self._own(CLOSED))
        self._flush()

    def _flush(self) -> None:
        with self._lock:
            batch, lost = self._waiting, self._lost
            self._waiting, self._lost = list[AuditLine](), 0
        if not batch:
            return
        try:
            self._write([*([self._own(LOST, lost)] if lost else []), *batch])
        except (LaneError, OSError) as error:
            self._say("ERROR", f"the audit cannot be written: {error}")
            with self._lock:
                self._waiting, self._lost = [*batch, *self._waiting], self._lost + lost

    def _own(self, act: str, count: int = 0) -> AuditLine:
        return AuditLine(datetime.now(UTC), "", act, self._machine, count=count)


def trail(config: Config, say: Callable[[str, str], None]) -> AuditTrail:
    """Into the Audit of this Central."""
    lane = Lane(config)
    return AuditTrail(lane.control.audit.write, config.machine, say)
