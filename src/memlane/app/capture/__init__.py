"""What is new on this machine, and how does it get into the archive?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.app.capture.diary import CapturedLine
from memlane.app.capture.sweep import LATER, CaptureReport, Pause, Progress, RunChange, Sweeper
from memlane.app.vectors import AFTER_A_TURN

if TYPE_CHECKING:
    from memlane.app.capture.imports import Imports
    from memlane.app.capture.watch import Watch

__all__ = ["Capture", "CaptureReport", "CapturedLine", "Pause", "Progress", "RunChange"]


class Capture(Sweeper):
    """Everything that brings Runs in: sweeps, watches and imports."""

    @cached_property
    def imports(self) -> Imports:
        from memlane.app.capture.imports import Imports

        return Imports(self._home, self)

    def watch(
        self, paths: Sequence[Path] = (), agent: str = "", machine: str = "", *, words_only: bool = False
    ) -> Watch:
        """A watch over the agents' files, to be run until it is stopped. What they mean may be left to the tick."""
        from memlane.app.capture.watch import Watch

        return Watch(self._home, self, paths, agent, machine, meaning=LATER if words_only else AFTER_A_TURN)
