"""What the classifier thinks of a Window that somebody else reads: a score for each moment, and what it would keep."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memlane.catch.embedded import EmbeddedExtractor, worth_a_look
from memlane.catch.embedded.classifier import ACTIVE, HELD, classifier
from memlane.catch.moment import moments
from memlane.domain import Spot, Window


@dataclass(frozen=True, slots=True)
class MomentOpinion:
    """Of one moment: the Steps from what was typed to what is typed next."""

    first: Spot
    last: Spot
    score: float  # 0 is the middle of labelled moments
    keeps: bool  # it would write it down
    sure: bool  # and nobody would have to look at it

    def covers(self, spot: Spot) -> bool:
        return self.first <= spot <= self.last


def opinions(window: Window) -> Sequence[MomentOpinion]:
    found, extractor = list[MomentOpinion](), EmbeddedExtractor()
    for moment in moments(window):
        if moment.spot is None or not moment.steps:
            continue
        score = classifier().judge(moment).score if worth_a_look(moment) else -1.0
        drafts = list(extractor.drafts(moment))
        sure = max((draft.confidence for draft in drafts), default=0)
        found.append(MomentOpinion(moment.spot, moment.steps[-1][0], score, sure >= HELD, sure >= ACTIVE))
    return found


def opinion_at(spot: Spot, given: Sequence[MomentOpinion]) -> MomentOpinion | None:
    return next((one for one in given if one.covers(spot)), None)


def agrees(hearts: Collection[Spot], given: Sequence[MomentOpinion]) -> bool:
    """Whether an answer with these hearts could be the classifier's: nothing that it finds unlikely, and something
    where it is sure of something."""
    if not hearts:
        return not any(one.sure for one in given)
    return all((one := opinion_at(spot, given)) is not None and (one.keeps or one.score >= 0) for spot in hearts)
