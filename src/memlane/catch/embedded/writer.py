"""Writes what a Moment taught so that it stands on its own: title, content, quotes. No model, no word made up.

What it cannot tell apart it leaves as it was said. Whether the Moment is worth it was decided before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from memlane.catch.embedded.asked import Question, chose, question
from memlane.catch.embedded.classifier import Judgement
from memlane.catch.embedded.features import content_words, own_words
from memlane.catch.embedded.reasons import reasoning
from memlane.catch.embedded.sentences import as_rule, capital, clipped, ended, is_question, plain, sentences
from memlane.catch.embedded.standing import is_stated
from memlane.catch.moment import Moment
from memlane.domain import Author, Draft, Kind, Mention, Quote, Scope, Spot, Type

TITLE = 120
NOWHERE = Spot(0, 0)  # a labelled line stands in no Run
_SAID, _CONTEXT, _ANSWER = 420, 220, 300  # characters of what the person said, and of what stands beside it
_SENTENCES = 3  # of the answer
_SHORT = 70  # characters: in a longer sentence "it" is mostly something that it names itself

_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:py|pyi|go|ts|tsx|js|jsx|rs|rb|java|kt|swift|c|h|cpp|cs|php|sh|sql|md|toml|ya?ml|json|css|html|lock|cfg|ini|env)\b"
)
_TICKED = re.compile(r"`([^`\n]{2,60})`")
_THIS = re.compile(r"^(?:it|this|that|these|those|they)\b|\b(?:it|this|that|them)\W*$", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"\W*(?:otherwise|since|because|when|while|either|or|if|e\.g\.|for example|like)\b|^\(|^\S+$", re.IGNORECASE
)
_BECAUSE = re.compile(r"\b(?:because|since|so that|otherwise|as it)\b.*", re.IGNORECASE)
_OWN_HABIT = re.compile(
    r"\b(?:i (?:always|never|prefer|like|hate|don'?t like|usually)|i'd (?:prefer|rather)|for me\b"
    r"|my (?:style|preference|taste)|tone|wording|spelling|sentences?|emojis?|ellips[ei]s|(?:in)?formal|casual|friendly"
    r"|polite|verbose|concise|punctuation)\b",
    re.IGNORECASE,
)
_CONCEDED_WORDS = (
    "ah|oh|oops|hmm|wait|yes|yeah|no|right|sorry|thanks|thank you|got it|i see|understood|good|great|excellent|nice"
    "|fair|perfect|exactly|agreed|apologies|my (?:mistake|bad)|done|absolutely|sure|ok|okay|(?:that )?makes sense"
)
_RIGHT = r"you(?:'?re| are) (?:absolutely |totally |completely )?(?:right|correct)"
_POINT = r"(?:good|great|fair|excellent|nice) (?:catch|point|question|idea|call|observation|thinking)"
_CONCEDES = re.compile(
    rf"^\W*(?:(?:{_CONCEDED_WORDS}|{_RIGHT}|{_POINT}|that'?s (?:right|correct|fair|a {_POINT}))\b[\s,.!:;–—-]*)+", re.I
)
_BUSY = re.compile(
    r"^\W*(?:let me|i'?ll|i will|now\b|looking|checking|first,? (?:let|i)|let's|i'?m going|here'?s|on it|running"
    r"|updated|added|created|removed|fixed|changed|reverted|renamed|committed|pushed|documented|explained)\b",
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
    said = sentences(moment.person)
    if not said:
        return None
    asked = question(moment.before_agent, moment.person)
    heart = _heart(said, likeness)
    told = _told(moment.next)
    reply = told[0] if told else ""
    if is_question(heart) and not reply and not (asked and asked.picked is not None):
        return None
    title = _title(moment, asked, heart, said, reply)
    return Draft(
        type=_type(judgement.type, asked),
        title=title,
        content=_content(moment, asked, told),
        quotes=tuple(_quotes(moment, heart, said, reply if is_question(heart) else "")),
        reasoning=reasoning(_type(judgement.type, asked), judgement.signs),
        confidence=judgement.confidence,
        category=_category(moment),
        scope=Scope.PERSON if _is_habit(moment.person) else Scope.PROJECT,
        mentions=_files(f"{moment.person}\n{title}"),
        alternatives=asked.others if asked and asked.picked is not None else (),
    )


def _type(kind: Type, asked: Question | None) -> Type:
    """An option that was picked is a decision, whatever else it sounds like."""
    return Type.DECISION if asked and asked.picked is not None and kind is not Type.CORRECTION else kind


# -- the title --------------------------------------------------------------------------------------------------------


def _heart(said: Sequence[str], likeness: Callable[[str], float]) -> str:
    """The sentence that sounds most like a lesson; a question or a fragment only if there is nothing else."""
    told = [each for each in said if not is_question(each) and not _FRAGMENT.match(each)]
    full = [each for each in told if len(content_words(each)) > 2]
    return max(full or told or said, key=lambda each: (is_stated(each), likeness(each)))


def _title(moment: Moment, asked: Question | None, heart: str, said: Sequence[str], reply: str) -> str:
    if asked and asked.picked is not None:
        reason = _reason(asked, said)
        return clipped(f"{chose(asked)}: {reason}" if reason else chose(asked), TITLE)
    rule = as_rule(heart)
    if is_question(heart) and reply:
        return clipped(capital(reply), TITLE)
    whole = " ".join(map(plain, said))
    if len(said) > 1 and len(whole) <= TITLE and "?" not in whole:
        rule = as_rule(whole)
    elif len(rule.split()) < 5 and len(said) > 1:
        rule = _with_neighbour(rule, heart, said)
    about = _about(moment, rule)
    return clipped(f"{about}: {rule}" if about else rule, TITLE)


def _with_neighbour(rule: str, heart: str, said: Sequence[str]) -> str:
    at = list(said).index(heart)
    other = said[at + 1] if at + 1 < len(said) else said[at - 1]
    return f"{rule.rstrip('.')}: {plain(other)}" if not is_question(other) else rule


def _reason(asked: Question, said: Sequence[str]) -> str:
    """What was said besides the choice itself."""
    chosen = content_words(asked.chosen)
    for each in said:
        because = _BECAUSE.search(each)
        if because and content_words(each) & chosen:
            return plain(because[0])
        if len(content_words(each) - chosen) > 1:
            rule = as_rule(each)
            return rule[:1].lower() + rule[1:]
    return ""


def _about(moment: Moment, rule: str) -> str:
    """What "it" is, where the words around name just one thing."""
    if len(rule) > _SHORT or not _THIS.search(rule) or _TICKED.search(rule) or _FILE.search(rule):
        return ""
    near = _nearest(moment.before_agent, moment.person)
    names = list(dict.fromkeys(_TICKED.findall(near)))
    return f"`{names[0]}`" if len(names) == 1 else ""


# -- the content ------------------------------------------------------------------------------------------------------


def _content(moment: Moment, asked: Question | None, told: Sequence[str]) -> str:
    """What was said, what it was said to, and what came of it: nearly as easy to find again as a reader's own words."""
    said = f"In their words: “{clipped(own_words(moment.person), _SAID)}”"
    parts = [f"The agent asked: “{clipped(asked.text, _CONTEXT)}”", said] if asked else [said]
    if asked and asked.picked is not None:
        parts.append(f"Options were: {'; '.join(asked.options)}")
    if before := _nearest(moment.before_agent, moment.person, asked):
        parts.append(f"The agent had said: “{clipped(before, _CONTEXT)}”")
    parts += [_failed(moment)]
    if told:
        parts.append(f"It answered: “{clipped(' '.join(map(ended, told)), _ANSWER)}”")
    return " ".join(map(ended, filter(None, parts)))


