"""Rebuilt from the archive alone, the index says what the live one said; while it is swapped, nobody sees a half."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.programs import settings_for
from campaigns.world import World, everything, scratch
from memlane.app.search import Mode
from memlane.domain import NO_PROJECT, Match, Outcome, Query, Recall, RecallMoment, RunFilter, Scope, State
from memlane.errors import LaneError
from memlane.flow import recall

NAMES = st.sampled_from(["a", "b", "c", "d"])
WORDS = st.sampled_from(["hello world", "the second line", "more of it", "a b c", "naïve 漢字 text", "path/to/file.py"])
TIMES = st.integers(0, 23)


class Histories(RuleBasedStateMachine):
    """Runs that grow, fork and are rewritten; notes made, forgotten and recalled; runs forgotten and restored."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = scratch()
        self.world = World(self.folder).prepare()
        self.lane = self.world.lane(WatchedDisk())
        self.lane.home.begin()
        self.written = 0

    def row(self, words: str, hour: int) -> bytes:
        self.written += 1
        return line(words, id=f"u{self.written}", at=f"2026-11-01T{hour:02}:00:00Z", cwd="/home/noor/shop")

    @rule(name=NAMES, words=WORDS, hour=TIMES)
    def a_run_grows(self, name: str, words: str, hour: int) -> None:
        self.world.grow(name, self.row(words, hour))

    @rule(name=NAMES, words=WORDS, hour=TIMES)
    def a_run_is_rewritten(self, name: str, words: str, hour: int) -> None:
        self.world.path(name).write_bytes(self.row(words, hour))

    @rule(name=NAMES, other=NAMES, words=WORDS, hour=TIMES)
    def a_run_is_forked(self, name: str, other: str, words: str, hour: int) -> None:
        if self.world.path(name).exists() and not self.world.path(other).exists():
            self.world.path(other).write_bytes(self.world.path(name).read_bytes() + self.row(words, hour))

    @rule(name=NAMES)
    def its_agent_cleans_up(self, name: str) -> None:
        self.world.path(name).unlink(missing_ok=True)

    @rule()
    def sweep(self) -> None:
        self.lane.capture.sweep()

    @rule(words=WORDS, everywhere=st.booleans())
    def remember(self, words: str, *, everywhere: bool) -> None:
        self.lane.memories.remember(words, self.world.home, scope=Scope.GLOBAL if everywhere else None)

    @rule(data=st.data())
    def forget_or_restore_a_note(self, data: st.DataObject) -> None:
        memories = self.lane.memories.all(list(State))
        if memories:
            memory = data.draw(st.sampled_from(memories))
            editing = self.lane.memories
            (editing.restore if memory.state is State.FORGOTTEN else editing.forget)([memory.id])

    @rule(name=NAMES, words=WORDS)
    def recall(self, name: str, words: str) -> None:
        tools = self.lane.home.tools()
        query = Query(words, NO_PROJECT, "/home/noor/shop", "plain", name, self.world.run(name), RecallMoment.PROMPT)
        shown = tuple(Match(memory, 0.5, 0.5, {}, "words") for memory in self.lane.memories.all()[:2])
        outcome = Outcome.SHOWN if shown else Outcome.SILENT
        recall.keep_recall(Recall(tools.new_id("l"), "noor", tools.clock(), query, outcome, "", shown), tools)

    @rule(name=NAMES)
    def forget_a_run(self, name: str) -> None:
        self.lane.archive.forget_run(self.world.run(name))

    @rule(name=NAMES)
    def restore_a_run(self, name: str) -> None:
        if self.world.run(name) in self.lane.home.storage().bars.barred(self.lane.home.reader):
            self.lane.archive.restore_run(self.world.run(name))

    @rule(name=NAMES)
    def forget_a_run_for_good(self, name: str) -> None:
        if self.world.layout.find(self.world.run(name)):
            self.lane.archive.forget_for_good(self.lane.archive.plan_forget(self.world.run(name)))

    def teardown(self) -> None:
        try:
            self.lane.capture.sweep()
            live = everything(self.lane)
            self.lane.archive.rebuild()
            rebuilt = everything(self.lane)
            assert {name: rebuilt[name] for name in live if rebuilt[name] != live[name]} == {}, live
            assert self.lane.home.storage().work.pending() == []
            assert self.world.complaints() == []
        finally:
            self.lane.close()
            shutil.rmtree(self.folder)


