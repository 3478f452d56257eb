"""What a sentence tells beyond its moment: a rule, a reason, a contrast; or only this one task."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.catch.embedded.cues import SAYS
from memlane.catch.embedded.features import content_words, own_words, words
from memlane.catch.embedded.questions import question
from memlane.catch.embedded.sentences import as_rule, is_question, sentences
from memlane.catch.moment import Moment
from memlane.domain import Type


@dataclass(frozen=True, slots=True)
class Sign:
    """`sort`: rule, reason or contrast; `words` as they stand in the sentence."""

    sort: str
    words: str
    weight: int


_VERBS = (r"\bis", r"\bare", r"\bwas", r"\bdo", r"\bdoes", r"\bdid", r"\bam", r"\bbe", r"\bhas", r"\bhave", r"\bwill")
_NO_VERB = "".join(
    f"(?<!{verb})" for verb in (*_VERBS, "'s", "'re", "'m", "'ve", "'ll")
)  # "is not so" contrasts little
_WORD = r"(?:(?:the|an?|in|on|to|as|by|for|from|with) )?[\w`\"'./-]+"
_SIGNS = tuple(
    (sort, weight, re.compile(pattern, re.IGNORECASE))
    for sort, weight, pattern in (
        ("rule", 3, r"\bnever\b(?! mind)|\b(?:always|avoid|from now on|going forward|as a rule|whenever|every time)\b"),
        ("rule", 3, r"\b(?:prefer\w*|(?:i'd|i would|would|i) rather)\b"),
        ("rule", 2, r"\b(?:we|you) (?:don'?t|do not|shouldn'?t|should not|must not|can'?t|cannot|won'?t)\b"),
        ("rule", 2, r"(?:^|[,;:.-] )(?:and |but |so |please |just )*(?:do not|don'?t|stop|no need)\b"),
        ("rule", 2, r"\b(?:must|should|shouldn'?t|needs? to|ha(?:s|ve) to|supposed to|make sure|ensure|no longer)\b"),
        ("rule", 2, r"\b(?:convention|policy|principle|by default|the point (?:is|of)|remember(?: that)?)\b"),
        (
            "rule",
            2,
            r"\b(?:tone|wording|spelling|emojis?|ellips[ei]s|(?:in)?formal|casual|friendly|polite|verbose|concise)\b",
        ),
        ("rule", 3, r"^only (?:\w+ ){1,3}(?:if|when|after|with|for)\b"),
        ("reason", 3, r"\b(?:no point|no sense|pointless)\b"),
        ("contrast", 2, r"\bnot \w+ing\b.*, just\b"),
        ("rule", 1, r"\b(?:only|not be|isn'?t needed|unnecessary|consistent\w*|at all|no \w+s\b)"),
        (
            "reason",
            3,
            r"\b(?:on purpose|by design|intentional(?:ly)?|deliberate(?:ly)?|explicitly (?:cho\w+|decid\w+|want\w*))\b",
        ),
        ("reason", 3, r"\b(?:because|so that|otherwise|the reason|in order to|to avoid|due to)\b"),
        ("reason", 3, r"\bsince (?:it|we|you|the|they|that)\b"),
        (
            "reason",
            2,
            r", (?:so|as) (?:we|it|they|you|i|the|that|a|this|there)\b|\b(?:that way|which means|that means)\b",
        ),
        ("contrast", 3, r"\b(?:instead(?: of)?|rather than|as opposed to|whereas|not just)\b"),
        ("contrast", 2, rf"{_NO_VERB},? (?:but )?(?:not|never) {_WORD}|, no \w+"),
        ("contrast", 1, r"\bnot\b|\w+n't\b"),
    )
)
_OF_THE_MOMENT = re.compile(
    r"\b(?:yet|for now|right now|this time|again|have a look|look at|let me know|can you|could you|help me|go ahead"
    r"|next step|at the moment|today|not sure|i (?:don'?t|do not) (?:know|see|understand|get)|wondering|might|maybe"
    r"|seems?|looks like|propose|these \w+s|those \w+s|(?:what|where|which|how) [^,.]{0,40}should|i have a feeling"
    r"|i suppose|i guess)\b|^(?:looking|and|or|which|then|now|first)\b",
    re.IGNORECASE,
)


def told(sentence: str) -> list[Sign]:
    """The signs in it, the weightiest first; each sort of sign once."""
    found = [
        Sign(sort, hit[0].strip(" ,;:.-"), weight) for sort, weight, sign in _SIGNS if (hit := sign.search(sentence))
    ]
    ranked = sorted(found, key=lambda each: -each.weight)
    return [each for n, each in enumerate(ranked) if each.sort not in {other.sort for other in ranked[:n]}]


def weight(sentence: str) -> int:
    """How much it tells; words that tie it to its moment take some of that away."""
    return sum(each.weight for each in told(sentence)) - 2 * len(_OF_THE_MOMENT.findall(sentence))


def only_contrasts(sentence: str) -> bool:
    """ "It keeps the place, not the value": no rule and no reason."""
    return all(each.sort == "contrast" for each in told(sentence))


_STANDING = re.compile(
    r"\b(?:always|never|ever|every|each|whenever|anywhere|everywhere|from now on|by default|usually|generally"
    r"|in general|going forward|must|should|make sure|ensure|rules?)\b",
    re.IGNORECASE,
)
_LEAD = r"^(?:(?:please|do not|now|then|also|okay|ok),? )*"
_ONLY_THIS = re.compile(r"(?:^|[,;:] |\band )(?:please )?just (?!because\b|so\b|like\b|as\b|in\b)\w+", re.IGNORECASE)
_PIECE_OF_WORK = re.compile(
    rf"{_LEAD}(?:create|open|make|raise|send|post|push|write|submit|file|start|publish|draft|do|give)"
    r" (?:me )?(?:an?|the|this|that|another|one|your) (?:\w+ ){0,2}(?:pr|pull request|mr|commit|branch|issue|comment"
    r"|release|reply|summary|plan|report|ticket|review|analysis|proposal|explanation)\b",
    re.IGNORECASE,
)
_DEEDS = (
    "copy|move|rename|delete|remove|revert|create|add|implement|fix|update|change|replace|merge|push|explain"
    "|investigate|give|show|get|post|extract|refactor|review|rewrite|double[- ]check|look|analy[sz]e|commit|rebase|test"
)
_DONE_ONCE = re.compile(rf"^(?:(?:please|now|then|also),? )*(?:{_DEEDS})\b", re.IGNORECASE)
_OF_A_LIST = re.compile(
    r"\b(?:option|approach|bullet|point|item|step|phase|variant|edge case|scenario|alternative|rev)s? "
    r"(?:\(?\d+\)?|[A-H])(?![\w'-])|\(\d+\)",
    re.IGNORECASE,
)
_AS_IT_STANDS = re.compile(
    r"\bthe (?:old|new|other|previous|current|simplest|above) (?:one|solution|approach|version|way|plan|idea|fix"
    r"|design|stuff|thing)s?\b|\bthis (?:edge case|case|problem|issue|approach|scenario|bug)\b",
    re.IGNORECASE,
)
_ONE_COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_INTENDED = re.compile(
    rf"^we (?:can|could) |^we (?:should|need to|have to|will) (?:\w+ly )?(?:{_DEEDS})\b", re.IGNORECASE
)
_MEANT_HERE = (_OF_A_LIST, _AS_IT_STANDS, _ONE_COMMIT)
_ORDERED_ONCE = (_ONLY_THIS, _PIECE_OF_WORK, _DONE_ONCE)


def passing(title: str) -> bool:
    """ "Do not create a pr, just a commit"; "Option B, because users load lazily"; whatever names one commit."""
    if any(pattern.search(title) for pattern in _MEANT_HERE):
        return True
    return _STANDING.search(title) is None and any(pattern.search(title) for pattern in _ORDERED_ONCE)


def intended(reply: str) -> bool:
    """ "We should add a switch": what an agent will do next, though it says "we"."""
    return _INTENDED.match(reply) is not None


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
class LeastJudgement:
    """What is due whatever the classifier says."""

    confidence: int
    type: Type


STATED = LeastJudgement(75, Type.COMMITMENT)
FORBIDDEN = LeastJudgement(50, Type.CORRECTION)  # how often these two hold nobody has measured: held
CHOSEN = LeastJudgement(50, Type.DECISION)  # an option that was picked with a reason; "we do it so because …"


def least(moment: Moment) -> LeastJudgement | None:
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
