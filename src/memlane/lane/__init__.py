"""Lane: one opened home, and everything anyone can ask of it. Surfaces know nothing behind this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from memlane.config import Config, Value
from memlane.disk import Disk
from memlane.lane.home import Home, masked, now
from memlane.storage import RunFilter

if TYPE_CHECKING:
    from memlane.catch import Extractor
    from memlane.lane.asking import Asking as Asking
    from memlane.lane.asking import Estimate as Estimate
    from memlane.lane.beginning import Beginning as Beginning
    from memlane.lane.beginning import Known as Known
    from memlane.lane.beginning import Noted as Noted
    from memlane.lane.beginning import Suggestion as Suggestion
    from memlane.lane.calling import Calling as Calling
    from memlane.lane.capturing import CaptureReport as CaptureReport
    from memlane.lane.capturing import Capturing as Capturing
    from memlane.lane.capturing import Pause as Pause
    from memlane.lane.capturing import Progress as Progress
    from memlane.lane.capturing import RunChange as RunChange
    from memlane.lane.catching import Catching as Catching
    from memlane.lane.catching import CatchReport as CatchReport
    from memlane.lane.doctor import Doctor as Doctor
    from memlane.lane.dream_due import Due as Due
    from memlane.lane.dreaming import Dreaming as Dreaming
    from memlane.lane.dreaming import Told as Told
    from memlane.lane.editing import Acted as Acted
    from memlane.lane.editing import Editing as Editing
    from memlane.lane.editing import GonePlan as GonePlan
    from memlane.lane.entering import Entering as Entering
    from memlane.lane.foldering import Changed as Changed
    from memlane.lane.foldering import Folded as Folded
    from memlane.lane.foldering import Foldering as Foldering
    from memlane.lane.foldering import Put as Put
    from memlane.lane.foldering import Written as Written
    from memlane.lane.hand import Hand as Hand
    from memlane.lane.handing_out import Handed as Handed
    from memlane.lane.handing_out import HandingOut as HandingOut
    from memlane.lane.handing_out import Taken as Taken
    from memlane.lane.importing import Importing as Importing
    from memlane.lane.installing import AgentHere as AgentHere
    from memlane.lane.installing import Done as Done
    from memlane.lane.installing import Installing as Installing
    from memlane.lane.installing import Look as Look
    from memlane.lane.installing import Plan as Plan
    from memlane.lane.installing import Remains as Remains
    from memlane.lane.installing import Wanted as Wanted
    from memlane.lane.judging import Judged as Judged
    from memlane.lane.judging import Judging as Judging
    from memlane.lane.knowing import About as About
    from memlane.lane.knowing import Knowing as Knowing
    from memlane.lane.knowing import Listed as Listed
    from memlane.lane.labelling import Labelling as Labelling
    from memlane.lane.leafing import Leafing as Leafing
    from memlane.lane.leafing import Mark as Mark
    from memlane.lane.leafing import Part as Part
    from memlane.lane.meaning import Meaning as Meaning
    from memlane.lane.meaning import Meant as Meant
    from memlane.lane.naming import Fit as Fit
    from memlane.lane.naming import Waiting as Waiting
    from memlane.lane.notes import Notebook as Notebook
    from memlane.lane.notes import Noting as Noting
    from memlane.lane.past import Moved as Moved
    from memlane.lane.proposing import Proposal as Proposal
    from memlane.lane.proposing import Proposing as Proposing
    from memlane.lane.reading import Branch as Branch
    from memlane.lane.reading import Edits as Edits
    from memlane.lane.reading import Found as Found
    from memlane.lane.reading import Reading as Reading
    from memlane.lane.reading import Shown as Shown
    from memlane.lane.recalling import Answer as Answer
    from memlane.lane.recalling import Recalling as Recalling
    from memlane.lane.remembering import Remembering as Remembering
    from memlane.lane.remembering import Spoken as Spoken
    from memlane.lane.scoring import Scored as Scored
    from memlane.lane.scoring import Scoring as Scoring
    from memlane.lane.seeing import Seeing as Seeing
    from memlane.lane.skilling import Habit as Habit
    from memlane.lane.skilling import Skilling as Skilling
    from memlane.lane.standing import Standing as Standing
    from memlane.lane.standing import Stands as Stands
    from memlane.lane.undoing import Act as Act
    from memlane.lane.undoing import Undoing as Undoing
    from memlane.lane.undoing import Undone as Undone
    from memlane.lane.upkeep import ForgetPlan as ForgetPlan
    from memlane.lane.upkeep import Upkeep as Upkeep
    from memlane.lane.watching import Watching as Watching
    from memlane.search import FoundTurn as FoundTurn
    from memlane.search import Mode as Mode
    from memlane.search import Search as Search
    from memlane.setup import Trouble as Trouble
    from memlane.tools import Tools

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
    "Proposal",
    "RunChange",
    "RunFilter",
    "Search",
    "Shown",
    "Standing",
    "Written",
    "masked",
    "save_settings",
]


# What most commands do without: each is loaded by whoever asks for it first, as a search must not wait for it.
_LATE = {
    "Answer": "lane.recalling",
    "Branch": "lane.reading",
    "CaptureReport": "lane.capturing",
    "Edits": "lane.reading",
    "ForgetPlan": "lane.upkeep",
    "Found": "lane.reading",
    "FoundTurn": "search",
    "Meant": "lane.meaning",
    "Mode": "search",
    "Pause": "lane.capturing",
    "Progress": "lane.capturing",
    "Proposal": "lane.proposing",
    "RunChange": "lane.capturing",
    "Search": "search",
    "Shown": "lane.reading",
    "Standing": "lane.standing",
    "Written": "lane.foldering",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"memlane.{_LATE[name]}"), name)


def save_settings(config: Config, values: Mapping[str, Value]) -> None:
    from memlane.lane.settings import save

    save(config, values)


class Lane:
    """Config in, everything wired, the verbs out, grouped by what a person is doing."""

    def __init__(self, config: Config, clock: Callable[[], datetime] = now, disk: Disk | None = None) -> None:
        self.home = Home(config, clock, disk)

    @cached_property
    def meaning(self) -> Meaning:
        from memlane.lane.meaning import Meaning

        return Meaning(self.home)

    @cached_property
    def reading(self) -> Reading:
        from memlane.lane.reading import Reading

        return Reading(self.home, self.meaning)

    @cached_property
    def leafing(self) -> Leafing:
        from memlane.lane.leafing import Leafing

        return Leafing(self.reading)

    @cached_property
    def seeing(self) -> Seeing:
        from memlane.lane.seeing import Seeing

        return Seeing(self.home, self.reading)

    @cached_property
    def entering(self) -> Entering:
        from memlane.lane.entering import Entering

        return Entering(self.home)

    @cached_property
    def capturing(self) -> Capturing:
        from memlane.lane.capturing import Capturing

        return Capturing(self.home, self.meaning)

    @cached_property
    def labelling(self) -> Labelling:
        from memlane.lane.labelling import Labelling

        return Labelling(self.home, self.reading, self.hand)

    @cached_property
    def remembering(self) -> Remembering:
        from memlane.lane.remembering import Remembering

        return Remembering(self.home, self.capturing, self.hand, self.knowing.resolve_mentions)

    @cached_property
    def hand(self) -> Hand:
        from memlane.lane.hand import Hand

        return Hand(self.home)

    @cached_property
    def editing(self) -> Editing:
        from memlane.lane.editing import Editing

        return Editing(self.home, self.reading, self.remembering, self.hand)

    @cached_property
    def foldering(self) -> Foldering:
        from memlane.lane.foldering import Foldering

        return Foldering(self.home, self.editing, self.hand)

    @cached_property
    def skilling(self) -> Skilling:
        from memlane.lane.skilling import Skilling

        return Skilling(self.home, self.reading)

    def folders_due(self) -> bool:
        from memlane.lane.folders_due import due

        return due(self.home)

    def folders_told(self) -> Written | None:
        """What people changed in the memory folders; None: nobody looked."""
        return self.foldering.told if "foldering" in self.__dict__ else None

    @cached_property
    def proposing(self) -> Proposing:
        from memlane.lane.proposing import Proposing

        return Proposing(self.home, self.capturing, self.hand)

    @cached_property
    def noting(self) -> Noting:
        from memlane.lane.notes import Noting

        return Noting(self.home, self.capturing, self.hand)

    @cached_property
    def undoing(self) -> Undoing:
        from memlane.lane.undoing import Undoing

        return Undoing(self.home, self.hand)

    def dream_due(self) -> Due:
        from memlane.lane.dream_due import due

        return due(self.home)

    @cached_property
    def dreaming(self) -> Dreaming:
        from memlane.lane.dreaming import Dreaming
        from memlane.lane.sleeping import Sleeper

        sleeper = Sleeper(self.config.variables)
        return Dreaming(self.home, self.hand, self.undoing, self.foldering, self.dream_tools, sleeper)

    def dream_tools(self) -> Tools:
        return replace(self.catch_tools(), names=self.knowing.named)

    @cached_property
    def scoring(self) -> Scoring:
        from memlane.lane.scoring import Scoring

        return Scoring(self.home, self.hand)

    @cached_property
    def catching(self) -> Catching:
        from memlane.lane.catching import Catching

        return Catching(self.home, self.catch_tools, self._extractor)

    @cached_property
    def handing_out(self) -> HandingOut:
        from memlane.lane.handing_out import HandingOut

        return HandingOut(self.home, self.catching)

    @cached_property
    def asking(self) -> Asking:
        from memlane.lane.asking import Asking

        return Asking(self.home, self.catching)

    def catch_tools(self) -> Tools:
        tools = self.home.tools()
        return replace(tools, meaning=self.meaning.understands(), meant=self.knowing.resolve_mentions)

    def _extractor(self, name: str) -> Extractor:
        from memlane.lane.extractors import extractor

        return extractor(name, self.home)

    @cached_property
    def knowing(self) -> Knowing:
        from memlane.lane.knowing import Knowing

        return Knowing(self.home)

    @cached_property
    def calling(self) -> Calling:
        from memlane.lane.calling import Calling

        return Calling(self.home, self.knowing, self.capturing, self.hand)

    @cached_property
    def recalling(self) -> Recalling:
        from memlane.lane.recalling import Recalling

        return Recalling(self.home, self.knowing, self.meaning)

    @cached_property
    def judging(self) -> Judging:
        from memlane.lane.judging import Judging

        return Judging(self.home, self.hand)

    @cached_property
    def upkeep(self) -> Upkeep:
        from memlane.lane.upkeep import Upkeep

        return Upkeep(self.home, self.meaning)

    @cached_property
    def standing(self) -> Stands:
        from memlane.lane.standing import Stands

        return Stands(self.home, self.capturing)

    @cached_property
    def doctor(self) -> Doctor:
        from memlane.lane.doctor import Doctor

        return Doctor(self.home, self.capturing, self.standing, self.meaning)

    @cached_property
    def installing(self) -> Installing:
        from memlane.lane.installing import Installing

        return Installing(self.home, self.capturing)

    @cached_property
    def beginning(self) -> Beginning:
        from memlane.lane.beginning import Beginning

        return Beginning(self.home, self.catching, self.noting, self.recalling)

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
        if "meaning" in self.__dict__:
            self.meaning.close()
        self.home.close()

    def __enter__(self) -> Lane:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
