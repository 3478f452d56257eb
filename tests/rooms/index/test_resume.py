"""What is appended to a Run is read on from where the last reading stopped, and the index cannot tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents import SOURCES, ResumableParser, Source
from memlane.agents.conformance import Fixture, fixtures
from memlane.app import Lane
from memlane.domain import Machine, Run, run_id
from memlane.domain.delta import Delta
from memlane.errors import DamagedError
from memlane.flow.capture import receive
from memlane.flow.index import index_run
from memlane.storage import EVERYTHING
from memlane.system.disk import Disk
from tests.examples import examples
from tests.flow.homes import a_lane, answer, called, prompt, returned, said

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
GROWING = [
    fixture
    for source in SOURCES
    for fixture in fixtures(source, FIXTURES / source.name)
    if isinstance(fixture.reading(), ResumableParser)
]
CLAUDE = next(source for source in SOURCES if source.name == "claude-code")
NATIVE = count()
A_LITTLE = 16 << 10  # metadata.json, and the 4 KiB by which an end is known
SECRET = "ghp_" + "Zk3vQ9xLmT7rB2nWcY8sD4fG6hJ1pA5eU0oi"  # made up


class CountingDisk(Disk):
    """The real disk, counting what is read; behind so many bytes it fails."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes_read = 0
        self.fails_behind = 1 << 60

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        data = super().read(descriptor, length, offset)
        self.bytes_read += len(data)
        if self.bytes_read > self.fails_behind:
            raise OSError(5, "the disk is broken")
        return data


@dataclass(frozen=True, slots=True)
class Desk:
    """A home that is fed by hand."""

    lane: Lane
    disk: CountingDisk

    def run(self, source: Source, native_id: str) -> Run:
        machine = Machine("ann", "desk")
        return Run(run_id(machine, source.name, native_id), machine.user, machine.name, source.name, native_id)

    def feed(self, source: Source, native_id: str, data: bytes, generation: int = 1) -> int:
        """The bytes that were read to index it."""
        run, tools = self.run(source, native_id), self.lane.home.tools()
        receive(Delta(run, generation, "/a/file", [data], NOON, format=source.name), tools)
        self.disk.bytes_read = 0
        index_run(run.id, tools)
        return self.disk.bytes_read

    def everything(self, source: Source, native_id: str) -> dict[str, object]:
        run, storage, reader = self.run(source, native_id), self.lane.home.storage(), self.lane.home.reader
        summary = storage.runs.get(run.id, reader)
        chunks = storage.chunks.of_run(run.id, reader, 100_000)
        only = replace(EVERYTHING, only=frozenset({run.id}))
        return {
            "summary": summary,
            "chunks": chunks,
            "touches": [storage.touches.of(file, only, reader) for file in (summary.files if summary else ())],
            "mark": storage.work.indexed(run.id),
        }


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Desk]]:
    made: list[Desk] = []
    for name in ("whole", "piecewise"):
        disk = CountingDisk()
        lane = a_lane(tmp_path_factory.mktemp(name))
        lane.home.disk = disk
        lane.home.begin()
        made.append(Desk(lane, disk))
    yield made[0], made[1]
    for desk in made:
        desk.lane.close()


@pytest.mark.parametrize("fixture", GROWING, ids=str)
@settings(max_examples=examples(2), deadline=None, derandomize=True)
@given(data=st.data())
def test_fed_in_any_pieces_a_run_is_indexed_as_if_it_was_read_once(
    fixture: Fixture, desks: tuple[Desk, Desk], data: st.DataObject
) -> None:
    whole, piecewise, native_id = *desks, f"{fixture.path.stem}-{next(NATIVE)}"
    size = len(fixture.data)
    cuts = sorted(data.draw(st.sets(st.integers(1, size - 1), min_size=1, max_size=4), label="cuts"))
    for begin, end in pairwise((0, *cuts, size)):
        piecewise.feed(fixture.source, native_id, fixture.data[begin:end])
    whole.feed(fixture.source, native_id, fixture.data)
    assert piecewise.everything(fixture.source, native_id) == whole.everything(fixture.source, native_id)


def turn(n: int, words: str = "and now this", result: str = "done", run: str = "") -> bytes:
    records = [
        prompt(f"{words} {n}", 2 * n, uuid=f"{run} {n}"),
        answer([said(f"I look at it for the {n}th time"), called("Read", {"file_path": f"/a/{n}.py"}, f"c{n}")], 2 * n),
        returned(result, f"c{n}", 2 * n + 1),
    ]
    return b"".join(line_of(record) for record in records)


