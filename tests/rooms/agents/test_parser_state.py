"""A reading that was put down: plain data, taken up by another process, and by no other version of the program."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zlib
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

import msgspec
import pytest

from campaigns.plain import Plain, PlainState
from memlane.agents import (
    SOURCES,
    LinePosition,
    LineStream,
    Parser,
    ResumableParser,
    Source,
    Transcript,
    parser_state,
    put_down,
    taken_up,
)
from memlane.agents.conformance import Fixture, fixtures
from memlane.gate.strings import leaves_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
RESUMABLE = [
    [each for each in fixtures(source, FIXTURES / source.name) if isinstance(each.reading(), ResumableParser)]
    for source in SOURCES
]
LARGEST = [max(found, key=lambda fixture: len(fixture.data)) for found in RESUMABLE if found]
TAKE_UP = """
import sys
from pathlib import Path
from memlane.agents import SOURCES, LinePosition, LineStream
from memlane.agents.conformance import resumed
name, offset, line, data, state = sys.argv[1:]
source = next(source for source in SOURCES if source.name == name)
rest = Path(data).read_bytes()[int(offset):]
reading = resumed(source, LineStream(iter([rest]), LinePosition(int(offset), int(line))), Path(state).read_bytes())
print([list(reading.turns()), reading.facts()])
"""


def stopped(fixture: Fixture, end: int) -> tuple[LinePosition, parser_state.ParserState, int]:
    found: list[tuple[LinePosition, parser_state.ParserState, int]] = []
    told = 0
    lines = LineStream(iter([fixture.data[:end]]))
    reading = fixture.source.read(lines, Transcript("native"))
    lines.pause = lambda place: found.append((place, paused(reading, fixture.source), told))
    for _turn in reading.turns():
        told += not found
    return found[0]


def paused(reading: Parser, source: Source) -> parser_state.ParserState:
    made = put_down(source, cast(ResumableParser, reading).state)
    assert made is not None
    return made


def is_plain(value: object) -> bool:
    """What any language's msgpack gives back: no object of ours, no time, no enum."""
    if isinstance(value, dict):
        return all(is_plain(each) for pair in cast(dict[object, object], value).items() for each in pair)
    if isinstance(value, list):
        return all(map(is_plain, cast(list[object], value)))
    return value is None or type(value) in (str, int, float, bool)


@pytest.mark.parametrize("fixture", LARGEST, ids=str)
def test_another_process_goes_on_where_this_one_stopped(fixture: Fixture, tmp_path: Path) -> None:
    place, kept, told = stopped(fixture, fixture.data.index(b"\n", len(fixture.data) // 2) + 1)
    (tmp_path / "data").write_bytes(fixture.data)
    (tmp_path / "state").write_bytes(kept.state)
    words = [sys.executable, "-c", TAKE_UP, fixture.source.name, str(place.offset), str(place.line)]
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(
        [*words, tmp_path / "data", tmp_path / "state"], capture_output=True, text=True, env=environment
    )
    turns, facts = fixture.read()
    assert (printed.stdout.strip(), printed.stderr) == (str([turns[told:], facts]), "")


@pytest.mark.parametrize("fixture", list(chain(*RESUMABLE)), ids=str)
def test_a_state_is_plain_data_and_nothing_of_it_is_lost(fixture: Fixture) -> None:
    """Behind every line: what is written is plain, what is read is equal, and the Gate can look into it."""
    for end in range(1, len(fixture.data) + 1):
        if fixture.data[end - 1 : end] != b"\n":
            continue
        lines = LineStream(iter([fixture.data[:end]]))
        reading = cast(ResumableParser, fixture.source.read(lines, Transcript("native")))
        lines.pause = lambda _place, reading=reading: plain_and_whole(reading, fixture.source)
        list(reading.turns())


def plain_and_whole(reading: ResumableParser, source: Source) -> None:
    if reading.resumable:
        made = paused(reading, source)
        *_versions, (packed,) = msgspec.msgpack.decode(made.state)
        assert is_plain(msgspec.msgpack.decode(zlib.decompress(packed)))
        assert taken_up(made.state, source, type(reading.state)) == (reading.state,)
        assert leaves_of(made.words)


@dataclass
class Odd:
    value: object


@pytest.mark.parametrize(
    "value", [object(), Path("a"), repr, 1 << 70, "\ud800"], ids=lambda value: type(value).__name__
)
def test_what_is_not_plain_cannot_be_put_down(value: object) -> None:
    assert put_down(Plain(), Odd(value)) is None
    assert put_down(Plain(), Odd("plain")) is not None


PLAIN = PlainState(cwd="/here", number=3)


@pytest.fixture
def state() -> bytes:
    made = put_down(Plain(), PLAIN)
    assert made is not None
    return made.state


@pytest.mark.fault("A26")
def test_a_state_that_is_damaged_is_nobodys(state: bytes) -> None:
    for place in range(0, len(state), 7):
        damaged = state[:place] + bytes([state[place] ^ 1]) + state[place + 1 :]
        assert taken_up(damaged, Plain(), PlainState) is None
    assert taken_up(b"", Plain(), PlainState) is None


def test_a_state_of_another_format_or_of_another_kind_is_nobodys(state: bytes) -> None:
    assert taken_up(state, Plain(), PlainState) == (PLAIN,)
    number, *rest = msgspec.msgpack.decode(state)
    assert taken_up(msgspec.msgpack.encode([number + 1, *rest]), Plain(), PlainState) is None
    assert taken_up(state, Plain(), Odd) is None
    assert taken_up(pickle.dumps(PLAIN), Plain(), PlainState) is None


@pytest.mark.fault("A26")
def test_a_state_of_another_version_of_the_program_is_nobodys(state: bytes, tmp_path: Path) -> None:
    number, program, *rest = msgspec.msgpack.decode(state)
    other = bytes(each ^ 1 for each in program)
    assert taken_up(msgspec.msgpack.encode([number, other, *rest]), Plain(), PlainState) is None
    code = tmp_path / "reading.py"
    code.write_text("append_only = True")
    before = list(parser_state._code(str(tmp_path)))
    code.write_text("append_only = False")
    assert list(parser_state._code(str(tmp_path))) != before


def test_all_words_in_mind_are_shown_to_whoever_keeps_them() -> None:
    claude = SOURCES[0]
    record = (
        b'{"type":"user","uuid":"u","message":{"role":"user","content":"find me"}}\n'
        b'{"type":"assistant","uuid":"v","message":{"role":"assistant","content":[{"type":"tool_use","id":"t",'
        b'"name":"Bash","input":{"password":["also me"]}}]}}\n'
        b'{"type":"queue-operation","operation":"enqueue","content":"and me"}\n'
    )
    lines = LineStream(iter([record]))
    reading = cast(Parser, claude.read(lines, Transcript("a")))
    seen: list[object] = []
    lines.pause = lambda _place: seen.append(paused(reading, claude).words)
    list(reading.turns())
    assert all(words in str(seen[0]) for words in ("find me", "'password': ['also me']", "and me"))
