"""When a plan's limit is reached: what vendors say then, and how long it lasts."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memlane.llm.limits import HOUR, WEEK, is_busy, is_limit, rest

NOW = datetime(2026, 11, 17, 10, 40, tzinfo=UTC)
DAY = 24 * HOUR


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Claude AI usage limit reached|1794917600", 1794917600 - NOW.timestamp()),
        ("You've hit your session limit · resets 3pm (Europe/Berlin)", 3 * HOUR + 20 * 60),
        ("5-hour limit reached ∙ resets 4:30pm", 5 * HOUR + 50 * 60),
        ("You've hit your weekly limit · resets Nov 20, 9am (UTC)", 3 * DAY - HOUR - 40 * 60),
        ("You’ve hit your usage limit. Upgrade to Pro or try again at 12:40 PM.", 2 * HOUR),
        ("You've hit your usage limit. Try again at Nov 19th, 2026 10:40 AM.", 2 * DAY),
        ("You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.", 3 * DAY + 4 * HOUR + 5 * 60),
        ("You have exhausted your daily quota on this model. Please retry in 7200s.", 2 * HOUR),
        ("Quota exceeded for quota metric. Your quota will reset after 13h2m5s.", 13 * HOUR + 2 * 60 + 5),
        ("You have exceeded your premium request allowance", HOUR),
        ("429 insufficient_quota: check your plan and billing details", HOUR),
        ("Credit balance is too low", HOUR),
        ("usage limit: try again in 400 days", WEEK),
        ("usage limit reached|1594917600", HOUR),  # long ago: it names no time
    ],
)
def test_a_limit_lasts_as_long_as_it_says(said: str, seconds: float) -> None:
    assert is_limit(said)
    assert rest(said, NOW) == seconds


@pytest.mark.parametrize("said", ["API Error: Request rejected (429)", "rate_limited", "Too Many Requests"])
def test_one_that_is_only_busy_is_no_limit_of_a_plan(said: str) -> None:
    assert (is_busy(said), is_limit(said)) == (True, False)


@pytest.mark.parametrize("said", ["not logged in", "unknown option '--safe-mode'", "the connection was refused", ""])
def test_other_failures_are_neither(said: str) -> None:
    assert not is_busy(said)


def test_a_time_of_another_zone_is_understood_where_it_is_named() -> None:
    there = NOW.astimezone(ZoneInfo("America/New_York"))
    assert there.hour == 5
    assert rest("You've hit your limit · resets 6am (America/New_York)", NOW) == 20 * 60
