"""A journal whose lines somebody moved is put back by `archive repair`, also when that is killed half way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from campaigns.plain import line
from campaigns.world import World
from memlane.system.disk import Disk
from tests.faults.flow.kills import killed

EARLIER = datetime(2026, 10, 3, tzinfo=UTC)


def kept(world: World) -> dict[str, bytes]:
    """Two files of the journal, with three lines each at least."""
    world.path("a").write_bytes(line("hello"))
    for clock, words in ((lambda: EARLIER, ("ancient", "older", "old")), (None, ("first", "second", "third"))):
        with world.lane() as lane:
            lane.home.clock = clock or lane.home.clock
            lane.capture.sweep()
            for one in words:
                lane.memories.remember(one, world.home)
    assert len(list(world.layout.journal_files())) == 2
    assert world.complaints() == []
    return journal(world)


def journal(world: World) -> dict[str, bytes]:
    return {world.layout.journal_name(path): path.read_bytes() for path in world.layout.journal_files()}


def reorder(first: Path, _second: Path) -> None:
    lines = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join([*lines[1:], lines[0]]))


def swap(first: Path, second: Path) -> None:
    mine, theirs = first.read_bytes(), second.read_bytes()
    first.write_bytes(theirs)
    second.write_bytes(mine)


def copy_a_line(first: Path, second: Path) -> None:
    second.write_bytes(second.read_bytes() + first.read_bytes().splitlines(keepends=True)[0])


def double_a_line(first: Path, _second: Path) -> None:
    lines = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join([*lines, lines[1]]))


def repaired(world: World, disk: Disk | None = None) -> None:
    with world.lane(disk) as lane:
        list(lane.archive.repair())


@pytest.mark.parametrize("damage", [reorder, swap, copy_a_line, double_a_line])
def test_moved_lines_are_put_back_to_the_byte(world: World, damage: Callable[[Path, Path], None]) -> None:
    before = kept(world)
    damage(*world.layout.journal_files())
    assert journal(world) != before
    repaired(world)
    assert journal(world) == before
    assert world.complaints() == []


def test_killed_at_any_step_no_line_is_lost(world: World) -> None:
    before, n, again = kept(world), 0, True
    swap(*world.layout.journal_files())
    while again:
        trial = World(world.folder / str(n), world.home)
        shutil.copytree(world.lane_home, trial.lane_home)
        again = killed(lambda disk, trial=trial: repaired(trial, disk), n)
        lines = b"".join(journal(trial).values()).splitlines()
        assert (n, set(b"".join(before.values()).splitlines()) - set(lines)) == (n, set())
        repaired(trial)
        assert (n, journal(trial)) == (n, before)
        shutil.rmtree(trial.folder)
        n += 7  # not at every step, and at others for every file
    assert n > 20
