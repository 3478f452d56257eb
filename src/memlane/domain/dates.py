"""Words that name a time, and the days they name: "two weeks ago", "next Friday", "gestern". Knows no clock.

One grammar for all who read dates: English, and the plainest words of German and Japanese. What a reader makes of a
span is its own: how wide a question's days are, and what is a name or a rule and no date.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from functools import cache

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_GERMAN_DAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_JAPANESE_DAYS = "月火水木金土日"
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "a couple of": 2,
}  # fmt: skip
_ROUGH_NUMBERS = {"couple of": 2, "few": 4, "a few": 4}
_NEAR = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2,
}  # fmt: skip
_GERMAN_NUMBERS = {
    "ein": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9, "zehn": 10, "zwölf": 12,
}  # fmt: skip
_JAPANESE_NUMBERS = {numeral: n for n, numeral in enumerate("一二三四五六七八九十", 1)}
_COUNTS = {**_NUMBERS, **_ROUGH_NUMBERS, **_GERMAN_NUMBERS, **_JAPANESE_NUMBERS}
_NEAR_GERMAN = {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}
_NEAR_JAPANESE = {
    "一昨日": ("day", -2), "昨日": ("day", -1), "今日": ("day", 0), "明日": ("day", 1), "明後日": ("day", 2),
    "先週": ("week", -1), "今週": ("week", 0), "来週": ("week", 1), "先月": ("month", -1), "今月": ("month", 0),
    "来月": ("month", 1), "去年": ("year", -1), "昨年": ("year", -1), "今年": ("year", 0), "来年": ("year", 1),
}  # fmt: skip
_GERMAN_TURNS = {
    "letzt": "last", "vorig": "last", "vergangen": "last", "dies": "this", "nächst": "next", "kommend": "coming",
}  # fmt: skip
_TURNS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_UNITS = {
    "tag": "day", "woche": "week", "monat": "month", "jahr": "year",
    "日": "day", "週間": "week", "か月": "month", "ヶ月": "month", "カ月": "month", "年": "year",
}  # fmt: skip


class DateForm(Enum):
    """How a time is named, in the order in which words that fit two forms are read."""

    LATELY = "in the last two weeks"
    NEAR = "yesterday"
    TURN = "last month"
    WEEKDAY = "next Friday"
    ON_DAY = "on Friday"
    END = "the end of the month"
    FROM_NOW = "two weeks from now"
    AGO = "two weeks ago"
    AHEAD = "in two weeks"
    MONTH_DAY = "March 3rd"
    DAY_MONTH = "3 March"
    MONTH = "in March"
    NEAR_GERMAN = "gestern"
    TURN_GERMAN = "letzte Woche"
    AGO_GERMAN = "vor drei Tagen"
    WEEKDAY_GERMAN = "letzten Freitag"
    ON_DAY_GERMAN = "am Freitag"
    END_GERMAN = "Ende des Monats"
    WEEKDAY_JAPANESE = "先週の金曜日"
    AGO_JAPANESE = "3日前"
    NEAR_JAPANESE = "昨日"
    ISO = "2026-11-15"


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Where a time is named in a text, and what was said of it; "", 0 or None for what was not."""

    form: DateForm
    text: str
    start: int
    end: int
    before: str  # since, until the: as written, with its last space
    word: str  # yesterday, next: as written
    tail: str  # morning; two weeks
    unit: str
    number: int
    direction: int  # -1 back, 1 ahead
    count: str  # the number as written: 3, a few
    day: int  # of the week from 0, of the month from 1
    month: str  # as written
    year: int | None

    @property
    def rough(self) -> bool:
        """A few, a couple: some number like this."""
        return self.count.lower() in _ROUGH_NUMBERS

    @property
    def exact(self) -> bool:
        """Counted, and not only told: "a week ago" is about a week, "one week ago" is one."""
        return bool(self.count) and self.count.lower() not in ("a", "an", "a couple of", *_ROUGH_NUMBERS)

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]

    def days(self, today: date) -> tuple[date, date]:
        """The first and the last. A month without a year is the last one of that name. May raise ValueError."""
        if self.form is DateForm.WEEKDAY_JAPANESE:
            monday, _ = _unit_days("week", today, self.number * self.direction)
            return (day := monday + timedelta(days=self.day), day)
        if self.form in _OF_A_WEEKDAY:
            return (day := self._weekday(today), day)
        if self.month:
            return self.days_in(self.year or today.year - (self.month_number > today.month))
        if self.form is DateForm.ISO:
            return (day := date.fromisoformat(self.words), day)
        return _unit_days(self.unit, today, self.number * self.direction)

    def days_in(self, year: int) -> tuple[date, date]:
        """The month's, or its one day's, in this year."""
        month = self.month_number
        return (date(year, month, self.day or 1), date(year, month, self.day or monthrange(year, month)[1]))

    @property
    def month_number(self) -> int:
        return MONTHS.index(self.month.lower()) + 1

    def other_day(self, today: date) -> date:
        """What "next Friday" or "last Friday" may mean as well; the same day where it is sure."""
        here = today + timedelta(days=self.day - today.weekday())
        if _sense(self.word) == "next":
            return here + timedelta(weeks=here <= today)
        return here - timedelta(weeks=1) if self.direction < 0 else self._weekday(today)

    def weekday_to_come(self, today: date) -> date:
        return today + timedelta(days=(self.day - today.weekday() - 1) % 7 + 1)

    def _weekday(self, today: date) -> date:
        """Of this week, from Monday on; of the next week, or the next one at all; the last one before today."""
        here = today + timedelta(days=self.day - today.weekday())
        match _sense(self.word):
            case "this":
                return here
            case "next":
                return here + timedelta(weeks=1)
            case "coming":
                return here + timedelta(weeks=here <= today)
            case _:
                return here - timedelta(weeks=here >= today)


