"""How sure we are of a Draft: by what it stands on, who else saw it, and how its reader did. Pure.

The embedded classifier's number is ours already. The number that a language model gives is one small part of it: it can
lower what the evidence says, and never raises it to active.
"""

from __future__ import annotations

from dataclasses import dataclass

from memlane.catch.basis import Basis
from memlane.catch.extractor import ACTIVE_FROM, STORED_FROM
from memlane.catch.record import ExtractorRecord

_BASIS = {
    Basis.PERSON: 75,  # they said it: well above the bar, so that one doubt does not hold it
    Basis.AGREED: 68,  # a yes may be meant for something else that was said there
    Basis.WORKED: 68,  # it worked once
    Basis.AGENT: 50,  # agents are sure of much that turns out to be wrong
    Basis.TOOL: 45,  # nobody said that it matters
    Basis.OUTSIDE: 40,  # anybody may have written it
}
NEEDS_A_YES = frozenset({Basis.AGENT, Basis.TOOL, Basis.OUTSIDE})


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """Points of confidence. None of them alone lifts a Basis over the bar; two doubts together may hold a yes."""

    trigger: int = 4  # a third of labelled Memories has none, so its absence says nothing
    seconded: int = 6  # the classifier would have kept it by itself
    likely: int = 3  # the classifier finds its moment likely: 58 of 100 kept ones, 36 of 100 others
    unlikely: int = -3  # it does not
    quote: int = 2  # each further one: a lesson that was said twice is less likely a slip
    most_quotes: int = 2  # further ones that count
    approval: int = 20  # between all and none of its Memories accepted; what a person answered says most about a reader
    invention: int = -12  # with an invented quote in every answer
    own: float = 0.1  # of the reader's own number: small models say 90 of anything
    usual: int = 75  # the reader's own number that changes nothing


WEIGHTS = ConfidenceWeights()


@dataclass(frozen=True, slots=True)
class Grounds:
    """All that speaks for or against a Draft."""

    basis: Basis
    triggered: bool  # a Trigger stands where it is quoted
    opinion: float | None  # the classifier's score of the same moment, 0 in the middle; None where it has none
    seconded: bool  # the classifier is sure enough to keep it
    quotes: int
    own: int  # what the reader says


def confidence_of(grounds: Grounds, record: ExtractorRecord, weights: ConfidenceWeights = WEIGHTS) -> int:
    """Below the bar wherever a person has to say yes."""
    points = (
        _BASIS[grounds.basis]
        + weights.trigger * grounds.triggered
        + _opinion(grounds, weights)
        + weights.quote * min(weights.most_quotes, grounds.quotes - 1)
        + weights.approval * (record.approval - 0.5)
        + weights.invention * record.invention
        + weights.own * (grounds.own - weights.usual)
    )
    most = ACTIVE_FROM - 1 if grounds.basis in NEEDS_A_YES else 100
    return max(STORED_FROM, min(most, round(points)))


def _opinion(grounds: Grounds, weights: ConfidenceWeights) -> int:
    if grounds.seconded:
        return weights.seconded
    if grounds.opinion is None:
        return 0
    return weights.likely if grounds.opinion >= 0 else weights.unlikely
