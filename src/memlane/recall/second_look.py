"""From what a second look says of a few notes to how likely each would change what the agent does.

Fitted for a second look behind one encoder, on training data; it knows neither of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memlane.recall.gather import Shortlist
from memlane.recall.score import LikelyMemory

LOOKED_AT = 5  # notes
FROM = 0.05  # similarity: on the tuning side no note below 0.1 was told, and two thirds of those near by are below
_SURE = 0.999  # no similarity is surer than that, either way


@dataclass(frozen=True, slots=True)
class OddsCalibration:
    """What its log-odds mean, in log-odds again."""

    look: float = 1.0
    behind: float = 0.0  # how much less it says of a note than of the best of them
    near: float = 0.0  # what their similarity says, which the encoder found them by
    bias: float = 0.0

    @classmethod
    def of(cls, stored: Mapping[str, float]) -> OddsCalibration:
        return cls(stored["look"], stored["behind"], stored["near"], stored["bias"])


@dataclass(frozen=True, slots=True)
class SecondLookOdds:
    """What a second look said: None of a note it had no time for."""

    model: str
    log_odds: Sequence[float | None] = ()
    meaning: OddsCalibration = field(default_factory=OddsCalibration)
    skipped: str = ""  # why it said nothing of some or all: what is not judged, the floors decide


def with_second_look(
    looked: Shortlist, few: Sequence[LikelyMemory], again: SecondLookOdds, told: Collection[str] = ()
) -> Shortlist:
    """Only these few are left, each with how likely it is needed; and what was told already."""
    if all(odds is None for odds in again.log_odds):
        return looked
    sure = {one.memory.id: how for one, how in zip(few, probabilities(few, again), strict=True)}

    def those(found: Sequence[LikelyMemory]) -> list[LikelyMemory]:
        left = [one for one in found if one.memory.id in sure or one.memory.id in told]
        return [replace(one, needed=sure.get(one.memory.id)) for one in left]

    return replace(looked, about=those(looked.about), near=those(looked.near))


def probabilities(few: Sequence[LikelyMemory], again: SecondLookOdds) -> list[float | None]:
    best = max((odds for odds in again.log_odds if odds is not None), default=0.0)
    return [
        None if odds is None else round(_likely(odds, odds - best, one.similarity, again.meaning), 3)
        for one, odds in zip(few, again.log_odds, strict=True)
    ]


def _likely(odds: float, behind: float, similarity: float, meaning: OddsCalibration) -> float:
    near = min(max(similarity, 1 - _SURE), _SURE)
    weighed = meaning.look * odds + meaning.behind * behind + meaning.near * math.log(near / (1 - near))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, weighed + meaning.bias))))
