"""When a plan's limit is reached: how agents and endpoints say so, and when they may be asked again.

Knows the words of several vendors and no clock of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOUR = 3600.0  # the pause where no time is named
WEEK = 7 * 24 * HOUR  # the longest limit anybody has
_LIMIT = re.compile(
    r"(?:usage|session|weekly|daily|monthly|hour|spend(?:ing)?) limit|hit your [\w\s-]{0,20}limit|quota"
    r"|resource_exhausted|premium request|out of (?:extra usage|credits)|credit balance"
    r"|insufficient (?:credits?|balance|funds)",
    re.IGNORECASE,
)
_BUSY = re.compile(r"rate.?limit|too many requests|\b429\b", re.IGNORECASE)
_EPOCH = re.compile(r"\|(\d{10})\b")
_UNITS = {"d": 24 * HOUR, "h": HOUR, "m": 60.0, "s": 1.0}
_SPAN = r"\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])"
_IN = re.compile(rf"\b(?:in|after)\s+((?:{_SPAN}[\s,]*(?:and\s+)?)+)", re.IGNORECASE)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([dhms])", re.IGNORECASE)
_AT = re.compile(
    r"(?:\bat|\bresets?(?: at| on)?)\s+(?:(?P<month>[A-Z][a-z]{2})[a-z]*\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?"
    r"(?:,? (?P<year>\d{4}))?,?\s+(?:at\s+)?)?(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap]m)?"
    r"(?:\s*\((?P<zone>[\w/+-]+)\))?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def is_limit(said: str) -> bool:
    """A plan's limit: asking again in a moment does not help."""
    return bool(_LIMIT.search(said))


def is_busy(said: str) -> bool:
    """Too many questions in a short time, or a limit."""
    return bool(_BUSY.search(said)) or is_limit(said)


def rest(said: str, now: datetime) -> float:
    """Seconds until it may be asked again, as it says; an hour where it names no time."""
    named = (seconds for seconds in _named(said, now) if seconds > 0)
    return min(next(named, HOUR), WEEK)


def _named(said: str, now: datetime) -> Iterator[float]:
    if found := _EPOCH.search(said):
        yield float(found[1]) - now.timestamp()
    if found := _IN.search(said):
        yield sum(float(number) * _UNITS[unit.lower()] for number, unit in _PART.findall(found[1]))
    for found in _AT.finditer(said):
        if (at := _moment(found, now)) is not None:
            yield (at - now).total_seconds()


def _moment(found: re.Match[str], now: datetime) -> datetime | None:
    """That time of day, the next one; an agent speaks of the time where it runs, or names the zone."""
    if not (found["half"] or found["minute"]):
        return None  # "at 5" is no time
    local = now.astimezone(_zone(found["zone"] or ""))
    hour = int(found["hour"]) % 12 + 12 * (found["half"].lower() == "pm") if found["half"] else int(found["hour"])
    try:
        at = local.replace(hour=hour, minute=int(found["minute"] or 0), second=0, microsecond=0)
        if found["month"]:
            month, year = _MONTHS.index(found["month"].lower()) + 1, int(found["year"] or local.year)
            return at.replace(year=year, month=month, day=int(found["day"]))
    except ValueError:
        return None
    return at if at > local else at + timedelta(days=1)


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None
