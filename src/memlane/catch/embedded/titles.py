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
from memlane.catch.embedded.reproach import meant
from memlane.catch.embedded.rules import intended, is_stated, only_contrasts, passing, weight
from memlane.catch.embedded.sentences import as_rule, capital, is_question, plain, sentences
from memlane.catch.embedded.shape import is_quoted, quoted_lines, reads_alone
from memlane.catch.moment import Moment

LONGEST = 120  # characters of a title: what does not fit is not cut, another sentence is taken
TELLING, STRONG = 2, 3  # what a sentence has to tell to be shown at all, and without anybody's yes
A_TASK = 900  # characters: who types more hands over a task, and its rules are the task's
_FEWEST = (3, 2)  # words that tell something: of any sentence, of one that states a rule
_MOST_TOLD = 6  # more signs in one sentence say no more
_LONGEST_OPTION = 12  # words
_GRANTED = ("you are right", "good point", "my mistake")
_NEXT, _FULL = 2, 5  # sentences from the one that grants something; words that tell something in each
_REPLY = 600  # characters in which an agent grants something
_TAKEN_UP = 2  # words of the person that it repeats: with fewer, it may speak of something else it has seen meanwhile

_CLAUSE = re.compile(
    r"[,;]\s+(?:but |so |and |also )*(?=(?:we|you|the|there|do not|don'?t|never|always|only|avoid|prefer|both|for|all"
    r"|each|every|use|if|when|i(?:'d)? rather|this|that|they|it'?s|which|like)\b)"
    r"|;\s+|\s+[–—-]+\s+|,? but (?=\w)"
    r"|,? so (?=(?:i|we (?:should|need|must|want|don'?t|do not|can'?t|cannot))\b)",
    re.IGNORECASE,
)
_TO_CONFIRM = re.compile(r"\b(?:right|correct|no|yes|ok|okay)\s*\?\s*$", re.IGNORECASE)
_LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_BECAUSE = re.compile(r"\b(?:because|since|so that|otherwise|as it)\b.*", re.IGNORECASE)
_NAMED = re.compile(r"`([^`\n]{2,40})`")
_SO = re.compile(r"^(?:so|and|but|actually|indeed|well)[,\s]+", re.IGNORECASE)
_I_SHOULD = re.compile(r"(^|, )I should (?:just |simply |only |instead )?(?!have\b|be\b|not\b)(?=[a-z])")
_PRESENT = {
    "written": "write", "checked": "check", "used": "use", "run": "run", "asked": "ask", "read": "read", "kept": "keep",
    "verified": "verify", "added": "add", "tested": "test", "looked": "look", "followed": "follow", "started": "start",
    "left": "leave", "removed": "remove", "changed": "change", "committed": "commit", "pushed": "push", "put": "put",
    "created": "create", "assumed": "assume", "deleted": "delete", "touched": "touch", "guessed": "guess",
}  # fmt: skip
_I_SHOULD_HAVE = re.compile(
    rf"^I should(?P<not>n'?t| not)? have (?:just |first |simply )?(?P<verb>{'|'.join(_PRESENT)})\b", re.IGNORECASE
)
_WE_SHOULD = re.compile(r"^we should (?:just |simply |only )?(?!have\b|be\b|not\b|also\b)(?=[a-z])", re.IGNORECASE)
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
    """`heart` is the sentence as it stands in the text.

    What is in `doubt`, or `bound` to its task, waits for a person's yes; with both it is nothing.
    """

    text: str
    heart: str
    told: int
    doubt: bool = False
    bound: bool = False
    granted: bool = False  # the agent's sentence

    @property
    def strong(self) -> bool:
        """It tells enough to be shown without a yes, if the classifier is sure."""
        return not (self.doubt or self.bound)


def titled(moment: Moment, asked: AgentQuestion | None, likeness: Callable[[str], float]) -> Title | None:
    if asked and (picked := _picked(moment, asked)):
        return picked
    own = max(_own(moment), key=lambda each: (min(each.told, _MOST_TOLD), likeness(each.heart)), default=None)
    if own is not None and own.strong:
        return own
    granted = max(_granted(moment), key=lambda each: each.told, default=None)
    return granted if granted is not None and (granted.strong or own is None) else own


