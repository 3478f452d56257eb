"""A loss is refused by a rebuild, brought back by a repair if something still knows it, or accepted by its name."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import MACHINE, World, everything, scratch
from memlane.app import Lane
from memlane.archive import journal
from memlane.domain import Level, RunFilter, State
from memlane.errors import SmallerWorldError, UnreachableError
from memlane.system.disk import Disk


@pytest.fixture
def world() -> Iterator[World]:
    """Two runs, one of them labelled; notes made, edited, forgotten and one of them rated; a run forgotten."""
    folder = scratch()
    world = World(folder).prepare()
    for name in ("a", "b", "hidden"):
        world.path(name).write_bytes(line(f"hello {name}") + line("more"))
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        first = lane.memories.remember("hello from the first note", world.home)
        lane.memories.edit(first.id, {"title": "A title of its own"})
        second = lane.memories.remember("the second note", world.home)
        lane.memories.forget([second.id])
        lane.memories.remember("the third note", world.home)
        lane.runs.labels.tag(world.run("a"), ["release"])
        lane.archive.forget_run(world.run("hidden"))
        lane.capture.sweep()
    yield world
    shutil.rmtree(folder)


def journal_file(world: World) -> Path:
    (path,) = world.layout.journal_files()
    return path


def the_journal(world: World) -> None:
    journal_file(world).unlink()


def a_line(world: World) -> None:
    lines = journal_file(world).read_bytes().splitlines(keepends=True)
    journal_file(world).write_bytes(b"".join(lines[:1] + lines[2:]))


def a_run(world: World) -> None:
    shutil.rmtree(world.run_folder("a"))


def its_metadata(world: World) -> None:
    (world.run_folder("a") / "metadata.json").unlink()


def all_runs(world: World) -> None:
    shutil.rmtree(world.layout.runs)


def its_bytes(world: World) -> None:
    (world.run_folder("a") / "g1.raw").unlink()


HARM = [the_journal, a_line, a_run, its_metadata, its_bytes]


def known(lane: Lane) -> dict[str, object]:
    """All answers, without the marks a repair leaves on them."""
    found = everything(lane)
    return {name: found[name] for name in ("memories", "recalls", "bars", "chunks", "count")}


@pytest.mark.fault("X3")
@pytest.mark.fault("C3")
@pytest.mark.parametrize("harm", [*HARM, all_runs], ids=lambda harm: harm.__name__)
def test_a_rebuild_that_would_know_less_is_refused_and_the_live_index_goes_on(
    world: World, harm: Callable[[World], None]
) -> None:
    with world.lane(WatchedDisk()) as lane:
        before, serving = known(lane), lane.home.engine.serving()
        harm(world)
        with pytest.raises(SmallerWorldError) as refused:
            lane.archive.rebuild()
        assert "lane archive repair" in refused.value.hint
        assert "--accept-loss" in refused.value.hint
        assert lane.home.engine.serving() == serving
        found = lane.home.storage().memories.listed(list(State), lane.home.reader)
        assert found == before["memories"]


@pytest.mark.fault("X3")
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_a_repair_brings_it_back_and_a_rebuild_answers_as_before(world: World, harm: Callable[[World], None]) -> None:
    with world.lane(WatchedDisk()) as lane:
        before, tags = known(lane), lane.runs.get(world.run("a")).tags
        harm(world)
        repaired = list(lane.archive.repair())
        assert [one.what for one in repaired if one.level is Level.FAIL] == []
        assert any(one.kind == "repaired" for one in repaired)
        assert world.complaints() == []
        lane.archive.rebuild()
        assert known(lane) == before
        assert lane.runs.get(world.run("a")).tags == tags


def test_a_restored_line_says_that_it_is_one_and_of_which(world: World) -> None:
    entries = [one.entry for one in journal.read(Disk(), world.layout, {}) if isinstance(one, journal.PlacedEntry)]
    lost = entries[1]
    a_line(world)
    with world.lane(WatchedDisk()) as lane:
        list(lane.archive.repair())
    last = [one.entry for one in journal.read(Disk(), world.layout, {}) if isinstance(one, journal.PlacedEntry)][-1]
    assert (last.kind, last.id) == ("memory", lost.id)
    assert last.data["repaired"] == {"from": "index", "line": [lost.kind, lost.id, lost.at.isoformat()]}


def test_what_nothing_knows_any_more_is_named_and_accepted_by_its_name_alone(world: World) -> None:
    world.path("a").unlink()
    run = world.run("a")
    a_run(world)
    with world.lane(WatchedDisk()) as lane:
        left = [one for one in lane.archive.repair() if one.level is Level.FAIL]
        assert [one.kind for one in left] == ["missing"]
        assert run in left[0].what
        with pytest.raises(SmallerWorldError):
            lane.archive.rebuild(accepted=[world.run("b")])
        lane.archive.rebuild(accepted=[run])
        assert {one.id for one in lane.runs.select(RunFilter())} == {world.run("b")}
    assert world.complaints() == []


@pytest.mark.fault("X3")
def test_without_an_index_the_register_alone_refuses(world: World) -> None:
    the_journal(world)
    world.lose_index()
    with world.lane(WatchedDisk()) as lane, pytest.raises(SmallerWorldError, match="journal/2026-11"):
        lane.archive.rebuild()


def test_without_a_register_the_live_index_alone_refuses(world: World) -> None:
    """As in an archive from before there were registers."""
    shutil.rmtree(world.layout.registers)
    shutil.rmtree(world.layout.card(MACHINE).parent)
    (world.lane_home / "register.json").unlink()
    the_journal(world)
    with world.lane(WatchedDisk()) as lane:
        with pytest.raises(SmallerWorldError, match="the third note"):
            lane.archive.rebuild()
        list(lane.archive.repair())
        lane.archive.rebuild()
        contents = {memory.content for memory in lane.memories.all(list(State))}
        assert contents == {"A title of its own", "the second note", "the third note"}


def test_an_archive_that_is_gone_is_not_begun_anew_even_without_an_index(world: World) -> None:
    shutil.rmtree(world.layout.base)
    world.lose_index()
    with world.lane(WatchedDisk()) as lane, pytest.raises(UnreachableError):
        lane.capture.sweep()
    assert not world.layout.root.exists()


def test_a_loss_that_was_accepted_does_not_hide_the_next_one(world: World) -> None:
    a_line(world)
    with world.lane(WatchedDisk()) as lane:
        lane.archive.rebuild(accepted=["all"])
        assert world.complaints() == []
        a_line(world)
        assert len(world.complaints()) == 1


def test_a_damaged_run_is_not_swapped_away_silently(world: World) -> None:
    raw = world.run_folder("a") / "g1.raw"
    raw.write_bytes(b"?" * raw.stat().st_size)
    world.path("a").unlink()
    with world.lane(WatchedDisk()) as lane:
        with pytest.raises(SmallerWorldError, match=world.run("a")):
            lane.archive.rebuild()
        assert lane.archive.rebuild(accepted=[world.run("a")]).set_aside


def test_doctor_names_what_is_missing(world: World) -> None:
    the_journal(world)
    a_run(world)
    with world.lane(WatchedDisk()) as lane:
        wrong = [one for one in lane.health.doctor.findings() if one.level is Level.FAIL and one.kind == "archive"]
    assert len(wrong) == 2
    assert all("lane archive repair" in one.hint for one in wrong)


def test_what_was_forgotten_for_good_is_not_missed(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        lane.archive.forget_for_good(lane.archive.plan_forget(world.run("hidden")))
        (memory, *_others) = lane.memories.all()
        lane.memories.forget([memory.id])
        lane.archive.rebuild()
    assert world.complaints() == []


def test_what_the_index_knows_of_a_lost_edit_is_not_read_over_before_the_repair(world: World) -> None:
    lost = journal.decode(journal_file(world).read_bytes().splitlines()[1])
    a_line(world)
    with world.lane(WatchedDisk()) as lane:
        lane.memories.remember("written before anybody repaired", world.home)
        lane.capture.sweep(audit=True)
        assert lane.memories.get(lost.id).title == "A title of its own"
        list(lane.archive.repair())
        lane.archive.rebuild()
        assert lane.memories.get(lost.id).title == "A title of its own"


def test_a_line_that_fills_a_gap_to_the_byte_is_new_to_the_index(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        lane.memories.remember("exactly as long 1", world.home)
        path = journal_file(world)
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        again = lane.memories.remember("exactly as long 2", world.home)
        assert lane.memories.get(again.id).content == "exactly as long 2"
