"""German and Japanese dates written out, in their own grammar. The plainest ones, where no other day can be meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

from memlane.claims.date_context import part, sentence
from memlane.domain.dates import DateForm, DateSpan

_GERMAN_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_GERMAN_PAST = re.compile(
    r"\b(?:war|waren|wurden?|hat|hatte|haben|hatten|ging|gingen|lief|fiel|brach|kam|kamen|gab|\w*ge\w{2,}(?:t|en)"
    r"|\w{3,}iert|beschlossen|entschieden)\b",
    re.IGNORECASE,
)
_GERMAN_FUTURE = re.compile(r"\b(?:wird|werden|werde)\b", re.IGNORECASE)
_AFTER = {"auf": "auf den ", "für": "für den ", "vor": "vor dem ", "nach": "nach dem ", "zum": "zum "}
_OF_THE_DAY = {"nacht": "in der Nacht", "früh": "früh"}
_KANA = re.compile("[\u3040-\u30ff]")
_JAPANESE_PAST = re.compile(r"(?:た|ました|でした|だった|ていた|んだ)(?:[。！？!?.\n、]|$|の[でだ]|ため|から|が)")
_JAPANESE_PLAN = re.compile(r"予定|つもり|ましょう|始め|移行|公開|リリース|する。|します")
_JOINS = re.compile(r"[のはもにでとが、。]|から|まで|より|以降|中に")
_OF_A_NAME = re.compile(r"[子香美奈郎]")


def _day(span: DateSpan, day: str) -> str:
    lead = span.before.partition(" ")[0].lower()
    if lead in ("seit", "bis", "von", "ab"):
        return f"{span.before.partition(' ')[0]} {day}"
    return f"{_AFTER.get(lead, 'am ')}{day}"


def _german_near(span: DateSpan, today: date) -> str:
    """ "Heute" is also "nowadays", and "morgen" the morning."""
    told, bound = sentence(span), span.before.lower().startswith(("seit ", "bis ", "ab "))
    if span.word.lower() == "heute" and not bound and not _GERMAN_PAST.search(told):
        return span.words
    if span.word.lower() == "morgen" and (span.word != "morgen" or not (bound or _GERMAN_FUTURE.search(told))):
        return span.words
    hour = span.tail.lower()
    said = f" {_OF_THE_DAY.get(hour, f'am {span.tail.title()}')}" if hour else ""
    return _day(span, span.days(today)[0].isoformat()) + said


def _german_turn(span: DateSpan, today: date) -> str:
    first, lead = span.days(today)[0], span.before.partition(" ")[0]
    bound = lead.lower() in ("seit", "bis", "von", "ab")
    if span.unit == "week":
        case = f"{lead} die" if lead.lower() in ("auf", "für") else f"{lead or 'in'} der"
        return span.words if lead.lower() in ("am", "im", "zum") else f"{case} Woche vom {first.isoformat()}"
    if lead and not bound and lead.lower() not in ("in", "im"):
        return span.words
    number, noun = (f"{first:%Y-%m}", "Monat") if span.unit == "month" else (str(first.year), "Jahr")
    return f"{lead} {number}" if bound else f"im {noun} {number}"


def _german_ago(span: DateSpan, today: date) -> str:
    if span.text.endswith((" als ", " bis "), 0, span.start):
        return span.words
    first = span.days(today)[0]
    written = {"day": f"am {first.isoformat()}", "week": f"in der Woche vom {first.isoformat()}"}
    return written.get(span.unit) or (f"im Monat {first:%Y-%m}" if span.unit == "month" else f"im Jahr {first.year}")


def _german_weekday(span: DateSpan, today: date) -> str:
    (sure, _), other = span.days(today), span.other_day(today)
    doubt = f" (oder {other.isoformat()}: das wurde nicht gesagt)" if other != sure else ""
    lead = span.before.partition(" ")[0].lower()
    before = f"{lead} " if lead in ("seit", "bis", "ab", "von") else _AFTER.get(lead, "am ")
    return f"{before}{_GERMAN_DAYS[span.day]} {sure.isoformat()}{doubt}"


def _german_on_day(span: DateSpan, today: date) -> str:
    told, since = part(span), span.before.lower() == "seit "
    back, ahead = since or _GERMAN_PAST.search(told) is not None, _GERMAN_FUTURE.search(told) is not None
    if back == ahead or today.weekday() == span.day or re.match(r",? ?\d", span.text[span.end :]):
        return span.words
    day = span.weekday_to_come(today) if ahead else span.days(today)[0]
    return f"{span.before}{span.text[span.start + len(span.before) : span.end]} {day.isoformat()}"


def _german_end(span: DateSpan, today: date) -> str:
    if not _GERMAN_FUTURE.search(sentence(span)):
        return span.words
    return f"{span.before}Ende {f'{today:%Y-%m}' if span.unit == 'month' else today.year}"


def _japanese(span: DateSpan, today: date) -> str:
    """Followed by what joins it to the rest; a verb needs its particle."""
    told, ahead = sentence(span), span.direction > 0
    rest = span.text[span.end :]
    if _OF_A_NAME.match(rest) or not _KANA.search(told) or span.text[: span.start].endswith(("の", "の、")):
        return span.words
    if not (_JAPANESE_PLAN.search(told) if ahead else _JAPANESE_PAST.search(told)):
        return span.words
    first = span.days(today)[0]
    number = {"week": f"{first.isoformat()}の週", "month": f"{first:%Y-%m}", "year": f"{first.year}年"}
    day = first.isoformat() if span.form is DateForm.WEEKDAY_JAPANESE else number.get(span.unit, first.isoformat())
    return day if _JOINS.match(rest) else f"{day}に"


FOREIGN_FORMS: Mapping[DateForm, Callable[[DateSpan, date], str]] = {
    DateForm.WEEKDAY_GERMAN: _german_weekday,
    DateForm.TURN_GERMAN: _german_turn,
    DateForm.NEAR_GERMAN: _german_near,
    DateForm.AGO_GERMAN: _german_ago,
    DateForm.ON_DAY_GERMAN: _german_on_day,
    DateForm.END_GERMAN: _german_end,
    DateForm.WEEKDAY_JAPANESE: _japanese,
    DateForm.AGO_JAPANESE: _japanese,
    DateForm.NEAR_JAPANESE: _japanese,
}
