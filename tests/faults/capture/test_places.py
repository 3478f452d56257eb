"""Others at work in the same place, at the same time: rows A13, A15, A16 and A18 of the failure model."""

from __future__ import annotations

import os
import subprocess
import threading

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, sweep_of
from memlane import capture
from memlane.flow import capture as intake
from tests.rooms.capture.test_places import as_nobody, know_all_files


@pytest.mark.fault("A13")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a13_a_folder_that_may_not_be_read_any_more_costs_nothing(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    world.path("b", "old").write_bytes(line("still readable"))
    notes = world.home / "notes"

    def work() -> None:
        with world.lane(WatchedDisk()) as lane:
            lane.capture.sweep()
            notes.chmod(0)
            world.grow("b", line("more"), "old")
            report = lane.capture.sweep(audit=True)
            assert [one.path for one in report.set_aside] == [str(notes)]
            assert world.archived("a") == [line("one")]
            assert world.archived("b") == [line("still readable") + line("more")], "the others go on"
            world.home.chmod(0)
            assert lane.capture.sweep().set_aside != []
            world.home.chmod(0o700)
            notes.chmod(0o700)
            world.grow("a", line("two"))
            assert lane.capture.sweep().set_aside == []
            assert world.archived("a") == [line("one") + line("two")]

    as_nobody(world, work)


@pytest.mark.fault("A15")
def test_a15_swapping_a_file_for_a_link_never_gives_away_what_the_link_points_to(world: World) -> None:
    secret, path = world.folder / "secret.jsonl", world.path("a")
    secret.write_bytes(line("SECRET") * 50)
    stop = threading.Event()

    def swap() -> None:
        beside = world.home / "beside"
        while not stop.is_set():
            beside.write_bytes(line("ordinary") * 40)
            beside.replace(path)
            beside.symlink_to(secret)
            beside.replace(path)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        with world.lane(WatchedDisk()) as lane:
            for _ in range(150):
                lane.capture.sweep()
    finally:
        stop.set()
        swapping.join()
    assert all(b"SECRET" not in content for content in world.archived("a"))
    assert all(content == line("ordinary") * 40 for content in world.archived("a"))


@pytest.mark.fault("A16")
def test_a16_folders_nested_deeper_than_calls_can_be_are_walked(world: World) -> None:
    here, folder = os.open(world.home / "notes", os.O_RDONLY), 0
    depth = 1200
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        folder = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = folder
    file = os.open("deep.jsonl", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.write(file, line("deep down"))
    os.close(file)
    os.close(here)
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
    assert world.archived("deep") == [line("deep down")]
    subprocess.run(["rm", "-rf", world.home / "notes"], check=True)  # Python's own way is to call itself


@pytest.mark.fault("A18")
def test_a18_a_writer_faster_than_we_are_is_caught_up_with(world: World) -> None:
    path, pieces = world.path("a"), 40
    path.write_bytes(line("begun"))

    def write() -> None:
        with path.open("ab") as file:
            for n in range(pieces):
                file.write(line(f"{n} " + "x" * (1 << 20)))
                file.flush()

    writing = threading.Thread(target=write)
    writing.start()
    sizes: list[int] = []
    with world.lane(WatchedDisk()) as lane:
        sweep, tools = sweep_of(lane), lane.home.tools()
        while writing.is_alive() or not sizes or sizes[-1] != path.stat().st_size:
            for seen in intake.changed(sweep, tools)[0]:
                assert [one for one in intake.take(seen, sweep, tools) if isinstance(one, capture.UnreadableFile)] == []
            sizes.append(sum(len(content) for content in world.archived("a")))
    writing.join()
    assert world.archived("a") == [path.read_bytes()]
    assert sizes == sorted(sizes)


@pytest.mark.fault("X4")
def test_a_hundred_thousand_small_files_are_looked_at_once_and_opened_only_when_they_change(world: World) -> None:
    many, one = 100_000, world.folder / "one"
    one.write_bytes(b"{}\n")
    for n in range(many):
        folder = world.home / "notes" / str(n % 100)
        if n < 100:
            folder.mkdir()
        os.link(one, folder / f"f{n}.jsonl")  # a name more: as many to look at as files
    disk = WatchedDisk()
    with world.lane(disk) as lane:
        know_all_files(lane)
        (world.home / "notes" / "7" / "new.jsonl").write_bytes(line("a new one"))
        report = lane.capture.sweep()
    assert (report.files_seen, [change.run.native_id for change in report.changes]) == (many + 1, ["new"])
    assert disk.source_bytes < 1000
