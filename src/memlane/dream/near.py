"""Which Memories are near enough to be compared? Pairs by cosine, within one place. Nearness decides nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memlane.domain import Memory

if TYPE_CHECKING:
    from memlane.storage import Vector

LEAST = 0.30  # cosine
MOST = 20  # that one is compared with
AT_ONCE = 1024  # rows of the table of cosines

Pair = tuple[str, str, float]


def pairs(memories: Sequence[Memory], vectors: Sequence[Vector]) -> list[Pair]:
    """Each pair once, by the order of `memories`; a vector of unit length for each."""
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for row, memory in enumerate(memories):
        places[memory.owner, memory.project_key].append(row)
    found: dict[tuple[int, int], float] = {}
    for rows in places.values():
        for begin in range(0, len(rows), AT_ONCE):
            for one, other, cosine in _nearest(rows[begin : begin + AT_ONCE], rows, vectors):
                found[min(one, other), max(one, other)] = cosine
    return [(memories[one].id, memories[other].id, cosine) for (one, other), cosine in sorted(found.items())]


def _nearest(some: Sequence[int], rows: Sequence[int], vectors: Sequence[Vector]) -> Iterator[tuple[int, int, float]]:
    import numpy as np  # noqa: PLC0415 - numpy, if meaning is asked

    cosines = np.stack([vectors[row] for row in some]) @ np.stack([vectors[row] for row in rows]).T
    for one, line in zip(some, cosines, strict=True):
        for column in (int(found) for found in np.argsort(-line)[: MOST + 1]):
            if line[column] >= LEAST and rows[column] != one:
                yield one, rows[column], float(line[column])
