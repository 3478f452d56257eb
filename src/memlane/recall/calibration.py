"""From a cosine to a similarity that means the same with every model: how likely a note is the one that is needed.

Fitted by `python -m training.calibrate` on training data and kept with the model. 0.50 is where a note is worth saying.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Memory
from memlane.recall.likeness import content_terms


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of what speaks for a note, in log odds; all nought but `plain`: the cosine is the similarity."""

    cosine: float = 0.0
    behind: float = 0.0  # how much farther it is than the nearest: where one fits, its neighbours do not
    shared: float = 0.0  # words it has in common with the prompt, by how few of the near ones have them
    bias: float = 0.0
    plain: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, float]) -> Calibration:
        return cls(stored["cosine"], stored["behind"], stored["shared"], stored["bias"])


AS_IT_IS = Calibration(plain=True)
# For a model nobody has fitted: sentence encoders seldom go below 0.2 and hardly above 0.8.
UNFITTED = Calibration(cosine=10.0, behind=10.0, shared=0.2, bias=-5.5)


def similarities(
    near: Sequence[tuple[Memory, float]], prompt: frozenset[str], calibration: Calibration
) -> list[tuple[Memory, float]]:
    """`near`: with their cosines, nearest first."""
    if calibration.plain or not near:
        return [(memory, _shown(cosine)) for memory, cosine in near]
    worth = shared_words([content_terms(memory.text) for memory, _cosine in near], prompt)
    best = near[0][1]
    return [
        (memory, _shown(odds(calibration, cosine, cosine - best, words)))
        for (memory, cosine), words in zip(near, worth, strict=True)
    ]


def shared_words(texts: Sequence[frozenset[str]], prompt: frozenset[str]) -> list[float]:
    """What each has in common with the prompt: a word that all near ones have tells none of them from the others."""
    many = len(texts)
    rarity = {term: math.log(1 + many / max(1, sum(term in text for text in texts))) for term in prompt}
    return [math.log1p(sum(sorted(rarity[term] for term in prompt & text))) for text in texts]


def odds(calibration: Calibration, cosine: float, behind: float, shared: float) -> float:
    weighed = calibration.cosine * cosine + calibration.behind * behind + calibration.shared * shared
    return 1 / (1 + math.exp(-(weighed + calibration.bias)))


def _shown(similarity: float) -> float:
    """To the tenth of a percent, so that half precision decides nothing at a floor."""
    return round(min(1.0, max(0.0, similarity)), 3)
