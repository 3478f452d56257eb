"""Lane: one opened home and everything it can do. Surfaces use only this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from memlane.app.home import Home, now
from memlane.config import Config, load
from memlane.domain import Reader
from memlane.system.disk import Disk

if TYPE_CHECKING:
    from memlane.app.access import Access
    from memlane.app.acts import Acts
    from memlane.app.archive import ArchiveUpkeep
    from memlane.app.arrivals import Arrivals
    from memlane.app.capture import Capture
    from memlane.app.catch import Catch
    from memlane.app.control import ControlBook, Grant
    from memlane.app.departures import Departures
    from memlane.app.donation import Donations
    from memlane.app.dream import Dreams
    from memlane.app.entities import Entities
    from memlane.app.everywhere import Everywhere
    from memlane.app.export import Exports
    from memlane.app.folder import MemoryFolders
    from memlane.app.grant_plans import GrantPlans
    from memlane.app.grant_wishes import GrantWishes
    from memlane.app.handover import HandOvers
    from memlane.app.health import Health
    from memlane.app.home.deletion import Deletion
    from memlane.app.home.journal import ActWriter
    from memlane.app.loans import Loans, Shelves
    from memlane.app.map import MemoryMap
    from memlane.app.memories import Memories
    from memlane.app.procedures import Procedures
    from memlane.app.projects import ProjectBook
    from memlane.app.recall import Recalls
    from memlane.app.recall.place import FolderView
    from memlane.app.recall.thin import ThinRecalls
    from memlane.app.resume import Offloads, RunResume
    from memlane.app.retention import Retention
    from memlane.app.runs import Runs
    from memlane.app.search import RunSearch
    from memlane.app.setup import Setup
    from memlane.app.setup.first_run import FirstRun
    from memlane.app.shipment import Shipment
    from memlane.app.skills import Skills
    from memlane.app.sync import Syncs
    from memlane.app.thin import ThinHooks
    from memlane.app.vectors import VectorUpkeep
    from memlane.flow.tools import Tools


class Lane:
    """Config in, everything wired, one noun for each thing a person does.

    Each part is loaded when it is first asked for: a search must not wait for what only a Dream needs.
    """

    def __init__(
        self,
        config: Config,
        clock: Callable[[], datetime] = now,
        disk: Disk | None = None,
        *,
        central: Config | None = None,
        guest: Reader | None = None,
    ) -> None:
        """`central`: the settings of the Central that this is one person's part of; `guest`: who reads what that person
        shared with them."""
        self.home = Home(config, clock, disk, guest=guest)
        self.home.deleted = self._keep_receipt
        self._central = central

    @classmethod
    def open(cls, home: Path | None = None) -> Lane:
        """The home the command line uses ($LANE_HOME, else ~/.memlane), or this one, with its own settings."""
        return cls(load(home=home))

    @property
    def config(self) -> Config:
        return self.home.config

    # -- Runs: brought in, found, read -------------------------------------------------------------------------------

    @cached_property
    def capture(self) -> Capture:
        from memlane.app.capture import Capture

        return Capture(self.home, self.vectors, lambda seconds: self.entities.name_runs(seconds))

    @cached_property
    def runs(self) -> Runs:
        from memlane.app.runs import Runs

        return Runs(self.home, lambda: self._writer)

    @cached_property
    def projects(self) -> ProjectBook:
        from memlane.app.projects import ProjectBook

        return ProjectBook(self.home, self._writer)

    @cached_property
    def resume(self) -> RunResume:
        from memlane.app.resume import RunResume

        return RunResume(self.home, self.runs, self.projects)

    @cached_property
    def offloads(self) -> Offloads:
        from memlane.app.resume import Offloads

        return Offloads(self.home, self.runs, lambda run: self.syncs.holds(run))

    @cached_property
    def handovers(self) -> HandOvers:
        from memlane.app.handover import HandOvers

        return HandOvers(self.home, self.runs)

    @cached_property
    def search(self) -> RunSearch:
        from memlane.app.search import RunSearch

        return RunSearch(self.home, self.runs, self.vectors)

    @cached_property
    def exports(self) -> Exports:
        from memlane.app.export import Exports

        return Exports(self.home, self.runs, lambda: self.search)

    @cached_property
    def donations(self) -> Donations:
        from memlane.app.donation import Donations

        return Donations(self.home, self.runs, lambda: self._writer)

    @cached_property
    def syncs(self) -> Syncs:
        from memlane.app.sync import Syncs

        return Syncs(self.home, self.runs, lambda: self.capture)

    @cached_property
    def vectors(self) -> VectorUpkeep:
        from memlane.app.vectors import VectorUpkeep

        return VectorUpkeep(self.home)

    # -- Memories: made, recalled, cleaned ---------------------------------------------------------------------------

    @cached_property
    def memories(self) -> Memories:
        from memlane.app.memories import Memories

        take_in = self._take_in_of
        return Memories(self.home, self.runs, self._writer, self.entities.resolve_mentions, take_in)

    @cached_property
    def entities(self) -> Entities:
        from memlane.app.entities import Entities

        return Entities(self.home, self._writer)

    @cached_property
    def recall(self) -> Recalls:
        from memlane.app.recall import Here

        return self._recalls(Here(self.home, self.projects))

    def _recalls(self, place: FolderView) -> Recalls:
        from memlane.app.recall import Recalls

        return Recalls(self.home, self.entities, self.vectors, self._writer, lambda: self.memories.proposals, place)

    @cached_property
    def thin_recalls(self) -> ThinRecalls:
        """On Central: what agents on thin machines are told."""
        from memlane.app.recall.thin import ThinRecalls

        return ThinRecalls(self.home, self._recalls, lambda: self.runs, lambda: self.loans.bring_up())

    @cached_property
    def catch(self) -> Catch:
        from memlane.app.catch import Catch
        from memlane.app.catch.model import extractor

        return Catch(self.home, self.catch_tools, lambda name, anew: extractor(name, self.home, anew=anew))

    @cached_property
    def dream(self) -> Dreams:
        from memlane.app.dream import Dreams
        from memlane.app.dream.process import DreamProcess

        thinker = DreamProcess(self.config.variables)
        return Dreams(self.home, self._writer, self.acts, self.folder, self.dream_tools, thinker)

    @cached_property
    def folder(self) -> MemoryFolders:
        from memlane.app.folder import MemoryFolders

        return MemoryFolders(self.home, self.memories, self._writer)

    @cached_property
    def skills(self) -> Skills:
        from memlane.app.skills import Skills

        return Skills(self.home, self.runs)

    @cached_property
    def procedures(self) -> Procedures:
        from memlane.app.procedures import Procedures

        return Procedures(self.home, self.runs)

    @cached_property
    def acts(self) -> Acts:
        from memlane.app.acts import Acts

        return Acts(self.home, self._writer)

    @cached_property
    def map(self) -> MemoryMap:
        from memlane.app.map import MemoryMap

        return MemoryMap(self.home)

    # -- the home itself ---------------------------------------------------------------------------------------------

    @cached_property
    def archive(self) -> ArchiveUpkeep:
        from memlane.app.archive import ArchiveUpkeep

        return ArchiveUpkeep(
            self.home, self.vectors, lambda: self.capture.sweep(audit=True), lambda: self.entities.name_runs()
        )

    @cached_property
    def health(self) -> Health:
        from memlane.app.health import Health

        return Health(self.home, self.capture, self.vectors, lambda: self.search)

    @cached_property
    def setup(self) -> Setup:
        from memlane.app.setup import Setup

        return Setup(self.home, self.capture, self._first_run)

    @cached_property
    def access(self) -> Access:
        from memlane.app.access import Access

        return Access(self.home)

    # -- several machines ----------------------------------------------------------------------------------------------

    @cached_property
    def control(self) -> ControlBook:
        from memlane.app.control import ControlBook

        return ControlBook(self.home)

    @cached_property
    def departures(self) -> Departures:
        from memlane.app.departures import Departures

        return Departures(self.home, self.control)

    @cached_property
    def retention(self) -> Retention:
        from memlane.app.retention import Retention

        return Retention(self.home)

    @cached_property
    def arrivals(self) -> Arrivals:
        from memlane.app.arrivals import Arrivals

        return Arrivals(self.home)

    @cached_property
    def loans(self) -> Loans:
        """What others share with whoever's home this is, on Central."""
        from memlane.app.control import is_part
        from memlane.app.loans import Loans

        whole = self.control.is_central and not is_part(self.config)
        central = self._central or (self.config if whole else None)
        return Loans(self.home, central, lambda config, guest: Lane(config, self.home.clock, guest=guest).shelves)

    @cached_property
    def grant_plans(self) -> GrantPlans:
        from memlane.app.grant_plans import GrantPlans

        return GrantPlans(self.home, self.runs, self.memories, self._given)

    @cached_property
    def grant_wishes(self) -> GrantWishes:
        from memlane.app.grant_wishes import GrantWishes

        return GrantWishes(self.home, self._writer, self.grant_plans, self.control, self.shipment)

    def _given(self) -> Sequence[Grant]:
        """By Central's own records, or as it said them last."""
        from memlane.app.control import grants_in, is_part

        if self.control.is_central and not is_part(self.config):
            return self.control.grants.holding_of(self.config.user)
        return grants_in(self.home.lent.note.given, self.home.clock())

    @property
    def shelves(self) -> Shelves:
        from memlane.app.loans import Shelves

        return Shelves(self.runs, self.search, self.memories, self.close)

    @cached_property
    def shipment(self) -> Shipment:
        from memlane.app.shipment import Shipment

        return Shipment(self.home, self.capture.pause)

    @cached_property
    def thin(self) -> ThinHooks:
        """On a thin machine: its agents' hooks, asked of Central."""
        from memlane.app.thin import ThinHooks

        return ThinHooks(self.home)

    @cached_property
    def everywhere(self) -> Everywhere:
        from memlane.app.everywhere import Everywhere

        return Everywhere(self.home, self.shipment, lambda: self.shelves, lambda: self.loans)

    def elsewhere(self, run: str) -> Lane | None:
        """A home of copies with this run of another machine in it; None: Central has none such."""

        def opened(config: Config) -> object:
            with Lane(config) as copy:
                return copy.capture.take_up()

        config = self.everywhere.copy_of(run, opened)
        return Lane(config) if config is not None else None

    # -- wiring ------------------------------------------------------------------------------------------------------

    @cached_property
    def _writer(self) -> ActWriter:
        from memlane.app.home.journal import ActWriter

        return ActWriter(self.home)

    def _keep_receipt(self, done: Deletion) -> None:
        """On Central. Whoever works for one of its people writes it with Central's own records."""
        from memlane.app.control import is_part

        if self.control.is_central and not is_part(self.config):
            self.control.receipts.write(done)

    def catch_tools(self) -> Tools:
        return replace(self.home.tools(), meaning=self.vectors.understands(), meant=self.entities.resolve_mentions)

    def dream_tools(self) -> Tools:
        return replace(self.catch_tools(), names=self.entities.named)

    def _take_in_of(self, agent: str) -> object:
        return self.capture.sweep_running(agent) if agent else None

    def _first_run(self) -> FirstRun:
        from memlane.app.setup.first_run import FirstRun

        return FirstRun(self.home, self.catch, self.memories.notes, self.recall)

    def close(self) -> None:
        if "loans" in self.__dict__:
            self.loans.close()
        if "vectors" in self.__dict__:
            self.vectors.close()
        self.home.close()

    def __enter__(self) -> Lane:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
