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

from memlane.app.home import Home, masked, now
from memlane.config import Config, Value
from memlane.disk import Disk
from memlane.storage import RunFilter

if TYPE_CHECKING:
    from memlane.app.access import Access as Access
    from memlane.app.archive import ArchiveUpkeep as ArchiveUpkeep
    from memlane.app.archive import ForgetPlan as ForgetPlan
    from memlane.app.capture.imports import Imports as Imports
    from memlane.app.capture.sweep import CaptureReport as CaptureReport
    from memlane.app.capture.sweep import Pause as Pause
    from memlane.app.capture.sweep import Progress as Progress
    from memlane.app.capture.sweep import RunChange as RunChange
    from memlane.app.capture.sweep import Sweeper as Sweeper
    from memlane.app.capture.watch import Watch as Watch
    from memlane.app.catch.assignments import Assignment as Assignment
    from memlane.app.catch.assignments import AssignmentReceipt as AssignmentReceipt
    from memlane.app.catch.assignments import Assignments as Assignments
    from memlane.app.catch.model import CatchEstimate as CatchEstimate
    from memlane.app.catch.model import CatchModel as CatchModel
    from memlane.app.catch.windows import CatchReport as CatchReport
    from memlane.app.catch.windows import CatchWindows as CatchWindows
    from memlane.app.dream import DreamReport as DreamReport
    from memlane.app.dream import Dreams as Dreams
    from memlane.app.dream.due import DreamDue as DreamDue
    from memlane.app.entities.book import EntityBook as EntityBook
    from memlane.app.entities.book import EntityMemories as EntityMemories
    from memlane.app.entities.book import EntityRow as EntityRow
    from memlane.app.entities.edits import EntityEdits as EntityEdits
    from memlane.app.entities.queue import NameFit as NameFit
    from memlane.app.entities.queue import OpenName as OpenName
    from memlane.app.folder import AgentsFileReport as AgentsFileReport
    from memlane.app.folder import FolderChange as FolderChange
    from memlane.app.folder import FolderReport as FolderReport
    from memlane.app.folder import FolderSize as FolderSize
    from memlane.app.folder import MemoryFolders as MemoryFolders
    from memlane.app.health.doctor import Doctor as Doctor
    from memlane.app.health.overview import HomeOverview as HomeOverview
    from memlane.app.health.overview import Overview as Overview
    from memlane.app.history.life import LifeStep as LifeStep
    from memlane.app.history.undo import Act as Act
    from memlane.app.history.undo import Undo as Undo
    from memlane.app.history.undo import UndoEffect as UndoEffect
    from memlane.app.history.writer import ActWriter as ActWriter
    from memlane.app.map.seeing import Seeing as Seeing
    from memlane.app.memories.edits import ActEffect as ActEffect
    from memlane.app.memories.edits import ErasePlan as ErasePlan
    from memlane.app.memories.edits import MemoryEdits as MemoryEdits
    from memlane.app.memories.proposals import MemoryProposal as MemoryProposal
    from memlane.app.memories.proposals import Proposals as Proposals
    from memlane.app.memories.shelf import EvidenceView as EvidenceView
    from memlane.app.memories.shelf import MemoryShelf as MemoryShelf
    from memlane.app.notes import Notebook as Notebook
    from memlane.app.notes import NoteImport as NoteImport
    from memlane.app.recall.answers import HookAnswer as HookAnswer
    from memlane.app.recall.answers import RecallAnswers as RecallAnswers
    from memlane.app.recall.feedback import FeedbackDesk as FeedbackDesk
    from memlane.app.recall.feedback import FeedbackEffect as FeedbackEffect
    from memlane.app.runs.labels import RunLabels as RunLabels
    from memlane.app.runs.library import FileEdits as FileEdits
    from memlane.app.runs.library import RunBranch as RunBranch
    from memlane.app.runs.library import RunLibrary as RunLibrary
    from memlane.app.runs.library import RunView as RunView
    from memlane.app.runs.library import SearchAnswer as SearchAnswer
    from memlane.app.runs.outcomes import OutcomeEffect as OutcomeEffect
    from memlane.app.runs.outcomes import Outcomes as Outcomes
    from memlane.app.runs.transcript import OutlineMark as OutlineMark
    from memlane.app.runs.transcript import TranscriptPages as TranscriptPages
    from memlane.app.runs.transcript import TranscriptPart as TranscriptPart
    from memlane.app.setup.first_run import FirstRun as FirstRun
    from memlane.app.setup.first_run import MemoryTotals as MemoryTotals
    from memlane.app.setup.first_run import NotesRead as NotesRead
    from memlane.app.setup.first_run import PromptSuggestion as PromptSuggestion
    from memlane.app.setup.install import Done as Done
    from memlane.app.setup.install import HomeRemains as HomeRemains
    from memlane.app.setup.install import Installer as Installer
    from memlane.app.setup.install import LocalAgent as LocalAgent
    from memlane.app.setup.install import MachineLook as MachineLook
    from memlane.app.setup.install import Plan as Plan
    from memlane.app.setup.install import Wanted as Wanted
    from memlane.app.skills import Habit as Habit
    from memlane.app.skills import Skills as Skills
    from memlane.app.vectors import VectorProgress as VectorProgress
    from memlane.app.vectors import VectorUpkeep as VectorUpkeep
    from memlane.catch import Extractor
    from memlane.flow.tools import Tools
    from memlane.search import FoundTurn as FoundTurn
    from memlane.search import Mode as Mode
    from memlane.search import Search as Search
    from memlane.setup import Trouble as Trouble

