"""What is new, told to whoever listens: that there is a Recall, that a Run grew, that Memories changed. Never what.

One thread with a Lane of its own looks once a second while somebody listens. An event's id is the time of what is
stored, so a listener that comes back says how far it came and is told the rest from storage, restart or not.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from memlane.errors import LaneError
from memlane.surfaces.api import HttpReply, RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.domain import Recall

EVERY = 1.0  # seconds between two looks
BREATH = 10.0  # seconds between two signs of life: a browser that has left is noticed, a proxy keeps the line
MOST = 12  # who may listen at once; a browser is one, however many pages it shows
LOOKED_AT = 60  # of the newest of each
MISSED = 500  # the most Recalls that are told again
LATE = timedelta(seconds=15)  # a Recall is stored a little after its time, sometimes after a later one
KEPT = 400  # events
STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class News:
    """One line for whoever listens. `n` orders them in this process alone; `at` is what a listener remembers."""

    n: int
    at: str
    what: str  # recall, run, memory, again
    about: str


class NewsStream:
    """`lane` is called by its own thread only."""

    def __init__(self, lane: Callable[[], Lane]) -> None:
        self._lane = lane
        self._changed = threading.Condition()
        self._news: deque[News] = deque(maxlen=KEPT)
        self._n = 0
        self._listeners: list[object] = []  # the oldest first
        self._looking = False
        self._seen: dict[str, str] = {}

    # -- for each listener, in its connection's thread ---------------------------------------------------------------

    def stream(self, lane: Lane, want: RouteRequest) -> HttpReply:
        """From where the listener had come, else from now on."""
        last = want.asked.headers.get("last-event-id", "")
        since = _time(last or str(want.fields.get("after", "")))
        missed = [] if since is None else _missed(lane, since - LATE)
        return HttpReply(200, type=STREAM, pieces=self._told(missed, came_back=bool(last or want.fields.get("again"))))

    def _told(self, missed: list[News], *, came_back: bool) -> Iterator[bytes]:
        me, after = self._came()
        self._look()
        try:
            yield b"retry: 1000\n: hello\n\n"
            for one in missed:
                yield _line(one)
            yield f"id: {datetime.now(UTC).isoformat()}\n\n".encode()  # where it stands, if nothing ever happens
            if came_back:
                yield _line(News(0, "", "again", ""))
            while me in self._listeners:
                fresh = self._after(after, me)
                after = fresh[-1].n if fresh else after
                yield b"".join(map(_line, fresh)) or b": still here\n\n"
        finally:
            self._left(me)

    def _came(self) -> tuple[object, int]:
        """One too many, and the oldest makes room: most likely it has left, and only a word to it would show that."""
        me = object()
        with self._changed:
            self._listeners = [*self._listeners[-(MOST - 1) :], me]
            self._changed.notify_all()  # whoever made room leaves at once: a connection is soon needed again
            return me, self._n

    def _left(self, me: object) -> None:
        with self._changed:
            self._listeners = [one for one in self._listeners if one is not me]

    def _after(self, n: int, me: object) -> list[News]:
        with self._changed:
            self._changed.wait_for(lambda: self._n > n or me not in self._listeners, BREATH)
            return [one for one in self._news if one.n > n]

    # -- in a thread of its own, while somebody listens --------------------------------------------------------------

    def _look(self) -> None:
        with self._changed:
            if self._looking:
                return
            self._looking = True
        threading.Thread(target=self._watch, name="live", daemon=True).start()

    def _watch(self) -> None:
        self._seen = {}
        while True:
            with suppress(LaneError, OSError):
                self._notice(_standing(self._lane()))
            with self._changed:
                if not self._listeners:
                    self._looking = False
                    return
            time.sleep(EVERY)

    def _notice(self, now: dict[str, str]) -> None:
        """What is there now and was not, or was otherwise. The first look is what everything is compared with."""
        before, self._seen = self._seen, now
        if not before:
            return
        for key, value in now.items():
            if before.get(key) != value:
                what, _, about = key.partition(" ")
                self._tell(what, about, value)

    def _tell(self, what: str, about: str, at: str) -> None:
        with self._changed:
            self._n += 1
            self._news.append(News(self._n, at if what == "recall" else "", what, about))
            self._changed.notify_all()


def _standing(lane: Lane) -> dict[str, str]:
    """Oldest first, so that they are told in their order."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    found = {"": ""}
    for recall in reversed(lane.recall.newest(LOOKED_AT)):
        found[f"recall {recall.id}"] = _id(recall)
    for run in reversed(lane.runs.select(RunFilter(limit=LOOKED_AT))):
        found[f"run {run.id}"] = f"{run.generation} {run.bytes} {run.title} {run.pinned}"
    found["memory "] = lane.memories.mark()
    return found


def _missed(lane: Lane, since: datetime) -> list[News]:
    newer = [recall for recall in lane.recall.newest(MISSED) if recall.at >= since]
    return [News(0, _id(recall), "recall", recall.id) for recall in reversed(newer)]


def _id(recall: Recall) -> str:
    return recall.at.astimezone(UTC).isoformat()


def _time(given: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(given.replace(" ", "+"))
    except ValueError:
        return None
    return found if found.tzinfo else None


def _line(news: News) -> bytes:
    named = f"id: {news.at}\n".encode() if news.at else b""
    return named + b"data: " + msgspec.json.encode({"what": news.what, "about": news.about}) + b"\n\n"
