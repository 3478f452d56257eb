"""Writes what a Moment taught so that it stands on its own: title, content, quotes. No model, no word made up.

What it cannot tell apart it leaves as it was said. Whether the Moment is worth it was decided before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from memlane.catch.embedded.body import body
from memlane.catch.embedded.classifier import Judgement
from memlane.catch.embedded.features import own_words, words
from memlane.catch.embedded.questions import AgentQuestion, question
from memlane.catch.embedded.rules import told
from memlane.catch.embedded.sentences import clipped, sentences
from memlane.catch.embedded.titles import Title, conceded, titled
from memlane.catch.extractor import ACTIVE_FROM
from memlane.catch.moment import Moment
from memlane.domain import Author, Draft, Kind, Mention, Quote, Scope, Spot, Type

VERY_SURE = 70  # confidence: below it, one in three of the sentences that tell little was worth keeping
NOWHERE = Spot(0, 0)  # a labelled line stands in no Run
_SAID = 420  # characters of what the person said
_MOST_WORDS_OF_A_HABIT = 45  # in a page of text "tone" and "for me" are anything

_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:py|pyi|go|ts|tsx|js|jsx|rs|rb|java|kt|swift|c|h|cpp|cs|php|sh|sql|md|toml|ya?ml|json|css|html|lock|cfg|ini|env)\b"
)
_TICKED = re.compile(r"`([^`\n]{2,60})`")
_OWN_HABIT = re.compile(
    r"\bi (?:always|never|prefer|usually|like to|hate)\b|\bi'd (?:prefer|rather)\b|\bfor me\b"
    r"|\bmy (?:style|preference|taste)\b",
    re.IGNORECASE,
)
_WAY_OF_WRITING = re.compile(
    r"\b(?:tone|wording|spelling|sentences|every sentence|emojis?|ellips[ei]s|exclamation marks?|(?:in)?formal|casual"
    r"|friendly|polite|verbose|concise|punctuation)\b",
    re.IGNORECASE,
)
_CATEGORIES = (
    ("email", r"\be-?mails?\b|\binbox\b"),
    ("writing", r"\b(tone|wording|spelling|sentences?|headings?|changelog|readme|docs?|documentation|comments?)\b"),
    ("tests", r"\b(tests?|testing|tdd|fixtures?|mocks?|coverage)\b"),
    ("git", r"\b(git|commit\w*|branch\w*|rebase|merge|pull requests?|prs?|push\w*)\b"),
    ("build", r"\b(ci|build|lint\w*|deploy\w*|release\w*|pipeline|docker|install\w*|dependenc\w+)\b"),
)  # fmt: skip


def written(moment: Moment, judgement: Judgement, likeness: Callable[[str], float]) -> Draft | None:
    """`likeness`: how much a sentence sounds like a lesson. None where nothing could be said on its own."""
    asked = question(moment.before_agent, moment.person)
    title = titled(moment, asked, likeness)
    if title is not None and title.granted and moment.spot is not None and _spoken(moment, title.heart) is None:
        title = titled(replace(moment, next=""), asked, likeness)  # said after the Window: it would pass for theirs
    if title is None or (title.doubt and title.bound) or not (title.strong or judgement.confidence >= VERY_SURE):
        return None  # a doubt about the sentence needs a classifier that has none; two are noise
    kind = _type(judgement.type, asked)
    return Draft(
        type=kind,
        title=title.text,
        content=body(moment, asked, title),
        quotes=tuple(_quotes(moment, title)),
        reasoning=reasoning(kind, moment, title, judgement.signs),
        confidence=_confidence(judgement.confidence, title),
        category=_category(moment),
        scope=Scope.PERSON if _is_habit(moment.person, title) else Scope.PROJECT,
        mentions=_files(f"{moment.person}\n{title.text}"),
        alternatives=asked.others if asked and asked.picked is not None else (),
    )


def _confidence(sure: int, title: Title) -> int:
    """However sure the classifier is of the moment: a sentence that tells little, or for one task, needs a yes."""
    return sure if title.strong else min(sure, ACTIVE_FROM - 1)


def _type(kind: Type, asked: AgentQuestion | None) -> Type:
    """An option that was picked is a decision, whatever else it sounds like."""
    return Type.DECISION if asked and asked.picked is not None and kind is not Type.CORRECTION else kind


# -- what it stands on ------------------------------------------------------------------------------------------------


def _quotes(moment: Moment, title: Title) -> Iterator[Quote]:
    whole, said = moment.person.strip(), sentences(moment.person)
    short = [whole] if len(whole) <= _SAID and len(said) <= 4 else []
    own = () if title.granted else (title.heart,)
    yield Quote(moment.spot or NOWHERE, next((each for each in (*short, *own, *said) if each and each in whole), whole))
    if title.granted and (spot := _spoken(moment, title.heart)) is not None:
        yield Quote(spot, _first_line(title.heart))


def _spoken(moment: Moment, reply: str) -> Spot | None:
    return next(
        (
            spot
            for spot, step in moment.steps
            if moment.spot is not None and spot > moment.spot and step.author is Author.AGENT
            and step.kind is Kind.TEXT and _first_line(reply) in step.text
        ),
        None,
    )  # fmt: skip


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()


def _files(text: str) -> tuple[Mention, ...]:
    return tuple(Mention("file", raw) for raw in dict.fromkeys(_FILE.findall(text)))


def _is_habit(person: str, title: Title) -> bool:
    """ "I always …", or how things are worded: told everywhere, so never of a file, a name or one task's "just"."""
    own = own_words(person)
    if _TICKED.search(own) or _FILE.search(own) or len(words(own)) > _MOST_WORDS_OF_A_HABIT or title.granted:
        return False
    return _OWN_HABIT.search(title.heart or own) is not None or _WAY_OF_WRITING.search(title.heart or own) is not None


