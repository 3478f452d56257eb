"""How does this home stand? Counted from the index alone, so it answers at once. Faults are doctor's work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from memlane.app.capture import Capture
from memlane.app.capture.routes import CaptureRoute
from memlane.app.capture.sweep import Pause
from memlane.app.catch.reader_state import BackgroundReading, ReadingState
from memlane.app.dream.due import DreamDue, due
from memlane.app.home import Home
from memlane.app.setup.checks import capture_routes
from memlane.domain import Level, Outcome, RunFilter, RunSummary, State
from memlane.system.disk import why_read_only

if TYPE_CHECKING:
    from memlane.app.health.hooks import HookChecks

LOOKED_AT = 200  # recalls the medians are taken from


@dataclass(frozen=True, slots=True)
class AgentOverview:
    """One agent that has been on this computer: captured runs, or a folder of its own."""

    name: str
    title: str
    runs: int
    here: bool
    last_captured: datetime | None
    imported: bool = False  # handed over by a person: it has no folder that could be gone
    captured_by: tuple[CaptureRoute, ...] = ()  # what makes us capture its new work, the soonest first


@dataclass(frozen=True, slots=True)
class RecallOverview:
    """What agents were told lately."""

    enabled: bool
    off_in: tuple[str, ...]
    agents: tuple[str, ...]  # titles of those that would be told something now
    shown: int
    memories: float = 0.0
    tokens: float = 0.0
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class HomeOverview:
    """One screen of how things are."""

    user: str
    machine: str
    agents: Sequence[AgentOverview]
    recall: RecallOverview
    machines: Sequence[str]
    runs: int
    turns: int
    memories: int
    held: int
    windows: Mapping[str, int]  # read, by which extractor
    bytes: int
    waiting: int
    set_aside: int
    paused: Pause | None
    hooks: bool  # some agent calls ours, as its own settings have it
    last_tick: datetime | None
    last_run: RunSummary | None
    dream: DreamDue
    reading: ReadingState  # in the background, for memories
    skipped: int = 0  # files among the transcripts that are not taken
    read_only: str = ""  # why nothing can be written here
    probation: Sequence[str] = ()  # models whose memories wait for a person, a sentence each


class Overviews:
    def __init__(self, home: Home, capture: Capture) -> None:
        self._home = home
        self._capture = capture

    @cached_property
    def hooks(self) -> HookChecks:
        from memlane.app.health.hooks import HookChecks
        from memlane.app.setup.install import Installer

        return HookChecks(self._home, Installer(self._home, self._capture))

    def now(self) -> HomeOverview:
        storage, reader, hooks = self._home.storage(), self._home.reader, self.hooks.agents()
        runs = storage.runs.listed(RunFilter(), reader)
        return HomeOverview(
            user=self._home.config.user,
            machine=self._home.config.machine,
            agents=self.agents(runs),
            recall=self._recalled(tuple(one.title for one in hooks if one.told)),
            machines=sorted({run.machine for run in runs}),
            runs=len(runs),
            turns=sum(run.turns for run in runs),
            memories=storage.memories.count([State.ACTIVE], reader),
            held=storage.memories.count([State.HELD], reader),
            windows=storage.catches.count(reader),
            bytes=sum(run.bytes for run in runs),
            waiting=len(storage.work.pending()),
            set_aside=len(self._capture.set_aside()),
            paused=self._capture.pause(),
            hooks=any(one.hook is not None for one in hooks),
            last_tick=self.last_tick(),
            last_run=runs[0] if runs else None,
            dream=due(self._home),
            skipped=len(self._capture.skipped()),
            read_only=why_read_only(self._home.config.home),
            reading=BackgroundReading(self._home).now(),
            probation=self._probation(),
        )

    def _probation(self) -> Sequence[str]:
        """Nothing is loaded where no model and no agent has read."""
        if not {"agent", "model"} & self._home.storage().catches.count(self._home.reader).keys():
            return ()
        from memlane.catch.record import why_on_probation
        from memlane.flow.records import records

        return [why for record in records(self._home.tools()) if (why := why_on_probation(record))]

    def sizes(self) -> Mapping[str, int]:
        """Bytes of each part of the home, and of an archive elsewhere. Every file is looked at."""
        config = self._home.config
        parts = {path.name: path for path in sorted(config.home.iterdir())} | dict.fromkeys(
            ["archive"] * len(config.archive_folder), config.archive_base
        )
        files = {
            name: path.rglob("*") if path.is_dir() else [path] for name, path in parts.items() if not path.is_symlink()
        }
        return {name: sum(file.lstat().st_size for file in found if file.is_file()) for name, found in files.items()}

    def last_tick(self) -> datetime | None:
        ticked = self._home.storage().notes.get("ticked")
        return datetime.fromisoformat(ticked) if ticked else None

    def tick_is_due(self) -> bool:
        """No timer has ticked for a while. A home that was never ticked counts from when it was made."""
        minutes = self._home.config.number("daemon.tick_minutes")
        if minutes <= 0:
            return False
        made = self._home.config.file if self._home.config.file.exists() else self._home.config.home
        since = self.last_tick() or datetime.fromtimestamp(made.stat().st_mtime, UTC)
        return self._home.clock() - since >= timedelta(minutes=minutes)

    def agents(self, runs: Sequence[RunSummary]) -> Sequence[AgentOverview]:
        """Those with a folder here or runs in the archive, in the order of the registry."""
        found, counted = list[AgentOverview](), Counter(run.agent for run in runs)
        hooked = {one.name for one in self.hooks.agents() if one.hook is not None and one.level is not Level.FAIL}
        routes = capture_routes(self._home, hooked)
        for name, source in self._home.sources.items():
            places, count = self._capture.places(name), counted.pop(name, 0)
            here = any(place.root.is_dir() for place in places)
            if here or count:
                last = self._capture.last_captured(name)
                by = routes(name) if here else ()
                found.append(AgentOverview(name, source.title, count, here, last, imported=not places, captured_by=by))
        others = counted.items()  # what neutral runs name as their agent
        return [
            *found,
            *(AgentOverview(n, n, runs, here=False, last_captured=None, imported=True) for n, runs in others),
        ]

    def _recalled(self, agents: tuple[str, ...]) -> RecallOverview:
        config = self._home.config
        recalls = self._home.storage().recalls.newest(LOOKED_AT, self._home.reader)
        told = (recall for recall in recalls if recall.outcome is Outcome.SHOWN)
        shown = [recall for recall in told if recall.query.moment.tells_what_fits]
        enabled, off_in = config.switch("recall.enabled"), config.names("recall.off_in")
        if not shown:
            return RecallOverview(enabled, off_in, agents, 0)
        return RecallOverview(
            enabled,
            off_in,
            agents,
            len(shown),
            median(len(recall.shown) for recall in shown),
            median(recall.tokens for recall in shown),
            median(recall.milliseconds for recall in shown),
        )
