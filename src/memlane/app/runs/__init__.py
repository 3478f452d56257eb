"""Which Runs exist, and what do they contain?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.home import Home
from memlane.app.runs.library import FileEdits, RunBranch, RunLibrary, RunView

if TYPE_CHECKING:
    from memlane.app.home.journal import ActWriter
    from memlane.app.runs.labels import RunLabels
    from memlane.app.runs.outcomes import Outcomes
    from memlane.app.runs.tallies import RunTallies
    from memlane.app.runs.transcript import OutlineMark as OutlineMark
    from memlane.app.runs.transcript import StepAt as StepAt
    from memlane.app.runs.transcript import TranscriptPages
    from memlane.app.runs.transcript import TranscriptPart as TranscriptPart

__all__ = ["FileEdits", "RunBranch", "RunView", "Runs"]


class Runs(RunLibrary):
    """The Runs of this home, and what belongs to one: its pages, its labels, its outcome, its numbers."""

    def __init__(self, home: Home, writer: Callable[[], ActWriter]) -> None:
        super().__init__(home)
        self._writer = writer

    @cached_property
    def transcript(self) -> TranscriptPages:
        from memlane.app.runs.transcript import TranscriptPages

        return TranscriptPages(self)

    @cached_property
    def labels(self) -> RunLabels:
        from memlane.app.runs.labels import RunLabels

        return RunLabels(self._home, self, self._writer())

    @cached_property
    def outcomes(self) -> Outcomes:
        from memlane.app.runs.outcomes import Outcomes

        return Outcomes(self._home, self._writer())

    @cached_property
    def tallies(self) -> RunTallies:
        from memlane.app.runs.tallies import RunTallies

        return RunTallies(self._home, self)
