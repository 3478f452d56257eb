"""Dates as they were when it was said: "yesterday" means nothing in a month. English, some German; knows no clock.

Words in quotation marks or code stay as they are. What can be read in two ways is written with both; what could as well
be a rule ("on Fridays", "expires in 30 days", "due in March") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

from memlane.domain.dates import DAYS, DateForm, DateSpan, spans

_KEPT = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)[`~]*\s*$|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”"
    r"|„[^“”\n]*[“”]|«[^»\n]*»"
    r"|(?<![\w'])'[^'\n]{2,200}'(?!\w)|^>.*$|https?://\S+",
    re.MULTILINE | re.DOTALL,
)
_CALLED = re.compile(r"\b(?:the|an?|our|its|my|their|your|each|called|named) $", re.IGNORECASE)
_THING = re.compile(
    r"['’]s date\b| (?:view|widget|page|tab|button|column|filter|screen|panel|list|label|field|section|function|command"
    r"|flag|option|badge|card|link|icon|menu|query|report)s?\b",
    re.IGNORECASE,
)
# What is true again and again is no date, even when it says how many days.
_RULE = re.compile(
    r"\b(expires?|expir\w+|within|takes?|lasts?|every|each|times? out|timeout|retr\w+|rotat\w+|older|default|per"
    r"|fades?|ttl"
    r"|always|never|usually|at most|at least|up to|maximum|minimum|once|whenever|if|when)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(was|were|had|did|went|broke|made|chose|began|came|took|wrote|\w{3,}ed|since|last|ago|back)\b", re.IGNORECASE
)
_FUTURE = re.compile(r"\b(will|going to|plan(?:s|ned)?|next|scheduled|shall|deadline)\b|'ll\b", re.IGNORECASE)
_SOON = re.compile(
    r"\b(ready|again|comes?|arrives?|starts?|begins?|ends?|leaves?|moves?|launch(?:es)?|ships?|meets?)\b", re.IGNORECASE
)
# "is updated in May": each year
_HABIT = re.compile(r"\b(?:is|are|be|gets?|being) (?:\w+ ){0,2}?\w+ed\b", re.IGNORECASE)
_AHEAD = ("by ", "until ", "till ")
_YEAR = re.compile(r" ?\d|,? ?(?:of )?(?:\d{4}|'\d\d)|\.?\d|/")
_PARTS = {
    "last night": "evening", "this morning": "morning", "this afternoon": "afternoon", "this evening": "evening",
    "tonight": "evening",
}  # fmt: skip


def absolute(text: str, said_at: datetime) -> str:
    """The same words with their dates written out. Twice is once."""
    pieces, rest = list[str](), 0
    for kept in _KEPT.finditer(text):
        pieces += (_dated(text[rest : kept.start()], said_at.date()), kept[0])
        rest = kept.end()
    return "".join((*pieces, _dated(text[rest:], said_at.date())))


def _dated(text: str, today: date) -> str:
    """Form by form: what an earlier one wrote out tells a later one nothing any more."""
    for form, meant in _FORMS.items():
        pieces, rest = list[str](), 0
        for span in spans(text, form):
            pieces += (text[rest : span.start], _put(span, meant, today))
            rest = span.end
        text = "".join((*pieces, text[rest:]))
    return text


def _put(span: DateSpan, meant: Callable[[DateSpan, date], str], today: date) -> str:
    if span.rough and span.form is not DateForm.LATELY:
        return span.words
    if _is_a_name(span):
        return span.words
    try:
        words = meant(span, today)
    except (ValueError, OverflowError):  # before the year 1
        return span.words
    if span.text[span.end :].startswith(("'s", "’s")):  # yesterday's build
        words = words.removeprefix("on ").removeprefix("in ")
    return words[0].upper() + words[1:] if span.words[0].isupper() and _opens(span) else words


def _is_a_name(span: DateSpan) -> bool:
    """The Today page, a next-week view, the month may: what is called so, and not when it was."""
    if span.text[: span.start].endswith("-") or (span.month and span.month != span.month.title()):
        return True
    if _THING.match(span.text, span.end) or _CALLED.search(span.text, 0, span.start):
        return True
    return span.form is not DateForm.LATELY and span.word[:1].isupper() and not _opens(span)


def _opens(span: DateSpan) -> bool:
    """A sentence, so that its first letter stays a capital one."""
    return re.search(r"(?:^|[.!?:\n]\s*|[-*]\s+)$", span.text[: span.start]) is not None


def _clause(span: DateSpan) -> str:
    start = max(span.text.rfind(mark, 0, span.start) for mark in ".!?;\n")
    ends = [end for mark in ".!?;\n" if (end := span.text.find(mark, span.end)) >= 0]
    return span.text[start + 1 : min(ends, default=len(span.text))]


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
    part = span.tail or _PARTS.get(span.word.lower(), "")
    return _stretch(span, today) + (f" in the {part.lower()}" if part else "")


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
    return f"{span.before or 'on '}{DAYS[span.day].title()} {sure.isoformat()}{doubt}"


def _ahead(span: DateSpan, today: date) -> str:
    return _stretch(span, today) if _to_come(span) else span.words


def _to_come(span: DateSpan) -> bool:
    """Not how long something takes or how often it happens: "three in a year", "expires in 30 days"."""
    clause = _clause(span)
    ahead = _FUTURE.search(clause) or _SOON.search(clause) or clause.strip() == span.words.strip()
    return bool(ahead) and not _RULE.search(clause)


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
    clause, lead = _HABIT.sub("", _clause(span)), span.before.lower()
    if _RULE.search(clause):
        return None
    past, future = _PAST.search(clause) is not None, _FUTURE.search(clause) is not None
    if lead.startswith(("since ", *_AHEAD)):
        past, future = lead.startswith("since "), not lead.startswith("since ")
    if past == future:
        return None
    month = span.month_number
    return today.year - (month > today.month) if past else today.year + (month < today.month)


def _german(span: DateSpan, today: date) -> str:
    return f"{span.before or 'am '}{span.days(today)[0].isoformat()}"


def _german_week(span: DateSpan, today: date) -> str:
    return f"{span.before or 'in '}der Woche vom {span.days(today)[0].isoformat()}"


_FORMS: dict[DateForm, Callable[[DateSpan, date], str]] = {
    DateForm.LATELY: _lately,
    DateForm.NEAR: _near,
    DateForm.TURN: _turn,
    DateForm.WEEKDAY: _weekday,
    DateForm.FROM_NOW: _ahead,
    DateForm.AGO: _stretch,
    DateForm.AHEAD: _ahead,
    DateForm.MONTH_DAY: _day_of_month,
    DateForm.DAY_MONTH: _day_of_month,
    DateForm.MONTH: _in_month,
    DateForm.NEAR_GERMAN: _german,
    DateForm.TURN_GERMAN: _german_week,
}
