"""A watch where the kernel can watch nothing, over many files, and over one that takes long to read.

The world goes on in steps: each time the watch waits, the next thing happens and its clock goes on by a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest

from memlane.app import Lane
from memlane.app.capture import CaptureReport, routes
from memlane.app.capture import watch as watching
from memlane.app.capture.sweep import LATER
from memlane.app.capture.watch import Watch
from memlane.system.disk import Disk
from tests.flow.homes import SESSION, a_lane, prompt, transcript, write

LIMIT = 'OS file watch limit reached. about ["/home"]'
Act = Callable[[], None]


class World(Event):
    """Stands in for the thread that stops a watch: one act each time it is waited for, then the end."""

    def __init__(self, acts: Sequence[Act]) -> None:
        super().__init__()
        self.acts = list(acts)
        self.now = 1000.0

    def clock(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        if not self.acts:
            self.set()
            return True
        self.acts.pop(0)()
        return self.is_set()


class SlowDisk(Disk):
    """Each folder listed and each piece read takes so long, by the clock of the world. Folders are counted."""

    def __init__(self, world: World, *, listing: float = 0.0, reading: float = 0.0) -> None:
        super().__init__()
        self._world = world
        self._listing = listing
        self._reading = reading
        self.listed = 0

    def list(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        self.listed += 1
        self._world.now += self._listing
        return super().list(folder)

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        self._world.now += self._reading
        return super().read(descriptor, length, offset)


@pytest.fixture
def nothing_to_watch_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_roots: Path, **_how: object) -> Iterator[set[tuple[int, str]]]:
        raise OSError(28, LIMIT)

    monkeypatch.setattr(watching, "watch", refused)


def watched(lane: Lane, world: World) -> tuple[list[CaptureReport], list[str]]:
    reports, troubles = list[CaptureReport](), list[str]()
    lane.home.begin()
    Watch(lane.home, lane.capture, meaning=LATER, clock=world.clock).run(world, reports.append, troubles.append)
    return reports, troubles


def nothing() -> None:
    """A second in which nothing happens."""


@pytest.mark.fault("A17")
def test_where_nothing_can_be_watched_an_append_is_taken_and_a_new_file_is_found(
    tmp_path: Path, nothing_to_watch_with: None
) -> None:
    lane, path = a_lane(tmp_path), transcript(tmp_path)
    write(path, [prompt("one")])
    other = transcript(tmp_path, session=SESSION.replace("1", "9"), project="-home-dev-new")
    acts: list[Act] = [lambda: write(path, [prompt("two", 2)]), nothing, lambda: write(other, [prompt("new", 3)])]
    reports, troubles = watched(lane, World([*acts, *[nothing] * 5]))
    assert [change.bytes_new > 0 for report in reports for change in report.changes] == [True, True, True]
    assert {run.bytes for run in lane.runs.select()} == {path.stat().st_size, other.stat().st_size}
    assert len(troubles) == 1
    assert LIMIT in troubles[0]


@pytest.mark.fault("A17")
def test_an_append_is_seen_by_its_own_stat_and_not_by_a_look_at_every_folder(
    tmp_path: Path, nothing_to_watch_with: None
) -> None:
    world = World([])
    disk = SlowDisk(world)
    lane, path = a_lane(tmp_path, disk=disk), transcript(tmp_path)
    for n in range(40):
        write(transcript(tmp_path, project=f"-home-dev-p{n}"), [prompt("x", n)])
    write(path, [prompt("one")])
    counted: list[int] = []

    def append() -> None:
        write(path, [prompt(f"more {len(counted)}", 50)])
        counted.append(disk.listed)

    world.acts += [nothing, nothing, append, append, append]
    reports, _ = watched(lane, world)
    assert sum(len(report.changes) for report in reports) == 41 + 3
    assert counted[-1] - counted[0] < 4 * 40  # one full look lists 40 folders three times: at most one was among three


@pytest.mark.fault("A17")
def test_the_more_a_full_look_costs_the_rarer_it_is(tmp_path: Path, nothing_to_watch_with: None) -> None:
    def listed(seconds: float) -> int:
        world = World([nothing] * 100)
        disk, folder = SlowDisk(world, listing=seconds), tmp_path / str(seconds)
        folder.mkdir()
        lane = a_lane(folder, disk=disk)
        write(transcript(folder), [prompt("one")])
        watched(lane, world)
        return disk.listed

    quick, slow = listed(0.0), listed(0.2)
    assert quick > 4 * slow > 4


@pytest.mark.fault("A17")
def test_what_it_keeps_in_mind_is_bounded_however_many_files_there_are(
    tmp_path: Path, nothing_to_watch_with: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST_LATELY", 5)
    lane, world = a_lane(tmp_path), World([nothing] * 12)
    for n in range(20):
        write(transcript(tmp_path, session=f"{n:08d}-2222-4333-8444-555555555555"), [prompt("x", n)])
    lane.home.begin()
    watch = Watch(lane.home, lane.capture, meaning=LATER, clock=world.clock)
    watch.run(world, lambda _: None, lambda _: None)
    assert len(watch.lately) == 5
    assert len(lane.runs.select()) == 20


def test_a_source_that_takes_long_is_left_alone_for_a_while_and_nothing_of_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, path = World([]), transcript(tmp_path)
    lane = a_lane(tmp_path, disk=SlowDisk(world, reading=0.1))
    write(path, [prompt("one")])

    def events(*_roots: Path, **_how: object) -> Iterator[set[tuple[int, str]]]:
        for n in range(30):
            world.now += 1.0
            write(path, [prompt(f"words {n}", n)])
            yield {(2, str(path))}
        for _ in range(60):
            world.now += 1.0
            yield set()
        world.set()

    monkeypatch.setattr(watching, "watch", events)
    reports, _ = watched(lane, world)
    assert 1 < len(reports) < 12  # of thirty appends
    assert [run.bytes for run in lane.runs.select()] == [path.stat().st_size]


def test_a_database_is_looked_at_when_only_its_log_changes() -> None:
    assert watching.database_of(Path("/x/state.vscdb-wal")) == Path("/x/state.vscdb")
    assert watching.database_of(Path("/x/a.jsonl")) == Path("/x/a.jsonl")


def test_a_watch_is_known_by_the_lock_it_holds_and_a_dead_one_by_none(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.home.begin()
    assert not routes.watched(lane.home)
    with routes.watch_lock(lane.home, whole=True):
        with routes.watch_lock(lane.home, whole=True):  # a person's own beside the daemon's
            assert routes.watched(lane.home)
        assert routes.watched(lane.home)
    assert not routes.watched(lane.home)
    with routes.watch_lock(lane.home, whole=False):
        assert not routes.watched(lane.home)