def _sense(word: str) -> str:
    """As English has it: a German one has an ending."""
    small = word.lower()
    return next((sense for stem, sense in _GERMAN_TURNS.items() if small.startswith(stem)), small)


def _unit_days(unit: str, today: date, by: int) -> tuple[date, date]:
    if unit == "day":
        return (day := today + timedelta(days=by), day)
    if unit == "week":
        day = today + timedelta(weeks=by)
        return (monday := day - timedelta(days=day.weekday()), monday + timedelta(days=6))
    if unit == "month":
        year, month = divmod(today.year * 12 + today.month - 1 + by, 12)
        return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])
    return date(today.year + by, 1, 1), date(today.year + by, 12, 31)


def spans(text: str, form: DateForm) -> Iterator[DateSpan]:
    """Where this form is in a text, from its beginning on."""
    return (_span(form, found) for found in _pattern(form).finditer(text))


@cache
def _pattern(form: DateForm) -> re.Pattern[str]:
    """Made when it is first looked for: a hook reads one form of all."""
    return re.compile(_PATTERNS[form], re.IGNORECASE)


def _span(form: DateForm, found: re.Match[str]) -> DateSpan:
    said = {name: words for name, words in found.groupdict().items() if words}
    word, number = said.get("word", ""), said.get("number", "")
    unit, count, direction = _unit(said.get("unit", "")), 1, _DIRECTIONS.get(form, 0)
    if number:
        count = int(number) if number.isdecimal() else _COUNTS[number.lower()]
    if (near := _near(word.lower())) is not None:
        unit, count, direction = near[0], abs(near[1]), (near[1] > 0) - (near[1] < 0)
    elif word:
        unit, direction = unit or "week", _TURNS[_sense(word)]
    return DateSpan(
        form, found.string, found.start(), found.end(), said.get("before", ""), word, said.get("tail", ""),
        unit, count, direction, number,
        _weekday(said["weekday"]) if "weekday" in said else int(said.get("day", 0)),
        said.get("month", ""), int(said["year"]) if "year" in said else None,
    )  # fmt: skip


def _near(word: str) -> tuple[str, int] | None:
    days = {**_NEAR, **_NEAR_GERMAN}.get(word)
    return _NEAR_JAPANESE.get(word) if days is None else ("day", days)


def _unit(written: str) -> str:
    small = written.lower()
    return next((unit for stem, unit in _UNITS.items() if small.startswith(stem)), small)


