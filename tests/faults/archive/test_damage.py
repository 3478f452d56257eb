"""Every bit flipped, and what another user may not read: rows C2 and C3 of the failure model."""

from __future__ import annotations

import os

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World
from memlane.archive import journal
from memlane.errors import DamagedError
from memlane.system.disk import Disk
from tests.rooms.archive.test_damage import flipped, named, sweep

NOBODY = 65534


@pytest.mark.fault("C2", "M7")
def test_c2_every_flipped_bit_of_a_run_is_found_and_never_served(world: World) -> None:
    world.path("a").write_bytes(line("a small transcript"))
    sweep(world)
    raw = world.run_folder("a") / "g1.raw"
    whole = raw.read_bytes()
    for bit in range(len(whole) * 8):
        raw.write_bytes(flipped(whole, bit))
        assert named(world) == ["altered"]
        with pytest.raises(DamagedError):
            world.archived("a")
    raw.write_bytes(whole)
    assert named(world) == []


@pytest.mark.fault("C2")
def test_c2_in_a_large_run_the_damage_has_a_place(world: World) -> None:
    world.path("a").write_bytes(line("x" * 1000) * 3000)
    sweep(world)
    raw = world.run_folder("a") / "g1.raw"
    with raw.open("r+b") as file:
        file.seek((1 << 20) + 17)
        file.write(b"y")
    (complaint,) = world.complaints()
    assert "MiB 2" in complaint


@pytest.mark.fault("C2")
def test_c2_every_flipped_bit_of_a_side_file_is_found(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    world.side_path("a", "result.txt").write_bytes(b"side")
    sweep(world)
    kept = world.run_folder("a") / "files" / "result.txt"
    for bit in range(4 * 8):
        kept.write_bytes(flipped(b"side", bit))
        assert named(world) == ["altered"]


@pytest.mark.fault("C2")
def test_c2_a_flipped_bit_of_metadata_never_gives_other_bytes_out(world: World) -> None:
    content = line("one")
    world.path("a").write_bytes(content)
    sweep(world)
    path = world.run_folder("a") / "metadata.json"
    whole = path.read_bytes()
    found = 0
    for bit in range(len(whole) * 8):
        path.write_bytes(flipped(whole, bit))
        complaints = world.complaints()
        found += bool(complaints)
        if not complaints:  # a name or a time, which no byte hangs on
            assert world.archived("a") == [content]
    assert found > len(whole)


@pytest.mark.fault("C2")
def test_c2_a_flipped_bit_in_any_byte_of_the_journal_is_found_and_the_other_lines_are_used(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        notes = [lane.memories.remember(words, world.home).id for words in ("note one", "note two", "note three")]
    (path,) = world.layout.journal_files()
    whole = path.read_bytes()
    last = len(whole) * 8 - 8 * len('"}\n')
    for bit in (*range(0, last, 5), *range(last, len(whole) * 8)):
        path.write_bytes(flipped(whole, bit))
        assert set(named(world)) <= {"altered", "missing"}, bit  # without its newline a line takes the next one along
        assert "altered" in named(world), bit
        assert set(world.journaled()) < set(notes)
        assert len(world.journaled()) >= 1
    path.write_bytes(whole)
    assert named(world) == []


@pytest.mark.fault("C3")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.skipif(os.getuid() != 0, reason="as somebody who is not root, by root")
def test_c3_what_may_not_be_read_any_more_is_named(world: World) -> None:
    for name in ("a", "b", "c"):
        world.path(name).write_bytes(line(name, at="2026-0{}-01T10:00:00Z".format("abc".index(name) + 1)))
    sweep(world)
    (world.run_folder("a") / "g1.raw").chmod(0)
    world.run_folder("b").chmod(0)
    world.run_folder("c").parent.chmod(0)
    for path in (world.folder, *world.folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setuid(NOBODY)
            status = 0 if sorted(named(world)) == ["altered", "unreadable", "unreadable"] else 1
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_journal_line_longer_than_usual_is_no_torn_end(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        lane.memories.remember("x " * 3000, world.home)
        (path,) = world.layout.journal_files()
        (entry,) = [one.entry for one in journal.read(Disk(), world.layout, {}) if isinstance(one, journal.PlacedEntry)]
        long = journal.encode(entry, journal.LONG_LINE * 2) + b"\n"
        path.write_bytes(long * 2)
        lane.memories.remember("after it", world.home)
    assert len(world.journaled()) == 3
    assert named(world) == ["extra"], "the same line twice, and nothing torn"
