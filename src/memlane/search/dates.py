"""When it was, as far as a question says so: "two weeks ago", "last Friday", "in March". English words; no clock.

People are vague about time, so a window is wide, and being in it is worth something rather than everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from memlane.domain.dates import DateForm, DateSpan, spans

_LENGTH = {"day": 1.0, "week": 7.0, "month": 30.4, "year": 365.0}
_SLACK = {"day": 1.0, "week": 3.0, "month": 12.0, "year": 90.0}  # days around "so long ago"
_ROUNDED = 1.5  # "in the past month" is often five or six weeks
_TOLD_LATER = timedelta(days=45)  # a month, and two weeks more: things are told after they happen
_NEAR = ("today", "yesterday", "the day before yesterday")
_MONTHS = ("in ", "during ", "since ", "last ", "early ", "late ")

_Days = tuple[date, date]


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
        days = _named(text, now.date())
    except (ValueError, OverflowError):  # the 31st of February, 999 years ago
        return None
    return DateRange(*days, now) if days else None


def _named(text: str, today: date) -> _Days | None:
    for form, (is_meant, widened) in _FORMS.items():
        if span := next(filter(is_meant, spans(text, form)), None):
            return widened(span, today)
    return None


def _long(span: DateSpan) -> float:
    return span.number * _LENGTH[span.unit]


def _ago(span: DateSpan, today: date) -> _Days:
    middle, slack = _long(span), _SLACK[span.unit]
    return today - timedelta(days=middle + slack), today - timedelta(days=middle - slack)


def _lately(span: DateSpan, today: date) -> _Days:
    return today - timedelta(days=_long(span) * _ROUNDED), today


def _this(span: DateSpan, today: date) -> _Days:
    return today - timedelta(days=_long(span)), today


def _month(span: DateSpan, today: date) -> _Days | None:
    first, _ = span.days(today)
    return (first, min(today, first + _TOLD_LATER)) if first <= today else None


# What is exact before what is counted back, and that before a name.
_FORMS: dict[DateForm, tuple[Callable[[DateSpan], bool], Callable[[DateSpan, date], _Days | None]]] = {
    DateForm.ISO: (lambda _: True, DateSpan.days),
    DateForm.AGO: (lambda _: True, _ago),
    DateForm.WEEKDAY: (lambda span: span.word == "last", DateSpan.days),
    DateForm.LATELY: (lambda _: True, _lately),
    DateForm.TURN: (lambda span: span.word == "this", _this),
    DateForm.NEAR: (lambda span: span.word in _NEAR, DateSpan.days),
    DateForm.MONTH: (lambda span: span.before in _MONTHS or span.before.endswith(" last "), _month),
}