def _weekday(written: str) -> int:
    small = written.lower()
    of_language = next((days for days in (DAYS, _GERMAN_DAYS) if small in days), tuple(_JAPANESE_DAYS))
    return of_language.index(small)


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_DIRECTIONS = {
    DateForm.LATELY: -1, DateForm.AGO: -1, DateForm.AGO_GERMAN: -1, DateForm.AGO_JAPANESE: -1,
    DateForm.FROM_NOW: 1, DateForm.AHEAD: 1,
}  # fmt: skip
_OF_A_WEEKDAY = frozenset({DateForm.WEEKDAY, DateForm.ON_DAY, DateForm.WEEKDAY_GERMAN, DateForm.ON_DAY_GERMAN})
_OPEN = r"(?<![\w-])"
_BEFORE = (
    rf"(?:{_OPEN}(?P<before>(?:since|until|till|by|from|before|after|for|of|on|in|as of|through|than|due|between"
    r"|and|to|around|about|into|towards?) (?:the )?))?\b"
)
_BEFORE_GERMAN = rf"(?:{_OPEN}(?P<before>(?:seit|bis|von|ab|auf|für|vor|nach|in|im|am|zum) (?:der |dem |den )?))?\b"
_TURN_GERMAN = rf"(?P<word>(?:{'|'.join(_GERMAN_TURNS)})(?:e[nrms]?)?)"
_NUMBER = rf"(?P<number>\d{{1,3}}|{_one_of({**_NUMBERS, **_ROUGH_NUMBERS})})"
_HOUR = r"(?: (?P<tail>morning|afternoon|evening|night)\b)?"
_UNIT = "(?P<unit>day|week|month|year)"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_LEAD = r"(?P<before>(?:on|since|until|till|by|from|before|after|due) (?:the )?)?\b"
_TH = "(?:st|nd|rd|th)?"
_NO_YEAR = r"(?! ?\d|,? ?(?:of )?(?:\d{4}|'\d\d)|\.?\d|/)"
_ENDS = r"(?= *(?:[.,;:!?)\n]|$|we\b|i\b|they\b|and\b|then\b))"
_PATTERNS = {
    DateForm.LATELY: rf"(?:{_OPEN}(?P<before>(?:in|over|during|for|within) the ))?"
    rf"\b(?P<word>last|past|previous) (?P<tail>(?:{_NUMBER} )?{_UNIT}s?)\b",
    DateForm.NEAR: rf"{_BEFORE}(?P<word>{_one_of(_NEAR)})\b{_HOUR}",
    DateForm.TURN: rf"{_BEFORE}(?P<word>last|previous|this|current|next) (?P<unit>week|month|year)\b",
    DateForm.WEEKDAY: rf"{_BEFORE}(?P<word>last|this|next|coming) (?P<weekday>{'|'.join(DAYS)})\b{_HOUR}",
    DateForm.ON_DAY: rf"{_OPEN}(?P<before>(?:on|since|until|till|by) )(?P<weekday>{'|'.join(DAYS)})\b{_HOUR}",
    DateForm.END: rf"(?:{_OPEN}(?P<before>(?:by|until|till|at|before) ))?\b(?:the )?end of (?:the )?"
    r"(?P<unit>month|year)\b",
    DateForm.FROM_NOW: rf"{_BEFORE}{_NUMBER} {_UNIT}s? from now\b",
    DateForm.AGO: rf"{_BEFORE}{_NUMBER} {_UNIT}s? ago\b",
    DateForm.AHEAD: rf"{_OPEN}in {_NUMBER} {_UNIT}s?{_ENDS}",
    DateForm.MONTH_DAY: rf"{_OPEN}(?<!in ){_LEAD}{_MONTH} (?P<day>\d{{1,2}}){_TH}\b{_NO_YEAR}",
    DateForm.DAY_MONTH: rf"{_OPEN}{_LEAD}(?P<day>\d{{1,2}}){_TH}\.?(?: of)? {_MONTH}\b{_NO_YEAR}",
    DateForm.MONTH: r"\b(?P<before>(?:in|since|until|till|by|from|during|early|late|last) (?:last |next )?)"
    rf"{_MONTH}\b(?:,? (?P<year>\d{{4}}))?",
    DateForm.NEAR_GERMAN: rf"{_BEFORE_GERMAN}(?P<word>{_one_of(_NEAR_GERMAN)})\b"
    r"(?: (?P<tail>früh|Morgen|Vormittag|Mittag|Nachmittag|Abend|Nacht)\b)?",
    DateForm.TURN_GERMAN: rf"{_BEFORE_GERMAN}{_TURN_GERMAN} (?P<unit>Woche|Monat|Jahr)\b",
    DateForm.AGO_GERMAN: rf"{_OPEN}vor (?P<number>\d{{1,3}}|{_one_of(_GERMAN_NUMBERS)}) "
    r"(?P<unit>Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)\b",
    DateForm.WEEKDAY_GERMAN: rf"{_BEFORE_GERMAN}{_TURN_GERMAN} (?P<weekday>{'|'.join(_GERMAN_DAYS)})\b",
    DateForm.ON_DAY_GERMAN: rf"{_OPEN}(?P<before>am |seit )(?P<weekday>{'|'.join(_GERMAN_DAYS)})\b",
    DateForm.END_GERMAN: rf"{_OPEN}(?P<before>bis |zum |am )?Ende (?:des|dieses) (?P<unit>Monats|Jahres)\b",
    DateForm.WEEKDAY_JAPANESE: rf"(?P<word>先週|今週|来週)の(?P<weekday>[{_JAPANESE_DAYS}])曜日?",
    DateForm.AGO_JAPANESE: r"(?<![0-9一二三四五六七八九十])(?P<number>\d{1,3}|[一二三四五六七八九十])"
    r"(?P<unit>日|週間|か月|ヶ月|カ月|年)前",
    DateForm.NEAR_JAPANESE: rf"(?P<word>{_one_of(_NEAR_JAPANESE)})",
    DateForm.ISO: r"\b\d{4}-\d{2}-\d{2}\b",
}
