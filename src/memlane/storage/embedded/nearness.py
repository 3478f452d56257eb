"""Which rows are nearest: the bits of all of them choose, the whole vectors of those few score. Knows no Chunk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memlane.storage.arithmetic import hamming, likeness, smallest
from memlane.storage.embedded.scan import Ints
from memlane.storage.embedded.vector_files import Floats, VectorFiles, signs_of

EXACT = 20_000  # rows that are all scored: at such sizes the answer is the exact one
# Rows that the bits choose at least. Of 62,000 vectors (wordllama, 256; 25,000 texts of real Runs and halves of them,
# asked by the first 12 words of 100 of these) 1,000 hold 95.5 % of the nearest 50, 2,000 97.7 %, 4,000 99.1 %. Taking
# the mean off first changes that by 0.2 % at most. At a million only generated clusters were tried (easy: all found).
GENEROUS = 4_000


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
