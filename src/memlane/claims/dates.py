"""Dates as they were when it was said: "yesterday" means nothing in a month. English, some German; knows no clock.

Words in quotation marks or code stay as they are. What can be read in two ways is written with both; what could as well
be a rule ("on Fridays", "expires in 30 days", "due in March") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "a couple of": 2,
}  # fmt: skip
_KEPT = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)[`~]*\s*$|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”"
    r"|„[^“”\n]*[“”]|«[^»\n]*»"
    r"|(?<![\w'])'[^'\n]{2,200}'(?!\w)|^>.*$|https?://\S+",
    re.MULTILINE | re.DOTALL,
)
_BEFORE = (
    r"(?P<before>(?:since|until|till|by|from|before|after|for|of|on|in|as of|through|than|due|between"
    r"|and) (?:the )?)?"
)
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_DAY = rf"(?P<day>{'|'.join(_DAYS)})(?!s)"
_MONTH = r"(?P<month>(?-i:" + "|".join(month.title() for month in _MONTHS) + "))"
_NO_YEAR = r"(?! ?\d|,? ?(?:of )?(?:\d{4}|'\d\d)|\.?\d|/)"
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

_Said = re.Match[str]


def absolute(text: str, said_at: datetime) -> str:
    """The same words with their dates written out. Twice is once."""
    pieces, rest = list[str](), 0
    for kept in _KEPT.finditer(text):
        pieces += (_dated(text[rest : kept.start()], said_at.date()), kept[0])
        rest = kept.end()
    return "".join((*pieces, _dated(text[rest:], said_at.date())))


def _dated(text: str, today: date) -> str:
    for pattern, meant in _WORDS.items():
        text = pattern.sub(lambda said, meant=meant: _put(said, meant, today), text)
    return text


def _put(said: _Said, meant: Callable[[_Said, date], str], today: date) -> str:
    if _is_a_name(said):
        return said[0]
    try:
        words = meant(said, today)
    except (ValueError, OverflowError):  # before the year 1
        return said[0]
    if said.string[said.end() :].startswith(("'s", "’s")):  # yesterday's build
        words = words.removeprefix("on ").removeprefix("in ")
    return words[0].upper() + words[1:] if said[0][0].isupper() and _opens(said) else words


def _is_a_name(said: _Said) -> bool:
    """The Today page, a next-week view: what is called so, and not when it was."""
    if _THING.match(said.string, said.end()) or _CALLED.search(said.string, 0, said.start()):
        return True
    when = said.groupdict().get("near") or said.groupdict().get("turn") or ""
    return when[:1].isupper() and not _opens(said)


def _opens(said: _Said) -> bool:
    """A sentence, so that its first letter stays a capital one."""
    return re.search(r"(?:^|[.!?:\n]\s*|[-*]\s+)$", said.string[: said.start()]) is not None


def _clause(said: _Said) -> str:
    start = max(said.string.rfind(mark, 0, said.start()) for mark in ".!?;\n")
    ends = [end for mark in ".!?;\n" if (end := said.string.find(mark, said.end())) >= 0]
    return said.string[start + 1 : min(ends, default=len(said.string))]


def _on(said: _Said, day: date, word: str = "on") -> str:
    return f"{said['before'] or word + ' '}{day.isoformat()}"


def _week(said: _Said, day: date) -> str:
    monday = day - timedelta(days=day.weekday())
    before = (said["before"] or "in the ").removesuffix("the ")
    return f"{'in ' if before == 'on ' else before}the week of {monday.isoformat()}"


def _month(said: _Said, day: date, by: int) -> str:
    months = day.year * 12 + day.month - 1 + by
    return f"{(said['before'] or 'in ').removesuffix('the ')}{date(months // 12, months % 12 + 1, 1):%Y-%m}"


def _in_year(said: _Said, year: int) -> str:
    return f"{said['before'] or 'in '}{date(year, 1, 1).year}"


def _near(said: _Said, today: date) -> str:
    days, part = _NEAR[said["near"].lower()]
    tail = said["part"] or part
    return _on(said, today + timedelta(days=days)) + (f" in the {tail.lower()}" if tail else "")


_NEAR = {
    "the day before yesterday": (-2, ""), "yesterday": (-1, ""), "last night": (-1, "evening"), "today": (0, ""),
    "this morning": (0, "morning"), "this afternoon": (0, "afternoon"), "this evening": (0, "evening"),
    "tonight": (0, "evening"), "tomorrow": (1, ""), "the day after tomorrow": (2, ""),
}  # fmt: skip
_TURN = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}


def _stretch(said: _Said, today: date) -> str:
    if (said["before"] or "").lower().endswith("the "):  # in the next month: after something else
        return said[0]
    by, unit = _TURN[said["turn"].lower()], said["unit"].lower()
    if unit == "week":
        return _week(said, today + timedelta(weeks=by))
    if unit == "month":
        return _month(said, today, by)
    return _in_year(said, today.year + by)


def _lately(said: _Said, today: date) -> str:
    return f"in the {said['length']} before {today.isoformat()}"


def _weekday(said: _Said, today: date) -> str:
    """This week's, the next one's or the last one's. Said in the week it could mean, it is written both ways."""
    turn, number = said["turn"].lower(), _DAYS.index(said["day"].lower())
    here = today + timedelta(days=number - today.weekday())  # of this week, from Monday on
    coming, gone = here + timedelta(weeks=here <= today), here - timedelta(weeks=here >= today)
    name = said["day"].title()
    before = said["before"] or "on "
    if turn in ("this", "coming"):
        return f"{before}{name} {(here if turn == 'this' else coming).isoformat()}"
    sure, other = (here + timedelta(weeks=1), coming) if turn == "next" else (gone, here - timedelta(weeks=1))
    doubt = f" (or {other.isoformat()}: it was not said which)" if other != sure else ""
    return f"{before}{name} {sure.isoformat()}{doubt}"


