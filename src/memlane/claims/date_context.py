"""What do the words around a date say of it: is one day meant, or any? In the past, or to come? Unsure means no."""

from __future__ import annotations

import re

from memlane.domain.dates import DAYS, MONTHS, DateForm, DateSpan

FAR = 300  # characters: what is farther away says nothing of a date
_NO_PAST = r"(?!(?:speed|exceed|succeed|proceed|indeed|embed|bleed|breed)\b)"
PAST = re.compile(
    r"\b(was|were|had|did|went|broke|made|chose|began|came|took|wrote|ran|sent|left|lost|found|got|saw|said|told|built"
    rf"|met|gave|fell|{_NO_PAST}\w{{3,}}ed|since|last|ago|back)\b",
    re.IGNORECASE,
)
FUTURE = re.compile(r"\b(will|going to|plan(?:s|ned)?|next|scheduled|shall|deadline)\b|['’]ll\b", re.IGNORECASE)
SOON = re.compile(
    r"\b(ready|again|comes?|arrives?|starts?|begins?|ends?|leaves?|moves?|launch(?:es)?|ships?|meets?)\b", re.IGNORECASE
)
# What is true again and again is no date, even when it says how many days.
RULE = re.compile(
    r"\b(expires?|expir(?:y|ing|ation)|within|takes?|lasts?|every|each|times? out|timeout|retr\w+|rotat\w+|older"
    r"|default|per|fades?|ttl|always|never|usually|at most|at least|up to|maximum|minimum|once|whenever|if|when"
    r"|from now on)\b",
    re.IGNORECASE,
)
# "is updated in May": each year
HABIT = re.compile(r"\b(?:is|are|be|gets?|being) (?:\w+ ){0,2}?\w+ed\b", re.IGNORECASE)
_SENTENCE, _PART = (
    re.compile(r"[.!?;\n。！？]"),
    re.compile(r"[.!?;:,\n。！？、]|\b(?:and|but|because|so|while|und|aber)\b"),
)
# What happened or will: "the cache is from last night" is true every day, and no day is meant.
_HAPPENS = re.compile(
    r"\b(?:was|were|had|did|went|broke|made|chose|began|came|took|wrote|ran|sent|left|lost|found|got|saw|said|told|built"
    rf"|met|gave|fell|{_NO_PAST}[a-z]{{3,}}ed|will|shall|going to|plans? to|until|since|as of|moves?|starts?"
    r"|ends?|begins?)\b|['’]ll\b",
    re.IGNORECASE,
)
_ALWAYS = re.compile(r"\b(?:is|are|be|gets?|being) (?:\w+ ){0,2}?\w+ed\b(?: and \w+ed\b)*|\bhas not \w+", re.IGNORECASE)
_BOUND = ("since ", "until ", "till ", "by ", "as of ", "from ")
_VERBS_OF_SHOW = "show|display|print|render|return|contain|include|compute|calculate|compare|highlight|output|mean"
# What a program shows depends on the day it runs. "The reports" is no verb.
_SHOWS = re.compile(
    rf"\b(?:{_VERBS_OF_SHOW})s?\b|(?<!\bthe )(?<!\bour )(?<!\ball )(?<!\bnew )(?<!\bof )\b(?:lists|reports|filters"
    r"|exports|fetches|loads|queries|selects|sums|counts|reads|emails|mails|archives|deletes|holds|covers)\b"
    r"|\b(?:to|should|must|can|may|would|not|always|only) (?:list|report|filter|export|fetch|load|query|select|sum"
    r"|count|read|email|archive|delete|hold|cover)\b"
    r"|\b(?:zeigt|zeigen|listet|enthält|enthalten|liefert|druckt|exportiert|berechnet|anzeigt|angezeigt|bedeutet)\b"
    r"|表示|一覧|出力|集計|返す|返し|計算|取得",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\b(?:if|when|whenever|every|each|always|never|usually|unless|what|whatever|anything|everything"
    r"|wenn|falls|immer|nie|niemals|jede[nrsm]?|sobald|stets|täglich|alles)\b|毎|常に|必ず|いつも|場合|時は|たら|れば",
    re.IGNORECASE,
)
_NAMES = (
    f"{'|'.join(DAYS)}|{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|today|yesterday|tomorrow"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|gestern|morgen|januar|februar|märz|mai|juni|juli"
    "|oktober|dezember"
)
_WIDE = r"(?:(?:the|early|mid|late|next|last|this|in|on|am|im|dem|den)[ -]){0,2}"
_GOES_ON = re.compile(
    rf"(?: ?[-–—/] ?|,? (?:to|through|thru|until|till|bis|and|or|und|oder|vs\.?|versus|&) |, ){_WIDE}(?:{_NAMES})\b"
    r"|(?: ?[-–—] ?| (?:to|through|thru|until|till|bis) )(?:the )?\d",
    re.IGNORECASE,
)
_COMES_FROM = re.compile(
    rf"(?:\b(?:{_NAMES})(?:,? \d{{1,4}}(?:st|nd|rd|th)?)?|\d(?:st|nd|rd|th)?)"
    rf"(?: ?[-–—/] ?|,? (?:to|through|thru|until|till|bis|and|or|und|oder|vs\.?|versus|&) |, ){_WIDE}$",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:to|that|which|who|for|if|should|would|can|could|must|will|may|not|never)\b", re.IGNORECASE
)
_PRESENT = re.compile(r"\b(?:must|should|need|needs|can|may|is|are|always|never|don['’]t)\b", re.IGNORECASE)
_OWN_TENSE = frozenset({DateForm.NEAR, DateForm.TURN, DateForm.WEEKDAY, DateForm.LATELY})
_WRITTEN_OUT = re.compile(r",? ?(?:the |\()?\d")


