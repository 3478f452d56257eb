"""Dates as they were when it was said: "yesterday" means nothing in a month. Knows no clock.

Somebody's own words and code stay as they are. What can be read in two ways is written with both. What could as well be
a rule ("on Fridays", "expires in 30 days", "due in March"), a range, or what a program shows is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

from memlane.claims.date_context import FAR, FUTURE, HABIT, PAST, RULE, SOON, day_of_week, is_certain, sentence, to_come
from memlane.claims.foreign_dates import FOREIGN_FORMS
from memlane.claims.verbatim import NOTHING_VERBATIM, verbatim
from memlane.domain.dates import DAYS, DateForm, DateSpan, spans

_CALLED = re.compile(r"\b(?:the|an?|our|its|my|their|your|each|called|named) $", re.IGNORECASE)
_THING = re.compile(
    r"['’]s date\b| (?:view|widget|page|tab|button|column|filter|screen|panel|list|label|field|section|function|command"
    r"|flag|option|badge|card|link|icon|menu|query|report)s?\b",
    re.IGNORECASE,
)
MOST_IN_A_ROW = 8  # dates that wait for one another
_AHEAD = ("by ", "until ", "till ")
_YEAR = re.compile(r" ?\d|,? ?(?:of )?(?:\d{4}|'\d\d)|\.?\d|/")
_PARTS = {
    "last night": "evening", "this morning": "morning", "this afternoon": "afternoon", "this evening": "evening",
    "tonight": "evening",
}  # fmt: skip


def absolute(text: str, said_at: datetime) -> str:
    """The same words with their dates written out, as long as one of them makes another certain: "yesterday by next
    Friday". Twice is once."""
    for _again in range(MOST_IN_A_ROW):
        before, text = text, _written_out(text, said_at)
        if text == before:
            break
    return text


def _written_out(text: str, said_at: datetime) -> str:
    """Form by form: what an earlier one wrote out tells a later one nothing any more."""
    for form, meant in _FORMS.items():
        found = list(spans(text, form))
        pieces, rest, kept = list[str](), 0, verbatim(text) if found else NOTHING_VERBATIM
        for span in found:
            if not kept.touches(span.start, span.end):
                pieces += (text[rest : span.start], _put(span, meant, said_at.date()))
                rest = span.end
        text = "".join((*pieces, text[rest:]))
    return text


def _put(span: DateSpan, meant: Callable[[DateSpan, date], str], today: date) -> str:
    if span.rough and span.form is not DateForm.LATELY:
        return span.words
    if _is_a_name(span) or not is_certain(span):
        return span.words
    try:
        words = meant(span, today)
    except (ValueError, OverflowError):  # before the year 1
        return span.words
    if words != span.words and span.before.lower() == "and ":
        words = f"and {words}" if words.startswith(("on ", "in ")) else f"and on {words.removeprefix(span.before)}"
    return words[0].upper() + words[1:] if span.words[0].isupper() and _opens(span) else words


def _is_a_name(span: DateSpan) -> bool:
    """The Today page, a next-week view, the month may: what is called so, and not when it was."""
    if span.text[: span.start].endswith("-") or (span.month and span.month != span.month.title()):
        return True
    if _THING.match(span.text, span.end) or _CALLED.search(span.text, max(0, span.start - FAR), span.start):
        return True
    return span.form is not DateForm.LATELY and span.word[:1].isupper() and not _opens(span)


def _opens(span: DateSpan) -> bool:
    """A sentence, so that its first letter stays a capital one."""
    before = span.text[max(0, span.start - FAR) : span.start]
    return re.search(r"(?:^|[.!?:\n]\s*|[-*]\s+)$", before) is not None


def _stretch(span: DateSpan, today: date) -> str:
    """A day, a week, a month or a year, after the words that stood before it."""
    first, _ = span.days(today)
    if span.unit == "day":
        return f"{span.before or 'on '}{first.isoformat()}"
    if span.unit == "week":
        before = (span.before or "in the ").removesuffix("the ")
        return f"{'in ' if before == 'on ' else before}the week of {first.isoformat()}"
    if span.unit == "month":
        return f"{(span.before or 'in ').removesuffix('the ')}{first:%Y-%m}"
    return f"{span.before or 'in '}{first.year}"


