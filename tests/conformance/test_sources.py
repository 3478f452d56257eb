"""What every Source must do, whatever its agent writes: a new one is written, given fixtures, and tried here."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memlane.sources import SOURCES, Lines, Source, Transcript
from tests.conformance.transcripts import FIXTURES, Fixture, fixtures, mutated

ALL = list(fixtures())
DOCS = Path(__file__).parents[2] / "docs" / "sources"
each = pytest.mark.parametrize("fixture", ALL, ids=str)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_it_has_a_fixture_and_a_page(source: Source) -> None:
    assert any(f.source is source and f.read()[0] for f in ALL), f"no turn in {FIXTURES / source.name}"
    assert (DOCS / f"{source.name}.md").is_file()


@each
def test_turns_and_steps_are_numbered_in_order(fixture: Fixture) -> None:
    turns, _facts = fixture.read()
    numbers = [turn.n for turn in turns]
    assert numbers in (list(range(len(turns))), list(range(1, len(turns) + 1)))
    for turn in turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
        assert all(step.line >= 1 for step in turn.steps)


@each
def test_it_does_not_matter_in_which_pieces_the_bytes_come(fixture: Fixture) -> None:
    whole = fixture.read()
    for size in (1, 7, 4096):
        pieces = (fixture.data[at : at + size] for at in range(0, len(fixture.data), size))
        reading = fixture.source.read(Lines(iter(pieces)), Transcript("native"))
        assert (list(reading.turns()), reading.facts()) == whole


@each
def test_reading_twice_reads_the_same(fixture: Fixture) -> None:
    assert fixture.read() == fixture.read()


@each
def test_a_turn_that_is_done_stays_as_it_was_when_the_file_grows(fixture: Fixture) -> None:
    reading = fixture.source.read(Lines(iter([fixture.data])), Transcript("native"))
    if not reading.append_only:
        return  # any turn may change: the index writes all of them again
    final = list(reading.turns())
    lines = fixture.data.splitlines(keepends=True)
    for end in range(1, len(lines)):
        early, _facts = fixture.read(b"".join(lines[:end]))
        assert early[:-1] == final[: max(0, len(early) - 1)]


@each
def test_what_is_broken_never_breaks_it(fixture: Fixture) -> None:
    chance = random.Random(str(fixture))
    for _ in range(60):
        turns, facts = fixture.read(mutated(fixture.data, chance))
        for turn in turns:
            assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
        assert facts is not None