def _failed(moment: Moment) -> str:
    if moment.interrupted:
        return "They had interrupted the agent."
    return "They had rejected a call." if any("doesn't want to proceed" in e for e in moment.before_errors) else ""


def _nearest(text: str, person: str, asked: Question | None = None) -> str:
    """The agent's sentence that shares most words with the person's; its last one where none does."""
    told = [each for each in map(plain, sentences(text)) if len(each.split()) > 3]
    told = [each for each in told if asked is None or each not in asked.text]
    words = content_words(person)
    return max(reversed(told), key=lambda each: len(content_words(each) & words)) if told else ""


def _told(reply: str) -> list[str]:
    """The first sentences of the reply that say something: not that they are right, nor what it will do next."""
    rest = (_CONCEDES.sub("", plain(each)) for each in sentences(reply))
    return [each for each in rest if _says_something(each)][:_SENTENCES]


def _says_something(told: str) -> bool:
    return len(content_words(told)) > 3 and not _BUSY.match(told) and not told.endswith((":", "?"))


# -- what it stands on ------------------------------------------------------------------------------------------------


def _quotes(moment: Moment, heart: str, said: Sequence[str], reply: str) -> Iterator[Quote]:
    whole = moment.person.strip()
    short = [whole] if len(whole) <= _SAID and len(said) <= 4 else []
    words = next((each for each in (*short, heart, *said) if each in whole), whole)
    yield Quote(moment.spot or NOWHERE, words)
    if reply and (spot := _spoken(moment, reply)) is not None:
        yield Quote(spot, _first_line(reply))


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


def _is_habit(person: str) -> bool:
    own = own_words(person)
    return _OWN_HABIT.search(own) is not None and not _TICKED.search(own) and not _FILE.search(own)


def _category(moment: Moment) -> str:
    text = own_words(moment.person)
    named = next((name for name, pattern in _CATEGORIES if re.search(pattern, text, re.I)), "")
    return named or ("code" if moment.before_tools or _TICKED.search(text) else "")
