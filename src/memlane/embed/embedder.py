"""What turns text into vectors: one model, always the same numbers for the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memlane.storage.ports import Vector


class Embedder(Protocol):
    """One model. It may be slow, far away or broken; whoever asks it goes through the queue."""

    @property
    def tag(self) -> str:
        """Name, weights and dimension, as written on every vector: `wordllama-l2@256`."""
        ...

    @property
    def dimension(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vector:
        """One unit vector in each row."""
        ...

    def query(self, text: str) -> Vector:
        """One unit vector: what somebody looks for, which some models want to be told apart."""
        ...