def _near(span: DateSpan, today: date) -> str:
    return _stretch(span, today) + _hour(span.tail or _PARTS.get(span.word.lower(), ""))


def _hour(part: str) -> str:
    return " at night" if part.lower() == "night" else f" in the {part.lower()}" if part else ""


def _turn(span: DateSpan, today: date) -> str:
    after_something_else = span.before.lower().endswith("the ")  # in the next month
    return span.words if after_something_else else _stretch(span, today)


def _lately(span: DateSpan, today: date) -> str:
    if not span.before or span.word.lower() == "previous":
        return span.words
    return f"in the {span.tail} before {today.isoformat()}"


def _weekday(span: DateSpan, today: date) -> str:
    """This week's, the next one's or the last one's. Said in the week it could mean, it is written both ways."""
    (sure, _), other = span.days(today), span.other_day(today)
    doubt = f" (or {other.isoformat()}: it was not said which)" if other != sure else ""
    return f"{span.before or 'on '}{DAYS[span.day].title()} {sure.isoformat()}{_hour(span.tail)}{doubt}"


def _on_day(span: DateSpan, today: date) -> str:
    """Said on that day of the week it could be today."""
    way = day_of_week(span)
    if not way or today.weekday() == span.day:
        return span.words
    day = span.weekday_to_come(today) if way > 0 else span.days(today)[0]
    return f"{span.before}{DAYS[span.day].title()} {day.isoformat()}{_hour(span.tail)}"


def _end(span: DateSpan, today: date) -> str:
    if not to_come(span):
        return span.words
    return f"{span.before}the end of {f'{today:%Y-%m}' if span.unit == 'month' else today.year}"


def _ahead(span: DateSpan, today: date) -> str:
    return _stretch(span, today) if _to_come(span) else span.words


def _to_come(span: DateSpan) -> bool:
    """Not how long something takes or how often it happens: "three in a year", "expires in 30 days"."""
    clause = sentence(span)
    ahead = FUTURE.search(clause) or SOON.search(clause) or clause.strip() == span.words.strip()
    return bool(ahead) and not RULE.search(clause)


def _in_month(span: DateSpan, today: date) -> str:
    lead = span.before.partition(" ")[0]
    if lead.lower() == "last" or span.year or _YEAR.match(span.text, span.end):
        return span.words
    year = _year(span, today)
    return f"{lead} {span.month} {year}" if year else span.words


def _day_of_month(span: DateSpan, today: date) -> str:
    year = _year(span, today)
    return f"{span.before}{span.days_in(year)[0].isoformat()}" if year else span.words


def _year(span: DateSpan, today: date) -> int | None:
    """The year that the words around it leave; None where they leave two."""
    clause, lead = HABIT.sub("", sentence(span)), span.before.lower()
    if RULE.search(clause):
        return None
    past, future = PAST.search(clause) is not None, FUTURE.search(clause) is not None
    if lead.startswith(("since ", *_AHEAD)):
        past, future = lead.startswith("since "), not lead.startswith("since ")
    if past == future:
        return None
    month = span.month_number
    return today.year - (month > today.month) if past else today.year + (month < today.month)


_FORMS: dict[DateForm, Callable[[DateSpan, date], str]] = {
    DateForm.LATELY: _lately,
    DateForm.NEAR: _near,
    DateForm.TURN: _turn,
    DateForm.WEEKDAY: _weekday,
    DateForm.ON_DAY: _on_day,
    DateForm.END: _end,
    DateForm.FROM_NOW: _ahead,
    DateForm.AGO: _stretch,
    DateForm.AHEAD: _ahead,
    DateForm.MONTH_DAY: _day_of_month,
    DateForm.DAY_MONTH: _day_of_month,
    DateForm.MONTH: _in_month,
    **FOREIGN_FORMS,
}
