"""Folders that vanish, names and links nobody expects: rows A13 to A18 of the failure model."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, sweep_of
from memlane import capture
from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.errors import UnreachableError
from memlane.flow import capture as intake
from memlane.system.disk import Disk

NOBODY = 65534


def as_nobody(world: World, work: Callable[[], None], but: Path | None = None) -> None:
    """Root may read everything; this is done by somebody who may not, in a home of theirs (`but` stays root's)."""
    if os.getuid() != 0:
        work()
        return
    other = World(world.folder / "other").prepare()
    other.path("a").write_bytes(line("one"))
    with other.lane() as lane:
        lane.capture.sweep()  # whatever is imported late is imported by root: nobody may not even read Python
        lane.vectors.follow_alone(60)
    for path in {world.folder, *world.folder.rglob("*")} - {but}:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.fault("A13")
def test_a13_a_folder_that_is_gone_for_a_while_takes_nothing_with_it(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    notes, unmounted = world.home / "notes", world.home / "unmounted"
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        notes.rename(unmounted)
        for audit in (False, True):
            assert lane.capture.sweep(audit=audit).set_aside == []
        assert len(lane.runs.select(RunFilter())) == 1
        unmounted.rename(notes)
        assert lane.capture.sweep().bytes == 0
    assert world.archived("a") == [line("one")]


@pytest.mark.fault("A14")
def test_a14_links_pipes_and_devices_are_never_opened(world: World) -> None:
    secret, notes = world.folder / "secret", world.home / "notes"
    secret.write_bytes(line("not theirs to give"))
    sparse = world.folder / "sparse"
    with sparse.open("wb") as file:
        file.truncate(1 << 40)
    (notes / "secret.jsonl").symlink_to(secret)
    (notes / "zero.jsonl").symlink_to("/dev/zero")
    (notes / "sparse.jsonl").symlink_to(sparse)
    (notes / "loop.jsonl").symlink_to(notes / "loop.jsonl")
    (notes / "deep").symlink_to(notes)
    (notes / "dangling.jsonl").symlink_to(notes / "nowhere")
    os.mkfifo(notes / "pipe.jsonl")
    world.path("a").write_bytes(line("an ordinary one"))
    disk = WatchedDisk()
    with world.lane(disk) as lane:
        report = lane.capture.sweep(audit=True)
    assert (report.files_seen, len(report.changes)) == (1, 1)
    assert disk.source_bytes < 1000


@pytest.mark.fault("A14")
def test_a14_a_name_that_became_a_link_or_a_pipe_since_we_looked_is_set_aside(world: World) -> None:
    secret = world.folder / "secret"
    secret.write_bytes(line("not theirs to give"))
    world.path("a").write_bytes(line("one"))
    world.path("b").write_bytes(line("two"))
    with world.lane(WatchedDisk()) as lane:
        sweep, tools = sweep_of(lane), lane.home.tools()
        seen, _aside, _total = intake.changed(sweep, tools)
        world.path("a").unlink()
        world.path("a").symlink_to(secret)
        world.path("b").unlink()
        os.mkfifo(world.path("b"))
        taken = [one for each in seen for one in intake.take(each, sweep, tools)]
    assert [type(one) for one in taken] == [capture.UnreadableFile, capture.UnreadableFile]
    assert world.archived("a") == world.archived("b") == []


@pytest.mark.fault("A15")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.skipif(os.getuid() != 0, reason="needs root to make a file of another user")
def test_a15_another_users_file_is_set_aside_however_it_came_there(world: World) -> None:
    foreign = world.path("a")
    foreign.write_bytes(line("root's own"))
    foreign.chmod(0o644)

    def work() -> None:
        with world.lane(WatchedDisk()) as lane:
            (aside,) = lane.capture.sweep().set_aside
            assert "another user" in aside.reason
            assert world.archived("a") == []

    as_nobody(world, work, but=foreign)


NAMES = {
    "a newline": b"two\nlines",
    "invalid UTF-8": b"\xff\xfe\x80",
    "255 bytes": b"x" * (255 - len(b".jsonl")),
    "right to left": "‮gnp‏".encode(),
    "dots": b"..hidden",
    "a quote": b'it\'s "quoted" $(rm) %41',
}


@pytest.mark.fault("A16")
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a16_any_name_a_file_can_have_is_captured(world: World, name: bytes) -> None:
    folder = os.fsencode(world.home / "notes")
    path = Path(os.fsdecode(folder + b"/" + name + b".jsonl"))
    path.write_bytes(line("one"))
    beside = Path(os.fsdecode(folder + b"/a.side"))
    beside.mkdir()
    world.path("a").write_bytes(line("with side files"))
    Path(os.fsdecode(os.fsencode(beside) + b"/" + name)).write_bytes(b"side")
    with world.lane(WatchedDisk()) as lane:
        report = lane.capture.sweep()
        assert report.set_aside == []
        assert len(report.changes) == 2
        with path.open("ab") as file:
            file.write(line("two"))
        assert lane.capture.sweep().bytes == len(line("two"))
        assert lane.capture.sweep(audit=True).bytes == 0
        native = next(change.run.native_id for change in report.changes if change.run.native_id != "a")
        assert native.encode().decode() == native
    assert world.archived(native) == [line("one") + line("two")]
    assert list(world.side_files("a").values()) == [b"side"]
    assert world.complaints() == []
    inside = [p for p in (world.lane_home / "archive").rglob("*") if p.is_file()]
    assert all(p.resolve().is_relative_to(world.lane_home / "archive") for p in inside)


def know_all_files(lane: Lane) -> None:
    """As if each had been captured already."""
    lane.home.begin()
    storage = lane.home.storage()
    with storage.transaction():
        for seen in capture.look(Disk(), lane.capture.places()):
            assert isinstance(seen, capture.SourceFile)
            storage.checkpoints.save(capture.shown(seen.path), seen.signature)


@pytest.mark.fault("A17")
def test_a17_a_large_tree_is_walked_without_opening_what_is_known(world: World) -> None:
    many = 5000
    for n in range(many):
        folder = world.home / "notes" / str(n % 50)
        folder.mkdir(exist_ok=True)
        (folder / f"f{n}.jsonl").write_bytes(b"{}\n")
    disk = WatchedDisk()
    with world.lane(disk) as lane:
        know_all_files(lane)
        (world.home / "notes" / "7" / "f7.jsonl").write_bytes(line("changed"))
        report = lane.capture.sweep()
    assert (report.files_seen, len(report.changes)) == (many, 1)
    assert disk.source_bytes < 1000


def test_an_archive_that_is_not_mounted_is_not_begun_anew(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    base, unmounted = world.lane_home / "archive", world.folder / "unmounted"
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        lane.memories.remember("a note", world.home)
        base.rename(unmounted)
        world.grow("a", line("two"))
        for work in (lane.capture.sweep, lane.archive.rebuild, lambda: lane.memories.remember("lost?", world.home)):
            with pytest.raises(UnreachableError):
                work()
        assert not base.exists()
        assert len(lane.runs.select(RunFilter())) == 1, "what is known is still answered with"
        unmounted.rename(base)
        lane.capture.sweep()
    assert world.archived("a") == [line("one") + line("two")]
