"""Who reads a Window: the embedded classifier, the agent a person already pays for, or a model. All alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from memlane.domain import Memory, Read, Window


class Extractor(Protocol):
    @property
    def name(self) -> str:
        """`embedded`, `agent` or `model`."""
        ...

    @property
    def version(self) -> str:
        """Of whatever decides: weights, prompt, model. Written on every Memory it makes."""
        ...

    def read(self, window: Window, nearby: Sequence[Memory]) -> Read:
        """Raises UnreadError when it did not come to an answer: the Window stays open."""
        ...


@runtime_checkable
class Recording(Protocol):
    """An extractor that keeps what it was answered until it is in the journal, so that a kill asks nobody twice."""

    def done(self, window: Window) -> None: ...