Histories.TestCase.settings = settings(settings_for(60, 20), derandomize=True)
TestHistories = Histories.TestCase


@pytest.fixture
def world() -> Iterator[World]:
    folder = scratch()
    yield World(folder).prepare()
    shutil.rmtree(folder)


def filled(world: World) -> None:
    for name in ("a", "b", "c"):
        world.path(name).write_bytes(b"".join(line(f"hello {name} {n}") for n in range(20)))
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()


@pytest.mark.fault("C12")
def test_while_the_index_is_swapped_readers_see_the_old_one_or_the_new_one(world: World) -> None:
    filled(world)
    reader, wrong, stop = world.lane(WatchedDisk()), list[object](), threading.Event()
    looks = [0]

    def look() -> None:
        while not stop.is_set():
            try:
                runs = [run.turns for run in reader.runs.select(RunFilter())]
                found = reader.search.find("hello", RunFilter(), 100).search
            except LaneError as error:
                wrong.append(error)
                return
            looks[0] += 1
            if runs != [20, 20, 20] or len(found.best) != 60:
                wrong.append((runs, len(found.best)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with world.lane(WatchedDisk()) as lane:
            for _ in range(6):
                lane.archive.rebuild()
    finally:
        stop.set()
        looking.join()
        reader.close()
    assert wrong == []
    assert looks[0] > 0


@pytest.mark.fault("C12")
def test_a_rebuild_that_is_killed_leaves_the_old_index_and_the_next_one_cleans_up(world: World) -> None:
    filled(world)
    with world.lane(WatchedDisk()) as lane:
        before = everything(lane)

        def killed(_done: int, _total: int) -> None:
            raise KeyboardInterrupt

        for _ in range(3):
            with pytest.raises(KeyboardInterrupt):
                lane.archive.rebuild(on=killed)
            assert everything(lane) == before
        lane.archive.rebuild()
        assert everything(lane) == before
    assert len(list(world.index.glob("*.db"))) == 1


def test_what_is_captured_during_a_rebuild_is_in_the_new_index(world: World) -> None:
    filled(world)
    late = world.lane(WatchedDisk())

    def meanwhile(done: int, _total: int) -> None:
        if done == 2:
            world.grow("a", line("written meanwhile"))
            world.path("new").write_bytes(line("a new run meanwhile"))
            late.capture.sweep()
            late.memories.remember("a note made meanwhile", world.home)

    with world.lane(WatchedDisk()) as lane:
        lane.archive.rebuild(on=meanwhile)
        assert len(lane.search.find("meanwhile", RunFilter(), 10, Mode.WORDS).search.best) == 2
        assert [memory.content for memory in lane.memories.all()] == ["a note made meanwhile"]
    late.close()


@pytest.mark.parametrize("harm", ["gone", "empty", "garbage", "pointing nowhere"])
def test_an_index_lost_with_the_power_is_made_again_from_the_archive(world: World, harm: str) -> None:
    filled(world)
    with world.lane(WatchedDisk()) as lane:
        lane.memories.remember("a note", world.home)
        before = everything(lane)
    for path in world.index.glob("*.db*"):
        if harm in ("gone", "pointing nowhere"):
            path.unlink()
        else:
            path.write_bytes(b"" if harm == "empty" else b"not a database" * 1000)
    if harm == "gone":
        (world.index / "CURRENT").unlink()
    with world.lane(WatchedDisk()) as lane:
        if harm in ("gone", "pointing nowhere"):
            lane.capture.sweep()
        else:
            with pytest.raises(LaneError) as caught:
                lane.runs.select(RunFilter())
            assert "lane rebuild" in caught.value.hint
            lane.close()
            lane.archive.rebuild()
        assert everything(lane) == before


@pytest.mark.fault("A24")
def test_the_clock_may_jump_without_a_line_being_read_in_another_order(world: World) -> None:
    with world.lane(WatchedDisk()) as lane:
        first = lane.memories.remember("in november", world.home)
        lane.home.clock.now = lane.home.clock.now.replace(year=1970)  # type: ignore[attr-defined]
        second = lane.memories.remember("with a flat battery", world.home)
        lane.memories.forget([first.id])
        live = everything(lane)
        assert [memory.id for memory in lane.memories.all()] == [second.id]
        lane.archive.rebuild()
        assert everything(lane) == live
