"""Which extractor reads closed Windows, and what came of each?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.catch.reader_state import BackgroundReading, ReadingPause, ReadingState
from memlane.app.catch.windows import CatchReport, CatchWindows
from memlane.llm import SessionAnswer

if TYPE_CHECKING:
    from memlane.app.catch.assignments import Assignment as Assignment
    from memlane.app.catch.assignments import AssignmentReceipt as AssignmentReceipt
    from memlane.app.catch.assignments import Assignments
    from memlane.app.catch.assignments import MemoryQuestion as MemoryQuestion
    from memlane.app.catch.model import CatchEstimate as CatchEstimate
    from memlane.app.catch.model import CatchModel
    from memlane.app.catch.offers import ExtractorOffer as ExtractorOffer
    from memlane.app.catch.offers import Offers
    from memlane.app.catch.offers import ReadingSize as ReadingSize
    from memlane.app.catch.progress import CatchProgress as CatchProgress
    from memlane.domain import Memory

__all__ = ["Catch", "CatchReport", "ReadingPause", "ReadingState", "SessionAnswer"]


class Catch(CatchWindows):
    """Windows read by the built-in classifier or a model; handed to an agent; and what the model costs."""

    def improve(self) -> Sequence[Memory]:
        """When Memories matter of which nobody has said it, by the model of the settings; none without one."""
        from memlane.app.catch.improve import improved_by_model

        return improved_by_model(self._home, self) if self._home.config.text("catch.with") == "model" else ()

    @cached_property
    def assignments(self) -> Assignments:
        from memlane.app.catch.assignments import Assignments

        return Assignments(self._home, self)

    @cached_property
    def model(self) -> CatchModel:
        from memlane.app.catch.model import CatchModel

        return CatchModel(self._home, self)

    @cached_property
    def offers(self) -> Offers:
        from memlane.app.catch.offers import Offers

        return Offers(self._home, self)

    @cached_property
    def background(self) -> BackgroundReading:
        return BackgroundReading(self._home)
