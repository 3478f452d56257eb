"""Rules a person states in so many words: "always …", "never …", "from now on …", "remember that …", "don't use …".

The labelled moments hold next to none of them, so no classifier could learn them; what they mean leaves little doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.catch.embedded.asked import question
from memlane.catch.embedded.cues import SAYS
from memlane.catch.embedded.features import content_words, own_words, words
from memlane.catch.embedded.sentences import as_rule, is_question, sentences
from memlane.catch.moment import Moment
from memlane.domain import Type

_MOST_WORDS = 45  # a rule is short; in a page of text "never" is anything

_NO_RULE = "mind|seen|heard|worked|said|told|asked|wanted|saw|had|did|got"  # after "never"
_ALWAYS = re.compile(
    rf"^(?:always|never (?!(?:{_NO_RULE})\b)|from now on|going forward|in (?:the )?future|as a rule"
    r"|whenever you|every time you)\b(?!.*\bfor now\b)|\b(?:we|you) (?:should |must |do )?(?:always|never) \w",
    re.IGNORECASE,
)
_REMEMBER = re.compile(r"\b(?:remember|keep in mind|bear in mind|don'?t forget) that\b|^\W*remember:", re.IGNORECASE)
_USUAL = "use|mock|hard-?code|invent|guess|assume|rely on|commit|call|name|write|end|start|begin|say|abbreviate|rename"
_DO_NOT = re.compile(rf"^(?:please )?(?:do not|don'?t|stop|avoid)(?: ever)? (?:{_USUAL})(?:ing)?\b", re.IGNORECASE)
_NO_DEED = "are|were|have|had|got|get|see|saw|can|could|need|just|should"
_WE_DO = re.compile(rf"^(?:no, |but )?we (?!(?:{_NO_DEED})\b)[a-z]+\b.* (?:because|so that) \w", re.IGNORECASE)
_ONCE = re.compile(r"\b(?:anything|yet|now|for now|just|right away|today|this time|it|that|this|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Least:
    """What is due whatever the classifier says."""

    confidence: int
    type: Type


STATED = Least(75, Type.COMMITMENT)
FORBIDDEN = Least(50, Type.CORRECTION)  # how often these two hold nobody has measured: held
CHOSEN = Least(50, Type.DECISION)  # an option that was picked with a reason; "we do it so because …"


def least(moment: Moment) -> Least | None:
    own = own_words(moment.person)
    if len(words(own)) > _MOST_WORDS:
        return None
    told = [each for each in sentences(moment.person) if not is_question(each)]
    if any(is_stated(each) for each in told):
        return STATED
    if any(_DO_NOT.match(each) and not _ONCE.search(each.split(",")[0]) for each in told):
        return FORBIDDEN
    if any(_WE_DO.match(each) for each in told):
        return CHOSEN
    return CHOSEN if _chosen_with_a_reason(moment, own) else None


def is_stated(sentence: str) -> bool:
    said = _REMEMBER.search(sentence) is not None or _ALWAYS.search(as_rule(sentence)) is not None
    return said and len(content_words(sentence)) > 2


def _chosen_with_a_reason(moment: Moment, own: str) -> bool:
    """A pick alone is over with its task; whoever says why decides something."""
    asked = question(moment.before_agent, moment.person)
    return asked is not None and asked.picked is not None and SAYS["reason"].search(own) is not None
