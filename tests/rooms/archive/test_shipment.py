"""Frames between two archives: whatever happens to them on the way, both end up with the same bytes."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane import archive
from memlane.archive import Answer, Layout, Part, RunReceipt, Sender, ShipFrame, journal
from memlane.archive.lines import encode as encode_line
from memlane.archive.register import Register
from memlane.domain import Entry
from memlane.errors import DamagedError
from memlane.system.disk import Disk
from tests.rooms.archive.sides import NOW, Side


@pytest.fixture
def laptop(tmp_path: Path) -> Side:
    return Side(Layout(tmp_path / "laptop", "noor"))


@pytest.fixture
def central(tmp_path: Path) -> Side:
    return Side(Layout(tmp_path / "central", "noor"))


def until_equal(laptop: Side, central: Side) -> None:
    """Sent from the beginning, again and again, as a machine without receipts does."""
    for frame in laptop.frames():
        assert central.take(frame).answer in (Answer.TAKEN, Answer.HAVE)


def test_an_archive_arrives_byte_for_byte_and_is_whole(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    laptop.capture("one", b"second\n")
    laptop.capture("one", b"replaced\n", generation=2)
    laptop.side_file("one", b"a long result")
    laptop.capture("document", b'{"a": 1}' * 50)
    laptop.capture("document", b'{"a": 2}' * 50, generation=2, rewritten=True)
    laptop.remember("m_1")
    until_equal(laptop, central)
    assert central.files() == laptop.files()
    assert central.wrong() == []


@pytest.mark.fault("B1")
def test_what_was_taken_is_had_when_it_comes_again(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    laptop.remember("m_1")
    frames = laptop.frames()
    assert [central.take(frame).answer for frame in frames] == [Answer.TAKEN] * 2
    assert [central.take(frame).answer for frame in frames] == [Answer.HAVE] * 2


@pytest.mark.fault("B2")
def test_a_gap_is_answered_with_what_is_held(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    (first,) = laptop.frames()
    run = first.head.run
    laptop.capture("one", b"second\n")
    (second,) = laptop.frames({run: RunReceipt({1: (6, first.head.after)})})
    assert second.data == b"second\n"
    answer = central.take(second)
    assert (answer.answer, answer.size) == (Answer.CONFLICT, 0)
    central.take(first)
    assert central.take(second).answer is Answer.TAKEN
    assert central.files() == laptop.files()


def test_other_bytes_at_the_same_place_change_nothing(laptop: Side, central: Side, tmp_path: Path) -> None:
    """A home that was copied, or a disk that was put back: both sides keep what they have."""
    copy = Side(Layout(tmp_path / "copy", "noor"))
    for side in (laptop, copy):
        side.capture("one", b"the same\n")
        side.remember("m_1")
    laptop.capture("one", b"here\n")
    laptop.remember("m_2")
    copy.capture("one", b"there and longer\n")
    copy.clock += timedelta(days=1)
    copy.remember("m_3")
    until_equal(laptop, central)
    before = central.files()
    assert {central.take(frame).answer for frame in copy.frames()} == {Answer.CONFLICT}
    assert central.files() == before


@pytest.mark.fault("B10")
def test_altered_bytes_are_damaged_and_change_nothing(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    (frame,) = laptop.frames()
    assert central.take(ShipFrame(frame.head, b"fIrst\n")).answer is Answer.DAMAGED
    lying = msgspec.structs.replace(frame.head, after="0" * 64)
    assert central.take(ShipFrame(lying, frame.data)).answer is Answer.DAMAGED
    assert central.files() == {}


def test_a_body_has_no_more_frames_than_a_machine_sends(laptop: Side) -> None:
    laptop.remember("m_1")
    (one,) = laptop.frames()
    assert len(list(archive.unpacked(archive.packed([one] * archive.MOST_FRAMES)))) == archive.MOST_FRAMES
    with pytest.raises(DamagedError, match="at most 400 frames"):
        list(archive.unpacked(archive.packed([one] * (archive.MOST_FRAMES + 1))))


def with_metadata(frame: ShipFrame, change: Callable[[dict[str, Any]], object]) -> ShipFrame:
    told = msgspec.json.decode(frame.head.metadata)
    change(told)
    return ShipFrame(msgspec.structs.replace(frame.head, metadata=msgspec.json.encode(told).decode()), frame.data)


@pytest.mark.parametrize("n", [0, -1, 1 << 70])
def test_a_generation_that_nobody_can_count_to_is_damaged(laptop: Side, central: Side, n: int) -> None:
    laptop.capture("one", b"first\n")
    (frame,) = laptop.frames()
    sent = with_metadata(frame, lambda told: told["generations"][0].update(n=n))
    assert central.take(ShipFrame(msgspec.structs.replace(sent.head, n=n), sent.data)).answer is Answer.DAMAGED
    assert central.files() == {}


def test_metadata_deeper_than_anybody_reads_is_damaged(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    (frame,) = laptop.frames()
    deep = frame.head.metadata.rstrip().removesuffix("}") + ',"more":' + "[" * 200_000 + "]" * 200_000 + "}"
    sent = ShipFrame(msgspec.structs.replace(frame.head, metadata=deep), frame.data)
    assert central.take(sent).answer is Answer.DAMAGED


@pytest.mark.parametrize("size", [1 << 24, 1 << 45], ids=["more-than-is-there", "more-than-is-taken"])
def test_a_document_is_taken_only_if_it_unpacks_to_the_size_it_is_said_to_have(
    laptop: Side, central: Side, size: int
) -> None:
    laptop.capture("document", b'{"a": 1}' * 50)
    laptop.capture("document", b'{"a": 2}' * 50, generation=2, rewritten=True)
    first, patch = laptop.frames()
    assert central.take(first).answer is Answer.TAKEN
    before = central.files()
    lying = with_metadata(patch, lambda told: told["generations"][1].update(size=size))
    assert central.take(lying).answer is Answer.DAMAGED
    assert central.files() == before
    assert central.take(patch).answer is Answer.TAKEN


def test_a_document_that_says_it_is_huge_is_named_as_damaged(laptop: Side) -> None:
    """It was taken before that was looked at."""
    laptop.capture("document", b'{"a": 1}' * 50)
    laptop.capture("document", b'{"a": 2}' * 50, generation=2, rewritten=True)
    (folder,) = laptop.layout.run_folders()
    size = 1 << 45
    bomb = b"\x28\xb5\x2f\xfd\xe0" + size.to_bytes(8, "little") + b"\x01\x00\x00"  # zstd: a head, and nothing
    (folder / "g2.patch").write_bytes(bomb)
    told = msgspec.json.decode((folder / "metadata.json").read_bytes())
    told["generations"][1] |= {"base": 0, "size": size, "stored_sha256": hashlib.sha256(bomb).hexdigest()}
    (folder / "metadata.json").write_bytes(msgspec.json.encode(told))
    assert any("g2.patch" in what or "as changes" in what for what in laptop.wrong())


def test_bytes_that_do_not_belong_behind_those_that_are_held_are_a_conflict(laptop: Side, central: Side) -> None:
    """Also where the fence was copied from what Central said it holds."""
    laptop.capture("one", b"first\n")
    until_equal(laptop, central)
    before, (held,) = central.files(), laptop.frames()
    laptop.capture("one", b"second\n")
    (frame,) = laptop.frames({held.head.run: RunReceipt({1: (6, held.head.after)})})
    lying = msgspec.structs.replace(frame.head, after="0" * 64)
    answer = central.take(ShipFrame(lying, frame.data))
    assert (answer.answer, answer.size, answer.last) == (Answer.CONFLICT, 6, held.head.after)
    assert central.files() == before
    assert central.take(frame).answer is Answer.TAKEN


def test_as_many_other_bytes_are_no_bytes_that_are_had(laptop: Side, central: Side, tmp_path: Path) -> None:
    """What Central says it holds may not be ours, however long it is."""
    other = Side(Layout(tmp_path / "other", "noor"))
    laptop.capture("one", b'{"n":1}\n')
    other.capture("one", b'{"n":2}\n')
    until_equal(laptop, central)
    before, (held,) = central.files(), laptop.frames()
    (sent,) = other.frames({held.head.run: RunReceipt({1: (8, held.head.after)})})
    assert sent.data == b'{"n":2}\n'
    nothing = hashlib.sha256(b"").hexdigest()
    end = msgspec.structs.replace(sent.head, start=8, size=0, sha256=nothing, before=held.head.after)
    for one in (sent, ShipFrame(end, b"")):
        answer = central.take(one)
        assert (answer.answer, answer.size, answer.last) == (Answer.CONFLICT, 8, held.head.after)
    assert central.files() == before


def test_a_side_file_only_grows_under_its_name(laptop: Side, central: Side, tmp_path: Path) -> None:
    """Whoever sends other bytes for it leaves those that are held as they are."""
    other = Side(Layout(tmp_path / "other", "noor"))
    for side, data in ((laptop, b"the evidence"), (other, b"nothing here")):
        side.capture("one", b"first\n")
        side.side_file("one", data)
    until_equal(laptop, central)
    before = central.files()
    (sent,) = (frame for frame in other.frames() if frame.head.part is Part.SIDE)
    assert central.take(sent).answer is Answer.CONFLICT
    assert central.files() == before
    laptop.side_file("one", b"the evidence, and more")
    until_equal(laptop, central)


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"])
def test_a_time_that_no_zone_can_show_is_not_taken(laptop: Side, central: Side, at: str) -> None:
    laptop.capture("one", b"first\n")
    laptop.remember("m_1")
    run, lines = laptop.frames()
    told = run.head.metadata.replace(NOW.isoformat(), at)
    assert told != run.head.metadata
    assert central.take(ShipFrame(msgspec.structs.replace(run.head, metadata=told), run.data)).answer is Answer.DAMAGED
    entry = Entry("state", "m_1", NOW, "noor", "laptop", "person", {"memory": {"formed_at": at}})
    line = encode_line(entry) + b"\n"
    head = msgspec.structs.replace(lines.head, sha256=hashlib.sha256(line).hexdigest(), size=len(line))
    assert central.take(ShipFrame(head, line)).answer is Answer.DAMAGED
    assert central.files() == {}


@pytest.mark.fault("B11")
def test_nobody_sends_what_belongs_to_another(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    laptop.remember("m_1")
    run, lines = laptop.frames()
    assert central.take(run, Sender("mallory", "central")).answer is Answer.REFUSED
    assert central.take(lines, Sender("mallory", "central")).answer is Answer.REFUSED
    climbing = msgspec.structs.replace(lines.head, name="../../laptop.jsonl")
    assert central.take(ShipFrame(climbing, lines.data)).answer is Answer.REFUSED
    assert central.files() == {}


@pytest.mark.fault("B3", "B10")
def test_a_body_that_was_cut_or_altered_gives_no_frame(laptop: Side) -> None:
    laptop.capture("one", b"first\n" * 100)
    body = archive.packed(laptop.frames())
    assert [frame.data for frame in archive.unpacked(body)] == [b"first\n" * 100]
    for wrong in (body[:-1], body[: len(body) // 2], body[:30] + b"\x00" + body[31:], b"", b"not zstd"):
        with pytest.raises(DamagedError):
            list(archive.unpacked(wrong))


def test_a_large_generation_travels_in_pieces_and_goes_on_where_it_was(laptop: Side, central: Side) -> None:
    data = random.Random(7).randbytes(9 << 20)
    laptop.capture("large", data)
    first, second, third = laptop.frames()
    assert central.take(first).answer is Answer.TAKEN
    assert central.take(third).answer is Answer.CONFLICT
    assert central.wrong() == []  # what is there so far is counted as it is
    held = central.take(second)
    (rest,) = laptop.frames({first.head.run: RunReceipt({1: (held.size, held.last)})})
    assert rest.data == third.data
    assert central.take(rest).answer is Answer.TAKEN
    assert central.files() == laptop.files()


@pytest.mark.fault("B1", "B2")
@given(st.data())
def test_any_order_with_losses_and_repeats_ends_in_the_same_archive(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    base = tmp_path_factory.mktemp("ship")
    laptop, central = Side(Layout(base / "laptop", "noor")), Side(Layout(base / "central", "noor"))
    for step in data.draw(st.lists(st.sampled_from(["a", "b", "remember", "side", "send"]), max_size=12)):
        match step:
            case "remember":
                laptop.remember(f"m_{laptop.clock.second}")
            case "side":
                laptop.capture("a", b"with a result\n")
                laptop.side_file("a", b"result of " + str(laptop.clock).encode())
            case "send":
                for frame in _disturbed(laptop.frames(), data):
                    central.take(frame)
            case name:
                laptop.capture(name, f"{laptop.clock}\n".encode())
    until_equal(laptop, central)
    assert central.files() == laptop.files()
    assert central.wrong() == []


def _disturbed(frames: Sequence[ShipFrame], data: st.DataObject) -> Iterator[ShipFrame]:
    """Some are lost, some come twice, some altered, in any order."""
    for frame in data.draw(st.permutations(frames)):
        match data.draw(st.sampled_from(["once", "lost", "twice", "altered"])):
            case "once":
                yield frame
            case "twice":
                yield from (frame, frame)
            case "altered":
                yield ShipFrame(frame.head, frame.data[:-1] + b"#")
            case _:
                pass


@pytest.mark.fault("B12")
def test_an_old_frame_does_not_bring_old_facts_back(laptop: Side, central: Side) -> None:
    laptop.capture("one", b"first\n")
    old = laptop.frames()
    laptop.capture("one", b"second\n")
    until_equal(laptop, central)
    now = central.files()
    for frame in old:
        assert central.take(frame).answer is Answer.HAVE
    assert central.files() == now


def test_words_that_were_forgotten_on_one_side_do_not_stop_the_lines_behind_them(laptop: Side, central: Side) -> None:
    laptop.remember("m_aaaaaaaaaaaaa")
    until_equal(laptop, central)
    held = archive.journals_held(laptop.disk, laptop.layout)
    path = laptop.layout.journal_files()[0]
    line = path.read_bytes().removesuffix(b"\n")
    emptied = journal.encode(replace(journal.decode(line), data={}), len(line))
    path.write_bytes(emptied + b"\n")
    laptop.remember("m_bbbbbbbbbbbbb")
    (frame,) = laptop.frames({}, held)
    assert central.take(frame).answer is Answer.TAKEN
    assert len(central.files()["journal/2026-11/laptop.jsonl"]) == len(laptop.files()["journal/2026-11/laptop.jsonl"])


JOURNAL = "2026-11/laptop.jsonl"


def exchanged(laptop: Side, central: Side) -> None:
    """As a machine does after a disk was put back: asks what is held, sends what is not, and puts together."""
    for _again in range(2):
        held, theirs = archive.journals_held(central.disk, central.layout), central.files()[f"journal/{JOURNAL}"]
        answers = [central.take(frame) for frame in laptop.frames({}, held)]
        held = archive.journals_held(laptop.disk, laptop.layout)
        answers += [laptop.take(frame, Sender("noor", "laptop")) for frame in central.frames({}, held)]
        if any(one.answer is Answer.CONFLICT for one in answers):
            archive.put_together(laptop.disk, laptop.layout, JOURNAL, theirs, "laptop")


@pytest.mark.parametrize(
    ("here", "there"),
    [
        pytest.param(["m_here"], ["m_late"], id="as long as each other"),
        pytest.param(["m_here"], ["m_late", "m_more"], id="fewer here"),
        pytest.param(["m_here", "m_more"], ["m_late"], id="more here"),
        pytest.param(["m_here", "m_both"], ["m_both", "m_here"], id="the same in another order"),
    ],
)
def test_lines_that_went_two_ways_become_the_same_on_both_sides(
    laptop: Side, central: Side, here: list[str], there: list[str]
) -> None:
    """Both disks were put back. Equal sizes say nothing about what is in them."""
    _write_two_ways(laptop, central, here, there)
    exchanged(laptop, central)
    assert laptop.files() == central.files()
    lines = [journal.decode(line).id for line in laptop.files()[f"journal/{JOURNAL}"].splitlines()]
    assert lines == ["m_first", *there, *(name for name in here if name not in there)]
    laptop.remember("m_after")
    until_equal(laptop, central)
    assert laptop.wrong() == central.wrong() == []


def _write_two_ways(laptop: Side, central: Side, here: list[str], there: list[str]) -> None:
    """`there` was written on a disk that was put back since, and is on Central."""
    disk_before = Side(Layout(laptop.layout.base / "before", "noor"))
    minutes = {name: n for n, name in enumerate(["m_first", *dict.fromkeys([*here, *there])])}
    for side, names in ((disk_before, ["m_first", *there]), (laptop, ["m_first", *here])):
        for name in names:
            side.clock = NOW + timedelta(minutes=minutes[name])
            side.remember(name)
    until_equal(disk_before, central)


@pytest.mark.parametrize("step", range(1, 14))
def test_a_kill_while_lines_are_put_together_leaves_no_damage(laptop: Side, central: Side, step: int) -> None:
    _write_two_ways(laptop, central, ["m_here", "m_both"], ["m_both", "m_late"])
    theirs = central.files()[f"journal/{JOURNAL}"]
    disk = FailingDisk(step)
    with suppress(PowerCutError):
        archive.put_together(disk, laptop.layout, JOURNAL, theirs, "laptop")
    laptop.remember("m_after")
    Register(laptop.disk, laptop.layout, "laptop").settle(NOW)
    assert laptop.wrong() == []
    archive.put_together(laptop.disk, laptop.layout, JOURNAL, theirs, "laptop")
    assert laptop.wrong() == []
    ids = [journal.decode(line).id for line in (laptop.layout.journal / JOURNAL).read_bytes().splitlines()]
    assert ids == ["m_first", "m_both", "m_late", "m_here", "m_after"]


class PowerCutError(BaseException):
    """Nothing that is caught on the way."""


class FailingDisk(Disk):
    """The n-th change, and every one after it, does not happen."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self._left = left

    def _count(self) -> None:
        self._left -= 1
        if self._left <= 0:
            raise PowerCutError

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        self._count()
        super().write(descriptor, data, offset)

    def truncate(self, descriptor: int, size: int) -> None:
        self._count()
        super().truncate(descriptor, size)

    def rename(self, source: Path, target: Path) -> None:
        self._count()
        super().rename(source, target)

    def unlink(self, path: Path) -> None:
        self._count()
        super().unlink(path)


