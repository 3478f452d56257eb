"""Forgetting for good: row C5 of the failure model. Interrupted anywhere it is finished, and nothing can be found."""

from __future__ import annotations

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, everything
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.archive import journal
from memlane.domain import NO_PROJECT, Outcome, Query, Recall, RecallMoment, RunFilter
from memlane.flow import recall
from memlane.system.disk import Disk

WORD = "xylophone"


def home_with_secrets(world: World) -> None:
    """A Run that holds a word, a Recall made for a prompt with it, and others before and behind it."""
    world.path("goes").write_bytes(line(f"my {WORD} is broken") * 3)
    world.path("stays").write_bytes(line("an ordinary run"))
    world.side_path("goes", "result.txt").write_bytes(WORD.encode())
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        lane.memories.remember("before it", world.home)
        recalled(lane, world, "goes", f"where is my {WORD}?")
        recalled(lane, world, "stays", "something else")
        lane.memories.remember("behind it", world.home)


def recalled(lane: Lane, world: World, name: str, words: str) -> None:
    query = Query(words, NO_PROJECT, "/home/noor", "plain", name, world.run(name), RecallMoment.PROMPT)
    at, id = lane.home.clock(), lane.home.tools().new_id("l")
    recall.keep_recall(Recall(id, "noor", at, query, Outcome.SILENT, "nothing fits"), lane.home.tools())


def forget(lane: Lane, world: World) -> None:
    lane.archive.forget_for_good(lane.archive.plan_forget(world.run("goes")))


def files_with(world: World, word: str) -> list[str]:
    files = [path for path in world.lane_home.rglob("*") if path.is_file()]
    return [str(path.relative_to(world.lane_home)) for path in files if word.encode() in path.read_bytes()]


GONE = ("tombstone", "gone")


def kept(world: World) -> list[str]:
    """The journal's lines, but for those that say what is forgotten."""
    lines = journal.read(Disk(), world.layout, {})
    return [one.entry.id for one in lines if isinstance(one, journal.PlacedEntry) and one.entry.kind not in GONE]


def test_what_is_forgotten_for_good_is_in_no_file_and_the_rest_is_untouched(world: World) -> None:
    home_with_secrets(world)
    before = kept(world)
    assert files_with(world, WORD) != []
    with world.lane(WatchedDisk()) as lane:
        forget(lane, world)
        assert files_with(world, WORD) == []
        assert world.complaints() == []
        assert kept(world) == before
        assert [run.native_id for run in lane.runs.select(RunFilter())] == ["stays"]
        assert len(lane.recall.newest()) == 2, "that it was asked stays"
        assert lane.capture.sweep(audit=True).changes == [], "its transcript is still there, and left alone"
    assert world.archived("stays") == [line("an ordinary run")]


def test_storage_goes_on_reading_the_journal_where_it_was(world: World) -> None:
    """The journal was rewritten under it: a note remembered afterwards is there at once, and after a rebuild."""
    home_with_secrets(world)
    with world.lane(WatchedDisk()) as lane:
        forget(lane, world)
        note = lane.memories.remember("a note written afterwards", world.home)
        assert note.id in {memory.id for memory in lane.memories.all()}
        live = everything(lane)
        lane.archive.rebuild()
        assert everything(lane) == live


def test_a_tombstone_can_be_taken_back_until_then(world: World) -> None:
    home_with_secrets(world)
    with world.lane(WatchedDisk()) as lane:
        lane.archive.forget_run(world.run("goes"))
        assert lane.search.find(WORD, RunFilter(), 10, Mode.WORDS).search.best == []
        world.grow("goes", line("written meanwhile"))
        world.side_path("goes", "other.txt").write_bytes(b"also meanwhile")
        assert lane.capture.sweep().changes == []
        assert "other.txt" not in world.side_files("goes"), "nothing of a forgotten run is captured"
        lane.archive.restore_run(world.run("goes"))
        assert len(lane.search.find(WORD, RunFilter(), 10, Mode.WORDS).search.best) == 3
        lane.capture.sweep()
    assert world.archived("goes") == [line(f"my {WORD} is broken") * 3 + line("written meanwhile")]
    assert world.side_files("goes")["other.txt"] == b"also meanwhile"


def test_a_forgotten_run_stays_out_when_the_index_is_lost(world: World) -> None:
    home_with_secrets(world)
    with world.lane(WatchedDisk()) as lane:
        lane.archive.forget_run(world.run("goes"))
    world.lose_index()
    world.grow("goes", line("more"))
    with world.lane(WatchedDisk()) as lane:
        assert lane.capture.sweep().changes == []
        assert [run.native_id for run in lane.runs.select(RunFilter())] == ["stays"]
        assert lane.search.find(WORD, RunFilter(), 10, Mode.WORDS).search.best == []


def test_words_of_a_forgotten_run_are_not_offered_for_misspelt_ones(world: World) -> None:
    home_with_secrets(world)
    with world.lane(WatchedDisk()) as lane:
        lane.archive.forget_run(world.run("goes"))
        assert lane.search.find("xylophane", RunFilter(), 10, Mode.WORDS).search.meant == {}
