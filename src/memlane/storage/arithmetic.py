"""What both engines work out about vectors, so that it is the same number in both. It loads numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memlane.errors import LaneError

Floats = NDArray[np.float32]


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
