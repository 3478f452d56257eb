"""`lane work`: what is left to do on a Central, person by person. Any number of these may run.

A person's work is claimed by a lock on a file, or by a lease in the database that workers share. Either ends with its
process, however that ends.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from memlane.errors import BusyError, LaneError, NotSetUpError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen, until_interrupted
from memlane.surfaces.cli.text import many
from memlane.system.process import BEHIND, give_way

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.control import ControlBook
    from memlane.config import Config

PAUSE = 1.0  # seconds between two looks
ALL_EVERY = 300.0  # seconds after which everybody is looked at, marks or not
MEANING = 20.0  # seconds for one person before the next gets a turn
CATCHING = 60.0
LENT_EVERY = 20.0
A_DAY = timedelta(days=1)


@frame.command()
@click.option("--once", is_flag=True, help="One pass over everybody, then end.")
@click.option("--wait", is_flag=True, hidden=True, help="Until its standard input ends, which is the server's life.")
def command(screen: Screen, once: bool, wait: bool) -> None:
    """On a Central: index what the machines sent, and read and dream for machines that do neither themselves."""
    give_way(BEHIND)
    if wait:
        threading.Thread(target=_end_with_the_server, daemon=True).start()
    with screen.lane() as lane:
        if not lane.control.is_central and not wait:
            raise NotSetUpError("this home is no Central", hint="lane serve")
        worker = Worker(screen.config, lane.control)
        with until_interrupted(screen):
            changed = worker.look(everybody=True, to_the_end=once)
            worker.bring_up_lent(lane)
            while not once:
                _told(screen, changed)
                time.sleep(PAUSE)
                changed = worker.look()
                worker.bring_up_lent(lane)
    if screen.json:
        screen.emit("lane.work/1", changed, {"people": len(changed)})
    else:
        _told(screen, changed)


def _end_with_the_server() -> None:
    os.read(0, 1)
    os._exit(1)  # it can be ended at any instant; what is not done is found again


def _told(screen: Screen, changed: Sequence[dict[str, object]]) -> None:
    for one in changed:
        if one["runs"] or one["why"]:
            said = one["why"] or many(int(str(one["runs"])), "run")
            screen.say(f"{one['owner']}: {said}")


@dataclass(slots=True)
class Worker:
    config: Config
    control: ControlBook
    _done: dict[str, float] = field(default_factory=dict[str, float])  # the mark that was seen before the last pass
    _all: float = 0.0
    _seen: set[str] = field(default_factory=set[str])
    _compacted: dict[str, float] = field(default_factory=dict[str, float])
    _lent: float = -math.inf
    _unread: dict[str, None] = field(default_factory=dict[str, None])  # whose runs are indexed, and nothing else yet

    def look(self, *, everybody: bool = False, to_the_end: bool = False) -> list[dict[str, object]]:
        """Everybody for whom something arrived, and once in a while everybody. `to_the_end`: nothing is put off."""
        everybody = everybody or time.monotonic() - self._all >= ALL_EVERY
        if everybody:
            self._all = time.monotonic()
        found = list[dict[str, object]]()
        for owner in self.control.people.names():
            mark = self._mark(owner)
            if not everybody and mark <= self._done.get(owner, 0.0):
                continue
            if (done := self._claimed(owner, self._index)) is None:
                continue  # another worker has it; the mark is looked at again
            self._done[owner], self._unread[owner] = mark, None
            found.append({"owner": owner, "runs": done[0], "why": done[1] or None})
        return [*found, *self._read(to_the_end=to_the_end)]

    def bring_up_lent(self, lane: Lane) -> None:
        """What others share with whoever's home this is, for their own agents here: no exchange brings it."""
        if time.monotonic() - self._lent >= LENT_EVERY:
            self._lent = time.monotonic()
            with suppress(LaneError):  # it is looked at again
                lane.loans.bring_up()

    def _read(self, *, to_the_end: bool) -> list[dict[str, object]]:
        """What may take a while, once everybody's runs can be found: for who has waited longest, and for the next ones
        as long as nothing arrives, which is indexed first."""
        found = list[dict[str, object]]()
        for owner in list(self._unread):
            if (done := self._claimed(owner, self._rest)) is None:
                continue
            del self._unread[owner]
            if done[1]:
                found.append({"owner": owner, "runs": 0, "why": done[1]})
            if not to_the_end and self._has_news():
                break
        return found

    def _has_news(self) -> bool:
        return any(self._mark(one) > done for one, done in self._done.items())

    def _claimed(self, owner: str, work: Callable[[str, Lane], int]) -> tuple[int, str] | None:
        """What was done, or why it was not; None: another worker has this person's work."""
        from memlane.app import Lane
        from memlane.app.control import claimed, is_part, of_owner

        config = of_owner(self.config, owner)
        try:
            with claimed(config), Lane(config) as lane:
                if is_part(lane.config):
                    lane.home.deleted = self.control.receipts.write
                return (work(owner, lane) if lane.home.disk.is_folder(lane.home.layout.root) else 0), ""
        except BusyError:
            return None
        except LaneError as error:
            return 0, error.message
        except Exception as error:  # noqa: BLE001 - the outermost line: what one person's runs hold ends nobody else's work
            return 0, f"{type(error).__name__}: {error}"

    def _mark(self, owner: str) -> float:
        from memlane.app.arrivals import arrival_mark
        from memlane.app.control import of_owner

        try:
            return arrival_mark(of_owner(self.config, owner)).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def _compact(self, owner: str, lane: Lane) -> None:
        """On an object store, once a day: what has not changed for a day is one object."""
        if self.config.in_a_store and time.monotonic() - self._compacted.get(owner, -math.inf) > A_DAY.total_seconds():
            lane.archive.compact(A_DAY)
            self._compacted[owner] = time.monotonic()

    def _index(self, owner: str, lane: Lane) -> int:
        """The first time with a look at everything: a server of another version may have taken something meanwhile."""
        found = lane.capture.take_up(MEANING, audit=owner not in self._seen)
        self._seen.add(owner)
        return found

    def _rest(self, owner: str, lane: Lane) -> int:
        """Memories and dreams of machines that make none themselves; and what keeps an archive small."""
        machines = self.control.machines.of(owner)
        thin = {one.name for one in machines if one.thin}
        due = [run for run in lane.catch.due() if lane.runs.get(run).machine in thin] if thin else []
        if due:
            lane.catch.run("", due, seconds=CATCHING)
        self._compact(owner, lane)
        if thin and all(one.thin for one in machines) and lane.dream.due().now:
            lane.dream.run()
        lane.retention.carry_out(self.control.retention.concerning(owner))
        return 0
