"""How sure we are that a Moment holds a lesson, of what type, and which signs spoke for it.

The weights are made by `python -m training.moments` and are loaded once, when the first Window is read.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memlane.catch.embedded.features import SIZE, features, grams, own_words
from memlane.catch.moment import Moment
from memlane.domain import Type
from memlane.errors import UnreadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

WEIGHTS = Path(__file__).with_name("moments.npz")
SHA256 = "24bcc8d5c63ce091b7d1de540ec7f79e962e28a7b4be8d2a7054a283a572b176"
REPLY_CHARACTERS = 500  # of what the agent said next: as the weights were fitted
GRAMS_OF_MOMENTS, GRAMS_OF_LESSONS = 2, 3
HELD, ACTIVE, SUREST = 40, 60, 90  # confidence at the two bars, and at the score that one in ten active ones reaches
_SIGNS = 12  # that spoke most: not all of them have words


@dataclass(frozen=True, slots=True)
class Judgement:
    """`score` orders moments; `confidence` is 40 at the bar of what is held, 60 at the bar of what is active."""

    score: float
    confidence: int
    type: Type
    signs: tuple[str, ...]  # names of features, the one that said most first


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The three scores that are added, and what the features said of each type."""

    by_type: Numbers
    told: Numbers  # how much each feature said for each type
    words: float
    lesson: float


class Classifier:
    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self._names = [str(name) for name in arrays["names"]]
        self.types = [Type(str(name)) for name in arrays["types"]]
        self._arrays: dict[str, Numbers] = {
            name: array.astype(np.float64) for name, array in arrays.items() if name not in ("names", "types")
        }

    def judge(self, moment: Moment) -> Judgement:
        parts = self.parts(moment)
        score = self.score(parts)
        best = int(np.argmax(parts.by_type))
        return Judgement(score, self.confidence(score), self.types[best], self._signs(parts.told[best]))

    def parts(self, moment: Moment) -> ScoreParts:
        a, own = self._arrays, own_words(moment.person)
        lesson = self.lesson(own)
        seen = features(moment)
        values = np.asarray([*(seen[name] for name in self._names), lesson])
        told = a["slopes"] * ((values - a["mean"]) / a["spread"])
        person = _along(grams(own, GRAMS_OF_MOMENTS), a["person_rarity"], a["words_slope"][:SIZE])
        reply = grams(moment.next[:REPLY_CHARACTERS], GRAMS_OF_MOMENTS)
        words = person + _along(reply, a["reply_rarity"], a["words_slope"][SIZE:]) + float(a["words_base"])
        return ScoreParts(told.sum(1) + a["bases"], told, words, lesson)

    def lesson(self, own: str) -> float:
        """How much words sound like people who state a lesson, by themselves."""
        a = self._arrays
        return _along(grams(own, GRAMS_OF_LESSONS), a["lesson_rarity"], a["lesson_slope"]) + float(a["lesson_base"])

    def score(self, parts: ScoreParts) -> float:
        """Each part in its own spread, added by what it weighs."""
        anything = np.log((1 / (1 + np.exp(-parts.by_type))).sum())
        scores = np.asarray([anything, parts.words, parts.lesson])
        a = self._arrays
        return float((a["part_weight"] * (scores - a["part_mean"]) / a["part_spread"]).sum())

    def confidence(self, score: float) -> int:
        """Straight lines between the bars, and no further up than 95: nobody has checked it."""
        held, active, surest = self._arrays["bars"]
        below = held - (active - held) * HELD / (ACTIVE - HELD)
        points = ([below, held, active, surest], [0, HELD, ACTIVE, SUREST])
        above = min(5.0, 5 * max(0.0, score - surest) / max(surest - active, 1e-9))
        return int(np.interp(score, *points) + above)

    def _signs(self, told: Numbers) -> tuple[str, ...]:
        names = [*self._names, "sounds like a lesson"]
        most = sorted(range(len(names)), key=lambda i: -float(told[i]))[:_SIGNS]
        return tuple(names[i] for i in most if told[i] > 0)


def _along(text: Mapping[int, int], rarity: Numbers, slope: Numbers) -> float:
    if not text:
        return 0.0
    places = np.fromiter(text, np.int64, len(text))
    values = (1 + np.log(np.fromiter(text.values(), np.float64, len(text)))) * rarity[places]
    return float(values @ slope[places]) / max(float(np.sqrt(values @ values)), 1e-9)


@cache
def classifier() -> Classifier:
    """The shipped one, if it is the one it should be, byte for byte."""
    content = WEIGHTS.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise UnreadError(f"{WEIGHTS.name} is not as it was made", hint="install memlane again")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return Classifier(dict(arrays))
