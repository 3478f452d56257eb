"""What turns text into vectors: one model, always the same numbers for the same words, or an error and no numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memlane.errors import LaneError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # of unit length; a matrix of them has one in each row


class EmbedderError(LaneError):
    """The embedding model does not answer or gives no vectors; word search still works."""

    kind = "embedder"
    exit_code = 5
    retryable = True


class StillOpeningError(EmbedderError):
    """The embedding model is being opened; ask again in a moment."""

    kind = "opening"


class VectorModel(Protocol):
    """A model that gives texts their vectors. Those of two tags are never compared."""

    @property
    def tag(self) -> str: ...

    def passages(self, texts: Sequence[str]) -> Vector: ...


class Embedder(Protocol):
    """One model. It may be slow, far away or broken; whoever asks it goes through the queue."""

    @property
    def tag(self) -> str:
        """Name, weights and dimension, as written on every vector: `wordllama-l2-960b0a22@256`. A good folder name."""
        ...

    @property
    def dimension(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vector:
        """One unit vector in each row, also for a text that says nothing."""
        ...

    def query(self, text: str) -> Vector:
        """One unit vector: what somebody looks for, which some models want to be told apart."""
        ...

    def close(self) -> None: ...