__all__ = [
    "CaptureReport",
    "FileEdits",
    "FolderReport",
    "ForgetPlan",
    "FoundTurn",
    "HomeOverview",
    "HookAnswer",
    "Lane",
    "MemoryProposal",
    "Mode",
    "Pause",
    "Progress",
    "RunBranch",
    "RunChange",
    "RunFilter",
    "RunView",
    "Search",
    "SearchAnswer",
    "VectorProgress",
    "masked",
    "save_settings",
]


# What most commands do without: each is loaded by whoever asks for it first, as a search must not wait for it.
_LATE = {
    "HookAnswer": "lane.recalling",
    "RunBranch": "lane.reading",
    "CaptureReport": "lane.capturing",
    "FileEdits": "lane.reading",
    "ForgetPlan": "lane.upkeep",
    "SearchAnswer": "lane.reading",
    "FoundTurn": "search",
    "VectorProgress": "lane.meaning",
    "Mode": "search",
    "Pause": "lane.capturing",
    "Progress": "lane.capturing",
    "MemoryProposal": "lane.proposing",
    "RunChange": "lane.capturing",
    "Search": "search",
    "RunView": "lane.reading",
    "HomeOverview": "lane.standing",
    "FolderReport": "lane.foldering",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"memlane.{_LATE[name]}"), name)


def save_settings(config: Config, values: Mapping[str, Value]) -> None:
    from memlane.app.home.settings import save

    save(config, values)


