"""Is this really what was asked for? Every vector of every model passes here, or none of its batch does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.embedder import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from memlane.embed.embedder import Vector

_AGAIN = "this answer was not used; see `lane doctor`"


def unit(found: ArrayLike, count: int, dimension: int, who: str) -> Vector:
    """`count` rows of unit length, cut to their first `dimension` numbers (Matryoshka) where the model gave more."""
    rows = _matrix(found, who)
    if rows.shape[0] != count:
        raise EmbedderError(f"{who} gave {rows.shape[0]} vectors for {count} texts", _AGAIN)
    if count == 0:
        return np.zeros((0, dimension), np.float32)
    if rows.shape[1] < dimension:
        raise EmbedderError(f"{who} gave {rows.shape[1]} numbers instead of {dimension}", _AGAIN)
    rows = rows[:, :dimension]
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not np.isfinite(lengths).all():
        raise EmbedderError(f"{who} gave invalid numbers", _AGAIN)
    if (lengths <= np.finfo(np.float32).tiny).any():
        raise EmbedderError(f"{who} gave a vector of zeros", _AGAIN)
    return np.ascontiguousarray(rows / lengths[:, np.newaxis], np.float32)


def _matrix(found: ArrayLike, who: str) -> NDArray[np.float64]:
    """In double precision: the square of a number a model may give does not fit into a single."""
    try:
        rows = np.asarray(found, np.float64)
    except (TypeError, ValueError) as error:
        raise EmbedderError(f"{who} did not give rows of numbers", _AGAIN) from error
    if rows.size == 0:
        return rows.reshape(rows.shape[0] if rows.ndim else 0, 0)
    if rows.ndim != 2:
        raise EmbedderError(f"{who} did not give rows of numbers", _AGAIN)
    return rows
