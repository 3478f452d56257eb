"""Every verb of a day's work fails once: no space, an I/O error, a write cut short; or from then on for good.

`python -m campaigns.nth` goes through all of them. Afterwards the home is in its old state or its new one, and the
next sweep finishes what was left.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from campaigns import day, report
from campaigns.disks import FailingDisk, WatchedDisk
from campaigns.world import World, scratch
from memlane.errors import LaneError

KINDS = ("no space", "no space for good", "i/o error", "short write")
NEEDS_SPACE = "make |create |write |truncate |sync |rename "


class ShortDisk(FailingDisk):
    """The n-th write is cut in the middle, then fails, as when the disk fills up under it."""

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        try:
            super().write(descriptor, data, offset)
        except OSError:
            os.pwrite(descriptor, data[: len(data) // 2], offset)
            raise


def disk_for(kind: str, n: int) -> FailingDisk:
    match kind:
        case "i/o error":
            return FailingDisk(n, lambda: OSError(errno.EIO, "input/output error"))
        case "short write":
            return ShortDisk(n, lambda: OSError(errno.ENOSPC, "no space left on device"), "write ")
        case _:
            full = OSError(errno.ENOSPC, "no space left on device")
            return FailingDisk(n, lambda: full, NEEDS_SPACE, for_good=kind.endswith("for good"))


@dataclass(slots=True)
class Result:
    failures: int = 0
    acknowledged: int = 0
    failed: Counter[str] = field(default_factory=Counter[str])
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in day.FAULTS})

    @property
    def clean(self) -> bool:
        return not any(self.faults.values())


class Failures:
    """In copies of one prepared home."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.folder = scratch()
        day.prepare(World(self.folder / "trial"))
        (self.folder / "trial").rename(self.folder / "before")

    def close(self) -> None:
        shutil.rmtree(self.folder)

    def fresh(self) -> World:
        world = World(self.folder / "before").copy_to(self.folder / "trial")
        day.change(world, self.dice)
        return world

    def work(self, world: World, disk: WatchedDisk) -> list[list[object]]:
        """As far as it goes: what fails is not acknowledged, the next thing is tried."""
        told: list[list[object]] = []
        lane = world.lane(disk)
        try:
            for attempt in ("", " again"):
                with suppress(OSError, LaneError):
                    day.work(lane, world, lambda *what: told.append(list(what)), attempt)
        finally:
            lane.close()
        return told

    def fail(self, kind: str, n: int, result: Result) -> bool:
        """False when there were not so many verbs."""
        world, disk = self.fresh(), disk_for(kind, n)
        told = self.work(world, disk)
        for fault, what in day.judge(world, told, rebuild=False):
            result.faults[fault].append(f"{kind}, {disk.failed} ({n}): {what}")
        if disk.failed:
            result.failures += 1
            result.failed[disk.failed] += 1
        result.acknowledged += len(told)
        shutil.rmtree(world.folder)
        return bool(disk.failed)

    def run(self, kinds: Iterable[str], start: int = 0, step: int = 1) -> Result:
        result = Result()
        for kind in kinds:
            n = start
            while self.fail(kind, n, result):
                n += step
        return result


def main() -> None:
    chosen = report.arguments(__doc__).parse_args()
    failures, began = Failures(chosen.seed), time.monotonic()
    try:
        result = failures.run(KINDS)
    finally:
        failures.close()
    told = {
        "kinds": list(KINDS),
        "failures": result.failures,
        "acknowledged": result.acknowledged,
        **{fault: len(found) for fault, found in result.faults.items()},
        "failed": dict(sorted(result.failed.items())),
        "seconds": round(time.monotonic() - began),
    }
    report.tell("python -m campaigns.nth", told, result.faults, chosen)


if __name__ == "__main__":
    main()
