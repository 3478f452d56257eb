"""Two who spend at once: they never reserve the same money."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memlane.llm import Caps, NotAskedError, Spend, SpendByDay
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock
from tests.rooms.llm.worlds import World


@pytest.mark.fault("G8")
def test_two_processes_never_reserve_the_same_money(tmp_path: Path) -> None:
    def spend() -> Spend:
        lock = tmp_path / "spend.lock"
        kept = JsonFile(tmp_path / "spend.json", SpendByDay, Disk(), lambda: WriteLock(lock).held())
        return Spend(kept, Caps(1.0, 1000), World(tmp_path).clock)

    got: list[int] = []

    def take() -> None:
        for _ in range(8):
            try:
                spend().reserve(0.05)
                got.append(1)
            except NotAskedError:
                return

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 20
    assert spend().so_far().dollars == 1.0
