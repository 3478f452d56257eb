"""Dates as they were when it was said; what is unsure is marked, what is a rule is left alone."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.claims.dates import absolute

WEDNESDAY = datetime(2025, 12, 17, 10, 0)  # noqa: DTZ001 - a day is enough

MEANT = (
    ("yesterday", "on 2025-12-16"),
    ("Yesterday it broke.", "On 2025-12-16 it broke."),
    ("it works since yesterday", "it works since 2025-12-16"),
    ("the day before yesterday", "on 2025-12-15"),
    ("tomorrow morning", "on 2025-12-18 in the morning"),
    ("this morning", "on 2025-12-17 in the morning"),
    ("last week", "in the week of 2025-12-08"),
    ("from next week", "from the week of 2025-12-22"),
    ("last month", "in 2025-11"),
    ("next year", "in 2026"),
    ("in two days", "on 2025-12-19"),
    ("3 days ago", "on 2025-12-14"),
    ("two weeks ago", "in the week of 2025-12-01"),
    ("a month ago", "in 2025-11"),
    ("in the last two weeks", "in the two weeks before 2025-12-17"),
    ("this Friday", "on Friday 2025-12-19"),
    ("next Monday", "on Monday 2025-12-22"),
    ("last Monday", "on Monday 2025-12-15 (or 2025-12-08: it was not said which)"),
    ("by next Friday", "by Friday 2025-12-26 (or 2025-12-19: it was not said which)"),
    ("it was decided in March", "it was decided in March 2025"),
    ("we will move in March", "we will move in March 2026"),
    ("it broke on March 3rd", "it broke on 2025-03-03"),
    ("the call will be on 3 January", "the call will be on 2026-01-03"),
    ("closed until September", "closed until September 2026"),
    ("gestern ging es nicht", "am 2025-12-16 ging es nicht"),
    ("seit letzter Woche", "seit der Woche vom 2025-12-08"),
)
LEFT_ALONE = (
    "never deploy on a Friday",
    "Fridays are for mails; Friday for this one too",
    "tokens expire in 30 days",
    "the cache is cleared every two weeks",
    "taxes are due in March",
    "May I see it, and march on",
    "on 2025-03-04 and in March 2024 and on March 3, 2024",
    "`last week` and \"yesterday\" and 'next Friday' are words",
    "```\nyesterday\n```",
    "> yesterday",
    "it took two days",
    "the last weekend, the next step, this weekly report",
    "see https://a.example/last week",
    "the other day, recently, soon",
    "rename the Today page and the next week view",
    "the today button, a tomorrow tab, our last month report",
    "ask Tomorrow Studio about it",
    "flowers on 8 March, never roses",
    "goals reset on January 1, deploys are frozen from December 15 to January 6",
    "the list is updated in February and August",
    "scaling is done by Henk in May and undone in October",
    "late trips are billed in the next month, or at the end of the following month",
    "two were lost in a year, five of six in two years",
    "in April 11 patches came for one typo",
    "snapshots hold today's date",
    "yesterday's build",
    "last week's list",
)


@pytest.mark.parametrize(("said", "meant"), MEANT)
def test_a_relative_date_becomes_the_date_it_meant(said: str, meant: str) -> None:
    assert absolute(said, WEDNESDAY) == meant


@pytest.mark.parametrize("text", [text for text in LEFT_ALONE if "a.example" not in text])
def test_rules_quotes_code_and_dates_stay_as_they_are(text: str) -> None:
    assert absolute(text, WEDNESDAY) == text


def test_e66_last_week_and_an_unsure_friday() -> None:
    said = "we decided last week to move it to the new server next Friday"
    assert absolute(said, WEDNESDAY) == (
        "we decided in the week of 2025-12-08 to move it to the new server on Friday 2025-12-26 "
        "(or 2025-12-19: it was not said which)"
    )


def test_the_first_days_of_the_calendar_are_no_fault() -> None:
    assert absolute("999 years ago", datetime(900, 1, 1)) == "999 years ago"  # noqa: DTZ001


PIECES = st.sampled_from(
    [*(said for said, _ in MEANT), *LEFT_ALONE, "and", "we said:", "“", "`", '"', "'", "\n", "'s", "2025"]
)


@given(st.lists(PIECES, max_size=6).map(" ".join), st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)))  # noqa: DTZ001
def test_twice_is_once(text: str, at: datetime) -> None:
    once = absolute(text, at)
    assert absolute(once, at) == once


@given(st.text(max_size=60), st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)))  # noqa: DTZ001
def test_text_without_dates_is_untouched(text: str, at: datetime) -> None:
    if not any(word in text.lower() for word in ("day", "week", "month", "year", "night", "gestern", "heute")):
        assert absolute(text, at) == text
