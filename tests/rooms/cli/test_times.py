"""Times as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memlane.errors import UsageError
from memlane.surfaces.cli.times import length, moment

NOW = datetime(2026, 10, 14, 15, 30, tzinfo=timezone(timedelta(hours=2)))  # a Wednesday


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("3d", "2026-10-11 15:30"),
        ("2h", "2026-10-14 13:30"),
        ("90m", "2026-10-14 14:00"),
        ("1w", "2026-10-07 15:30"),
        ("3 days ago", "2026-10-11 15:30"),
        ("now", "2026-10-14 15:30"),
        ("today", "2026-10-14 00:00"),
        ("yesterday", "2026-10-13 00:00"),
        ("Yesterday 3pm", "2026-10-13 15:00"),
        ("yesterday at 9:05", "2026-10-13 09:05"),
        ("yesterday noon", "2026-10-13 12:00"),
        ("12am", "2026-10-14 00:00"),
        ("monday", "2026-10-12 00:00"),
        ("wednesday", "2026-10-07 00:00"),
        ("last friday 8:30pm", "2026-10-09 20:30"),
        ("this week", "2026-10-12 00:00"),
        ("last week", "2026-10-05 00:00"),
        ("last month", "2026-09-01 00:00"),
        ("last year", "2025-01-01 00:00"),
        ("2026-10-01", "2026-10-01 00:00"),
        ("2026-10-01 14:30", "2026-10-01 14:30"),
        ("2026-09", "2026-09-01 00:00"),
        ("2025", "2025-01-01 00:00"),
        ("tuesday", "2026-10-13 00:00"),
        ("on tue 4pm", "2026-10-13 16:00"),
        ("last 3 days", "2026-10-11 15:30"),
        ("in march", "2026-03-01 00:00"),
        ("last march", "2026-03-01 00:00"),
        ("in december", "2025-12-01 00:00"),
        ("since march 2024", "2024-03-01 00:00"),
        ("12 oct", "2026-10-12 00:00"),
        ("oct 12th 9:30", "2026-10-12 09:30"),
        ("24 December", "2025-12-24 00:00"),
        ("14:15", "2026-10-14 14:15"),
    ],
)
def test_what_people_type_is_a_moment_in_their_own_zone(said: str, meant: str) -> None:
    assert moment(said, NOW) == datetime.fromisoformat(meant).replace(tzinfo=NOW.tzinfo)


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("2026-10-01", "2026-10-02 00:00"),
        ("yesterday", "2026-10-14 00:00"),
        ("last week", "2026-10-12 00:00"),
        ("2025-12", "2026-01-01 00:00"),
        ("in march", "2026-04-01 00:00"),
        ("in december", "2026-01-01 00:00"),
        ("12 oct", "2026-10-13 00:00"),
        ("2024", "2025-01-01 00:00"),
        ("3d", "2026-10-11 15:30"),
        ("yesterday 3pm", "2026-10-13 15:00"),
    ],
)
def test_until_a_day_means_until_it_is_over(said: str, last: str) -> None:
    assert moment(said, NOW, end=True) == datetime.fromisoformat(last).replace(tzinfo=NOW.tzinfo)


def test_an_exact_time_with_an_offset_keeps_it() -> None:
    assert moment("2026-10-01T12:00:00Z", NOW) == datetime(2026, 10, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("said", ["", "soon", "13pm", "2026-13-01", "25:00", "yesterday soon", "99999y", "last", "3"])
def test_what_is_no_time_says_what_would_be(said: str) -> None:
    with pytest.raises(UsageError) as error:
        moment(said, NOW)
    assert "yesterday 3pm" in error.value.hint


def test_a_length_is_said_short_or_long() -> None:
    assert length("30m") == length("30 minutes") == timedelta(minutes=30)
    assert length("2h") == timedelta(hours=2)
    with pytest.raises(UsageError):
        length("a while")