def line_of(record: dict[str, object]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def test_one_more_turn_on_a_long_run_is_indexed_from_its_own_bytes(desks: tuple[Desk, Desk]) -> None:
    whole, desk = desks
    long = b"".join(turn(n, result="the quick brown fox\n" * 500, run="long") for n in range(1, 500))
    assert len(long) > 5_000_000
    assert desk.feed(CLAUDE, "long", long) > len(long)
    for n in range(500, 504):
        more = turn(n, run="long")
        long += more
        assert desk.feed(CLAUDE, "long", more) <= len(more) + A_LITTLE
    whole.feed(CLAUDE, "long", long)
    assert desk.everything(CLAUDE, "long") == whole.everything(CLAUDE, "long")
    storage, reader = desk.lane.home.storage(), desk.lane.home.reader
    assert storage.chunks.of_run(desk.run(CLAUDE, "long").id, reader, 100_000)[-1].turn == 503


def test_a_turn_with_a_secret_in_it_is_kept_in_no_bookmark(desks: tuple[Desk, Desk], tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.home.begin()
    desk, native_id = Desk(lane, CountingDisk()), "secret"
    data = turn(1, run="secret")
    desk.feed(CLAUDE, native_id, data)
    before = lane.home.storage().work.bookmark(desk.run(CLAUDE, native_id).id)
    assert before is not None
    for more in (turn(2, words=f"my token is {SECRET}", run="secret"), turn(3, run="secret"), turn(4, run="secret")):
        desk.feed(CLAUDE, native_id, more)
        data += more
        after = lane.home.storage().work.bookmark(desk.run(CLAUDE, native_id).id)
        assert (after == before) == (SECRET.encode() in more)
    desks[0].feed(CLAUDE, native_id, data)
    assert desk.everything(CLAUDE, native_id) == desks[0].everything(CLAUDE, native_id)
    lane.close()
    kept = [path.read_bytes() for path in (tmp_path / "lane" / "index").rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in each for each in kept)


def test_a_reading_that_breaks_off_leaves_chunks_and_bookmark_as_they_were(desks: tuple[Desk, Desk]) -> None:
    desk, run = desks[1], desks[1].run(CLAUDE, "broken off")
    desk.feed(CLAUDE, "broken off", turn(1, run="off"))
    bookmark, before = desk.lane.home.storage().work.bookmark(run.id), desk.everything(CLAUDE, "broken off")
    tools = desk.lane.home.tools()
    more = turn(2, result="x" * 3_000_000, run="off")
    receive(Delta(run, 1, "/a/file", [more], NOON, format=CLAUDE.name), tools)
    desk.disk.bytes_read, desk.disk.fails_behind = 0, 2_500_000
    with pytest.raises(DamagedError):
        index_run(run.id, tools)
    desk.disk.fails_behind = 1 << 60
    assert desk.lane.home.storage().work.bookmark(run.id) == bookmark
    assert desk.everything(CLAUDE, "broken off") == before
    index_run(run.id, tools)
    desks[0].feed(CLAUDE, "broken off", turn(1, run="off") + more)
    assert desk.everything(CLAUDE, "broken off") == desks[0].everything(CLAUDE, "broken off")


def whole_readings(desk: Desk, native_id: str, pieces: Sequence[bytes]) -> list[bool]:
    """Of each piece, whether all that came before was read again."""
    read, found = 0, list[bool]()
    for piece in pieces:
        read += len(piece)
        found.append(desk.feed(CLAUDE, native_id, piece) >= read)
    return found


def test_what_does_not_fit_the_bookmark_is_read_whole(desks: tuple[Desk, Desk]) -> None:
    desk, long = desks[1], turn(1, result="z" * 100_000, run="fit")
    run, work = desk.run(CLAUDE, "unfitting").id, desk.lane.home.storage().work
    assert whole_readings(desk, "unfitting", [long, turn(2, run="fit")]) == [True, False]
    work.index_again(run)
    assert desk.feed(CLAUDE, "unfitting", turn(3, run="fit")) > len(long)
    mark = work.indexed(run)
    assert mark is not None
    work.index_done(run, replace(mark, rules="others"))
    assert desk.feed(CLAUDE, "unfitting", turn(4, run="fit")) > len(long)
    bookmark = work.bookmark(run)
    assert bookmark is not None
    work.keep_bookmark(run, replace(bookmark, state=b"of another program"))
    assert desk.feed(CLAUDE, "unfitting", turn(5, run="fit")) > len(long)
    assert desk.feed(CLAUDE, "unfitting", turn(6, run="fit")) < len(long)
    assert desk.feed(CLAUDE, "unfitting", long + turn(2, run="fit"), generation=2) > len(long)
    desks[0].feed(CLAUDE, "unfitting", turn(1, run="fit"))
    desks[0].feed(CLAUDE, "unfitting", long + turn(2, run="fit"), generation=2)
    assert desk.everything(CLAUDE, "unfitting") == desks[0].everything(CLAUDE, "unfitting")


def test_a_run_that_shares_a_prompt_with_another_is_read_whole(desks: tuple[Desk, Desk]) -> None:
    desk, shared = desks[1], turn(700, result="z" * 100_000, run="fork")
    assert whole_readings(desk, "parent", [shared, turn(701, run="fork")]) == [True, False]
    assert desk.feed(CLAUDE, "fork", shared + turn(702, run="fork")) > len(shared)
    assert desk.feed(CLAUDE, "fork", turn(703, run="fork")) > len(shared)
