"""Power loss before every single file operation: what was acknowledged is there, and nothing torn is taken for whole.

`python -m campaigns.power --n 1000`. While a day's work goes on, each verb that changes a file is first imagined to be
the one the power takes away: what is left is written out with everything unsynced dropped, with only data or only
entries dropped, or with random blocks kept, and is opened by our own code. In most days the process was killed once
before, so that the power also takes what a killed process had not synced.
"""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from campaigns import day, report, victim
from campaigns.disks import WatchedDisk, kind_of
from campaigns.platter import Keeps, Platter
from campaigns.world import World, scratch
from memlane.app import Lane


class CaughtError(Exception):
    """A fault was found, and one is enough."""


class StoppedError(BaseException):
    """As if the process were killed here: nothing of ours may catch it."""


class RecordingDisk(WatchedDisk):
    """Works on the real disk and on the platter; before each change, `about_to` is asked."""

    def __init__(self, platter: Platter, about_to: Callable[[str], None]) -> None:
        super().__init__()
        self.platter = platter
        self.about_to = about_to
        self.numbers: dict[int, int] = {}

    def change(self, path: Path, verb: str, *given: object) -> int | None:
        self.about_to(f"{verb} {kind_of(path)}")
        return self.platter.apply((verb, *given))

    def make_folder(self, path: Path) -> None:
        super().make_folder(path)
        self.change(path, "make", path)

    def open_to_write(self, path: Path) -> int:
        descriptor = super().open_to_write(path)
        number = self.change(path, "open", path)
        assert number is not None
        self.numbers[descriptor] = number
        return descriptor

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        super().write(descriptor, data, offset)
        self.change(self.of(descriptor), "write", self.numbers[descriptor], offset, bytes(data))

    def truncate(self, descriptor: int, size: int) -> None:
        super().truncate(descriptor, size)
        self.change(self.of(descriptor), "truncate", self.numbers[descriptor], size)

    def sync(self, descriptor: int) -> None:
        self.change(self.of(descriptor), "sync", self.numbers[descriptor])

    def sync_folder(self, path: Path) -> None:
        self.change(path, "sync folder", path)

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        self.change(target, "rename", source, target)

    def unlink(self, path: Path) -> None:
        super().unlink(path)
        self.change(path, "unlink", path)

    def remove_folder(self, path: Path) -> None:
        super().remove_folder(path)
        self.change(path, "unlink", path)


def all_dropped(_dice: random.Random) -> Keeps:
    return lambda _sort: False


def data_dropped(_dice: random.Random) -> Keeps:
    return lambda sort: sort == "entry"


def entries_dropped(_dice: random.Random) -> Keeps:
    return lambda sort: sort == "data"


def any_part(dice: random.Random) -> Keeps:
    return lambda _sort: dice.random() < 0.5


WAYS = (all_dropped, data_dropped, entries_dropped, any_part, any_part)


@dataclass(slots=True)
class Result:
    days: int = 0
    losses: int = 0
    acknowledged: int = 0
    operations: Counter[str] = field(default_factory=Counter[str])
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in day.FAULTS})

    @property
    def clean(self) -> bool:
        return not any(self.faults.values())


class PowerlessDay:
    """One day from an empty home on, in which the power goes before every operation, in some of the ways."""

    def __init__(self, seed: int, ways: int, result: Result, breaking: victim.Breaking = victim.as_it_is) -> None:
        self.dice = random.Random(seed)
        self.ways = ways
        self.result = result
        self.breaking = breaking
        self.told: list[list[object]] = []
        self.enough = False  # stop at the first fault
        self.every = 1  # operation; or only each so many'th
        self.passed, self.killed_at = 0, -1

    def run(self, killed_at: int = -1) -> int:
        """How many operations there were. Killed before one of them, the rest is done by a second process."""
        self.folder, self.killed_at = scratch(), killed_at
        self.world = World(self.folder / "day")
        self.platter = Platter(self.world.lane_home)
        try:
            day.begin(self.world)
            self.work(day.first_work)
            day.change(self.world, self.dice)
            self.work(day.work)
        finally:
            shutil.rmtree(self.folder)
        self.result.days += 1
        return self.passed

    def work(self, work: Callable[..., None]) -> None:
        self.world.lane_home.mkdir(exist_ok=True)
        with self.breaking():
            try:
                self.with_a_lane(lambda lane: work(lane, self.world, self.done))
            except StoppedError:
                self.with_a_lane(lambda lane: day.sweep(lane, self.done))
                if work is day.work:
                    self.with_a_lane(lambda lane: work(lane, self.world, self.done, " again"))

    def with_a_lane(self, work: Callable[[Lane], None]) -> None:
        lane = self.world.lane(RecordingDisk(self.platter, self.about_to))
        try:
            work(lane)
        finally:
            lane.close()

    def done(self, *what: object) -> None:
        self.told.append(list(what))

    def about_to(self, operation: str) -> None:
        if self.passed == self.killed_at:
            self.killed_at = -1
            raise StoppedError
        self.passed += 1
        self.result.operations[operation] += 1
        if self.passed % self.every:
            return
        chosen = WAYS if self.ways >= len(WAYS) else self.dice.sample(WAYS, self.ways)
        for way in chosen:
            self.lose(operation, way)

    def lose(self, operation: str, way: Callable[[random.Random], Keeps]) -> None:
        found = World(self.folder / "found", self.world.home)
        blocks = self.dice if way is any_part else None
        self.platter.write_out(found.lane_home, way(self.dice), blocks)
        if self.world.index.exists() and self.dice.random() < 0.7:
            shutil.copytree(self.world.index, found.index)
        for fault, what in day.judge(found, self.told, rebuild=False):
            self.result.faults[fault].append(f"{way.__name__} before {operation} ({self.passed}): {what}")
        self.result.losses += 1
        self.result.acknowledged += len(self.told)
        shutil.rmtree(found.folder)
        if self.enough and not self.result.clean:
            raise CaughtError


def losses(seed: int, n: int, ways: int = len(WAYS), breaking: victim.Breaking = victim.as_it_is) -> Result:
    """At least so many, in whole days: the first undisturbed, in each other the process is killed once before."""
    result, dice = Result(), random.Random(seed)
    operations = PowerlessDay(seed, ways, result, breaking).run()
    while result.losses < n:
        PowerlessDay(dice.randrange(1 << 30), ways, result, breaking).run(killed_at=dice.randrange(operations))
    return result


def caught(breaking: victim.Breaking, seed: int = 1) -> Result:
    """The first fault a broken product shows."""
    result = Result()
    one = PowerlessDay(seed, 2, result, breaking)
    one.enough = True
    with suppress(CaughtError):
        one.run()
    return result


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--n", type=int, default=1000, help="power losses, at least")
    chosen = parser.parse_args()
    began = time.monotonic()
    result = losses(chosen.seed, chosen.n)
    told = {
        "power losses": result.losses,
        "days": result.days,
        "acknowledged": result.acknowledged,
        **{fault: len(found) for fault, found in result.faults.items()},
        "operations": dict(sorted(result.operations.items())),
        "seconds": round(time.monotonic() - began),
    }
    report.tell(f"python -m campaigns.power --n {chosen.n}", told, result.faults, chosen)


if __name__ == "__main__":
    main()
