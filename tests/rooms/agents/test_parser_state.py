"""A reading that was put down: taken up by another process, by no other program, and it makes nothing but readings."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from campaigns.plain import Plain, line
from memlane.agents import (
    SOURCES,
    LinePosition,
    LineStream,
    Parser,
    ResumableParser,
    Transcript,
    parser_state,
    put_down,
    taken_up,
)
from memlane.agents.conformance import Fixture, fixtures

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
RESUMABLE = [
    [each for each in fixtures(source, FIXTURES / source.name) if isinstance(each.reading(), ResumableParser)]
    for source in SOURCES
]
LARGEST = [max(found, key=lambda fixture: len(fixture.data)) for found in RESUMABLE if found]
TAKE_UP = """
import sys
from pathlib import Path
from memlane.agents import SOURCES, Lines, Place, taken_up
name, offset, line, data, state = sys.argv[1:]
source = next(source for source in SOURCES if source.name == name)
rest = Path(data).read_bytes()[int(offset):]
reading = taken_up(Path(state).read_bytes(), Lines(iter([rest]), Place(int(offset), int(line))), source)
print([list(reading.turns()), reading.facts()])
"""


def stopped(fixture: Fixture, end: int) -> tuple[LinePosition, parser_state.ParserState, int]:
    found: list[tuple[LinePosition, parser_state.ParserState, int]] = []
    told = 0
    lines = LineStream(iter([fixture.data[:end]]))
    reading = fixture.source.read(lines, Transcript("native"))
    lines.pause = lambda place: found.append((place, put_down(reading, fixture.source), told))
    for _turn in reading.turns():
        told += not found
    return found[0]


@pytest.mark.parametrize("fixture", LARGEST, ids=str)
def test_another_process_goes_on_where_this_one_stopped(fixture: Fixture, tmp_path: Path) -> None:
    place, paused, told = stopped(fixture, fixture.data.index(b"\n", len(fixture.data) // 2) + 1)
    (tmp_path / "data").write_bytes(fixture.data)
    (tmp_path / "state").write_bytes(paused.state)
    words = [sys.executable, "-c", TAKE_UP, fixture.source.name, str(place.offset), str(place.line)]
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(
        [*words, tmp_path / "data", tmp_path / "state"], capture_output=True, text=True, env=environment
    )
    turns, facts = fixture.read()
    assert (printed.stdout.strip(), printed.stderr) == (str([turns[told:], facts]), "")


@pytest.fixture
def state() -> bytes:
    plain = Plain()
    return put_down(plain.read(LineStream(iter([line("hello")])), Transcript("a")), plain).state


def test_a_state_that_is_damaged_is_nobodys(state: bytes) -> None:
    for place in range(0, len(state), 7):
        damaged = state[:place] + bytes([state[place] ^ 1]) + state[place + 1 :]
        assert taken_up(damaged, LineStream(iter(())), Plain()) is None
    assert taken_up(b"", LineStream(iter(())), Plain()) is None


def test_a_state_of_another_version_of_the_program_is_nobodys(state: bytes, tmp_path: Path) -> None:
    assert taken_up(state, LineStream(iter(())), Plain()) is not None
    code = tmp_path / "reading.py"
    code.write_text("append_only = True")
    before = list(parser_state._code(str(tmp_path)))
    code.write_text("append_only = False")
    assert list(parser_state._code(str(tmp_path))) != before


@pytest.mark.parametrize(
    "harm", [os.system, eval, getattr, Path.unlink, subprocess.Popen, taken_up], ids=lambda harm: harm.__name__
)
def test_a_state_makes_no_object_but_those_of_readings(harm: Callable[..., object]) -> None:
    class Harm:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
            return harm, ("true",)

    packed = zlib.compress(pickle.dumps(Harm()))
    with pytest.raises(pickle.UnpicklingError, match="does not hold"):
        taken_up(parser_state._check(packed, Plain()) + packed, LineStream(iter(())), Plain())


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
    lines.pause = lambda _place: seen.append(put_down(reading, claude).words)
    list(reading.turns())
    assert all(words in str(seen[0]) for words in ("find me", "'password': ['also me']", "and me"))
