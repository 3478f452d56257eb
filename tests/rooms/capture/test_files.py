"""What agents and people do to transcripts: rows A3 to A12 of the failure model."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World
from memlane.agents import SOURCES
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.domain import Author, Kind, RunFilter

LONG = line("long " * 900) * 3  # more than an anchor


def sweep(world: World, *, audit: bool = False) -> int:
    """Bytes that were new."""
    with world.lane(WatchedDisk()) as lane:
        report = lane.capture.sweep(audit=audit)
        assert report.set_aside == []
        return report.bytes


def turns(world: World, name: str = "a") -> list[str]:
    with world.lane() as lane:
        return [turn.person for turn in lane.runs.show(world.run(name)).turns]


def chunks(lane: Lane) -> int:
    return lane.home.storage().chunks.count(lane.home.reader)


@pytest.mark.fault("A4")
def test_a4_a_last_line_that_never_ends_is_kept_and_the_rest_is_usable(world: World) -> None:
    content = line("one") + line("two") + b'{"text": "the agent was killed he'
    world.path("a").write_bytes(content)
    sweep(world)
    sweep(world, audit=True)
    assert world.archived("a") == [content]
    assert turns(world) == ["one", "two"]
    with world.lane() as lane:
        assert lane.runs.get(world.run("a")).withheld == len(content) - len(line("one") + line("two"))


@pytest.mark.fault("A5")
@pytest.mark.parametrize("size", ["smaller", "the same size", "larger"])
@pytest.mark.parametrize("before", [line("one") + line("two"), LONG], ids=["short", "long"])
def test_a5_a_file_emptied_and_filled_again_starts_a_generation(world: World, size: str, before: bytes) -> None:
    path = world.path("a")
    path.write_bytes(before)
    sweep(world)
    after = {"smaller": before[: len(before) // 2], "the same size": before, "larger": before * 2}[size]
    after = after.replace(b"o", b"0")
    with path.open("r+b") as file:
        file.truncate()
        file.write(after)
    sweep(world)
    assert world.archived("a") == [before, after]


@pytest.mark.fault("A6")
def test_a6_a_rewrite_in_place_with_its_time_put_back_is_seen_at_once_when_its_end_changed(world: World) -> None:
    path = world.path("a")
    path.write_bytes(LONG)
    sweep(world)
    before, after = path.stat(), LONG[:-10] + b"changed!}\n"
    with path.open("r+b") as file:
        file.write(after)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    sweep(world)
    assert world.archived("a") == [LONG, after]


@pytest.mark.fault("A6")
def test_a6_a_rewrite_far_from_the_end_is_found_by_the_audit(world: World) -> None:
    path = world.path("a")
    path.write_bytes(LONG)
    sweep(world)
    before, after = path.stat(), LONG.replace(b"long", b"gone", 1)
    with path.open("r+b") as file:
        file.write(after)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    sweep(world)
    assert world.archived("a") == [LONG], "the anchor is what it was"
    sweep(world, audit=True)
    assert world.archived("a") == [LONG, after]


@pytest.mark.fault("A7")
def test_a7_a_file_put_over_another_starts_a_generation(world: World) -> None:
    world.path("a").write_bytes(line("old"))
    sweep(world)
    (world.home / "beside").write_bytes(line("new"))
    (world.home / "beside").replace(world.path("a"))
    sweep(world)
    assert world.archived("a") == [line("old"), line("new")]


@pytest.mark.fault("A7")
def test_a7_a_rotated_file_goes_on_with_its_own_generation(world: World) -> None:
    world.path("a").write_bytes(line("old"))
    sweep(world)
    world.path("a").replace(world.path("a", "old"))
    world.grow("a", line("written after the rotation"), "old")
    world.path("a").write_bytes(line("new"))
    sweep(world)
    assert world.archived("a") == [line("old") + line("written after the rotation"), line("new")]
    assert sweep(world, audit=True) == 0


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """Temporary, and not in memory, where an inode is never used again."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.mark.fault("A8")
def test_a8_a_new_file_with_the_inode_of_a_deleted_one_is_not_gone_on_with(on_disk: Path) -> None:
    world = World(on_disk).prepare()
    path = world.path("a")
    path.write_bytes(line("the first file"))
    sweep(world)
    wanted = path.stat().st_ino
    path.unlink()
    for n in range(2000):
        candidate = world.home / "notes" / f"candidate{n}"
        candidate.write_bytes(line("the second file, which is longer"))
        if candidate.stat().st_ino == wanted:
            candidate.replace(path)
            break
    else:
        pytest.skip("this file system does not use an inode again so soon; there is one on ext4 below")
    sweep(world)
    assert world.archived("a") == [line("the first file"), line("the second file, which is longer")]


