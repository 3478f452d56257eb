"""What every Source must do, as checks anybody can run on theirs: `check(Heron(), Path("tests/fixtures"))`.

Our own Sources are held to the same rules by the same code. Each rule raises AssertionError with what it saw.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane.agents.agent import Parser, ResumableParser, Source, Transcript
from memlane.agents.lines import LinePosition, LineStream
from memlane.agents.parser_state import ParserState, put_down, taken_up
from memlane.domain import Facts, Turn

MUTATIONS = 60  # of each file; `campaigns.fuzz` does as many as it is told
_HATED = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'"x"',
    b"1e999",
    b"-1",
    b"true",
    b"\n",
    b"{",
    b"}",
    b'"',
    b"\\",
    b"\xff",
    b"\x00",
)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One tiny transcript, as its reader gets it."""

    source: Source
    path: Path
    data: bytes

    def __str__(self) -> str:
        return f"{self.source.name}/{self.path.name}"

    def reading(self, data: bytes | None = None, piece: int = 1 << 20) -> Parser:
        whole = self.data if data is None else data
        pieces = (whole[at : at + piece] for at in range(0, len(whole), piece))
        return self.source.read(LineStream(pieces), Transcript("native"))

    def read(self, data: bytes | None = None, piece: int = 1 << 20) -> tuple[list[Turn], Facts]:
        reading = self.reading(data, piece)
        return list(reading.turns()), reading.facts()


def fixtures(source: Source, folder: Path) -> Iterator[Fixture]:
    """Every file below; `.meta.json`, `.zst` and the like beside a transcript are passed over."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".jsonl", ".ndjson", ".json", ".txt") and ".meta." not in path.name:
            yield Fixture(source, path, path.read_bytes())


def check(source: Source, folder: Path) -> None:
    """All rules on all fixtures; at least one of them must give a Turn."""
    known = list(fixtures(source, folder))
    assert any(fixture.read()[0] for fixture in known), f"no turn in {folder}"
    for fixture in known:
        numbered_in_order(fixture)
        the_same_in_any_pieces(fixture)
        stays_as_it_was(fixture)
        goes_on_where_it_stopped(fixture)
        never_broken(fixture)


def numbered_in_order(fixture: Fixture) -> None:
    turns, _facts = fixture.read()
    _numbered(turns)
    numbers = [turn.n for turn in turns]
    assert numbers in (list(range(len(turns))), list(range(1, len(turns) + 1))), f"{fixture}: turns {numbers[:9]}"
    assert all(step.line >= 1 for turn in turns for step in turn.steps), f"{fixture}: a step on no line"


def the_same_in_any_pieces(fixture: Fixture) -> None:
    whole = fixture.read()
    for size in (1, 7, 4096):
        assert fixture.read(piece=size) == whole, f"{fixture}: other turns when read {size} bytes at a time"


def stays_as_it_was(fixture: Fixture) -> None:
    """An `append_only` reader: a Turn that is done never changes when the file grows."""
    if not fixture.reading().append_only:
        return
    final, _facts = fixture.read()
    lines = fixture.data.splitlines(keepends=True)
    for end in range(1, len(lines)):
        early, _early_facts = fixture.read(b"".join(lines[:end]))
        assert early[:-1] == final[: max(0, len(early) - 1)], f"{fixture}: line {end + 1} changed a finished turn"


def goes_on_where_it_stopped(fixture: Fixture) -> None:
    """A `Resumable` reader: put down behind any line and taken up again, it tells what one pass tells."""
    if not isinstance(fixture.reading(), ResumableParser):
        return
    whole = fixture.read()
    for end in range(len(fixture.data) + 1):
        if end == len(fixture.data) or fixture.data[end - 1 : end] == b"\n":
            assert _in_two(fixture, end) in (whole, None), f"{fixture}: other turns when put down behind byte {end}"


def _in_two(fixture: Fixture, end: int) -> tuple[list[Turn], Facts] | None:
    """None where it cannot be put down."""
    turns, states = list[Turn](), list[tuple[LinePosition, ParserState, int]]()
    lines = LineStream(iter([fixture.data[:end]]))
    reading = fixture.source.read(lines, Transcript("native"))

    def pause(place: LinePosition) -> None:
        if isinstance(reading, ResumableParser) and reading.resumable:
            paused = put_down(fixture.source, reading.state)
            assert paused is not None, f"{fixture}: a state that is not plain data behind byte {end}"
            states.append((place, paused, len(turns)))

    lines.pause = pause
    turns.extend(reading.turns())
    if not states:
        return None
    place, paused, told = states[0]
    again = resumed(fixture.source, LineStream(iter([fixture.data[place.offset :]]), place), paused.state)
    return [*turns[:told], *again.turns()], again.facts()


def resumed(source: Source, lines: LineStream, state: bytes) -> Parser:
    reading = cast(ResumableParser, source.read(lines, Transcript("native")))
    found = taken_up(state, source, type(reading.state))
    assert found is not None, f"{source.name}: its own state is not known again"
    (reading.state,) = found
    return reading


def never_broken(fixture: Fixture, times: int = MUTATIONS) -> None:
    """Whatever is done to the bytes, nothing is raised and the numbers stay in order."""
    chance = random.Random(str(fixture))
    for _ in range(times):
        turns, _facts = fixture.read(mutated(fixture.data, chance))
        _numbered(turns)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Bytes cut, doubled, swapped and replaced by what a parser hates."""
    for _ in range(chance.randint(1, 4)):
        begin, length = chance.randrange(len(data) + 1), chance.choice((0, 1, 2, 7, 40, 400))
        put = data[begin : begin + length] * 2 if chance.random() < 0.2 else chance.choice(_HATED)
        data = data[:begin] + put + data[begin + length :]
    return data


def _numbered(turns: list[Turn]) -> None:
    for turn in turns:
        steps = [step.n for step in turn.steps]
        assert steps == list(range(1, len(steps) + 1)), f"turn {turn.n}: steps {steps[:9]}"
