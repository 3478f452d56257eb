"""What does a prompt ask for? Its words, whether it is technical, which types it hints at, which time it speaks of.

Pure: it knows no Memory. Words are matched in any form a sentence needs: plural, past, at its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memlane.domain import Intent, Type
from memlane.domain.dates import DAYS, DateForm, spans
from memlane.recall.language import in_other_script, language_of
from memlane.recall.small_talk import is_personal, is_small_talk, says_little
from memlane.recall.small_talk_words import ROUTINE
from memlane.recall.words import content_terms, is_identifier, is_technical

_INTENT_ROWS = (
    (Intent.CHOICE, r"deci(?:sion|de)s?|decided|deciding|cho(?:ose|se)s?|chosen|choosing|choices?"),
    (Intent.PREFERENCE, r"preferences?|prefer(?:s|red|ring)?"),
    (Intent.LIKING, r"(?:i|we|he|she|they|you|do|does|did|would|really|don'?t|doesn'?t) liked?|likes"),
    (Intent.CUSTOM, r"always|usual(?:ly)?"),
    (Intent.MISTAKE, r"mistak(?:e|es|en)|wrong(?:ly)?|errors?"),
    (Intent.PROBLEM, r"issues?|problems?"),
    (Intent.HABIT, r"patterns?|habit(?:s|ual)?|routines?"),
    (Intent.DISCOVERY, r"learn(?:ed|t|s|ing)?|reali[sz](?:e|es|ed|ing)|discover(?:y|ies|ed|s|ing)?"),
)
_INTENTS: Mapping[Intent, re.Pattern[str]] = {
    intent: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for intent, words in _INTENT_ROWS
}
INTENT_WORDS = re.compile(rf"\b(?:{'|'.join(words for _intent, words in _INTENT_ROWS)})\b", re.IGNORECASE)
# How many days ago: from, to. Weeks and months as people mean them, a little generously.
_TIME_ROWS: tuple[tuple[str, tuple[float, float]], ...] = (
    ("today|this morning", (0, 1)),
    ("yesterday|last night", (0.5, 2)),
    ("(?:(?:a )?few|(?:a )?couple of|some) days ago|the other day", (1, 7)),
    ("this week|(?:last|on) (?:" + "|".join(DAYS) + ")", (0, 8)),
    ("last week|a week ago", (1, 14)),
    ("recently|lately|(?:a )?(?:few|couple of) weeks ago", (0, 31)),
    ("this month", (0, 31)),
    ("last month|a month ago", (7, 62)),
    ("last year|a year ago", (90, 730)),
)
_TIMES: Mapping[re.Pattern[str], tuple[float, float]] = {
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE): days for words, days in _TIME_ROWS
}
TIME_WORDS = re.compile(
    rf"\b(?:{'|'.join(words for words, _days in _TIME_ROWS)}|\w+ (?:days?|weeks?|months?) ago)\b", re.IGNORECASE
)
_UNITS = {"day": 1, "week": 7, "month": 30}

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LONGEST_ROUTINE = 8  # words


@dataclass(frozen=True, slots=True)
class Need:
    """`within`: so many days ago at most and at least, where the prompt speaks of a time."""

    terms: frozenset[str]
    technical: bool
    routine: bool  # said while work goes on: yes, thanks, continue, what a day
    boosted: frozenset[Type]
    within: tuple[float, float] | None
    personal: bool = False  # perhaps small talk: only a sure note is told
    says_little: bool = False  # like a short Cue by chance: what is found by one must be sure

    def none(self, *, within_talk: bool) -> bool:
        """Nothing in it could need a note; within a talk "when does it go out?" may."""
        return self.routine or not (self.terms or within_talk)


def needed(prompt: str) -> Need:
    hinted = {intent for intent, words in _INTENTS.items() if words.search(prompt)}
    boosted = frozenset(type_ for type_ in Type if hinted.intersection(type_.row.intents))
    routine = _is_routine(prompt) or is_small_talk(prompt)
    little = says_little(prompt) and not in_other_script(language_of(prompt))  # words without spaces are not counted
    technical, within = is_technical(prompt), _within(prompt)
    return Need(content_terms(prompt), technical, routine, boosted, within, is_personal(prompt), little)


def _is_routine(prompt: str) -> bool:
    words = _WORD.findall(prompt.casefold())
    return len(words) <= _LONGEST_ROUTINE and all(word in ROUTINE for word in words) and not content_digits(prompt)


def content_digits(prompt: str) -> bool:
    """`E4021` alone is no small talk."""
    return any(is_identifier(term) for term in content_terms(prompt))


def _within(prompt: str) -> tuple[float, float] | None:
    for span in spans(" ".join(prompt.split()), DateForm.AGO):
        if span.exact and (unit := _UNITS.get(span.unit)):
            days = float(unit * span.number)
            return max(0.0, days - unit), days + unit
    return next((days for words, days in _TIMES.items() if words.search(prompt)), None)
