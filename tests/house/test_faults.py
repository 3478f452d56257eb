"""The table of faults is whole: every row is covered, argued or planned, and every marker names a row."""

from __future__ import annotations

from pathlib import Path

from tools import faults


def test_every_fault_of_what_exists_has_a_test_or_an_argument() -> None:
    assert [f"{row.id}: {row.fault}" for row in faults.uncovered()] == []


def test_every_marker_names_a_row() -> None:
    known = {row.id for row in faults.rows()}
    wrong = {f"{test.path}::{test.name}": set(test.rows) - known for test in faults.covering_tests()}
    assert {test: rows for test, rows in wrong.items() if rows} == {}


def test_a_row_is_either_covered_planned_or_argued() -> None:
    covered = faults.covered()
    excused = [row.id for row in faults.rows() if row.id in covered and (row.planned or row.argued)]
    assert excused == [], "these have a test by now: their excuse can go"


def test_the_look_finds_markers(tmp_path: Path) -> None:
    marked = tmp_path / "test_x.py"
    marked.write_text('@pytest.mark.fault("A1", "C2")\ndef test_one() -> None: ...\n\ndef test_two() -> None: ...\n')
    assert [(test.name, test.rows) for test in faults.marked(marked)] == [("test_one", ["A1", "C2"])]