class Lane:
    """Config in, everything wired, the verbs out, grouped by what a person is doing."""

    def __init__(self, config: Config, clock: Callable[[], datetime] = now, disk: Disk | None = None) -> None:
        self.home = Home(config, clock, disk)

    @cached_property
    def meaning(self) -> VectorUpkeep:
        from memlane.app.vectors import VectorUpkeep

        return VectorUpkeep(self.home)

    @cached_property
    def reading(self) -> RunLibrary:
        from memlane.app.runs.library import RunLibrary

        return RunLibrary(self.home, self.meaning)

    @cached_property
    def leafing(self) -> TranscriptPages:
        from memlane.app.runs.transcript import TranscriptPages

        return TranscriptPages(self.reading)

    @cached_property
    def seeing(self) -> Seeing:
        from memlane.app.map.seeing import Seeing

        return Seeing(self.home, self.reading)

    @cached_property
    def entering(self) -> Access:
        from memlane.app.access import Access

        return Access(self.home)

    @cached_property
    def capturing(self) -> Sweeper:
        from memlane.app.capture.sweep import Sweeper

        return Sweeper(self.home, self.meaning)

    @cached_property
    def labelling(self) -> RunLabels:
        from memlane.app.runs.labels import RunLabels

        return RunLabels(self.home, self.reading, self.hand)

    @cached_property
    def remembering(self) -> MemoryShelf:
        from memlane.app.memories.shelf import MemoryShelf

        return MemoryShelf(self.home, self.capturing, self.hand, self.knowing.resolve_mentions)

    @cached_property
    def hand(self) -> ActWriter:
        from memlane.app.history.writer import ActWriter

        return ActWriter(self.home)

    @cached_property
    def editing(self) -> MemoryEdits:
        from memlane.app.memories.edits import MemoryEdits

        return MemoryEdits(self.home, self.reading, self.remembering, self.hand)

    @cached_property
    def foldering(self) -> MemoryFolders:
        from memlane.app.folder import MemoryFolders

        return MemoryFolders(self.home, self.editing, self.hand)

    @cached_property
    def skilling(self) -> Skills:
        from memlane.app.skills import Skills

        return Skills(self.home, self.reading)

    def folders_due(self) -> bool:
        from memlane.app.folder.due import due

        return due(self.home)

    def folders_told(self) -> FolderReport | None:
        """What people changed in the memory folders; None: nobody looked."""
        return self.foldering.told if "foldering" in self.__dict__ else None

    @cached_property
    def proposing(self) -> Proposals:
        from memlane.app.memories.proposals import Proposals

        return Proposals(self.home, self.capturing, self.hand)

    @cached_property
    def noting(self) -> NoteImport:
        from memlane.app.notes import NoteImport

        return NoteImport(self.home, self.capturing, self.hand)

    @cached_property
    def undoing(self) -> Undo:
        from memlane.app.history.undo import Undo

        return Undo(self.home, self.hand)

    def dream_due(self) -> DreamDue:
        from memlane.app.dream.due import due

        return due(self.home)

    @cached_property
    def dreaming(self) -> Dreams:
        from memlane.app.dream import Dreams
        from memlane.app.dream.process import DreamProcess

        sleeper = DreamProcess(self.config.variables)
        return Dreams(self.home, self.hand, self.undoing, self.foldering, self.dream_tools, sleeper)

    def dream_tools(self) -> Tools:
        return replace(self.catch_tools(), names=self.knowing.named)

    @cached_property
    def scoring(self) -> Outcomes:
        from memlane.app.runs.outcomes import Outcomes

        return Outcomes(self.home, self.hand)

    @cached_property
    def catching(self) -> CatchWindows:
        from memlane.app.catch.windows import CatchWindows

        return CatchWindows(self.home, self.catch_tools, self._extractor)

    @cached_property
    def handing_out(self) -> Assignments:
        from memlane.app.catch.assignments import Assignments

        return Assignments(self.home, self.catching)

    @cached_property
    def asking(self) -> CatchModel:
        from memlane.app.catch.model import CatchModel

        return CatchModel(self.home, self.catching)

    def catch_tools(self) -> Tools:
        tools = self.home.tools()
        return replace(tools, meaning=self.meaning.understands(), meant=self.knowing.resolve_mentions)

    def _extractor(self, name: str) -> Extractor:
        from memlane.app.catch.model import extractor

        return extractor(name, self.home)

    @cached_property
    def knowing(self) -> EntityBook:
        from memlane.app.entities.book import EntityBook

        return EntityBook(self.home)

    @cached_property
    def calling(self) -> EntityEdits:
        from memlane.app.entities.edits import EntityEdits

        return EntityEdits(self.home, self.knowing, self.capturing, self.hand)

    @cached_property
    def recalling(self) -> RecallAnswers:
        from memlane.app.recall.answers import RecallAnswers

        return RecallAnswers(self.home, self.knowing, self.meaning)

    @cached_property
    def judging(self) -> FeedbackDesk:
        from memlane.app.recall.feedback import FeedbackDesk

        return FeedbackDesk(self.home, self.hand)

    @cached_property
    def upkeep(self) -> ArchiveUpkeep:
        from memlane.app.archive import ArchiveUpkeep

        return ArchiveUpkeep(self.home, self.meaning)

    @cached_property
    def standing(self) -> Overview:
        from memlane.app.health.overview import Overview

        return Overview(self.home, self.capturing)

    @cached_property
    def doctor(self) -> Doctor:
        from memlane.app.health.doctor import Doctor

        return Doctor(self.home, self.capturing, self.standing, self.meaning)

    @cached_property
    def installing(self) -> Installer:
        from memlane.app.setup.install import Installer

        return Installer(self.home, self.capturing)

    @cached_property
    def beginning(self) -> FirstRun:
        from memlane.app.setup.first_run import FirstRun

        return FirstRun(self.home, self.catching, self.noting, self.recalling)

    @cached_property
    def importing(self) -> Imports:
        from memlane.app.capture.imports import Imports

        return Imports(self.home, self.capturing)

    def watching(self, paths: Sequence[Path] = (), agent: str = "", machine: str = "") -> Watch:
        """One watch over the agents' files, to be run until it is stopped."""
        from memlane.app.capture.watch import Watch

        return Watch(self.home, self.capturing, paths, agent, machine)

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
