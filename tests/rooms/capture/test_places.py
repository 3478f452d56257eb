"""Folders that vanish, names and links nobody expects: rows A13 to A18 of the failure model."""

from __future__ import annotations

import os
import subprocess
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, sweep_of
from memlane import capture
from memlane.errors import UnreachableError
from memlane.flow import capture as intake
from memlane.storage import EVERYTHING
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


def test_a13_a_folder_that_is_gone_for_a_while_takes_nothing_with_it(world: World) -> None:
    world.path("a").write_bytes(line("one"))
    notes, unmounted = world.home / "notes", world.home / "unmounted"
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        notes.rename(unmounted)
        for audit in (False, True):
            assert lane.capture.sweep(audit=audit).set_aside == []
        assert len(lane.runs.select(EVERYTHING)) == 1
        unmounted.rename(notes)
        assert lane.capture.sweep().bytes == 0
    assert world.archived("a") == [line("one")]


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


def test_a17_a_large_tree_is_walked_without_opening_what_is_known(world: World) -> None:
    many = 5000
    for n in range(many):
        folder = world.home / "notes" / str(n % 50)
        folder.mkdir(exist_ok=True)
        (folder / f"f{n}.jsonl").write_bytes(b"{}\n")
    disk = WatchedDisk()
    with world.lane(disk) as lane:
        lane.home.begin()
        storage = lane.home.storage()
        with storage.transaction():
            for seen in capture.look(Disk(), lane.capture.places()):
                assert isinstance(seen, capture.SourceFile)
                storage.checkpoints.save(capture.shown(seen.path), seen.signature)
        (world.home / "notes" / "7" / "f7.jsonl").write_bytes(line("changed"))
        report = lane.capture.sweep()
    assert (report.files_seen, len(report.changes)) == (many, 1)
    assert disk.source_bytes < 1000


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
        assert len(lane.runs.select(EVERYTHING)) == 1, "what is known is still answered with"
        unmounted.rename(base)
        lane.capture.sweep()
    assert world.archived("a") == [line("one") + line("two")]
