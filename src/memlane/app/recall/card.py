"""What a person sees of an answer inside an agent: notes to vote on, a name to choose, what was kept.

It says what was recalled and why in one line each. Every text has passed the door. Knows no agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memlane import recall
from memlane.app.recall.lines import short
from memlane.domain import Match, NameQuestion, Outcome, Recall, RecallMoment
from memlane.domain.activity import ACTIVITY
from memlane.domain.door import one_line
from memlane.domain.recall import GONE_ON, RULE


@dataclass(frozen=True, slots=True)
class CardMemory:
    """One Memory that was told, or one that was just kept."""

    id: str
    title: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """One of those a name may mean; `key` is what an answer gives back."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class CardQuestion:
    name: str
    choices: tuple[CardChoice, ...]


@dataclass(frozen=True, slots=True)
class PromptCard:
    recall: str  # what a vote is given on
    notes: tuple[CardMemory, ...] = ()
    asks: tuple[CardQuestion, ...] = ()
    kept: tuple[CardMemory, ...] = ()


def card_of(found: Recall, kept: Sequence[CardMemory] = ()) -> PromptCard | None:
    """None where there is nothing to show. Standing rules are no answer to a prompt: they are not voted on."""
    told = found.outcome is Outcome.SHOWN and not found.holdout
    shown = [match for match in found.shown if told and match.source != RULE]
    notes = tuple(CardMemory(match.memory.id, short(match.memory.title), why(match, found)) for match in shown)
    asks = tuple(map(_question, found.asks))
    return PromptCard(found.id, notes, asks, tuple(kept)) if notes or asks or kept else None


def why(match: Match, found: Recall) -> str:
    memory = match.memory
    known = f"{memory.type.value}, {recall.age(memory.last_observed_at, found.at)}, by {memory.trust.value}"
    cued = f', like "{match.cued_by}"' if match.cued_by else ""
    return one_line(f"{known}; {_reason(match, found)}{cued}")


def _reason(match: Match, found: Recall) -> str:
    match match.source:
        case "entity":
            return "about what you mention"
        case "file":
            return "about this file"
        case source if source == ACTIVITY:
            return f"before: {found.query.activity}"
        case source if source == GONE_ON:
            return "about what the agent said"
        case _ if found.query.moment is RecallMoment.ANSWER:
            return f"about what the agent said, meaning {match.similarity:.0%}; it is told if you go on"
        case _:
            return f"meaning {match.similarity:.0%}"


def _question(asked: NameQuestion) -> CardQuestion:
    return CardQuestion(one_line(asked.raw), tuple(map(_choice, asked.choices)))


def _choice(said: str) -> CardChoice:
    """A question names each as `Adam K (person:adam-k)`."""
    name, _, key = said.rpartition(" (")
    return CardChoice(key.removesuffix(")"), one_line(name))