@pytest.mark.fault("A9")
def test_a9_a_fork_is_a_run_of_its_own_and_what_it_copied_is_found_once(world: World) -> None:
    shared = b"".join(line(f"shared {n}", id=f"u{n}", at=f"2026-11-01T10:{n:02}:00Z") for n in range(20))
    world.path("parent").write_bytes(shared + line("only in the parent", id="p1", at="2026-11-01T11:00:00Z"))
    sweep(world)
    world.path("fork").write_bytes(shared + line("only in the fork", id="f1", at="2026-11-01T12:00:00Z"))
    sweep(world)
    assert world.archived("fork") == [world.path("fork").read_bytes()]
    with world.lane() as lane:
        assert chunks(lane) == 22
        found = lane.search.find("shared", RunFilter(), 50, Mode.WORDS).search
        assert {hit.run.native_id for hit in found.best} == {"parent"}
        fork = lane.runs.get(world.run("fork"))
        assert (fork.parent, fork.relation) == (world.run("parent"), "fork")


@pytest.mark.fault("A9")
@pytest.mark.parametrize("order", list(itertools.permutations(["parent", "fork", "fork of fork"])))
def test_a9_forks_are_told_apart_whichever_is_seen_first(world: World, order: tuple[str, ...]) -> None:
    shared = b"".join(line(f"shared {n}", id=f"u{n}", at=f"2026-11-01T10:{n:02}:00Z") for n in range(3))
    contents = {
        "parent": shared + line("parent", id="p", at="2026-11-01T11:00:00Z"),
        "fork": shared + line("fork", id="f", at="2026-11-01T12:00:00Z"),
        "fork of fork": shared
        + line("fork", id="f", at="2026-11-01T12:00:00Z")
        + line("again", id="g", at="2026-11-01T13:00:00Z"),
    }
    for name in order:
        world.path(name).write_bytes(contents[name])
        sweep(world)
    with world.lane() as lane:
        assert chunks(lane) == 6
        assert len(lane.search.find("shared", RunFilter(), 50, Mode.WORDS).search.best) == 3


@pytest.mark.fault("A10")
def test_a10_rows_that_stand_twice_are_archived_twice(world: World) -> None:
    rows = line("one", id="1") + line("two", id="2")
    world.path("a").write_bytes(rows)
    sweep(world)
    world.grow("a", rows + line("three", id="3"))
    sweep(world)
    assert world.archived("a") == [rows + rows + line("three", id="3")]


# -- what only a real agent's records can show -------------------------------------------------------------------------


def claude_record(uuid: str, text: str, **more: object) -> bytes:
    record = {
        "type": "user",
        "uuid": uuid,
        "sessionId": "11111111-2222-4333-8444-555555555555",
        "timestamp": "2026-11-01T10:00:00.000Z",
        "cwd": "/home/noor/shop",
        "version": "2.1.0",
        "message": {"role": "user", "content": text},
        **more,
    }
    return json.dumps(record).encode() + b"\n"


@pytest.fixture
def claude(world: World) -> tuple[Lane, Path]:
    """A Lane that knows Claude Code, and the transcript it looks at."""
    lane = world.lane(WatchedDisk())
    lane.home.sources = {source.name: source for source in SOURCES if source.name == "claude-code"}
    folder = world.home / ".claude" / "projects" / "-home-noor-shop"
    folder.mkdir(parents=True)
    return lane, folder / "11111111-2222-4333-8444-555555555555.jsonl"


@pytest.mark.fault("A10")
def test_a10_a_prompt_that_stands_twice_under_one_id_is_one_turn(claude: tuple[Lane, Path]) -> None:
    lane, path = claude
    rows = claude_record("u1", "first") + claude_record("u2", "second")
    path.write_bytes(rows + rows + claude_record("u3", "third"))
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    prompts = [turn.person for turn in lane.runs.show(run.id).turns if turn.person]
    found = lane.search.find("second", RunFilter(), 10, Mode.WORDS).search
    lane.close()
    assert prompts == ["first", "second", "third"]
    assert len(found.best) == 1


@pytest.mark.fault("A11")
def test_a11_a_compaction_summary_is_never_something_a_person_said(claude: tuple[Lane, Path]) -> None:
    lane, path = claude
    summary = claude_record("u2", "This session is being continued: zebra", isCompactSummary=True)
    path.write_bytes(claude_record("u1", "before it") + summary + claude_record("u3", "after it"))
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    shown = list(lane.runs.show(run.id).turns)
    lane.close()
    assert [turn.person for turn in shown if turn.person] == ["before it", "after it"]
    summaries = [step for turn in shown for step in turn.steps if "zebra" in step.text]
    assert [step.kind for step in summaries] == [Kind.SUMMARY]
    assert summaries[0].author is not Author.PERSON


@pytest.mark.fault("A12")
def test_a12_what_was_archived_outlives_its_source(world: World) -> None:
    world.path("a").write_bytes(line("the only copy"))
    sweep(world)
    world.path("a").unlink()
    for audit in (False, True):
        assert sweep(world, audit=audit) == 0
    assert world.archived("a") == [line("the only copy")]
    assert turns(world) == ["the only copy"]
    world.lose_index()
    sweep(world)
    assert turns(world) == ["the only copy"], "also when only the archive is left"
    assert world.complaints() == []