def sentence(span: DateSpan) -> str:
    return _around(span, _SENTENCE)


def part(span: DateSpan) -> str:
    """Of its sentence, between two commas or conjunctions."""
    return _around(span, _PART)


def is_certain(span: DateSpan) -> bool:
    """One day, week or month is meant, and it is known from when it was said."""
    before = span.text[max(0, span.start - FAR) : span.start] + span.before
    if _GOES_ON.match(span.text, span.end) or _COMES_FROM.search(before[-60:]):
        return False  # a range, or one of several
    if span.text.startswith(("'s", "’s", "-"), span.end) or "than" in span.before.lower():
        return False
    earlier = _SENTENCE.split(before)[-1]
    whole = sentence(span)
    if whole.strip() == span.words.strip():
        return True
    if _SHOWS.search(whole) or _ANY.search(earlier):
        return False
    habit = _ALWAYS.search(part(span)) and not span.before.lower().startswith(_BOUND)
    if span.form not in _OWN_TENSE or span.direction > 0:
        return span.form is not DateForm.AGO or not habit
    return not habit and _HAPPENS.search(_ALWAYS.sub("", whole)) is not None


def day_of_week(span: DateSpan) -> int:
    """-1: the last day of that name; 1: the next one; 0: not said, or every week."""
    here = part(span)
    if _WRITTEN_OUT.match(span.text, span.end) or RULE.search(sentence(span)) or _PRESENT.search(here):
        return 0
    if span.before.lower() == "since ":
        return -1
    before, _, after = here.partition(span.words)
    told = before if before.strip() else after
    back = [found for found in PAST.finditer(told) if not _OTHERWISE.search(told, *_between(found, told is before))]
    ahead = FUTURE.search(told) is not None
    return 0 if bool(back) == ahead else (1 if ahead else -1)


def _between(verb: re.Match[str], comes_first: bool) -> tuple[int, int]:  # noqa: FBT001 - where the verb is
    """From the verb to the day, or from the day to the verb."""
    return (verb.end(), len(verb.string)) if comes_first else (0, verb.start())


def to_come(span: DateSpan) -> bool:
    """Said to come, and once: not how long something takes or how often it happens."""
    return FUTURE.search(sentence(span)) is not None and not RULE.search(sentence(span))


def _around(span: DateSpan, mark: re.Pattern[str]) -> str:
    first, last = max(0, span.start - FAR), span.end + FAR
    start = max((found.end() for found in mark.finditer(span.text, first, span.start)), default=first)
    after = mark.search(span.text, span.end, last)
    return span.text[start : after.start() if after else last]