def _category(moment: Moment) -> str:
    text = own_words(moment.person)
    named = next((name for name, pattern in _CATEGORIES if re.search(pattern, text, re.I)), "")
    return named or ("code" if moment.before_tools or _TICKED.search(text) else "")


_QUOTED = 40  # characters of somebody's words
_IN_WORDS: Mapping[str, str] = {
    "rule": "stating a rule (“{words}”)",
    "reason": "giving a reason (“{words}”)",
    "contrast": "saying what it is not (“{words}”)",
}
_BEFORE: Mapping[str, str] = {
    "against what was done": "after something it had done",
    "before: ask": "in answer to its question",
    "before: options": "when it had offered options",
    "answers with a reason": "in answer to its question",
    "before: errors": "after several things had failed",
}
_AFTER: Mapping[str, str] = {
    "after: runs: undo": "something was undone after it",
    "after: notes file": "it went into a notes file",
    "after: runs: notes file": "it went into a notes file",
    "after: finding": "the agent then found the cause",
}


def reasoning(kind: Type, moment: Moment, title: Title, signs: Sequence[str]) -> str:
    """ "You corrected the agent after interrupting it, stating a rule (“never”), and it answered “You're right”." """
    what = kind.row.agent_reason if title.granted else kind.row.reason
    before, words, after = _before(moment, signs), _in_words(title), _after(moment, signs)
    return f"{what}{before and f' {before}'}{words and f', {words}'}{after and f', and {after}'}."


def _in_words(title: Title) -> str:
    """The weightiest sign in the person's own sentence."""
    found = next(iter(told(title.heart)), None) if not title.granted else None
    return _IN_WORDS[found.sort].format(words=found.words) if found else ""


def _before(moment: Moment, signs: Collection[str]) -> str:
    if moment.interrupted:
        return "after interrupting it"
    if any("doesn't want to proceed" in error for error in moment.before_errors):
        return "after rejecting a call"
    return next((said for sign, said in _BEFORE.items() if sign in signs), "")


def _after(moment: Moment, signs: Collection[str]) -> str:
    if granted := conceded(moment.next):
        return f"it answered “{clipped(granted, _QUOTED)}”"
    return next((said for sign, said in _AFTER.items() if sign in signs), "")
