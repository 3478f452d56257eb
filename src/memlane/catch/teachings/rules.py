"""What one language has to offer for finding Teachings: patterns as text, compiled when the language is first met.

Knows no sentence and no prompt. All patterns ignore case; none has nested repetition, and a sentence is short.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

Pattern = re.Pattern[str]


@dataclass(frozen=True)
class TeachingRules:
    """The table of one language. Each pattern is a sign; `strong`, `medium` and `weak` ones are what teachings have."""

    language: str
    padding: str  # dropped from the front: politeness, fillers
    ending: str  # dropped from the end
    opener: str  # announces a Teaching: "remember:", "from now on"; with nothing behind it, the next sentence is meant
    strong: tuple[str, ...]
    medium: tuple[str, ...]
    weak: tuple[str, ...]
    carries: str  # a sentence that makes the next one a Teaching: "how many times do I have to say it?"
    corrects: str  # "no, wrong": supports the next sentence
    points_back: str  # a sentence that makes the one before a Teaching: "keep that in your notes"
    heading: str  # a line whose list items are Teachings
    once: str  # an order for this once
    narrows: str  # begins a sentence that keeps the one before to this once: "only for this change"
    foreign: str  # other people's words, conditions, stories, how a program behaves
    question: str  # a question without its mark
    polite: str  # a question that is an order
    order: str  # a sentence that hands over work: what it says about the work is no rule
    person: str  # about the person, wherever they work
    decision: str
    correction: str
    choice: str  # picks one of several for this once: "I prefer the second option"
    hands_over: str  # the next sentence makes it work to be done: "fix that"
    trouble: str  # something is wrong, or work follows in the same sentence: a mere description then
    several: str  # announces more than one: "two things"
    between: str  # stands between them
    chatter: str = ""  # wishes, guesses and talk about the thing at hand
    cuts: tuple[str, ...] = ()  # where a clause begins
    rewrites: tuple[tuple[str, str], ...] = ()  # first person to third
    tail: str = ""  # an order that follows in the same sentence
    forget: str = ""  # "forget what I said about (…)"

    @cached_property
    def compiled(self) -> CompiledRules:
        return CompiledRules(self)


class CompiledRules:
    """The same, ready to be matched."""

    def __init__(self, rules: TeachingRules) -> None:
        self.language = rules.language
        self.padding = _compiled(f"^(?:{rules.padding})")
        self.ending = _compiled(f"(?:{rules.ending})$")
        self.opener = _compiled(rules.opener)
        self.strong = _compiled("|".join(rules.strong))
        self.medium = tuple(map(_compiled, rules.medium))
        self.weak = tuple(map(_compiled, rules.weak))
        self.carries = _compiled(rules.carries)
        self.corrects = _compiled(f"^(?:{rules.corrects})")
        self.points_back = _compiled(rules.points_back)
        self.heading = _compiled(rules.heading)
        self.once = _compiled(rules.once)
        self.narrows = _compiled(f"^(?:{rules.narrows})")
        self.foreign = _compiled(rules.foreign)
        self.question = _compiled(f"^(?:{rules.question})")
        self.polite = _compiled(f"^(?:{rules.polite})")
        self.order = _compiled(f"^(?:{rules.order})")
        self.person = _compiled(rules.person)
        self.decision = _compiled(rules.decision)
        self.correction = _compiled(rules.correction)
        self.choice = _compiled(rules.choice)
        self.hands_over = _compiled(f"^(?:{rules.hands_over})")
        self.trouble = _compiled(rules.trouble)
        self.several = _compiled(rules.several)
        self.between = _compiled(rules.between)
        self.cut = _compiled("|".join((r"[,;:–—]\s+", *rules.cuts)))
        self.chatter = _compiled(rules.chatter)
        self.tail = _compiled(rules.tail)
        self.rewrites = tuple((_compiled(pattern), into) for pattern, into in rules.rewrites)
        self.forget = _compiled(rules.forget)


def _compiled(pattern: str) -> Pattern:
    return re.compile(pattern or r"(?!)", re.IGNORECASE)
