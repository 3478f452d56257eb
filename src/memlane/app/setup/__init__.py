"""What changes on this computer when Memory Lane is installed, and how is it undone?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.capture import Capture
from memlane.app.home import Home
from memlane.app.setup.changes import Obstacle, Plan, SetupOutcome, SetupRequest
from memlane.app.setup.checks import lasting_command, own_command
from memlane.app.setup.install import HomeRemains, Installer, LocalAgent, MachineLook

if TYPE_CHECKING:
    from memlane.app.setup.first_run import FirstRun
    from memlane.app.setup.first_run import MemoryTotals as MemoryTotals
    from memlane.app.setup.first_run import NotesRead as NotesRead
    from memlane.app.setup.first_run import PromptSuggestion as PromptSuggestion

__all__ = [
    "HomeRemains",
    "LocalAgent",
    "MachineLook",
    "Obstacle",
    "Plan",
    "Setup",
    "SetupOutcome",
    "SetupRequest",
    "lasting_command",
    "own_command",
]


class Setup(Installer):
    """Installing, uninstalling, and the first five minutes after it."""

    def __init__(self, home: Home, capture: Capture, first_run: Callable[[], FirstRun]) -> None:
        super().__init__(home, capture)
        self._first_run = first_run

    @cached_property
    def first_run(self) -> FirstRun:
        return self._first_run()