def _bound(moment: Moment, title: str) -> bool:
    """Nothing of a long text, of a list of wishes, or of what holds for this task alone is active without a yes."""
    return len(moment.person) > A_TASK or len(_LISTED.findall(moment.person)) > 1 or passing(title)


def _fits(title: str) -> bool:
    return len(title) <= LONGEST and reads_alone(title)


# -- the person's own -------------------------------------------------------------------------------------------------


def _own(moment: Moment) -> Iterator[Title]:
    """A bare request tells nothing, even one the agent grants; a statement it had to grant was true."""
    shown = f"{moment.before_agent}\n{quoted_lines(moment.person)}"
    for sentence in sentences(moment.person):
        if is_quoted(sentence, shown):
            continue
        for clause in _clauses(sentence):
            text = _subject(as_rule(_meant(clause, moment)), moment).rstrip(" .")
            told = weight(text) + 3 * is_stated(clause)
            telling, right = told >= TELLING, told >= 0 and _is_right(moment.next)
            if len(content_words(text)) < _FEWEST[telling] or vetoes.of_title(text) or not _fits(text):
                continue
            ordered = vetoes.is_order(text) > telling
            tells = (told >= STRONG or right) and not (ordered or _TO_CONFIRM.search(sentence))
            if told >= ordered:
                yield Title(text, clause, told, not tells, _bound(moment, text))


def _meant(clause: str, moment: Moment) -> str:
    """A question that the agent took for a rule is one."""
    return (conceded(moment.next) and is_question(clause) and meant(clause)) or clause


def _clauses(sentence: str) -> list[str]:
    """A sentence that fits and says its own is one; else the rule may stand in the middle of it."""
    rule = as_rule(sentence)
    if is_question(sentence) or (_fits(rule) and vetoes.of_title(rule) is None):
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
    text = chose(asked).rstrip(" .")
    return Title(text, "", TELLING, bound=not reason) if len(text) <= LONGEST else None


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

    Where it did not say that the person is right, nobody but the agent says so: that waits for a person's yes.
    """
    asked_for = content_words(moment.person) | content_words(moment.before_agent)
    gave_in, granting = conceded(moment.next) != "", 0
    for sentence in sentences(moment.next):
        rest = _SO.sub("", without_concession(plain(sentence)))
        granting = _NEXT + (not rest) if gave_in and conceded(sentence) else granting - 1
        rule = intended_rule(sentence)
        for said in _parts(rule):
            text = capital(said).rstrip(" .:")
            if not _fits(text) or not content_words(text) & asked_for or vetoes.of_reply(text):
                continue
            told, at_once = weight(text), granting > 0 and len(content_words(said)) >= _FULL
            told += TELLING * (rule != rest)  # "I should …" is a rule
            if told >= TELLING or (at_once and told >= 0):
                taken_up = len(content_words(text) & content_words(moment.person)) >= _TAKEN_UP
                lasting = told >= STRONG or rule != rest or not only_contrasts(text)
                tells = told >= TELLING and lasting and _is_right(moment.next) and taken_up and not intended(rest)
                yield Title(text, sentence, told + at_once, not tells, _bound(moment, text), granted=True)


def _parts(said: str) -> list[str]:
    """The sentence, or its clauses where it does not fit."""
    return [said] if _fits(said.rstrip(" .:")) else [said, *(part for part in _CLAUSE.split(said) if part)]


def intended_rule(sentence: str) -> str:
    """An agent's sentence without its giving in; "I should have checked the log" as "check the log"."""
    said = _SO.sub("", without_concession(plain(sentence)))
    said = _I_SHOULD.sub(r"\1", _WE_SHOULD.sub("", said))
    return _I_SHOULD_HAVE.sub(lambda found: f"{'do not ' * bool(found['not'])}{_PRESENT[found['verb'].lower()]}", said)
