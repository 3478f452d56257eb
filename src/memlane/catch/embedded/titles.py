"""One sentence that says what a moment taught: the person's own, an option they picked, or what the agent granted.

Never two sentences stitched together. None where no sentence stands on its own: silence is better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.embedded import vetoes
from memlane.catch.embedded.cues import REPLY
from memlane.catch.embedded.features import content_words
from memlane.catch.embedded.questions import AgentQuestion, chose
from memlane.catch.embedded.rules import intended, is_stated, passing, weight
from memlane.catch.embedded.sentences import as_rule, capital, clipped, is_question, plain, sentences
from memlane.catch.moment import Moment

TITLE, LONGEST = 120, 160  # characters: what is wanted, and what is better than a sentence without its end
TELLING, STRONG = 2, 3  # what a sentence has to tell to be shown at all, and without anybody's yes
LITTLE, OF_A_TASK = 10, 100  # points of confidence: where it tells little, where it is one rule of many
A_TASK = 900  # characters: who types more hands over a task, and its rules are the task's
_FEWEST = (3, 2)  # words that tell something: of any sentence, of one that states a rule
_MOST_TOLD = 6  # more signs in one sentence say no more
_LONGEST_OPTION = 12  # words
_GRANTED = ("you are right", "good point", "my mistake")
_NEXT, _FULL = 2, 5  # sentences from the one that grants something; words that tell something in each
_REPLY = 600  # characters in which an agent grants something

_CLAUSE = re.compile(
    r"[,;]\s+(?:but |so |and |also )*(?=(?:we|you|the|there|do not|don'?t|never|always|only|avoid|prefer|both|for|all"
    r"|each|every|use|if|when|i(?:'d)? rather)\b)"
    r"|;\s+|\s+[–—-]+\s+|,? but (?=\w)",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|so that|otherwise|as it)\b.*", re.IGNORECASE)
_NAMED = re.compile(r"`([^`\n]{2,40})`")
_SO = re.compile(r"^(?:so|and|but|actually|indeed|well)[,\s]+", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^(?:it|this|that)(?= (?:should|must|needs|has to|is not|isn'?t|does not|doesn'?t|can'?t|only|never|always)\b)",
    re.I,
)
_CONCEDED_WORDS = (
    "ah|oh|oops|hmm|wait|yes|yeah|no|right|sorry|thanks|thank you|got it|i see|understood|good|great|excellent|nice"
    "|fair(?: enough)?|perfect|exactly|agreed|apologies|my (?:mistake|bad)|done|absolutely|sure|ok|okay"
    "|(?:that )?makes sense"
)
_RIGHT = r"(?:and )?you(?:'?re| are) (?:absolutely |totally |completely )?(?:right|correct)(?: that)?"
_POINT = r"(?:good|great|fair|excellent|nice|sharp) (?:catch|point|question|idea|call|observation|thinking|instinct)"
_CONCEDES = re.compile(
    rf"^\W*(?:(?:(?:{_POINT}|{_RIGHT}|that'?s (?:right|correct|fair|a {_POINT}))\b"
    rf"|(?:{_CONCEDED_WORDS})(?=\s*[,.!:;–—-]|$))[\s,.!:;–—-]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Title:
    """`heart` is the sentence as it stands in the text; `doubt` is what it takes off the confidence."""

    text: str
    heart: str
    told: int
    doubt: int = 0
    granted: bool = False  # the agent's sentence

    @property
    def strong(self) -> bool:
        """It tells enough to be shown without a yes, if the classifier is sure."""
        return self.doubt == 0


def titled(moment: Moment, asked: AgentQuestion | None, likeness: Callable[[str], float]) -> Title | None:
    if asked and (picked := _picked(moment, asked)):
        return picked
    own = max(_own(moment), key=lambda each: (min(each.told, _MOST_TOLD), likeness(each.heart)), default=None)
    if own is not None and own.strong:
        return own
    granted = max(_granted(moment), key=lambda each: each.told, default=None)
    return granted if granted is not None and (granted.strong or own is None) else own


def _doubt(moment: Moment, title: str, *, tells: bool) -> int:
    """Nothing of a long text, or of what holds for this task alone, is active without a person's yes."""
    return OF_A_TASK if len(moment.person) > A_TASK or passing(title) else 0 if tells else LITTLE


