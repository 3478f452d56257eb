"""The memories near to each question, as the shipped encoder finds them: what a second look is given to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.bert import BertEncoder
from training.measure import vectors
from training.questions import Question

LOOKED_AT = 10


@dataclass(frozen=True, slots=True)
class Near:
    """Of one question: numbers of memories, nearest first, and their cosines."""

    notes: list[int]
    cosines: NDArray[np.float32]


def nearest(
    encoder: BertEncoder, asked: Sequence[Question], texts: Sequence[str], projects: Sequence[str]
) -> list[Near]:
    banks: dict[str, list[int]] = {}
    for n, project in enumerate(projects):
        banks.setdefault(project, []).append(n)
    stored, prompts = vectors(encoder, texts), vectors(encoder, [one.words for one in asked])
    found: list[Near] = []
    for one, vector in zip(asked, prompts, strict=True):
        bank = np.array(banks[one.project])
        cosines = stored[bank] @ vector
        order = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
        found.append(Near(bank[order].tolist(), cosines[order]))
    return found
