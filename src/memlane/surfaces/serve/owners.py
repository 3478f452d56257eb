"""The Lane of each owner, opened when somebody asks for it and closed when nobody does. Each in a thread of its own.

What arrives, what is asked, and what an agent waits for have a thread and a Lane each: an upload that waits for the
disk delays no search, and a search delays no hook.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.config import Config

T = TypeVar("T")
IDLE = 300.0  # seconds
MOST_OPEN = 64
MOST_WAITING = 32  # questions of one owner; the next is told to come back
MOST_OF_ONE = 8  # of them of one person, at the desk that is for all
MOST_OF_STRANGERS = 16  # of all who come without a token
CENTRAL = ""


class DeskUse(StrEnum):
    """What an owner's questions are sorted by."""

    ASKED, ARRIVES, HOOK = "asked", "arrives", "hook"
    OUTSIDE = "outside"  # what also asks other servers, and may wait for them


@dataclass(slots=True)
class _Desk:
    """One owner's thread, and the Lane that is used there alone."""

    config: Config
    central: Config
    thread: ThreadPoolExecutor
    lane: Lane | None = None
    used: float = 0.0
    askers: Counter[str] = field(default_factory=Counter[str])  # who waits, how often
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def waiting(self) -> int:
        with self.lock:
            return self.askers.total()

    def ask(self, what: Callable[[Lane], T], by: str) -> Future[T]:
        self.used = time.monotonic()
        with self.lock:
            self.askers[by] += 1
        return self.thread.submit(self._do, what, by)

    def _do(self, what: Callable[[Lane], T], by: str) -> T:
        try:
            if self.lane is None:
                self.lane = _opened(self.config, self.central)
            return what(self.lane)
        finally:
            with self.lock:
                self.askers[by] -= 1
                self.askers = +self.askers

    def close(self) -> None:
        self.thread.submit(self._end)
        self.thread.shutdown(wait=False)

    def _end(self) -> None:
        if self.lane is not None:
            self.lane.close()


def _opened(config: Config, central: Config) -> Lane:
    """Somebody from whom nothing has come yet has an empty index; one of another version is the worker's to make."""
    lane = Lane(config, central=central)
    if not lane.home.outdated:
        lane.home.create_storage()
    return lane


class FullDeskError(Exception):
    """This owner has too many questions waiting."""


@dataclass(slots=True)
class OwnerDesks:
    config: Config
    _desks: dict[tuple[str, DeskUse], _Desk] = field(default_factory=dict[tuple[str, DeskUse], _Desk])

    def ask(self, owner: str, what: Callable[[Lane], T], kind: DeskUse = DeskUse.ASKED, by: str = "") -> Future[T]:
        """`by`: whose question it is; "": of nobody we know. It counts where others have theirs at the same desk."""
        self._close_idle()
        desk = self._desks.get((owner, kind))
        if desk is None:
            config = of_owner(self.config, owner) if owner != CENTRAL else self.config
            desk = _Desk(config, self.config, ThreadPoolExecutor(1, thread_name_prefix="owner"))
            self._desks[owner, kind] = desk
        share = MOST_WAITING
        if (owner, kind) == (CENTRAL, DeskUse.ASKED):
            share = MOST_OF_ONE if by else MOST_OF_STRANGERS
        if desk.waiting >= MOST_WAITING or desk.askers[by] >= share:
            raise FullDeskError
        return desk.ask(what, by)

    def _close_idle(self) -> None:
        """Those nobody has asked for a while; and the longest unused where there are too many."""
        now = time.monotonic()
        quiet = sorted((desk.used, name) for name, desk in self._desks.items() if not desk.waiting)
        for place, (used, name) in enumerate(quiet):
            if now - used > IDLE or len(quiet) - place > MOST_OPEN:
                self._desks.pop(name).close()

    def close(self) -> None:
        for desk in self._desks.values():
            desk.close()
            desk.thread.shutdown(wait=True)
        self._desks.clear()
