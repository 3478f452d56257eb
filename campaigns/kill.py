"""Kill at every step: a forked victim captures, remembers and forgets, and is ended before or after one of its steps.

`python -m campaigns.kill --n 10000`. A step is a verb of the disk and a kind of file, or a commit of the index. The
steps hit least come next, so that none is left out; some kills come from outside, at any instant. Then the home is
opened again, swept, verified and compared with what the victim had said was done.
"""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import apsw

from campaigns import day, report, victim
from campaigns.disks import CountingDisk, KillingDisk, WatchedDisk
from campaigns.world import World, gate, scratch
from memlane.app import Lane

OUTSIDE = "from outside"
FROM_OUTSIDE = 0.1  # share of the kills
FIRST_DAYS = 0.2  # share of the trials that begin with an empty home
REHEARSALS = 8  # of the work, to see every step it can have
TWICE = 2  # before the others
ENOUGH = 20  # hits, or a step is not tested


@dataclass(frozen=True, slots=True)
class Kill:
    """The n-th time this is passed (`after sync g1.raw`), or from outside, after a share of the time the work takes."""

    where: str
    n: int = 0
    share: float = 0.0

    @property
    def disk(self) -> WatchedDisk:
        return KillingDisk(self.where, self.n)


@dataclass(slots=True)
class Result:
    """What came of it, each fault counted apart."""

    trials: int = 0
    kills: int = 0
    acknowledged: int = 0
    hits: Counter[str] = field(default_factory=Counter[str])
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in day.FAULTS})

    @property
    def clean(self) -> bool:
        return not any(self.faults.values())

    def add(self, other: Result) -> None:
        self.trials += other.trials
        self.kills += other.kills
        self.acknowledged += other.acknowledged
        self.hits += other.hits
        for fault, found in other.faults.items():
            self.faults[fault] += found


class Trials:
    """In copies of one prepared home. `breaking` may break the product on purpose."""

    prefix = ""

    def __init__(self, seed: int, breaking: victim.Breaking = victim.as_it_is) -> None:
        self.dice = random.Random(seed)
        self.breaking = breaking
        self.folder = scratch()
        gate()  # before any fork
        self.prepare(World(self.folder / "trial"))
        (self.folder / "trial").rename(
            self.folder / "before"
        )  # every trial is at the same path: it is part of the past
        self.passed, self.seconds = self.rehearsed(breaking)

    def close(self) -> None:
        shutil.rmtree(self.folder)

    def prepare(self, world: World) -> None:
        day.prepare(world)

    def fresh(self) -> World:
        world = World(self.folder / "before").copy_to(self.folder / "trial")
        day.change(world, self.dice)
        return world

    def work(self, lane: Lane, world: World, done: Callable[..., None]) -> None:
        day.work(lane, world, done)

    def rehearsed(self, breaking: victim.Breaking) -> tuple[Counter[str], float]:
        """Which steps the work has, how often at most, and how long it takes."""
        passed, seconds = Counter[str](), 0.0
        for _ in range(REHEARSALS):
            world, disk, hooks = self.fresh(), CountingDisk(), len(apsw.connection_hooks)
            victim.watch_commits(disk)
            began = time.monotonic()
            with breaking(), world.lane(disk) as lane:
                self.work(lane, world, lambda *_what: None)
            seconds = max(seconds, time.monotonic() - began)
            del apsw.connection_hooks[hooks:]
            passed |= Counter({where: n for where, n in disk.passed.items() if not where.endswith(" source")})
            shutil.rmtree(world.folder)
        return passed, seconds

    def kills(self, first: Collection[str] = ()) -> Iterator[Kill]:
        """Where it was tried least; the first try is sure to come by there. `first` are tried before any other."""
        tried = Counter(dict.fromkeys(first, -TWICE))
        while True:
            kill = self.next_kill(tried)
            tried[kill.where] += 1
            yield kill

    def next_kill(self, tried: Counter[str]) -> Kill:
        if self.dice.random() < FROM_OUTSIDE:
            return Kill(OUTSIDE, share=self.dice.random())
        fewest = min(tried[where] for where in self.passed)
        where = self.dice.choice([where for where in self.passed if tried[where] == fewest])
        return Kill(where, self.dice.randrange(self.passed[where]) if tried[where] else 0)

    def trial(self, kill: Kill, result: Result) -> None:
        world, disk = self.fresh(), kill.disk
        child, pipe = victim.start(lambda done: self.work(world.lane(disk), world, done), disk, self.breaking)
        status, told = victim.wait(child, pipe, kill.share * self.seconds)
        found = day.judge(world, told, rebuild=result.trials % 4 == 0)
        if status not in (0, -signal.SIGKILL):
            found.append(("unclean", f"the victim ended by itself with {status}"))
        for fault, what in found:
            result.faults[fault].append(f"{self.prefix}{kill.where} (time {kill.n}): {what}")
        result.trials += 1
        result.kills += status == -signal.SIGKILL
        result.hits[self.prefix + kill.where] += status == -signal.SIGKILL
        result.acknowledged += len(told)
        shutil.rmtree(world.folder)

    def run(self, n: int, result: Result) -> None:
        for kill in islice(self.kills(), n):
            self.trial(kill, result)

    def only(self, places: Collection[str]) -> None:
        """The others are for a longer run."""
        self.passed = Counter({where: n for where, n in self.passed.items() if where in places})

    def run_until_all_are_hit(self, most: int, result: Result) -> None:
        for kill in islice(self.kills(), most):
            self.trial(kill, result)
            if not self.missed(result):
                break

    def missed(self, result: Result) -> list[str]:
        return [where for where in self.passed if not result.hits[self.prefix + where]]


