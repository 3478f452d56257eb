"""Who reads a Window (the embedded classifier, an agent or a model), and how sure is sure enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from memlane.domain import Memory, Window, WindowDrafts


class Extractor(Protocol):
    @property
    def name(self) -> str:
        """`embedded`, `agent` or `model`."""
        ...

    @property
    def version(self) -> str:
        """Of whatever decides: weights, prompt, model. Written on every Memory it makes."""
        ...

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:
        """Raises UnreadError when it did not come to an answer: the Window stays open."""
        ...


@runtime_checkable
class ResumableExtractor(Protocol):
    """An extractor that asks somebody: what it was answered is kept until it is journaled, so that a kill asks once."""

    def ahead(self, windows: Sequence[Window], nearby: Callable[[Window], Sequence[Memory]]) -> None:
        """These are read next, in this order: it may ask about several of them at once."""
        ...

    def done(self, window: Window) -> None: ...

    def why_not(self) -> str:
        """Why no Window would be read now; "" when one would."""
        ...


ACTIVE_FROM = 60  # recalled from here on
STORED_FROM = 40  # held from here on, below it is not kept
