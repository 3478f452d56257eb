"""A home on a disk that fills up: the old state serves, errors name the file, and it goes on when there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaigns.plain import line
from campaigns.world import World
from memlane.domain import RunFilter
from memlane.system.disk import advice_for, message_of
from tests.faults.home.mounts import resize, small_disk


def filled(small: Path) -> None:
    with (small / "filler").open("wb") as file:
        try:
            while True:
                file.write(bytes(64 << 10))
                file.flush()
        except OSError:
            return


@pytest.mark.fault("C11", "A19")
def test_a_rebuild_without_room_leaves_the_old_index_serving_and_nothing_of_itself(tmp_path: Path) -> None:
    small = tmp_path / "small"
    with small_disk(small, "size=30m"):
        world = World(small, tmp_path / "home").prepare()
        for n in range(8):
            world.path(f"run{n}").write_bytes(line(f"run{n} " + "word " * 2000) * 2)
        with world.lane() as lane:
            lane.capture.sweep()
            lane.memories.remember("a note", world.home)
        before = sorted(path.name for path in world.index.rglob("*"))
        filled(small)
        with world.lane() as lane:
            with pytest.raises(OSError, match="No space left") as raised:
                lane.archive.rebuild()
            assert str(world.index) in message_of(raised.value)
            assert "free some disk space" in advice_for(raised.value)
            assert lane.search.find("run3", RunFilter(), 10).search.best
            with pytest.raises(OSError, match="No space left") as raised:
                lane.memories.remember("another " * 900, world.home)
            assert str(world.layout.root) in message_of(raised.value)
        left = sorted(path.name for path in world.index.rglob("*") if not path.name.endswith(("-wal", "-shm")))
        assert left == [name for name in before if not name.endswith(("-wal", "-shm"))]
        resize(small, "size=80m")
        with world.lane() as lane:
            assert lane.archive.rebuild().runs == 8
            assert [memory.content for memory in lane.memories.all()] == ["a note"]
        assert world.complaints() == []


@pytest.mark.fault("X2")
@pytest.mark.fault("A19")
def test_a_disk_without_room_for_one_more_file_is_told_from_a_full_one(tmp_path: Path) -> None:
    small = tmp_path / "small"
    with small_disk(small, "size=20m,nr_inodes=40"):
        world = World(tmp_path / "world").prepare()
        for n in range(30):
            world.path(f"run{n}").write_bytes(line(f"run{n}"))
        with world.lane(None, LANE_ARCHIVE_BASE=str(small / "archive")) as lane:
            report = lane.capture.sweep()
            assert report.changes != []
            assert {"every inode is in use" in aside.reason for aside in report.set_aside} == {True}
            assert {str(small) in aside.reason for aside in report.set_aside} == {True}
            resize(small, "nr_inodes=1000")
            assert lane.capture.sweep().set_aside == []
            assert len(lane.runs.select(RunFilter())) == 30
            assert [finding.what for finding in lane.archive.verify()] == []