class FirstDays(Trials):
    """From an empty home on, so that also the making of everything is interrupted."""

    prefix = "first day, "

    def prepare(self, world: World) -> None:
        day.begin(world)

    def fresh(self) -> World:
        return World(self.folder / "before").copy_to(self.folder / "trial")

    def work(self, lane: Lane, world: World, done: Callable[..., None]) -> None:
        day.first_work(lane, world, done)
        day.change(world, self.dice)
        day.work(lane, world, done)


@cache
def places(days: type[Trials], seed: int) -> frozenset[str]:
    """Every step such a day has."""
    trials = days(seed)
    trials.close()
    return frozenset(trials.passed)


def caught(breaking: victim.Breaking, n: int, seed: int = 1) -> Result:
    """The first fault a broken product shows in at most so many trials, beginning with the steps the whole has not."""
    trials, result = Trials(seed, breaking), Result()
    try:
        only_broken = trials.passed.keys() - places(Trials, seed)
        for kill in islice(trials.kills(sorted(only_broken)), n):
            trials.trial(kill, result)
            if not result.clean:
                break
    finally:
        trials.close()
    return result


def figures(result: Result, passed: Collection[str]) -> dict[str, object]:
    return {
        "trials": result.trials,
        "kills": result.kills,
        "acknowledged": result.acknowledged,
        **{fault: len(found) for fault, found in result.faults.items()},
        "places": len(passed),
        f"places hit fewer than {ENOUGH} times": sorted(place for place in passed if result.hits[place] < ENOUGH),
        "hits": dict(sorted(result.hits.items())),
    }


def campaign(n: int, seed: int) -> tuple[Result, set[str]]:
    """So many trials, and every step they could be killed at."""
    result, passed = Result(), set[str]()
    for trials, share in ((Trials(seed), 1 - FIRST_DAYS), (FirstDays(seed), FIRST_DAYS)):
        try:
            trials.run(int(n * share), result)
        finally:
            trials.close()
        passed |= {trials.prefix + where for where in trials.passed}
    return result, passed


def several(n: int, seed: int, jobs: int) -> tuple[Result, set[str]]:
    """The same on so many cores, each with dice of its own."""
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(campaign, [n // jobs] * jobs, range(seed, seed + jobs)))
    result = Result()
    for part, _passed in parts:
        result.add(part)
    return result, set[str]().union(*(passed for _part, passed in parts))


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--n", type=int, default=1000, help="trials")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share them")
    chosen = parser.parse_args()
    began = time.monotonic()
    result, passed = several(chosen.n, chosen.seed, chosen.jobs)
    told = figures(result, passed) | {"seconds": round(time.monotonic() - began)}
    report.tell(f"python -m campaigns.kill --n {chosen.n} --jobs {chosen.jobs}", told, result.faults, chosen)


if __name__ == "__main__":
    main()
