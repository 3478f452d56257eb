"""What every Source must do, whatever its agent writes: a new one is written, given fixtures, and tried here."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.agents import SOURCES, Source
from memlane.agents.conformance import (
    Fixture,
    fixtures,
    goes_on_where_it_stopped,
    never_broken,
    numbered_in_order,
    stays_as_it_was,
    the_same_in_any_pieces,
)

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "transcripts"
ALL = [fixture for source in SOURCES for fixture in fixtures(source, FIXTURES / source.name)]
each = pytest.mark.parametrize("fixture", ALL, ids=str)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_it_has_a_fixture_and_a_page(source: Source) -> None:
    assert any(f.source is source and f.read()[0] for f in ALL), f"no turn in {FIXTURES / source.name}"
    assert (ROOT / "docs" / "sources" / f"{source.name}.md").is_file()


@each
def test_turns_and_steps_are_numbered_in_order(fixture: Fixture) -> None:
    numbered_in_order(fixture)


@each
def test_it_does_not_matter_in_which_pieces_the_bytes_come(fixture: Fixture) -> None:
    the_same_in_any_pieces(fixture)


@each
def test_a_turn_that_is_done_stays_as_it_was_when_the_file_grows(fixture: Fixture) -> None:
    stays_as_it_was(fixture)


@each
def test_put_down_behind_any_line_and_taken_up_again_it_tells_the_same(fixture: Fixture) -> None:
    goes_on_where_it_stopped(fixture)


@each
def test_what_is_broken_never_breaks_it(fixture: Fixture) -> None:
    never_broken(fixture)
