"""When it was, as far as a question says so: "two weeks ago", "last Friday", "in March". English words; no clock.

People are vague about time, so a window is wide, and being in it is worth something rather than everything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_YEAR = "january february march april may june july august september october november december"
_WEEK = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS: list[str] = list(_YEAR.split())
_DAYS: list[str] = list(_WEEK.split())
_ONES = {"": 1, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_MORE = {"eight": 8, "nine": 9, "ten": 10, "couple of": 2, "a couple of": 2, "few": 4, "a few": 4}
_NUMBERS = {**_ONES, **_MORE}
_LENGTH = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.0}
_SLACK = {"day": 1.0, "week": 3.0, "month": 12.0, "year": 90.0}  # days around "so long ago"
_ROUNDED = 1.5  # "in the past month" is often five or six weeks
_NUMBER = rf"(\d{{1,3}}|{'|'.join(sorted((n for n in _NUMBERS if n), key=len, reverse=True))})"
_UNIT = r"(day|week|month|year)s?"
_AGO = re.compile(rf"\b{_NUMBER} {_UNIT} ago\b")
_LAST_DAY = re.compile(rf"\blast ({'|'.join(_DAYS)})\b")
_LAST = re.compile(rf"\b(?:past|last|previous) (?:{_NUMBER} )?{_UNIT}\b")
_THIS = re.compile(r"\bthis (week|month|year)\b")
_NEAR = re.compile(r"\b(today|yesterday)\b")
_MONTH = re.compile(rf"\b(?:in|during|since|last|early|late) ({'|'.join(_MONTHS)})\b(?:,? (\d{{4}}))?")
_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")


@dataclass(frozen=True, slots=True)
class DateRange:
    """From this day to that one, both included, where `now` is."""

    first: date
    last: date
    now: datetime

    def holds(self, at: datetime | None) -> bool:
        if at is None:
            return False
        here = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(self.now.tzinfo)
        return self.first <= here.date() <= self.last


def window(words: str, now: datetime) -> DateRange | None:
    """The first time that is named; None where none is, or none that there ever was."""
    text = " ".join(words.lower().split())
    try:
        days = _exact(text) or _back(text, now.date()) or _named(text, now.date())
    except (ValueError, OverflowError):  # the 31st of February, 999 years ago
        return None
    return DateRange(*days, now) if days else None


def _exact(text: str) -> tuple[date, date] | None:
    found = _DATE.search(text)
    return (day := date(int(found[1]), int(found[2]), int(found[3])), day) if found else None


def _back(text: str, today: date) -> tuple[date, date] | None:
    if found := _AGO.search(text):
        middle, slack = _long(found[1], found[2]), _SLACK[found[2]]
        return today - timedelta(days=middle + slack), today - timedelta(days=middle - slack)
    if found := _LAST_DAY.search(text):
        day = today - timedelta(days=(today.weekday() - _DAYS.index(found[1])) % 7 or 7)
        return day, day
    if found := _LAST.search(text):
        return today - timedelta(days=_long(found[1] or "", found[2]) * _ROUNDED), today
    if found := _THIS.search(text):
        return today - timedelta(days=_LENGTH[found[1]]), today
    if found := _NEAR.search(text):
        day = today - timedelta(days=found[1] == "yesterday")
        return day, day
    return None


def _long(number: str, unit: str) -> float:
    return (int(number) if number.isdigit() else _NUMBERS[number]) * _LENGTH[unit]


def _named(text: str, today: date) -> tuple[date, date] | None:
    """A month, and two weeks more: things are told after they happen."""
    found = _MONTH.search(text)
    if not found:
        return None
    month = _MONTHS.index(found[1]) + 1
    year = int(found[2]) if found[2] else today.year - (month > today.month)
    first = date(year, month, 1)
    return (first, min(today, first + timedelta(days=45))) if first <= today else None
