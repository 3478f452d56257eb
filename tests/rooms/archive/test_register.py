"""What should be there is known: `archive verify` names whatever is lost, apart from what is extra or altered."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from campaigns.disks import CountingDisk, WatchedDisk
from campaigns.plain import line
from campaigns.world import MACHINE, World, scratch
from memlane import archive
from memlane.archive import journal
from memlane.archive.layout import Layout
from memlane.archive.presence import LineName
from memlane.archive.register_line import linked, registered
from memlane.domain import Entry, Level, Machine
from memlane.system.disk import Disk

NOTES = ("the first", "the second", "the third", "the fourth")


@pytest.fixture(scope="module")
def made() -> Iterator[World]:
    """Two runs, one of two generations and with a side file; four notes; one run forgotten for good."""
    folder = scratch()
    world = World(folder).prepare()
    for name in ("a", "b", "goes"):
        world.path(name).write_bytes(line(f"the words of {name}"))
    world.side_path("a", "result.txt").write_bytes(b"side")
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        world.path("a").write_bytes(line("all new"))
        for words in NOTES:
            lane.memories.remember(words, world.home)
        lane.archive.forget_for_good(lane.archive.plan_forget(world.run("goes")))
        lane.capture.sweep()
    yield world
    shutil.rmtree(folder)


@pytest.fixture
def world(made: World) -> Iterator[World]:
    folder = scratch()
    yield made.copy_to(folder / "copy")
    shutil.rmtree(folder)


def found(world: World) -> list[tuple[str, str]]:
    return [(f.kind, f.what) for f in archive.verify(Disk(), world.layout) if f.level is Level.FAIL]


def everything(world: World) -> list[Path]:
    return sorted(path for path in (*world.layout.root.rglob("*"), world.layout.heads) if path)


def test_nothing_is_missing_of_a_whole_archive(world: World) -> None:
    assert [f for f in archive.verify(Disk(), world.layout) if f.kind != "archive"] == []


@pytest.mark.fault("C3")
def test_whichever_one_file_or_folder_is_lost_it_is_named_as_missing(world: World, made: World) -> None:
    """But for the head: what it protects is whole, and the next sweep writes it again."""
    lost = [path.relative_to(made.folder) for path in everything(made)]
    assert len(lost) > 15
    for number, name in enumerate(lost):
        copy = made.copy_to(world.folder / str(number))
        path = copy.folder / name
        if path == copy.layout.heads or path.name == "forgetting":
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        kinds = {kind for kind, _what in found(copy)}
        assert kinds == {"missing"}, f"without {name}: {kinds}"
        shutil.rmtree(copy.folder)


@pytest.mark.fault("C3")
def test_whichever_line_of_the_journal_is_lost_its_memory_is_named(world: World) -> None:
    (path,) = world.layout.journal_files()
    whole = path.read_bytes().splitlines(keepends=True)
    for number in range(len(whole)):
        path.write_bytes(b"".join(whole[:number] + whole[number + 1 :]))
        entry = journal.decode(whole[number].rstrip())
        ((kind, what),) = found(world)
        assert kind == "missing"
        assert f"{entry.kind} {entry.id}" in what


@pytest.mark.fault("C3")
def test_whichever_line_of_the_register_is_lost_or_changed_it_is_named(world: World) -> None:
    path = world.layout.register(MACHINE)
    whole = path.read_bytes().splitlines(keepends=True)
    for number in range(len(whole)):
        path.write_bytes(b"".join(whole[:number] + whole[number + 1 :]))
        assert any(path.name in what for _kind, what in found(world)), f"without line {number + 1}"
        changed = whole[number].replace(b'"at":"2026', b'"at":"2025', 1)
        path.write_bytes(b"".join([*whole[:number], changed, *whole[number + 1 :]]))
        assert any(kind == "altered" and path.name in what for kind, what in found(world)), f"line {number + 1} changed"


def twice(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], lines[1], *lines[2:]]


def moved(lines: list[bytes]) -> list[bytes]:
    return [lines[2], *lines[:2], *lines[3:]]


def changed(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b"second", b"2nd"), *lines[2:]]


def foreign(lines: list[bytes]) -> list[bytes]:
    entry = Entry("memory", "m_foreign", datetime(2026, 11, 15, tzinfo=UTC), "noor", MACHINE, "person", {})
    return [lines[0], journal.encode(entry) + b"\n", *lines[1:]]


@pytest.mark.parametrize(
    ("harm", "kind"), [(twice, "extra"), (foreign, "extra"), (moved, "altered"), (changed, "altered")]
)
def test_extra_and_altered_lines_are_told_apart_from_missing_ones(
    world: World, harm: Callable[[list[bytes]], list[bytes]], kind: str
) -> None:
    (path,) = world.layout.journal_files()
    path.write_bytes(b"".join(harm(path.read_bytes().splitlines(keepends=True))))
    assert {found_kind for found_kind, _what in found(world)} == {kind}


def test_a_run_in_two_months_is_extra_and_the_metadata_of_another_run_altered(world: World) -> None:
    folder = world.run_folder("b")
    again = world.layout.runs / "2020-01" / folder.name
    shutil.copytree(folder, again)
    assert {kind for kind, _what in found(world)} == {"extra"}
    shutil.rmtree(again)
    shutil.copy(world.run_folder("a") / "metadata.json", folder / "metadata.json")
    assert "altered" in {kind for kind, _what in found(world)}


# -- while something is lost -------------------------------------------------------------------------------------------


def test_what_is_missing_stays_missing_however_much_is_written_after_it(world: World) -> None:
    (path,) = world.layout.journal_files()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:1] + lines[2:]))
    before = found(world)
    with world.lane(WatchedDisk()) as lane:
        for n in range(4):
            lane.memories.remember(f"written later {n}", world.home)
        lane.capture.sweep(audit=True)
    assert found(world) == before
    assert len(before) == 1


@pytest.mark.parametrize("also", [False, True], ids=["register", "with its card"])
def test_a_lost_register_is_never_silently_begun_anew(world: World, also: bool) -> None:
    world.layout.register(MACHINE).unlink()
    if also:
        world.layout.card(MACHINE).unlink()
    with world.lane(WatchedDisk()) as lane:
        lane.memories.remember("written without one", world.home)
        lane.capture.sweep(audit=True)
    assert not world.layout.register(MACHINE).exists()
    ((kind, what),) = found(world)
    assert kind == "missing"
    assert "2 runs" in what


def test_a_cut_register_stays_named_when_it_has_grown_again(world: World) -> None:
    path = world.layout.register(MACHINE)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-3]))
    with world.lane(WatchedDisk()) as lane:
        for n in range(6):
            lane.memories.remember(f"after it {n}", world.home)
        lane.capture.sweep()
    assert any(kind == "altered" and "cut off or replaced" in what for kind, what in found(world))


def test_without_its_head_nothing_is_lost_and_the_next_sweep_writes_it(world: World) -> None:
    assert world.layout.heads is not None
    world.layout.heads.unlink()
    assert found(world) == []
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
    assert world.layout.heads.exists()


# -- an archive from before --------------------------------------------------------------------------------------------


def test_an_older_archive_gets_its_register_with_the_first_sweep_and_that_is_said_once(world: World) -> None:
    shutil.rmtree(world.layout.registers)
    shutil.rmtree(world.layout.card(MACHINE).parent)
    assert world.layout.heads is not None
    world.layout.heads.unlink()
    assert [f.kind for f in archive.verify(Disk(), world.layout)] == ["register"]
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        assert "register" in lane.capture.register_news()
        assert lane.capture.register_news() == ""
    known = registered(Disk(), world.layout)
    assert set(known.runs) == {world.run("a"), world.run("b")}
    assert known.line_count == len(world.journaled())
    assert found(world) == []


def test_a_new_archive_has_nothing_to_say(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        assert lane.capture.register_news() == ""


# -- what one write costs ----------------------------------------------------------------------------------------------


def test_more_bytes_of_a_known_generation_are_not_registered_again(world: World) -> None:
    before = world.layout.register(MACHINE).read_bytes()
    world.grow("b", line("goes on"))
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
    assert world.archived("b") == [line("the words of b") + line("goes on")]
    assert world.layout.register(MACHINE).read_bytes() == before


def test_a_line_is_durable_before_it_is_registered(tmp_path: Path) -> None:
    disk, layout = CountingDisk(), Layout(tmp_path, "ann")
    at = datetime(2026, 11, 15, 12, tzinfo=UTC)
    for n in range(2):
        entry = Entry("memory", f"m_{n}", at + timedelta(minutes=n), "ann", "desk", "person", {})
        journal.write(disk, layout, Machine("ann", "desk"), [entry])
    steps = disk.steps
    second = len(steps) - steps[::-1].index("open to write journal") - 1
    assert steps.index("sync journal", second) < steps.index("write register", second)
    assert steps[second:].count("sync register") == 1


def test_lines_a_kill_left_unregistered_are_registered_with_the_next(tmp_path: Path) -> None:
    disk, layout, desk = Disk(), Layout(tmp_path, "ann"), Machine("ann", "desk")
    at = datetime(2026, 11, 15, 12, tzinfo=UTC)
    entries = [Entry("memory", f"m_{n}", at + timedelta(minutes=n), "ann", "desk", "person", {}) for n in range(3)]
    journal.write(disk, layout, desk, entries[:1])
    before = layout.register("desk").read_bytes()
    journal.write(disk, layout, desk, entries[1:2])
    layout.register("desk").write_bytes(before)
    assert [f.kind for f in archive.verify(disk, layout)] == ["unregistered"]
    journal.write(disk, layout, desk, entries[2:])
    assert [one.line.lines for one in linked(disk, layout.register("desk"))][1:] == [
        (LineName("memory", "m_0", entries[0].at),),
        tuple(LineName("memory", entry.id, entry.at) for entry in entries[1:]),
    ]
    assert list(archive.verify(disk, layout)) == []


def test_two_machines_each_have_their_own(tmp_path: Path) -> None:
    disk, layout, at = Disk(), Layout(tmp_path, "ann"), datetime(2026, 11, 15, 12, tzinfo=UTC)
    for name in ("desk", "laptop of ann"):
        journal.write(disk, layout, Machine("ann", name), [Entry("memory", "m_1", at, "ann", name, "person", {})])
    assert list(archive.verify(disk, layout)) == []
    layout.register("laptop of ann").unlink()
    (lost,) = archive.verify(disk, layout)
    assert lost.kind == "missing"
    assert "laptop%20of%20ann.jsonl" in lost.what


def test_a_register_begun_anew_does_not_expect_what_a_person_forgot(world: World) -> None:
    """The line that said so is lost with the end of the register; the journal's tombstone is not."""
    path = world.layout.register(MACHINE)
    lines = path.read_bytes().splitlines(keepends=True)
    cut = max(n for n, data in enumerate(lines) if b'"gone"' in data)
    path.write_bytes(b"".join(lines[:cut]))
    assert found(world) != []
    with world.lane(WatchedDisk()) as lane:
        list(lane.archive.repair())
    assert found(world) == []


def test_a_side_file_that_was_lost_or_damaged_is_taken_again(world: World) -> None:
    (copy,) = world.run_folder("a").glob("files/*")
    for damage in (copy.unlink, lambda: copy.write_bytes(b"SIDE")):
        damage()
        assert found(world) != []
        with world.lane(WatchedDisk()) as lane:
            list(lane.archive.repair())
        assert (found(world), copy.read_bytes()) == ([], b"side")
