"""Interrupted while it forgets: row C5 of the failure model."""

from __future__ import annotations

import errno
import shutil

import pytest

from campaigns.disks import CountingDisk, FailingDisk, WatchedDisk
from campaigns.plain import line
from campaigns.world import World
from memlane.errors import DamagedError
from tests.rooms.archive.test_forget import WORD, files_with, forget, home_with_secrets


@pytest.mark.fault("C5")
def test_c5_interrupted_at_any_verb_it_is_finished_by_the_next_sweep(world: World) -> None:
    home_with_secrets(world)
    template = World(world.folder.rename(world.folder.with_name("template-" + world.folder.name)))
    template.copy_to(world.folder)
    disk = CountingDisk()
    with world.lane(disk) as lane:
        forget(lane, world)
    steps = len(disk.steps)
    try:
        for n in range(steps):
            shutil.rmtree(world.folder)
            template.copy_to(world.folder)
            interrupted_at(world, n)
    finally:
        shutil.rmtree(template.folder)
    assert steps > 30


def interrupted_at(world: World, n: int) -> None:
    disk = FailingDisk(n, lambda: OSError(errno.EIO, "input/output error"), for_good=True)
    with world.lane(disk) as lane, pytest.raises((OSError, DamagedError), match="input/output error"):
        forget(lane, world)
    assert world.complaints() == [], f"verb {n}: half forgotten is not damaged"
    with world.lane(WatchedDisk()) as lane:
        begun = (world.layout.forgetting / world.run("goes")).exists() or not world.layout.find(world.run("goes"))
        lane.capture.sweep()
        if begun:
            assert files_with(world, WORD) == [], f"verb {n}"
            assert world.layout.find(world.run("goes")) is None
        else:
            assert world.archived("goes") == [line(f"my {WORD} is broken") * 3], f"verb {n}: not begun, nothing gone"
        forget(lane, world)
    assert files_with(world, WORD) == []
    assert world.complaints() == []
    assert world.archived("stays") == [line("an ordinary run")]
