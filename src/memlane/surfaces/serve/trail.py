"""What was read goes into the Audit after it was answered: in batches, durable within seconds, in nobody's way.

What cannot be written waits; beyond a limit it is counted, and the count is written as soon as anything can be.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from memlane.app import Lane
from memlane.app.control import CLOSED, LOST, OPENED, AuditLine
from memlane.config import Config
from memlane.errors import LaneError
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.api.router import Route

EVERY = 1.0  # seconds between two writes
MOST_WAITING = 10_000  # lines
MOST_NAMED = 50  # ids in one line; the rest is counted
LOOKED_AT = 4 << 20  # bytes of one answer; a longer one may have said all that is shared with who asks
ID = re.compile(rb"[rm]_[a-z2-7]{4,13}")  # whatever stands before it: in JSON, the end of a line is the letters \\n
WHOLE = 15  # characters of an id; a shorter one is the beginning of some
Write = Callable[[Sequence[AuditLine]], None]


def line_of(route: Route, want: RouteRequest, reply: HttpReply) -> AuditLine:
    """Who was told about which runs and memories: their ids are in the answer, in the path or in the question."""
    asked = (one.encode() for one in (*want.named.values(), want.asked.body.decode("utf-8", "replace")))
    found = {one.decode() for text in (*asked, reply.body[:LOOKED_AT]) for one in ID.findall(text)}
    lent = _lent(found, reply.lent) if len(reply.body) <= LOOKED_AT else set(reply.lent)
    own = {one for one in found if len(one) == WHOLE} - lent
    of = dict[str, list[str]]()
    for n, one in enumerate((*sorted(lent), *sorted(own))):  # what others shared first: it is never cut away
        for owner in reply.lent.get(one, [want.who.owner]):
            of.setdefault(owner, []).extend([one] if n < MOST_NAMED else [])
    return AuditLine(datetime.now(UTC), want.who.owner, route.audit, want.who.machine, of, count=len(lent | own))


def _lent(found: Collection[str], lent: Collection[str]) -> set[str]:
    """Those of others that are named, also by their beginning: programs and agents are given short ids."""
    every, named = sorted(lent), set[str]()
    for one in found:
        for n in range(bisect_left(every, one), len(every)):
            if not every[n].startswith(one):
                break
            named.add(every[n])
    return named


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