def _counted(said: _Said, today: date) -> str:
    number = int(said["number"]) if said["number"].isdigit() else _NUMBERS[said["number"].lower()]
    by = number if said["ahead"] else -number
    if said["ahead"] and not _to_come(said):
        return said[0]
    unit = said["unit"].lower()
    if unit == "day":
        return _on(said, today + timedelta(days=by))
    if unit == "week":
        return _week(said, today + timedelta(weeks=by))
    return _month(said, today, by) if unit == "month" else _in_year(said, today.year + by)


def _to_come(said: _Said) -> bool:
    """Not how long something takes or how often it happens: "three in a year", "expires in 30 days"."""
    clause = _clause(said)
    ahead = _FUTURE.search(clause) or _SOON.search(clause) or clause.strip() == said[0].strip()
    return bool(ahead) and not _RULE.search(clause)


def _in_month(said: _Said, today: date) -> str:
    month = _MONTHS.index(said["month"].lower()) + 1
    year = _year(said, today, month)
    return f"{said['lead']}{said['month']} {year}" if year else said[0]


def _day_of_month(said: _Said, today: date) -> str:
    month, number = _MONTHS.index(said["month"].lower()) + 1, int(said["first"] or said["second"])
    year = _year(said, today, month)
    return f"{said['lead'] or ''}{date(year, month, number).isoformat()}" if year else said[0]


def _year(said: _Said, today: date, month: int) -> int | None:
    """The year that the words around it leave; None where they leave two."""
    clause, lead = _HABIT.sub("", _clause(said)), (said["lead"] or "").lower()
    if _RULE.search(clause):
        return None
    past, future = _PAST.search(clause) is not None, _FUTURE.search(clause) is not None
    if lead.startswith(("since ", *_AHEAD)):
        past, future = lead.startswith("since "), not lead.startswith("since ")
    if past == future:
        return None
    return today.year - (month > today.month) if past else today.year + (month < today.month)


def _german(said: _Said, today: date) -> str:
    days = {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2}[said["near"].lower()]
    return _on(said, today + timedelta(days=days), "am")


def _german_week(said: _Said, today: date) -> str:
    by = {"letzte": -1, "vorige": -1, "diese": 0, "nächste": 1}[said["turn"].lower().rstrip("nr")]
    day = today + timedelta(weeks=by)
    return f"{said['before'] or 'in '}der Woche vom {(day - timedelta(days=day.weekday())).isoformat()}"


_LONG = r"(?:(?:\d{1,3}|two|three|four|five|six|seven|eight|ten|twelve|few|couple of) )?(?:days?|weeks?|months?|years?)"
_UNIT = r"(?P<unit>day|week|month|year)"
_TURNING = r"(?P<turn>letzte[nr]?|vorige[nr]?|diese[nr]?|nächste[nr]?)"
_WHEN = "|".join(sorted(_NEAR, key=len, reverse=True))
_LEAD = r"(?P<lead>(?:on|since|until|till|by|from|before|after|due) (?:the )?)?"
_TH = "(?:st|nd|rd|th)?"
_ENDS = r"(?= *(?:[.,;:!?)\n]|$|we\b|i\b|they\b|and\b|then\b))"
_PATTERNS: tuple[tuple[str, Callable[[_Said, date], str]], ...] = (
    (rf"(?:in|over|during|for|within) the (?:last|past) (?P<length>{_LONG})\b", _lately),
    (rf"{_BEFORE}\b(?P<near>{_WHEN})\b(?: (?P<part>morning|afternoon|evening|night)\b)?", _near),
    (rf"{_BEFORE}\b(?P<turn>last|previous|this|current|next) (?P<unit>week|month|year)\b", _stretch),
    (rf"{_BEFORE}\b(?P<turn>last|this|next|coming) {_DAY}\b", _weekday),
    (rf"{_BEFORE}\b{_NUMBER} {_UNIT}s? (?P<ahead>from now)\b", _counted),
    (rf"{_BEFORE}\b{_NUMBER} {_UNIT}s? ago\b(?P<ahead>)", _counted),
    (rf"(?P<before>)(?P<ahead>in ){_NUMBER} {_UNIT}s?{_ENDS}", _counted),
    (rf"(?<!in ){_LEAD}\b{_MONTH} (?P<first>\d{{1,2}}){_TH}\b(?P<second>){_NO_YEAR}", _day_of_month),
    (rf"{_LEAD}\b(?P<second>\d{{1,2}}){_TH}\.?(?: of)? {_MONTH}\b(?P<first>){_NO_YEAR}", _day_of_month),
    (rf"(?P<lead>(?:in|since|until|till|by|from|during|early|late) )(?:last |next )?{_MONTH}\b{_NO_YEAR}", _in_month),
    (r"(?P<before>(?:seit|bis|von|ab) )?\b(?P<near>vorgestern|gestern|heute|übermorgen)\b", _german),
    (rf"(?P<before>(?:seit|bis|von|ab|in) )?\b{_TURNING} Woche\b", _german_week),
)  # fmt: skip
_WORDS = {re.compile(rf"(?<![\w-]){pattern}", re.IGNORECASE): meant for pattern, meant in _PATTERNS}
