"""What killed commands leave behind is removed by the tick once they are gone, and nothing else is."""

from __future__ import annotations

import os
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from campaigns.plain import line
from campaigns.world import NOON, World
from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.system.disk import Disk
from tests.faults.flow.kills import killed

SECRET = "the word that must go"


def beginning(world: World) -> str:
    world.path("a").write_bytes(line("hello") + line("second"))
    world.path("b").write_bytes(line("more"))
    with world.lane() as lane:
        lane.capture.sweep()
        return lane.memories.remember(SECRET, world.home).id


def age(folder: Path) -> None:
    """As it lies there an hour later. The clock of these worlds is not the one of their disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (NOON.timestamp() - 3600, NOON.timestamp() - 3600))


def temporary(world: World) -> Iterator[Path]:
    yield from (path for path in world.folder.rglob("*") if path.name.endswith((".tmp", "~")))


def cleared(world: World) -> list[str]:
    with world.lane() as lane:
        lane.capture.sweep()  # as the tick does before it clears
        return lane.archive.clear_leftovers()


@pytest.mark.fault("A19")
def test_whenever_forget_for_good_is_killed_its_temporary_files_go(world: World) -> None:
    """At every step of it: after the next tick no temporary file is left, and the forgotten words are nowhere."""
    memory, n, left = beginning(world), 0, 0
    again = True
    while again:
        trial = World(world.folder / str(n), world.home)
        shutil.copytree(world.lane_home, trial.lane_home)

        def forget(disk: Disk, trial: World = trial) -> None:
            with trial.lane(disk) as lane:
                lane.memories.forget_for_good(lane.memories.plan_gone([memory]))

        again = killed(forget, n)
        left += len(list(temporary(trial)))
        age(trial.folder)
        begun = [mark.name for mark in trial.lane_home.glob("archive/*/forgetting/*") if mark.suffix != ".tmp"]
        cleared(trial)
        if begun or not again:
            journal = b"".join(path.read_bytes() for path in trial.layout.journal_files())
            assert (n, SECRET.encode() in journal) == (n, False)
        assert (n, list(temporary(trial))) == (n, [])
        assert (n, trial.complaints()) == (n, [])
        n += 1
    assert left > 0


def test_a_tick_leaves_what_is_young_and_what_is_not_ours(world: World) -> None:
    beginning(world)
    run = world.run_folder("a")
    journal = next(iter(world.layout.journal_files()))
    ours = [run / "metadata.json.tmp", run / "g1.raw.tmp", journal.with_name(f"{journal.name}.tmp")]
    theirs = [world.lane_home / "notes.tmp", run / "mine.tmp", world.home / "metadata.json.tmp"]
    for path in (*ours, *theirs):
        path.write_bytes(b"half")
    assert cleared(world) == []
    age(world.folder)
    assert sorted(cleared(world)) == sorted(map(str, ours))
    assert [path for path in theirs if not path.exists()] == []


def dead(work: Callable[[], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        work()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


def half_a_rebuild(lane: Lane) -> None:
    fresh = lane.home.engine.begin()
    fresh.notes.put("half", "built")
    fresh.settle()


@pytest.mark.fault("C11")
def test_an_index_whose_builder_was_killed_goes_and_one_being_built_stays(world: World) -> None:
    beginning(world)
    with world.lane() as lane:
        serves = lane.home.engine.serving()
        dead(lambda: half_a_rebuild(lane))
        (half,) = {path.name for path in world.index.glob("*.db")} - {serves}
        fresh = lane.home.engine.begin()
        assert {path.name for path in world.index.glob("*.db")} == {serves, half, fresh.name}
        gone = lane.archive.clear_leftovers()
        assert [Path(path).name for path in gone] == [half]
        lane.home.engine.swap(fresh)
        fresh.close()
        assert {path.name for path in world.index.glob("v*.db")} == {fresh.name}
    with world.lane() as lane:
        assert lane.home.engine.serving() == fresh.name


def test_terms_that_a_kill_left_beside_those_in_use_go(world: World) -> None:
    beginning(world)
    with world.lane() as lane:
        lane.home.storage().settle()
        (terms,) = world.index.glob("*.terms/*")
        for number in ("7", "8"):
            beside = terms.with_name(f"{terms.name.rpartition('-')[0]}-{number}")
            beside.mkdir()
            (beside / "meta.json").write_bytes(b"{}")
        another = terms.with_name("another-1")  # of an owner nobody knows here
        another.mkdir()
        assert len(lane.archive.clear_leftovers()) == 2
        assert set(world.index.glob("*.terms/*")) == {terms, another}
        assert lane.search.find("second", RunFilter(), 10).search.best
