"""Damage to what is archived: rows C2 to C4 of the failure model. Named, never served, healed if the agent can."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World
from memlane import archive
from memlane.domain import Level
from memlane.system.disk import Disk


def sweep(world: World, *, audit: bool = False) -> list[str]:
    """What was set aside."""
    with world.lane(WatchedDisk()) as lane:
        return [one.reason for one in lane.capture.sweep(audit=audit).set_aside]


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def named(world: World) -> list[str]:
    return [f.kind for f in archive.verify(Disk(), world.layout) if f.level is not Level.NOTE]


# -- C2: one bit -------------------------------------------------------------------------------------------------------


@pytest.mark.fault("C2")
def test_c2_damage_is_taken_again_from_the_agent_if_it_still_has_the_bytes(world: World) -> None:
    content = line("one") + line("two")
    world.path("a").write_bytes(content)
    sweep(world)
    raw = world.run_folder("a") / "g1.raw"
    raw.write_bytes(flipped(content, 9))
    assert sweep(world, audit=True) == []
    assert world.archived("a") == [content]
    assert world.complaints() == []


def test_c2_damage_found_while_going_on_is_healed_before_anything_is_built_on_it(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    (world.run_folder("a") / "g1.raw").write_bytes(b"?" * len(line("one")))
    world.grow("a", line("two"))
    assert sweep(world) == []
    assert world.archived("a") == [line("one") + line("two")]
    assert world.complaints() == []


def test_c2_where_the_agent_has_other_bytes_now_they_are_kept_beside_the_damage(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    (world.run_folder("a") / "g1.raw").write_bytes(b"?" * len(line("one")))
    world.path("a").write_bytes(line("all new"))
    assert sweep(world) == []
    metadata = archive.load(Disk(), world.run_folder("a"))
    assert metadata is not None
    assert [g.n for g in metadata.generations] == [1, 2]
    assert (world.run_folder("a") / "g2.raw").read_bytes() == line("all new")
    assert named(world) == ["altered"], "g1 stays what it is, and is named"


# -- C3: missing, too short, swapped, strange --------------------------------------------------------------------------


def remove(world: World) -> None:
    (world.run_folder("a") / "g1.raw").unlink()


def cut(world: World) -> None:
    os.truncate(world.run_folder("a") / "g1.raw", 3)


def swap(world: World) -> None:
    folder = world.run_folder("a")
    (folder / "g1.raw").rename(folder / "x")
    (folder / "g2.raw").rename(folder / "g1.raw")
    (folder / "x").rename(folder / "g2.raw")


def empty(world: World) -> None:
    (world.run_folder("a") / "g2.raw").write_bytes(b"")


def make_a_folder_of_it(world: World) -> None:
    raw = world.run_folder("a") / "g1.raw"
    raw.unlink()
    raw.mkdir()


def garble_metadata(world: World) -> None:
    (world.run_folder("a") / "metadata.json").write_bytes(b"{not json")


def count_nothing(world: World) -> None:
    path = world.run_folder("a") / "metadata.json"
    text = path.read_text()
    path.write_text(text[: text.index('"generations": [')] + '"generations": [],\n "files": []\n}\n')


@pytest.mark.fault("C3")
@pytest.mark.parametrize(
    "harm",
    [remove, cut, swap, empty, make_a_folder_of_it, garble_metadata, count_nothing],
    ids=lambda harm: harm.__name__,
)
def test_c3_damage_is_named_and_the_rest_is_usable(world: World, harm: Callable[[World], None]) -> None:
    world.path("a").write_bytes(line("one"))
    world.path("b").write_bytes(line("the other run"))
    sweep(world)
    world.path("a").write_bytes(line("rewritten"))
    sweep(world)
    world.path("a").unlink()
    harm(world)
    assert named(world) != []
    world.grow("b", line("goes on"))
    assert sweep(world) == []
    assert world.archived("b") == [line("the other run") + line("goes on")]
    with world.lane() as lane:
        rebuilt = lane.archive.rebuild(accepted=[world.run("a")])
        assert len(rebuilt.set_aside) <= 1
        assert [turn.person for turn in lane.runs.show(world.run("b")).turns] == ["the other run", "goes on"]


@pytest.mark.fault("C3")
def test_c3_a_file_that_is_not_ours_is_noted_and_left_alone(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    strange = world.run_folder("a") / "holiday.jpg"
    strange.write_bytes(b"!")
    (finding,) = archive.verify(Disk(), world.layout)
    assert (finding.kind, finding.level) == ("extra", Level.NOTE)
    assert sweep(world, audit=True) == []
    assert strange.exists()


# -- C4: metadata that is missing, or says something else --------------------------------------------------------------


def lose(path: Path) -> None:
    path.unlink()


def garble(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.fault("C4")
@pytest.mark.parametrize("harm", [lose, garble, zero], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("since", ["unchanged", "grown", "rewritten"])
def test_c4_without_metadata_the_bytes_win(world: World, harm: Callable[[Path], None], since: str) -> None:
    world.path("a").write_bytes(line("one"))
    world.side_path("a", "result.txt").write_bytes(b"side")
    sweep(world)
    world.path("a").write_bytes(line("two"))
    sweep(world)
    harm(world.run_folder("a") / "metadata.json")
    assert named(world) != []
    wanted = {
        "unchanged": [line("one"), line("two")],
        "grown": [line("one"), line("two") + line("more")],
        "rewritten": [line("one"), line("two"), line("three")],
    }[since]
    world.path("a").write_bytes(wanted[-1])
    assert sweep(world, audit=True) == []
    assert world.archived("a") == wanted
    assert world.side_files("a") == {"result.txt": b"side"}
    assert world.complaints() == []
    with world.lane() as lane:
        assert lane.runs.get(world.run("a")).generation == len(wanted)


@pytest.mark.fault("C4")
def test_c4_metadata_put_back_from_an_older_copy_does_not_cost_the_newer_generation(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    path = world.run_folder("a") / "metadata.json"
    old = path.read_bytes()
    world.path("a").write_bytes(line("two"))
    sweep(world)
    path.write_bytes(old)
    world.path("a").write_bytes(line("three"))
    assert sweep(world) == []
    assert world.archived("a") == [line("one"), line("two"), line("three")]


@pytest.mark.fault("C4")
def test_c4_metadata_of_a_newer_format_is_left_alone(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    sweep(world)
    path = world.run_folder("a") / "metadata.json"
    newer = path.read_bytes().replace(b"memlane-archive/1", b"memlane-archive/9")
    path.write_bytes(newer)
    world.grow("a", line("two"))
    (reason,) = sweep(world)
    assert "memlane-archive/9" in reason
    assert path.read_bytes() == newer
    assert (world.run_folder("a") / "g1.raw").read_bytes() == line("one")


# -- the journal's torn end --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", range(1, 60, 7))
def test_a_torn_journal_line_is_written_over_and_never_swallows_the_next(world: World, kept: int) -> None:
    with world.lane(WatchedDisk()) as lane:
        first = lane.memories.remember("the first", world.home)
        (path,) = world.layout.journal_files()
        whole = path.read_bytes()
        path.write_bytes(whole + whole[:kept])
        assert named(world) == ["journal-torn"]
        assert world.complaints() == []
        second = lane.memories.remember("the second", world.home)
    assert world.journaled() == [first.id, second.id]
    assert named(world) == []


def test_a_line_of_zeros_a_power_loss_left_is_written_over(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        first = lane.memories.remember("the first", world.home)
        (path,) = world.layout.journal_files()
        whole = path.read_bytes()
        path.write_bytes(whole + bytes(100) + whole[100:])
        second = lane.memories.remember("the second", world.home)
    assert world.journaled() == [first.id, second.id]
    assert named(world) == []


def test_a_whole_line_that_only_lost_its_newline_gets_it_back(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        first = lane.memories.remember("the first", world.home)
        (path,) = world.layout.journal_files()
        path.write_bytes(path.read_bytes()[:-1])
        second = lane.memories.remember("the second", world.home)
        assert {memory.id for memory in lane.memories.all()} == {first.id, second.id}
    assert world.journaled() == [first.id, second.id]
