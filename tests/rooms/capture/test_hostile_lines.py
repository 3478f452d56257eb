"""Broken and hostile lines: rows E1 to E7 of the failure model. Every byte is kept; what can be read is."""

from __future__ import annotations

import json

import pytest

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World
from memlane.app.search import Mode
from memlane.domain import RunFilter, RunSummary

GOOD = ("first good line", "last good line")


def read_back(world: World, content: bytes) -> tuple[list[str], RunSummary]:
    """The turns and the summary of a Run with this content, which is byte for byte in the archive."""
    world.path("a").write_bytes(content)
    with world.lane(WatchedDisk()) as lane:
        report = lane.capture.sweep()
        assert report.set_aside == []
        shown = lane.runs.show(world.run("a"))
        turns = [turn.person for turn in shown.turns]
    assert world.archived("a") == [content]
    assert world.complaints() == []
    return turns, shown.run


def around(*lines: bytes) -> bytes:
    return line(GOOD[0]) + b"".join(one + b"\n" for one in lines) + line(GOOD[1])


@pytest.mark.fault("E2")
def test_e2_nesting_without_end_is_one_broken_line(world: World) -> None:
    deep = b'{"text":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    turns, run = read_back(world, around(deep))
    assert turns == list(GOOD)
    assert [broken.line for broken in run.broken] == [2]


NUMBERS = {
    "NaN": b'{"text": "x", "n": NaN}',
    "infinity": b'{"text": "x", "n": -Infinity}',
    "a number beyond all": b'{"text": "x", "n": 1e999}',
    "5,000 digits": b'{"text": "x", "n": ' + b"7" * 5000 + b"}",
    "200,000 keys": json.dumps({f"k{n}": n for n in range(200_000)}).encode(),
    "the same key twice": b'{"text": "one", "text": "two"}',
    "a bare number": b"42",
    "a list": b"[1, 2]",
    "null": b"null",
    "two records on one line": b'{"text": "one"}{"text": "two"}',
}


@pytest.mark.fault("E3")
@pytest.mark.parametrize("record", NUMBERS.values(), ids=NUMBERS.keys())
def test_e3_absurd_json_never_takes_its_neighbours_along(world: World, record: bytes) -> None:
    turns, run = read_back(world, around(record))
    assert (turns[0], turns[-1]) == GOOD
    assert len(turns) > 2 or [broken.line for broken in run.broken] == [2]


ENCODINGS = {
    "invalid UTF-8": b'{"text": "\xff\xfe bad"}',
    "a byte order mark": b'\xef\xbb\xbf{"text": "marked"}',
    "UTF-16": '{"text": "wide"}'.encode("utf-16"),
    "overlong": b'{"text": "\xc0\xaf"}',
    "half a surrogate": b'{"text": "\\ud800 alone"}',
    "binary": bytes(range(256)).replace(b"\n", b""),
}


@pytest.mark.fault("E4")
@pytest.mark.parametrize("record", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_e4_bytes_that_are_no_text_are_kept_and_searched_around(world: World, record: bytes) -> None:
    turns, _run = read_back(world, around(record))
    assert (turns[0], turns[-1]) == GOOD
    with world.lane() as lane:
        assert len(lane.search.find("good", RunFilter(), 10, Mode.WORDS).search.best) == 2


@pytest.mark.fault("E5")
def test_e5_words_behind_a_nul_are_found_and_none_is_stored(world: World) -> None:
    turns, _run = read_back(world, around(b'{"text": "before\\u0000zebra behind"}'))
    assert "\0" not in turns[1]
    with world.lane() as lane:
        (found,) = lane.search.find("zebra", RunFilter(), 10, Mode.WORDS).search.best
        assert "\0" not in found.chunk.text
        assert "behind" in found.chunk.text


@pytest.mark.fault("E6")
def test_e6_lines_end_at_a_newline_and_nowhere_else(world: World) -> None:
    inside = "one\u2028two\x0b\x0cthree\x85four"
    record = json.dumps({"text": inside}, ensure_ascii=False).encode()
    content = line(GOOD[0])[:-1] + b"\r\n" + record + b"\r\n" + line(GOOD[1])
    turns, run = read_back(world, content)
    assert turns == [GOOD[0], inside, GOOD[1]]
    assert run.broken == ()


@pytest.mark.fault("E6")
def test_e6_a_file_of_carriage_returns_alone_is_one_line(world: World) -> None:
    turns, _run = read_back(world, b'{"text": "one"}\r{"text": "two"}\r')
    assert turns in (["one", "two"], [])


UNKNOWN = {
    "an unknown type": {"type": "from-the-future", "v": 99},
    "no field we know": {"x": 1},
    "a text that is a number": {"text": 7},
    "a text that is a list": {"text": ["a", {"b": None}]},
    "a time that is none": {"text": "x", "at": "soon"},
    "a time beyond the calendar": {"text": "x", "at": 10**18},
    "the first of all years": {"text": "x", "at": "0001-01-01T00:00:00+14:00"},
    "the last of all years": {"text": "x", "at": "9999-12-31T23:59:59-14:00"},
    "a cwd that is no text": {"text": "x", "cwd": {"a": 1}},
}


@pytest.mark.fault("E7")
@pytest.mark.parametrize("record", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_e7_records_nobody_understands_are_never_fatal(world: World, record: dict[str, object]) -> None:
    turns, _run = read_back(world, around(json.dumps(record).encode()))
    assert (turns[0], turns[-1]) == GOOD
    with world.lane() as lane:
        assert {hit.chunk.text for hit in lane.search.find("good x", RunFilter(), 10, Mode.WORDS).search.best} >= set(
            GOOD
        )
        lane.archive.rebuild()


@pytest.mark.fault("E7")
@pytest.mark.parametrize("record", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_e7_also_when_it_is_the_first_thing_in_the_file(world: World, record: dict[str, object]) -> None:
    turns, _run = read_back(world, json.dumps(record).encode() + b"\n" + line(GOOD[1]))
    assert turns[-1] == GOOD[1]
    assert world.archived("a") != []
