"""Lane: one opened home, and everything anyone can ask of it. Surfaces know nothing behind this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from memlane.config import Config
from memlane.disk import Disk
from memlane.lane.capturing import CaptureReport, Capturing, Pause, Progress, RunChange
from memlane.lane.doctor import Doctor
from memlane.lane.home import Home, masked, now
from memlane.lane.labelling import Labelling
from memlane.lane.meaning import Meaning, Meant
from memlane.lane.reading import Branch, Edits, Found, Reading, Shown
from memlane.lane.recalling import Answer, Recalling
from memlane.lane.remembering import Remembering
from memlane.lane.settings import save as save_settings
from memlane.lane.standing import Standing, Stands
from memlane.lane.upkeep import ForgetPlan, Upkeep
from memlane.search import FoundTurn, Mode, Search
from memlane.storage import RunFilter

if TYPE_CHECKING:
    from memlane.lane.importing import Importing as Importing
    from memlane.lane.installing import AgentHere as AgentHere
    from memlane.lane.installing import Done as Done
    from memlane.lane.installing import Installing as Installing
    from memlane.lane.installing import Look as Look
    from memlane.lane.installing import Plan as Plan
    from memlane.lane.installing import Remains as Remains
    from memlane.lane.installing import Wanted as Wanted
    from memlane.lane.watching import Watching as Watching
    from memlane.setup import Trouble as Trouble

__all__ = [
    "Answer",
    "Branch",
    "CaptureReport",
    "Edits",
    "ForgetPlan",
    "Found",
    "FoundTurn",
    "Lane",
    "Meant",
    "Mode",
    "Pause",
    "Progress",
    "RunChange",
    "RunFilter",
    "Search",
    "Shown",
    "Standing",
    "masked",
    "save_settings",
]


class Lane:
    """Config in, everything wired, the verbs out, grouped by what a person is doing."""

    def __init__(self, config: Config, clock: Callable[[], datetime] = now, disk: Disk | None = None) -> None:
        self.home = Home(config, clock, disk)
        self.meaning = Meaning(self.home)
        self.capturing = Capturing(self.home, self.meaning)
        self.reading = Reading(self.home, self.meaning)
        self.labelling = Labelling(self.home, self.reading)
        self.remembering = Remembering(self.home, self.capturing)
        self.recalling = Recalling(self.home)
        self.upkeep = Upkeep(self.home, self.meaning)
        self.standing = Stands(self.home, self.capturing)
        self.doctor = Doctor(self.home, self.capturing, self.standing, self.meaning)

    @cached_property
    def installing(self) -> Installing:
        """Loaded late: only setting up, taking down and doctor need it."""
        from memlane.lane.installing import Installing

        return Installing(self.home, self.capturing)

    @cached_property
    def importing(self) -> Importing:
        from memlane.lane.importing import Importing

        return Importing(self.home, self.capturing)

    def watching(self, paths: Sequence[Path] = (), agent: str = "", machine: str = "") -> Watching:
        """One watch over the agents' files, to be run until it is stopped."""
        from memlane.lane.watching import Watching

        return Watching(self.home, self.capturing, paths, agent, machine)

    @property
    def config(self) -> Config:
        return self.home.config

    def close(self) -> None:
        self.meaning.close()
        self.home.close()

    def __enter__(self) -> Lane:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