def test_words_that_were_forgotten_do_not_come_back_when_lines_are_put_together(laptop: Side, central: Side) -> None:
    for side in (laptop, central):
        side.remember("m_aaaaaaaaaaaaa")
    path = laptop.layout.journal / JOURNAL
    line = path.read_bytes().removesuffix(b"\n")
    emptied = journal.encode(replace(journal.decode(line), data={}), len(line))
    path.write_bytes(emptied + b"\n")
    central.remember("m_bbbbbbbbbbbbb")
    theirs = central.files()[f"journal/{JOURNAL}"]
    archive.put_together(laptop.disk, laptop.layout, JOURNAL, theirs, "laptop")
    assert path.read_bytes().splitlines() == [emptied, theirs.splitlines()[1]]


@pytest.mark.fault("B14")
def test_lines_of_a_disk_that_was_put_back_are_put_together_and_whole(laptop: Side, tmp_path: Path) -> None:
    other = Side(Layout(tmp_path / "other", "noor"))
    for side in (laptop, other):
        side.remember("m_before")
    other.clock += timedelta(seconds=10)
    other.remember("m_theirs")
    laptop.clock += timedelta(seconds=20)
    laptop.remember("m_ours")
    name, theirs = "2026-11/laptop.jsonl", other.files()["journal/2026-11/laptop.jsonl"]
    archive.put_together(laptop.disk, laptop.layout, name, theirs, "laptop")
    lines = [
        one.entry.id for one in journal.read(laptop.disk, laptop.layout, {}) if isinstance(one, archive.PlacedEntry)
    ]
    assert lines == ["m_before", "m_theirs", "m_ours"]
    laptop.remember("m_after")
    assert laptop.wrong() == []


def test_a_side_file_and_a_patch_go_on_where_the_other_side_is(laptop: Side, central: Side) -> None:
    """Also from the middle of one."""
    data = random.Random(3).randbytes(9 << 20)
    laptop.capture("one", b"first\n")
    laptop.side_file("one", data)
    laptop.capture("one", data * 2, generation=2, rewritten=True)
    begun, rounds = dict[str, int](), 0
    while central.files() != laptop.files():
        known = archive.receipt_of(archive.held(central.disk, central.layout.find(laptop.run("one").id)))
        known.begun = dict(begun)
        one = laptop.frames({laptop.run("one").id: known})[0]
        answer, rounds = central.take(one), rounds + 1
        assert answer.answer is Answer.TAKEN
        if not answer.last:
            begun[archive.part_name(one.head)] = answer.size
    assert rounds == len(laptop.frames())
    assert rounds > 1 + 2 + 2
