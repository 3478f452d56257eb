"""A disk that is full, broken or slow to take: rows A19 to A21 of the failure model, and every verb failing once."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from campaigns import day, nth
from campaigns.disks import FailingDisk, WatchedDisk
from campaigns.plain import line
from campaigns.platter import Platter
from campaigns.power import RecordingDisk, all_dropped
from campaigns.world import World
from memlane import archive
from memlane.domain import RunFilter
from memlane.system import disk as disk_module
from memlane.system.disk import Disk


@pytest.mark.fault("A19", "A20")
@pytest.mark.parametrize("kind", nth.KINDS)
def test_every_verb_fails_once_and_the_next_sweep_finishes(kind: str) -> None:
    """Every eighth of them here, beginning somewhere else for each kind; `python -m campaigns.nth` takes all."""
    failures = nth.Failures(2026)
    try:
        result = failures.run([kind], start=nth.KINDS.index(kind) % 3, step=1 if kind == "short write" else 8)
    finally:
        failures.close()
    assert {fault: found[:3] for fault, found in result.faults.items() if found} == {}
    assert result.failures > 10


@pytest.mark.fault("A19")
def test_a19_a_full_disk_is_said_once_per_file_and_nothing_is_emptied(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
    world.grow("a", line("two"))
    world.path("b").write_bytes(line("new"))
    full = FailingDisk(0, lambda: OSError(errno.ENOSPC, "No space left on device"), nth.NEEDS_SPACE, for_good=True)
    with world.lane(full) as lane:
        report = lane.capture.sweep()
        assert sorted(Path(one.path).name for one in report.set_aside) == ["a.jsonl", "b.jsonl"]
        assert {one.reason for one in report.set_aside} == {"No space left on device"}
        assert world.archived("a") == [line("one")]
        with pytest.raises(OSError, match="No space left"):
            lane.memories.remember("a note", world.home)
    with world.lane(WatchedDisk()) as lane:
        assert lane.capture.sweep().set_aside == []
        assert lane.memories.all() == []
    assert world.archived("a") == [line("one") + line("two")]
    assert world.complaints() == []


@pytest.mark.fault("A19")
@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount a small disk")
def test_a19_on_a_disk_of_one_megabyte_that_really_is_full(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount here")
    try:
        world = World(tmp_path / "world").prepare()
        setting = {"LANE_ARCHIVE_BASE": str(small / "archive")}
        world.path("fits").write_bytes(line("fits"))
        world.path("large").write_bytes(line("x" * 900_000) * 2)
        with world.lane(**setting) as lane:
            report = lane.capture.sweep()
            assert [Path(one.path).name for one in report.set_aside] == ["large.jsonl"]
            raw = {run.native_id for run in (change.run for change in report.changes)}
            assert raw == {"fits"}
            world.path("large").write_bytes(line("now it fits"))
            assert lane.capture.sweep().set_aside == []
            assert b"".join(lane.runs.raw(world.run("large"))) == line("now it fits")
            assert list(lane.archive.verify()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.fault("A19", "C11")
@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount a small disk")
def test_a19_with_everything_of_ours_on_a_full_disk_it_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount here")
    try:
        world = World(small, tmp_path / "home").prepare()
        names = [f"run{n}" for n in range(30)]
        for name in names:
            world.path(name).write_bytes(line(f"{name} " + "word " * 4000) * 2)
        with world.lane() as lane:
            for _ in range(2):
                with pytest.raises(OSError, match="No space left"):
                    lane.capture.sweep()
        assert world.complaints() == []
        subprocess.run(["mount", "-o", "remount,size=50m", str(small)], check=True)
        with world.lane() as lane:
            assert lane.capture.sweep().set_aside == []
            assert len(lane.runs.select(RunFilter())) == len(names)
        assert all(world.archived(name) == [world.path(name).read_bytes()] for name in names)
        assert world.complaints() == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


class ForgetfulDisk(RecordingDisk):
    """The n-th sync fails, and the kernel forgets what was to be written: a later sync says all is well."""

    def __init__(self, platter: Platter, n: int) -> None:
        super().__init__(platter, lambda _operation: None)
        self.left = n

    def sync(self, descriptor: int) -> None:
        self.left -= 1
        if self.left == -1:
            self.platter.forget_pending(self.numbers[descriptor])
            raise OSError(errno.EIO, "input/output error")
        super().sync(descriptor)


def day_with_a_failed_sync(folder: Path, n: int) -> bool:
    """False when the day had not so many syncs."""
    world, told = World(folder / "day"), list[list[object]]()
    day.begin(world)
    world.lane_home.mkdir()
    disk = ForgetfulDisk(Platter(world.lane_home), n)
    with world.lane(disk) as lane:
        for _ in range(2):
            with suppress(OSError):  # of the note; a file is set aside, and taken the next time
                day.first_work(lane, world, lambda *what: told.append(list(what)))
    found = World(folder / "found", world.home)
    disk.platter.write_out(found.lane_home, all_dropped(random.Random(n)), None)
    faults = [fault for fault in day.judge(found, told, rebuild=False) if fault != ("duplicated", "a note")]
    assert faults == []
    shutil.rmtree(folder)
    return disk.left < 0


@pytest.mark.fault("A20")
def test_a20_what_a_failed_sync_may_have_lost_is_written_again(world: World) -> None:
    n = 0
    while day_with_a_failed_sync(world.folder / str(n), n):
        n += 1
    assert n > 8


@pytest.mark.fault("A21")
def test_a21_a_kernel_that_takes_and_gives_a_few_bytes_at_a_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"".join(line(f"line {n}") for n in range(30))
    world.path("a").write_bytes(content)
    pwrite, pread = os.pwrite, os.pread
    monkeypatch.setattr(disk_module.os, "pwrite", lambda fd, data, offset: pwrite(fd, bytes(data)[:7], offset))
    monkeypatch.setattr(disk_module.os, "pread", lambda fd, length, offset: pread(fd, min(length, 5), offset))
    with world.lane() as lane:
        assert lane.capture.sweep().set_aside == []
        world.grow("a", line("more"))
        lane.capture.sweep()
        lane.memories.remember("a note", world.home)
    monkeypatch.undo()
    assert world.archived("a") == [content + line("more")]
    assert len(world.journaled()) == 1
    assert world.complaints() == []


@pytest.mark.fault("A21")
def test_a21_a_disk_that_takes_nothing_at_all_is_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.path("a").write_bytes(line("one"))
    with world.lane() as lane:
        lane.home.begin()
        monkeypatch.setattr(disk_module.os, "pwrite", lambda _fd, _data, _offset: 0)
        (aside,) = lane.capture.sweep().set_aside
    assert aside.reason.endswith(".tmp: the disk takes nothing")
    assert world.archived("a") == []


@pytest.mark.fault("A19")
def test_a_register_that_cannot_be_written_costs_neither_a_note_nor_a_run(world: World) -> None:
    """And nothing is written twice while somebody tries again."""
    world.path("a").write_bytes(line("one"))
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
    world.path("b").write_bytes(line("two"))
    full = FailingDisk(0, lambda: OSError(errno.ENOSPC, "no space left on device"), "write register$", for_good=True)
    with world.lane(full) as lane:
        note = lane.memories.remember("saved all the same", world.home).id
        assert len(lane.capture.sweep().set_aside) == 1
        assert world.run("b") in {run.id for run in lane.runs.select(RunFilter())}
        lane.memories.remember("and another", world.home)
    assert [id for id in world.journaled() if id == note] == [note]
    kinds = {found.kind for found in archive.verify(Disk(), world.layout)}
    assert kinds == {"unregistered"}
    with world.lane(WatchedDisk()) as lane:
        assert not lane.capture.sweep().set_aside
    assert list(archive.verify(Disk(), world.layout)) == []
