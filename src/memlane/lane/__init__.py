"""Lane: one opened home, and everything anyone can ask of it. Surfaces know nothing behind this."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from types import TracebackType

from memlane.config import Config
from memlane.disk import Disk
from memlane.lane.capturing import CaptureReport, Capturing, Pause, Progress, RunChange
from memlane.lane.home import Home, masked, now
from memlane.lane.reading import Branch, Reading, Shown
from memlane.lane.recalling import Answer, Recalling
from memlane.lane.remembering import Remembering
from memlane.lane.upkeep import Health, Upkeep
from memlane.search import FoundTurn, Search
from memlane.storage import RunFilter

__all__ = [
    "Answer",
    "Branch",
    "CaptureReport",
    "FoundTurn",
    "Health",
    "Lane",
    "Pause",
    "Progress",
    "RunChange",
    "RunFilter",
    "Search",
    "Shown",
    "masked",
]


class Lane:
    """Config in, everything wired, the verbs out, grouped by what a person is doing."""

    def __init__(self, config: Config, clock: Callable[[], datetime] = now, disk: Disk | None = None) -> None:
        self.home = Home(config, clock, disk)
        self.capturing = Capturing(self.home)
        self.reading = Reading(self.home)
        self.remembering = Remembering(self.home, self.capturing)
        self.recalling = Recalling(self.home)
        self.upkeep = Upkeep(self.home)

    @property
    def config(self) -> Config:
        return self.home.config

    def close(self) -> None:
        self.home.close()

    def __enter__(self) -> Lane:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
