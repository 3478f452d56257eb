"""The one or two plain sentences beneath a title: the reason, what the agent found, or when it was said.

No quotes (those are evidence), nothing that the title says already. Every sentence was said in the moment, or says
what happened in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.catch.embedded import vetoes
from memlane.catch.embedded.features import content_words
from memlane.catch.embedded.questions import AgentQuestion
from memlane.catch.embedded.rules import is_stated, told, weight
from memlane.catch.embedded.sentences import as_rule, capital, ended, is_question, plain, sentences
from memlane.catch.embedded.shape import is_quoted, reads_alone
from memlane.catch.embedded.titles import Title, conceded, intended_rule
from memlane.catch.moment import Moment

LONGEST = 240  # characters of one sentence
MOST = 2  # sentences
_FEWEST = 3  # words that tell something
_SAME = 0.6  # of the words: more says the title again
_CHANGED = re.compile(r'^(?:Edit|Write|MultiEdit|NotebookEdit) \{"file_path": "([^"]+)"')
_REFUSED = "doesn't want to proceed"
_WHY = re.compile(r"^\W*(?:because|otherwise|so that|since|that way|the reason)\b", re.IGNORECASE)
_STEM = 6  # letters by which two forms of a word are the same
_FOLDERS = 3  # of a path: what is above it differs from machine to machine


def body(moment: Moment, asked: AgentQuestion | None, title: Title) -> str:
    kept = [ended(sentence) for sentence in _whole(moment, title)][:1]
    for sentence in (*_chosen_over(asked), *_reasons(moment, title), *_found(moment, title)):
        if len(kept) < MOST and not any(_says_again(sentence, other) for other in (title.text, *kept)):
            kept.append(ended(sentence))
    return " ".join(kept) if kept else _when(moment, asked, title)


def _says_again(sentence: str, other: str) -> bool:
    """Most of its words stand in the other, or the whole other stands in it."""
    mine, theirs = content_words(sentence), content_words(other)
    return len(mine & theirs) >= _SAME * max(1, len(mine)) or (len(theirs) >= _FEWEST and theirs <= mine)


def _chosen_over(asked: AgentQuestion | None) -> Iterator[str]:
    if asked and asked.picked is not None and len(asked.options) > MOST:
        yield f"The other options were {'; '.join(each.rstrip('.?!:') for each in asked.others)}"


def _whole(moment: Moment, title: Title) -> Iterator[str]:
    """The sentence that the title was cut from, where the rest of it tells more."""
    said = () if title.granted or not title.heart else sentences(moment.person)
    for sentence in said:
        rule = as_rule(sentence)
        more = content_words(rule) - content_words(title.text)
        if title.heart in sentence and len(more) >= _FEWEST and len(rule) <= LONGEST and _is_plain(rule):
            yield rule


def _is_plain(sentence: str) -> bool:
    return not is_question(sentence) and reads_alone(sentence) and vetoes.of_title(sentence) is None


def _reasons(moment: Moment, title: Title) -> Iterator[str]:
    """What else the person said that stands alone: a reason first, then a rule."""
    found = [
        rule
        for sentence in sentences(moment.person)
        if not is_question(sentence) and (title.granted or not title.heart or title.heart not in sentence)
        if not is_quoted(sentence, moment.before_agent) and (_belongs(sentence, title.text) or is_stated(sentence))
        if _fits(rule := as_rule(sentence)) and vetoes.of_title(rule) is None and told(rule)
    ]
    yield from sorted(found, key=lambda each: -weight(each))


def _found(moment: Moment, title: Title) -> Iterator[str]:
    """What the agent stated in its answer; only where it gave in, or the title is its own."""
    if not (title.granted or conceded(moment.next)):
        return
    for sentence in sentences(moment.next):
        said = intended_rule(sentence)
        if said and _fits(said) and _belongs(said, title.text) and vetoes.of_reply(said) is None and weight(said) > 1:
            yield capital(said)


def _belongs(sentence: str, title: str) -> bool:
    """About the same thing: it shares a word with the title, or says why."""
    return bool(_stems(sentence) & _stems(title)) or _WHY.match(sentence) is not None


def _stems(text: str) -> set[str]:
    return {word.rstrip("s")[:_STEM] for word in content_words(text)}


def _fits(sentence: str) -> bool:
    return len(sentence) <= LONGEST and len(content_words(sentence)) >= _FEWEST and reads_alone(sentence)


def _when(moment: Moment, asked: AgentQuestion | None, title: Title) -> str:
    """How it came about, where nobody said more."""
    if asked and asked.picked is not None:
        return "The person chose it when the agent asked."
    agreed = " The agent agreed." if conceded(moment.next) else ""
    if title.granted:
        return "The agent found this when the person questioned its work." if agreed else "The agent stated it."
    return f"{_how(moment)}{agreed}"


def _how(moment: Moment) -> str:
    if moment.interrupted:
        return "The person interrupted the agent to say so."
    if any(_REFUSED in error for error in moment.before_errors):
        return "The person refused a call of the agent and said so."
    changed = [found[1] for call in moment.before_tools if (found := _CHANGED.match(call))]
    if changed:
        return f"The person said so after the agent had changed `{_short(changed[-1])}`."
    return "The person answered the agent's question with it." if asked_something(moment) else "The person said so."


def asked_something(moment: Moment) -> bool:
    return plain(moment.before_agent).endswith("?")


def _short(path: str) -> str:
    return "/".join(path.replace("\\", "/").strip("/").split("/")[-_FOLDERS:])
