"""What both engines work out about vectors, so that it is the same number in both. It loads numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memlane.errors import LaneError

Floats = NDArray[np.float32]
Words = NDArray[np.uint64]
SAMPLE = 1 << 14  # of the distances, to see how they are spread
FAR = (1 << 16) - 1  # as far as none is
BLOCK = 1 << 15  # rows compared at once: what stays in the processor's cache


def likeness(rows: Floats, vector: Floats) -> Floats:
    """Not as a product of matrices: that would wake a thread for each processor, and they wait by spinning."""
    return np.einsum("ij,j->i", rows, vector)


def of_length_one(vectors: Floats, count: int) -> Floats:
    """Every number a number, one row for each."""
    given = np.asarray(vectors, np.float32)
    if given.ndim != 2 or len(given) != count or given.shape[1] == 0:
        raise LaneError(f"{count} texts, and vectors of shape {given.shape}", hint="one row of numbers for each text")
    lengths = np.linalg.norm(given.astype(np.float64), axis=1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise LaneError("a vector is not one: it has no length", hint="is the model healthy? nothing was changed")
    return (given / lengths[:, None]).astype(np.float32)


def hamming(bits: Words, wanted: Words) -> NDArray[np.uint16]:
    """In how many bits each differs: a row for each word of them."""
    distance = np.zeros(bits.shape[1], np.uint16)
    for start in range(0, len(distance), BLOCK):
        part = distance[start : start + BLOCK]
        for column, word in zip(bits, wanted, strict=True):
            part += np.bitwise_count(column[start : start + BLOCK] ^ word)
    return distance


def smallest(distance: NDArray[np.uint16], count: int) -> NDArray[np.intp]:
    """Places of the smallest, at least this many, and all that are as small as the last of them.

    How small that is, some of them tell roughly; counting all of them at once would take three times as long.
    """
    some = distance[:: max(1, len(distance) // SAMPLE)]
    reached = int(np.partition(some, at)[at]) if (at := len(some) * count // max(1, len(distance))) < len(some) else FAR
    while reached < FAR and np.count_nonzero(distance <= reached) < count:
        reached += 1
    while reached > 0 and np.count_nonzero(distance < reached) >= count:
        reached -= 1
    return np.flatnonzero(distance <= reached)
