"""The table of worked cases is true: every test it names is there, and every case is listed once, in order."""

from __future__ import annotations

from tools import examples


def test_every_test_that_a_case_names_is_there() -> None:
    assert examples.wrong() == []


def test_every_case_is_listed_once_and_says_what_it_is_about() -> None:
    rows = examples.rows()
    assert [row.id for row in rows] == [f"E{n}" for n in range(1, len(rows) + 1)]
    assert all(row.case for row in rows)


def test_a_case_without_a_test_is_red() -> None:
    red = [row.id for row in examples.rows() if not row.tests]
    assert examples.example_table().count("🔴") == len(red)
    assert all(id in examples.summary() for id in red)
