"""Does a prompt ask for notes themselves: all about somebody, those of a time, the decisions or mistakes on a subject?

Then nearness is not what decides. Pure: it knows no Memory. Of 10,712 training prompts three do: in doubt none does.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from memlane.recall.earlier_runs import about_the_past
from memlane.recall.need import INTENT_WORDS, TIME_WORDS, Need
from memlane.recall.words import content_terms

_QUESTION = re.compile(r"^\W*(?:(?:and|so|hey|ok|please)\b\W*)?(?:what|which|when|do|did|remind)\b", re.IGNORECASE)
_KINDS = "decisions|choices|mistakes|errors|issues|problems|patterns|habits|preferences|lessons|learnings|insights"
_MY_KIND = rf"(?:my|our) (?:\w+ )?(?:{_KINDS}|decision|choice|mistake|habit|routine|preference)"
_OURS = "i|we|my|our|us|past|ever|before|so far|emerged"
_ON = r"[^.,;:!?]{0,60}"
_FOR_TYPE = re.compile(
    rf"\b(?:what|which|any|list|all)\b{_ON}\b(?:{_KINDS})\b{_ON}\b(?:{_OURS})\b"
    rf"|\b(?:what|which|any|list|all)\b{_ON}\b(?:{_OURS})\b{_ON}\b(?:{_KINDS})\b"
    rf"|\bany (?:{_KINDS}) (?:about|with|on|for|in)\b"
    rf"|\b(?:what|which|is|are|was|were)\b{_ON}\b{_MY_KIND}\b"
    rf"|\b(?:what|which|how)\b{_ON}\b(?:i|we) (?:\w+ )?(?:decided|chose|chosen|learn(?:ed|t)|reali[sz]ed)\b"
    rf"|\bdid (?:i|we) (?:\w+ )?(?:decide|choose|learn|have (?:{_KINDS}))\b"
    r"|\bwhat (?:has gone|went) wrong with\b",
    re.IGNORECASE,
)
_THING = re.compile(r"\bth(?:at|e) thing\b|\bwhat was\b", re.IGNORECASE)
_TRACKED = re.compile(
    r"\b(?:open|closed|assigned|linear|jira|github|gitlab|tickets?|tracker|backlog)\b|#\d", re.IGNORECASE
)
_KNOWLEDGE = re.compile(
    r"\b(?:i|we|you) know (?:about|of)\b|\bremind me\b|\btell me (?:all |everything )?about\b|\bnotes? (?:about|on)\b",
    re.IGNORECASE,
)
# What a question for notes is made of, beside its subject.
_ASKING = frozenset(
    re.findall(
        r"\w+",
        """
        remind remember recall anything stuff note notes settle settled agree agreed discuss discussed talk talked
        happen happened exist information info detail details made make past emerged far
        """,
    )
)


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """`subject`: what the prompt is about, without names, times and words that ask."""

    subject: frozenset[str] = frozenset()
    about_names: bool = False  # all about whom or what it names
    of_type: bool = False  # those of the types that its words hint at, on its subject
    of_time: bool = False  # those of the time that it speaks of


def requested(prompt: str, need: Need, names: Collection[str]) -> NoteRequest:
    left = TIME_WORDS.sub(" ", INTENT_WORDS.sub(" ", prompt))
    for name in sorted(names, key=len, reverse=True):
        left = re.sub(rf"{re.escape(name)}(?:['’]s)?", " ", left, flags=re.IGNORECASE)
    subject = content_terms(left) - _ASKING
    knows = bool(names) and not subject and _KNOWLEDGE.search(prompt) is not None
    of_type = bool(need.boosted) and _FOR_TYPE.search(prompt) is not None and not _TRACKED.search(prompt)
    of_time = need.within is not None and not names and not subject and _asks_for_a_time(prompt)
    return NoteRequest(subject, knows, of_type, of_time)


def _asks_for_a_time(prompt: str) -> bool:
    return about_the_past(prompt) or (_QUESTION.search(prompt) is not None and _THING.search(prompt) is not None)