def _fitting(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST else clipped(sentence, TITLE)


# -- the person's own -------------------------------------------------------------------------------------------------


def _own(moment: Moment) -> Iterator[Title]:
    """A bare request tells nothing, even one the agent grants; a statement it had to grant was true."""
    for sentence in sentences(moment.person):
        for clause in _clauses(sentence):
            rule = _subject(as_rule(clause), moment)
            text = _fitting(rule)
            told = weight(text) + 3 * is_stated(clause)
            telling, right = told >= TELLING, told >= 0 and _is_right(moment.next)
            if len(content_words(rule)) < _FEWEST[telling] or vetoes.of_title(text) or vetoes.is_order(text) > telling:
                continue
            if telling or right:
                yield Title(text, clause, told, _doubt(moment, text, tells=told >= STRONG or right))


def _clauses(sentence: str) -> list[str]:
    """A sentence that fits and says its own is one; else the rule may stand in the middle of it."""
    rule = as_rule(sentence)
    if is_question(sentence) or (len(rule) <= LONGEST and vetoes.of_title(rule) is None):
        return [sentence]
    return [sentence, *(clause for clause in _CLAUSE.split(sentence) if clause and len(content_words(clause)) > 3)]


def _subject(rule: str, moment: Moment) -> str:
    """What "it" is, where the agent's last words name just one thing."""
    if not _SUBJECT.match(rule):
        return rule
    names = list(dict.fromkeys(_NAMED.findall(moment.before_agent)))
    return _SUBJECT.sub(f"`{names[0]}`", rule, count=1) if len(names) == 1 else rule


# -- an option --------------------------------------------------------------------------------------------------------


def _picked(moment: Moment, asked: AgentQuestion) -> Title | None:
    """Only where every option is a plain clause."""
    if asked.picked is None or not all(map(_is_clause, asked.options)):
        return None
    reason = _reason(asked, sentences(moment.person))
    text = _fitting(f"{chose(asked)}: {reason}" if reason else chose(asked))
    return Title(text, "", TELLING, 0 if reason else LITTLE)


def _is_clause(option: str) -> bool:
    return 1 <= len(option.split()) <= _LONGEST_OPTION and option[-1:] not in ":?" and not option.startswith("do you")


def _reason(asked: AgentQuestion, said: Sequence[str]) -> str:
    """What was said besides the choice itself."""
    chosen = content_words(asked.chosen)
    for each in said:
        because = _BECAUSE.search(each)
        if because and content_words(each) & chosen:
            return plain(because[0])
        if len(content_words(each) - chosen) > 1 and not is_question(each):
            rule = as_rule(each)
            return rule[:1].lower() + rule[1:]
    return ""


# -- what the agent granted -------------------------------------------------------------------------------------------


def conceded(reply: str) -> str:
    """The words with which the agent gave in, "" if it did not. To call a question good grants nothing."""
    found = (hit[0] for name in _GRANTED if (hit := REPLY[name].search(reply[:_REPLY])))
    return next((words for words in found if "question" not in words.lower()), "")


def _is_right(reply: str) -> bool:
    """ "You're right", not just a good idea: what the person said was so."""
    return any(REPLY[name].search(reply[:_REPLY]) for name in ("you are right", "my mistake"))


def without_concession(sentence: str) -> str:
    return _CONCEDES.sub("", sentence)


def _granted(moment: Moment) -> Iterator[Title]:
    """A sentence of the reply about what was said before: a cause, a rule, a contrast, or what it grants at once.

    Where it did not give in, nobody but the agent says so: that waits for a person's yes.
    """
    asked_for = content_words(moment.person) | content_words(moment.before_agent)
    gave_in, granting = conceded(moment.next) != "", 0
    for sentence in sentences(moment.next):
        said = _SO.sub("", without_concession(plain(sentence)))
        granting = _NEXT + (not said) if gave_in and conceded(sentence) else granting - 1
        text = _fitting(capital(said).rstrip(":"))
        if len(said) > LONGEST or not content_words(said) & asked_for or vetoes.of_reply(text):
            continue
        told, at_once = weight(text), granting > 0 and len(content_words(said)) >= _FULL
        if told >= TELLING or (at_once and told >= 0):
            doubt = _doubt(moment, text, tells=True) if gave_in and not intended(said) else OF_A_TASK
            yield Title(text, sentence, told + at_once, doubt, granted=True)
