"""What a killed writer leaves lying about: row C1 of the failure model. Never read, no damage, and written over."""

from __future__ import annotations

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World


def sweep(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        assert lane.capture.sweep().set_aside == []


@pytest.mark.fault("C1")
def test_c1_unfinished_files_mean_nothing_and_make_room(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    world.side_path("a", "result.txt").write_bytes(b"side")
    sweep(world)
    folder = world.run_folder("a")
    for unfinished in ("g2.raw.tmp", "metadata.json.tmp", "files/result.txt~"):
        (folder / unfinished).write_bytes(b"half of somethi")
    assert world.complaints() == []
    assert world.archived("a") == [line("one")]
    world.path("a").write_bytes(line("rewritten"))
    world.side_path("a", "result.txt").write_bytes(b"another")
    sweep(world)
    assert world.archived("a") == [line("one"), line("rewritten")]
    assert world.side_files("a") == {"result.txt": b"side", "result.txt~2": b"another"}
    assert sorted(path.name for path in folder.rglob("*")) == [
        "files",
        "g1.raw",
        "g2.raw",
        "metadata.json",
        "result.txt",
        "result.txt~2",
    ]


@pytest.mark.fault("C1")
def test_c1_bytes_behind_what_was_counted_are_cut_off_by_the_next_append(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    with (world.run_folder("a") / "g1.raw").open("ab") as raw:
        raw.write(b"never acknowledged")
    assert world.archived("a") == [line("one")]
    assert world.complaints() == []
    world.grow("a", line("two"))
    sweep(world)
    assert (world.run_folder("a") / "g1.raw").read_bytes() == line("one") + line("two")


@pytest.mark.fault("C1")
def test_c1_a_whole_generation_whose_commit_was_cut_off_is_counted_by_the_next_capture(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    (world.run_folder("a") / "g2.raw").write_bytes(line("two"))
    assert world.complaints() == []
    world.path("a").write_bytes(line("two") + line("three"))
    sweep(world)
    assert world.archived("a") == [line("one"), line("two") + line("three")]


@pytest.mark.fault("C1")
def test_c1_the_same_bytes_delivered_again_change_nothing(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    before = (world.run_folder("a") / "metadata.json").read_bytes()
    for _ in range(3):
        world.lose_index()  # nobody remembers that it was acknowledged
        sweep(world)
    assert (world.run_folder("a") / "metadata.json").read_bytes() == before
