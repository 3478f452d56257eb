"""Where a checked Draft stands as a Memory: whose word, how sure, and why a person has to look at it first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memlane.catch.basis import Basis, basis_of
from memlane.catch.confidence import Grounds, confidence_of
from memlane.catch.extractor import ACTIVE_FROM
from memlane.catch.record import ExtractorRecord, on_probation
from memlane.catch.trust import may_be_active
from memlane.domain import Draft, Spot, Trust, Window

READ_BY_A_MODEL = ("agent", "model")  # whose number is their own; the classifier's is ours
UNSURE = "its reader was not sure ({own} of 100)"
ORDERED = "it tells agents what to do, in words of {trust}"
PROBATION = "its reader {called} is on probation"
DOUBTFUL = "too little speaks for it"
_HELD = {
    Basis.AGENT: "only the agent said so: nothing in the window shows that it worked or that you agreed",
    Basis.TOOL: "only a tool's output says so",
    Basis.OUTSIDE: "it comes from outside text: a web page, a package or another program",
}


@dataclass(frozen=True, slots=True)
class ClassifierOpinion:
    """Of the moment a Step belongs to: its score, 0 in the middle, and whether the classifier would keep it."""

    score: float | None = None
    keeps: bool = False


Opinion = Callable[[Spot], ClassifierOpinion]


def unknown(_spot: Spot) -> ClassifierOpinion:
    return ClassifierOpinion()


@dataclass(frozen=True, slots=True)
class Standing:
    """`held_because` is "" where it may be active."""

    trust: Trust
    confidence: int
    held_because: str


def standing_of(
    draft: Draft, window: Window, trust: Trust, record: ExtractorRecord, opinion: Opinion = unknown
) -> Standing:
    basis = basis_of(draft, window, trust)
    if record.name.partition("/")[0] not in READ_BY_A_MODEL:
        confidence = draft.confidence
    else:
        confidence = confidence_of(_grounds(draft, window, basis, opinion), record)
    reasons = list(_doubts(draft, window, trust, basis, record))
    if not reasons and confidence < ACTIVE_FROM:
        reasons = [DOUBTFUL]
    bounded = min(confidence, ACTIVE_FROM - 1) if draft.confidence < ACTIVE_FROM else confidence
    return Standing(trust, bounded, "; ".join(reasons))


def _grounds(draft: Draft, window: Window, basis: Basis, opinion: Opinion) -> Grounds:
    heart = draft.quotes[0].spot
    triggered = any(t.first <= quote.spot <= t.last for t in window.triggers for quote in draft.quotes)
    given = opinion(heart)
    return Grounds(basis, triggered, given.score, given.keeps, len(draft.quotes), draft.confidence)


def _doubts(draft: Draft, window: Window, trust: Trust, basis: Basis, record: ExtractorRecord) -> Iterator[str]:
    yield from draft.doubts
    if basis in _HELD:
        yield _HELD[basis]
    elif not may_be_active(draft, window, trust):
        yield ORDERED.format(trust="outside text" if trust is Trust.OUTSIDE else "a tool's output")
    if draft.confidence < ACTIVE_FROM and not draft.doubts:
        yield UNSURE.format(own=draft.confidence)
    if on_probation(record):
        yield PROBATION.format(called=record.called)
