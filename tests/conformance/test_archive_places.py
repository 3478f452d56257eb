"""An archive is the same in a folder and in an object store: the same files, byte for byte, whatever happens to it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard

from memlane import archive
from memlane.archive import Answer, Layout
from memlane.archive.register import Register
from memlane.domain import Level
from memlane.store.bucket import Bucket, bucket_at
from memlane.store.disk import StoreDisk
from memlane.store.pieces import MANY
from memlane.system.disk import Disk
from tests.rooms.archive.sides import NOW, Side

Place = Callable[[str], Side]


def in_folder(folder: Path) -> Side:
    return Side(Layout(folder, "noor"))


def bucket_of(name: str) -> Bucket:
    return bucket_at(f"s3://lane/{name}", plain_http=True)


def in_store(name: str) -> Side:
    """As a process that has just begun sees it."""
    base = Path(f"s3://lane/{name}")
    disk = StoreDisk(bucket_of(name), base)
    return Side(Layout(base, "noor", None, disk), disk)


@pytest.fixture(params=["folder", "store"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "folder":
        return lambda name: in_folder(tmp_path / name)
    request.getfixturevalue("seaweed")
    return lambda name: in_store(f"{tmp_path.name}-{name}")


def happen(side: Side, seed: int, steps: int) -> None:
    """Each draws the same, so two sides with one seed have the same history."""
    chance, size = random.Random(seed), dict[str, int]()
    Register(side.disk, side.layout, "laptop").begin(NOW)
    for step in range(steps):
        name = chance.choice(["one", "two"])
        with side.disk.steady():
            match chance.choice(["say", "say", "say", "remember", "file", "document"]):
                case "say":
                    side.capture(name, f"{step} {chance.random()}\n".encode() * chance.choice([1, 1, 400]))
                case "remember":
                    side.remember(f"m_{step:013}")
                case "file" if name in size:
                    side.side_file(name, f"result {step}".encode() * 20)
                case "document":
                    size["doc"] = size.get("doc", 0) + 1
                    data = f"[{chance.random()}]".encode() * 50
                    side.capture("doc", data, size["doc"], rewritten=size["doc"] > 1)
                case _:
                    continue
        size.setdefault(name, 0)


def everything(side: Side) -> dict[str, bytes]:
    """Registers too."""
    files = side.disk.files_below(side.layout.base)
    return {str(path.relative_to(side.layout.base)): side.disk.read_whole(path) for path in files}


@pytest.mark.parametrize("seed", [1, 2])
def test_one_history_gives_one_archive(place: Place, tmp_path: Path, seed: int) -> None:
    reference, side = in_folder(tmp_path / "reference"), place("a")
    for one in (reference, side):
        happen(one, seed, 40)
    later = place("a")
    assert everything(later) == everything(reference)
    assert later.wrong() == []


def test_many_small_pieces_stay_few_files(place: Place) -> None:
    """A run that grows by small pieces is listed and read as fast as one that came at once."""
    side, said = place("a"), b""
    for step in range(3 * MANY):
        line = f"line {step}\n".encode()
        side.capture("one", line)
        said += line
    later = place("a")
    folder = later.layout.find(later.run("one").id)
    assert folder is not None
    assert later.disk.read_whole(folder / "g1.raw") == said
    assert later.wrong() == []
    if isinstance(later.disk, StoreDisk):
        assert len(list(bucket_of(later.layout.base.name).below(f"noor/runs/{folder.parent.name}"))) < 2 * MANY


def test_what_arrives_is_there_and_arrives_once(place: Place, tmp_path: Path) -> None:
    laptop, central = in_folder(tmp_path / "laptop"), place("a")
    happen(laptop, 3, 25)
    for frame in laptop.frames():
        with central.disk.steady():
            assert central.take(frame).answer in (Answer.TAKEN, Answer.HAVE)
    later = place("a")
    assert later.files() == laptop.files()
    assert {later.take(frame).answer for frame in laptop.frames()} == {Answer.HAVE}
    assert later.wrong() == []


def test_bytes_that_were_never_acknowledged_are_cut_off(place: Place) -> None:
    side = place("a")
    side.capture("one", b"first\n")
    folder = side.layout.find(side.run("one").id)
    assert folder is not None
    descriptor = side.disk.open_to_write(folder / "g1.raw")
    side.disk.write(descriptor, b"a writer was killed here", 6)
    side.disk.sync(descriptor)
    side.disk.close(descriptor)
    later = place("a")
    assert later.wrong() == []
    with later.disk.steady():
        later.capture("one", b"second\n")
    assert place("a").disk.read_whole(folder / "g1.raw") == b"first\nsecond\n"
    assert place("a").wrong() == []


def test_what_is_missing_is_named(place: Place) -> None:
    side = place("a")
    happen(side, 4, 30)
    (lines,) = side.layout.journal_files()
    folder = side.layout.find(side.run("one").id)
    assert folder is not None
    side.disk.unlink(lines)
    side.disk.unlink(folder / "g1.raw")
    found = [one.what for one in archive.verify(place("a").disk, place("a").layout) if one.level is Level.FAIL]
    assert any("g1.raw is missing" in what for what in found)
    assert any(lines.name in what for what in found)


def test_a_forgotten_run_leaves_no_byte(place: Place) -> None:
    side = place("a")
    happen(side, 5, 10)
    for _ in range(3):
        side.capture("secret", b"the xylophone\n")
    side.remember("m_kept")
    run = side.run("secret").id
    archive.begin_forgetting(side.disk, side.layout, run)
    archive.forget_bytes(side.disk, side.layout, run)
    Register(side.disk, side.layout, "laptop").add_gone(run, side.clock)
    archive.forgotten(side.disk, side.layout, run)
    later = place("a")
    assert later.wrong() == []
    assert later.layout.find(run) is None
    assert list(archive.being_forgotten(later.disk, later.layout)) == []
    assert not any(b"xylophone" in data for data in _raw(later))


def _raw(side: Side) -> list[bytes]:
    if not isinstance(side.disk, StoreDisk):
        return [path.read_bytes() for path in side.layout.base.rglob("*") if path.is_file()]
    bucket = bucket_of(side.layout.base.name)
    objects = [bucket.get(one.name) for one in bucket.below("")]
    return [_unpacked(data) for data in objects]


def _unpacked(data: bytes) -> bytes:
    try:
        return zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
    except zstandard.ZstdError:
        return data


def test_a_copy_of_a_compacted_bucket_is_the_archive_of_a_folder(seaweed: object, tmp_path: Path) -> None:
    """Any tool that copies objects to files makes an archive that needs no store."""
    del seaweed
    side = in_store(tmp_path.name)
    happen(side, 6, 40)
    for part in (side.layout.runs, side.layout.journal, side.layout.root):
        side.disk.compact(part, datetime.max.replace(tzinfo=UTC))
    bucket = bucket_of(tmp_path.name)
    for one in bucket.below(""):
        path = tmp_path / "copy" / one.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bucket.get(one.name))
    copy = in_folder(tmp_path / "copy")
    assert copy.wrong() == []
    plain = {name: data for name, data in everything(copy).items() if ".d/" not in name and "proof" not in name}
    assert plain == everything(in_store(tmp_path.name))
    assert isinstance(copy.disk, Disk)
