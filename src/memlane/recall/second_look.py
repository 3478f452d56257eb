"""From what a second look says of a few notes to how likely each would change what the agent does.

Fitted for a second look behind one encoder, on training data; it knows neither of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memlane.domain import Memory
from memlane.recall.gather import Shortlist
from memlane.recall.score import LikelyMemory, of_cued

LOOKED_AT = 5  # notes
FROM = 0.02  # similarity: more than half of those near by are below; before cues, none told in tuning was below 0.1
_SURE = 0.999  # no similarity is surer than that, either way


@dataclass(frozen=True, slots=True)
class OddsCalibration:
    """What its log-odds mean, in log-odds again."""

    look: float = 1.0
    behind: float = 0.0  # how much less it says of a note than of the best of them
    near: float = 0.0  # what their similarity says, which the encoder found them by
    bias: float = 0.0
    cued: OddsCalibration | None = None  # of a Memory with Cues, where that was fitted

    @classmethod
    def of(cls, stored: Mapping[str, float]) -> OddsCalibration:
        plain = cls(stored["look"], stored["behind"], stored["near"], stored["bias"])
        cued = of_cued(stored)
        return replace(plain, cued=cls.of(cued)) if cued else plain


@dataclass(frozen=True, slots=True)
class SecondLookOdds:
    """What a second look said: None of a note it had no time for."""

    model: str
    log_odds: Sequence[float | None] = ()
    meaning: OddsCalibration = field(default_factory=OddsCalibration)
    skipped: str = ""  # why it said nothing of some or all: what is not judged, the floors decide


def title_and_cue(title: str, cue: str) -> str:
    return f"{title}\n{cue}"


def text_to_read(one: LikelyMemory) -> str:
    """Of a Memory with Cues the title and the Cue that the prompt is most like: they say what to do and when, in fewer
    tokens than the note, and more of the right notes were told by them on the tuning side."""
    cues = one.memory.cues
    if one.cue is None or one.cue.number >= len(cues):  # edited since: the vector of a Cue that is gone may be left
        return one.memory.text
    return title_and_cue(one.memory.title, cues[one.cue.number])


def texts_to_read(memory: Memory) -> list[str]:
    """What it may have to read of it."""
    return [title_and_cue(memory.title, cue) for cue in memory.cues] or [memory.text]


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
        None if odds is None else round(_likely(odds, odds - best, one.similarity, _meaning(one, again)), 3)
        for one, odds in zip(few, again.log_odds, strict=True)
    ]


def _meaning(one: LikelyMemory, again: SecondLookOdds) -> OddsCalibration:
    return (again.meaning.cued if one.cue else None) or again.meaning


def _likely(odds: float, behind: float, similarity: float, meaning: OddsCalibration) -> float:
    near = min(max(similarity, 1 - _SURE), _SURE)
    weighed = meaning.look * odds + meaning.behind * behind + meaning.near * math.log(near / (1 - near))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, weighed + meaning.bias))))
