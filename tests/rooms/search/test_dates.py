"""Time words of a question: which days they may mean, and that nonsense means none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.search.dates import window
from tests.examples import examples

SUNDAY = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "inside", "outside"),
    [
        ("what broke two weeks ago?", "2026-11-01", "2026-11-10"),
        ("what broke 3 days ago", "2026-11-12", "2026-11-15"),
        ("the deploy a month ago", "2026-10-16", "2026-11-10"),
        ("what did we do last Friday", "2026-11-13", "2026-11-06"),
        ("last sunday", "2026-11-08", "2026-11-15"),
        ("in the past month", "2026-10-10", "2026-09-01"),
        ("over the last few weeks", "2026-10-10", "2026-08-01"),
        ("this week", "2026-11-10", "2026-11-01"),
        ("yesterday's crash", "2026-11-14", "2026-11-15"),
        ("the one from today", "2026-11-15", "2026-11-14"),
        ("which bug was it in March?", "2026-03-20", "2026-06-01"),
        ("in December", "2025-12-24", "2026-11-15"),
        ("in May 2024", "2024-05-05", "2026-05-05"),
        ("the log of 2026-02-03", "2026-02-03", "2026-02-04"),
    ],
)
def test_time_words_name_days(words: str, inside: str, outside: str) -> None:
    found = window(words, SUNDAY)
    assert found is not None
    assert found.holds(datetime.fromisoformat(f"{inside}T10:00:00+00:00"))
    assert not found.holds(datetime.fromisoformat(f"{outside}T10:00:00+00:00"))


@pytest.mark.parametrize(
    "words",
    ["", "how many weeks ago was it", "may I march on?", "2026-02-31", "the last one", "in May 2999", "9999-99-99"],
)
def test_words_that_name_no_day_are_only_words(words: str) -> None:
    assert window(words, SUNDAY) is None


def test_a_day_is_a_day_where_the_person_is() -> None:
    tokyo = timezone(timedelta(hours=9))
    found = window("yesterday", datetime(2026, 11, 15, 8, tzinfo=tokyo))
    assert found is not None
    assert found.holds(datetime(2026, 11, 13, 16, tzinfo=UTC))  # the 14th, 01:00, in Tokyo
    assert not found.holds(datetime(2026, 11, 14, 16, tzinfo=UTC))
    assert not found.holds(None)


@settings(max_examples=examples(50), deadline=None)
@given(
    st.text()
    | st.from_regex(r"(in|last|past) (\d{1,3} )?(may|day|years?|years ago|monday) \d{4}(-\d\d-\d\d)?", fullmatch=True)
)
def test_any_words_are_an_answer(words: str) -> None:
    found = window(words, SUNDAY)
    assert found is None or found.first <= found.last
