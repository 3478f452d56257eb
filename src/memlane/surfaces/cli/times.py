"""Times as people type them: `3d`, `yesterday 3pm`, `in march`, `2026-10-01`. Pure: the present is handed in."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from memlane.errors import UsageError

EXAMPLES = "3d, yesterday 3pm, last week, in march, 2026-10, 2026-10-01 14:30"
_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_SPOKEN = {"sec": "s", "min": "m", "hour": "h", "hr": "h", "day": "d", "week": "w", "month": "mo", "year": "y"}
_LENGTH = re.compile(r"(\d{1,5})\s*(mo|[smhdwy]|sec|min|hour|hr|day|week|month|year)(?:ond|ute)?s?(?:\s+ago)?")
_DATE = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?")
_CLOCK = re.compile(r"(?:at\s+)?(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*(am|pm)?")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NAMED = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)? )?([a-z]{3,9})(?: (\d{1,2})(?:st|nd|rd|th)?)?(?:,? (\d{4}))?")
_DAY = timedelta(days=1)


def length(text: str) -> timedelta:
    """`30m`, `2 hours`: how long."""
    found = _LENGTH.fullmatch(text.strip().lower())
    if not found:
        raise UsageError(f"{text!r} is not a length of time", hint="30m, 2h, 1d")
    unit = _SPOKEN.get(found[2], found[2])
    return int(found[1]) * _UNITS[unit]


def moment(text: str, now: datetime, *, end: bool = False) -> datetime:
    """A point in time. `end`: of a whole day, week or month the last moment instead of the first."""
    said = re.sub(r"^(?:the )?(?:last|past) (?=\d)", "", " ".join(text.strip().lower().split()))
    if _LENGTH.fullmatch(said):
        try:
            return now - length(said)
        except OverflowError:
            raise _unclear(text) from None
    exact = _exact(text.strip(), now)
    if exact is not None:
        return exact
    first, _, rest = said.partition(" ")
    for days, clock in ((said, ""), (first, rest), *_split_behind(said)):
        span = _span(days, now)
        if span is not None and not clock:
            return span[1] if end else span[0]
        at = _clock(clock) if clock else None
        if span is not None and at is not None:
            return datetime.combine(span[0].date(), at, span[0].tzinfo)
    at = _clock(said)
    if at is not None:
        return datetime.combine(now.date(), at, now.tzinfo)
    raise _unclear(text)


def _unclear(text: str) -> UsageError:
    return UsageError(f"{text!r} is not a time", hint=EXAMPLES)


def _split_behind(said: str) -> list[tuple[str, str]]:
    """`last week` keeps its two words; a clock may follow."""
    words = said.split()
    return [(" ".join(words[:n]), " ".join(words[n:])) for n in range(2, len(words))]


def _exact(text: str, now: datetime) -> datetime | None:
    """ISO with a clock, with or without an offset."""
    if not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d", text):
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=now.tzinfo)


def _span(said: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The first and the last moment of a day, a week, a month, a year."""
    today = datetime.combine(now.date(), time(), now.tzinfo)
    said = re.sub(r"^(?:on|in|since|until|from) (?:the )?", "", said)
    if said == "now":
        return now, now
    if said in ("today", "yesterday"):
        day = today if said == "today" else today - _DAY
        return day, day + _DAY
    weekday = _place(said.removeprefix("last "), _DAYS)
    if weekday is not None:
        back = (now.weekday() - weekday) % 7 or 7
        return today - back * _DAY, today - (back - 1) * _DAY
    which, _, unit = said.partition(" ")
    if which in ("last", "this") and unit in ("week", "month", "year"):
        return _period(which, unit, today)
    return _dated(said, today) or _named(said.removeprefix("last "), today)


def _place(said: str, names: tuple[str, ...]) -> int | None:
    """Which of them it is, by its whole name or its first letters, at least three."""
    return next((n for n, name in enumerate(names) if len(said) >= 3 and name.startswith(said)), None)


def _named(said: str, today: datetime) -> tuple[datetime, datetime] | None:
    """`march`, `12 october`, `oct 12`, `march 2025`: without a year the last one that has begun."""
    found = _NAMED.fullmatch(said)
    month = _place(found[2], _MONTHS) if found else None
    if found is None or month is None or (found[1] and found[3]):
        return None
    day = int(found[1] or found[3] or 1)
    try:
        start = today.replace(year=int(found[4] or today.year), month=month + 1, day=day)
        if not found[4] and start > today:
            start = start.replace(year=today.year - 1)
    except ValueError:  # 31 june, year 0
        return None
    return start, start + _DAY if found[1] or found[3] else _month_after(start)


def _month_after(start: datetime) -> datetime:
    return (start + 31 * _DAY).replace(day=1)


def _period(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    start = {
        "week": today - today.weekday() * _DAY,
        "month": today.replace(day=1),
        "year": today.replace(month=1, day=1),
    }[unit]
    if which == "this":
        return start, today + _DAY
    inside = start - _DAY
    begin = {
        "week": start - 7 * _DAY,
        "month": inside.replace(day=1),
        "year": inside.replace(month=1, day=1),
    }[unit]
    return begin, start


def _dated(said: str, today: datetime) -> tuple[datetime, datetime] | None:
    if re.fullmatch(r"(?:19|20)\d\d", said):
        start = today.replace(year=int(said), month=1, day=1)
        return start, start.replace(year=start.year + 1)
    found = _DATE.fullmatch(said)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3] or 1)
    try:
        start = today.replace(year=year, month=month, day=day)
    except ValueError:
        return None
    if found[3]:
        return start, start + _DAY
    return start, _month_after(start)


def _clock(said: str) -> time | None:
    if said in ("noon", "at noon"):
        return time(12)
    if said in ("midnight", "at midnight"):
        return time()
    found = _CLOCK.fullmatch(said)
    if not found or not (found[2] or found[4]):
        return None
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found[4]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[4] == "pm" else 0)
    try:
        return time(hour, minute, second)
    except ValueError:
        return None
