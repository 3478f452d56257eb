"""Which rows are nearest: the bits of all of them choose, the whole vectors of those few score. Knows no Chunk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memlane.storage.arithmetic import likeness
from memlane.storage.embedded.scan import Ints
from memlane.storage.embedded.vector_files import Floats, VectorFiles, Words, signs_of

EXACT = 20_000  # rows that are all scored: at such sizes the answer is the exact one
# Rows that the bits choose at least. Of 62,000 vectors (wordllama, 256; 25,000 texts of real Runs and halves of them,
# asked by the first 12 words of 100 of these) 1,000 hold 95.5 % of the nearest 50, 2,000 97.7 %, 4,000 99.1 %. Taking
# the mean off first changes that by 0.2 % at most. At a million only generated clusters were tried (easy: all found).
GENEROUS = 4_000
SAMPLE = 1 << 14  # of the distances, to see how they are spread
FAR = (1 << 16) - 1  # as far as none is
BLOCK = 1 << 15  # rows compared at once: what stays in the processor's cache


def distinct(rows: Ints, count: int) -> NDArray[np.intp]:
    """In order, of those that there are: the same text in many Chunks is one row, and takes no other's place."""
    there = np.zeros(count, np.bool_)
    there[rows if rows.max(initial=-1) < count else rows[rows < count]] = True
    return np.flatnonzero(there)


def nearest_rows(
    files: VectorFiles, rows: NDArray[np.intp], vector: Floats, limit: int, exact: int = EXACT
) -> tuple[NDArray[np.intp], Floats]:
    """Of these, which are all different: rows, and how near each is."""
    if len(rows) > exact:
        distance = hamming(files.bits(), signs_of(vector, files.sizes.words))
        theirs = distance if len(rows) == len(distance) else distance[rows]
        rows = rows[smallest(theirs, max(GENEROUS, 8 * limit))]
    return rows, likeness(files.rows(rows), vector)


def hamming(bits: Words, wanted: Words) -> NDArray[np.uint16]:
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
