"""Maintain a home: verify it, rebuild it, forget a run, move the archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memlane import archive
from memlane.app.acts.forget import brought_back, caught_from, forget_for_good, tombstone
from memlane.app.archive.checks import checked, checked_part, others
from memlane.app.archive.leftovers import cleared
from memlane.app.archive.losses import accept, missing_in, not_accepted, refuse
from memlane.app.archive.move import OnStep, move, quietly
from memlane.app.archive.repair import repaired
from memlane.app.home import Home
from memlane.app.home.damage import mended
from memlane.app.vectors import VectorUpkeep
from memlane.domain import Entry, Finding, Level, Reader
from memlane.errors import DamagedError, IndexDamagedError, NotFoundError
from memlane.flow.index import find_work, index_run
from memlane.flow.journal import catch_up, encode, write_down
from memlane.flow.tools import Tools
from memlane.storage import Storage


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What `forget --now` will take out for good, before it does."""

    run: str
    title: str
    folder: Path | None
    bytes: int
    files: int
    recalls: int
    memories: int


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """A fresh index now serves."""

    runs: int
    journal_lines: int
    set_aside: Sequence[str]


class ArchiveUpkeep:
    def __init__(
        self, home: Home, vectors: VectorUpkeep, recapture: Callable[[], object], name_runs: Callable[[], object]
    ) -> None:
        self._home = home
        self._vectors = vectors
        self._name_runs = name_runs
        self._recapture = recapture  # every byte of every source compared, and taken where it is not in the archive

    def verify(self, on: OnStep = quietly) -> Iterator[Finding]:
        """Every byte against its digest; on Central, everybody's."""
        return checked(self._home, on)

    def archived(self) -> tuple[int, int]:
        """Runs in the archive, and their bytes on the disk; on Central, everybody's."""
        layouts = (self._home.layout, *others(self._home))
        folders = [folder for layout in layouts for folder in layout.run_folders()]
        disk = self._home.disk
        return len(folders), sum(disk.size(file) for folder in folders for file in disk.files_below(folder))

    def repair(self) -> Iterator[Finding]:
        """What can be brought back, from the raw bytes, the index and the agents' own files; then what cannot."""
        self._home.must_have_archive()
        self._home.create_storage()
        yield from repaired(self._home)
        lost = self._failures()
        if lost:
            self._recapture()
            left = self._failures()
            for what in lost.keys() - left.keys():
                yield Finding("repaired", Level.OK, f"{what}: captured again from its agent's file")
            yield from left.values()

    def _failures(self) -> Mapping[str, Finding]:
        found = checked_part(self._home, self._home.layout, quietly)
        return {one.what: one for one in found if one.level is Level.FAIL}

    def clear_leftovers(self) -> list[str]:
        """What killed commands left behind is gone; its paths."""
        return cleared(self._home)

    def move(self, place: str, on: OnStep = quietly) -> None:
        """The archive somewhere else, every byte compared; the old one stays."""
        move(self._home, place, on)

    def compact(self, idle: timedelta = timedelta(0)) -> int:
        """In an object store: files that are one plain object now, as they would be in a folder. The register comes
        last, so that a copy never names what it has not."""
        disk, layout = self._home.disk, self._home.layout
        with self._home.lock.held():
            before = self._home.clock() - idle if idle else datetime.max.replace(tzinfo=UTC)
            parts = (layout.runs, layout.journal, layout.forgetting, layout.root)
            return sum(disk.compact(part, before) for part in parts)

    def mend(self) -> Sequence[str]:
        """What of the index and the vectors was found damaged: moved aside and made again. Where the rows themselves
        cannot be read, the archive gives all of it back."""
        try:
            return mended(self._home)
        except IndexDamagedError as error:
            name = self._home.engine.serving()
            self._home.close()
            self.rebuild()
            return [f"{name} ({error.message})"]

    # -- rebuild -----------------------------------------------------------------------------------------------------

    def rebuild(self, on: OnStep = quietly, accepted: Sequence[str] = ()) -> RebuildReport:
        """A fresh index beside the live one, from the archive alone; the live one answers until the swap.

        If less would be known after it, it is refused, unless each loss is `accepted` by its name.
        """
        self._home.heal = None  # this is what heals it
        self._home.must_have_archive()
        refuse(not_accepted(self._missing(), accepted))
        fresh = self._home.engine.begin()
        try:
            tools = self._home.tools(fresh)
            lines = catch_up(tools)
            folders = list(self._home.layout.run_folders())
            aside = dict(a for n, folder in enumerate(folders) if (a := self._file(folder, tools, on, n, len(folders))))
            on(len(folders), len(folders))
            self._vectors.carry_over(fresh)
            with self._home.lock.held():
                lines += catch_up(tools)
                aside |= self._moved_meanwhile(tools)
                self._settle_losses(fresh, accepted)
                self._home.engine.swap(fresh)
            runs = fresh.runs.count(self._home.reader)
        finally:
            fresh.close()
        with self._home.lock.held():
            self._home.storage().mend()  # vectors outlive an index, and so does what is damaged of them
        self._vectors.follow()
        encode(self._home.tools())
        self._name_runs()
        return RebuildReport(runs, lines, [f"{run}: {why}" for run, why in aside.items()])

    def _missing(self) -> Sequence[archive.Loss]:
        disk, layout = self._home.disk, self._home.layout
        wrong = [one.what for one in archive.check_registers(disk, layout) if one.level is Level.FAIL]
        registers = [archive.Loss("register", what) for what in wrong]
        return [*registers, *archive.compare(disk, layout).losses]

    def _settle_losses(self, fresh: Storage, accepted: Sequence[str]) -> None:
        missing = self._missing()
        losses = [*missing, *missing_in(fresh, self._home, missing)]
        refuse(not_accepted(losses, accepted))
        accept(self._home, losses)

    def _file(self, folder: Path, tools: Tools, on: OnStep, done: int, total: int) -> tuple[str, str] | None:
        """None, or the run that was set aside and why."""
        on(done, total)
        try:
            metadata = archive.load(self._home.disk, folder)
            if metadata is not None:
                tools.storage.work.archived(metadata.run, metadata.newest.n, metadata.newest.size)
                index_run(metadata.run, tools)
        except DamagedError as error:
            return folder.name, error.message
        return None

    def _moved_meanwhile(self, tools: Tools) -> dict[str, str]:
        """What grew while we were reading, and forks that have found their parent; those set aside stay so."""
        find_work(tools)
        aside, before = dict[str, str](), list[str]()
        while (pending := [run for run in tools.storage.work.pending() if run not in aside]) != before:
            before = pending
            for run in pending:
                try:
                    index_run(run, tools)
                except DamagedError as error:
                    aside[run] = error.message
        return aside

    # -- forget ------------------------------------------------------------------------------------------------------

    def forget_run(self, run: str) -> None:
        """A tombstone: neither it nor what was caught from it alone is answered with again, until it is restored."""
        write_down(tombstone(self._home, run), self._home.tools())

    def restore_run(self, given: str) -> str:
        barred = self._home.storage().bars.barred(self._home.reader)
        run = next((run for run in barred if run.startswith(given)), "")
        if not run:
            raise NotFoundError(f"{given} is not a forgotten run", hint="lane runs")
        home, tools = self._home, self._home.tools()
        data = {"run": run, "restored": True}
        back = Entry(barred[run], run, home.clock(), home.config.user, home.config.machine, "person", data)
        write_down([back, *brought_back(home, run, back.at)], tools)
        folder = self._home.layout.find(run)
        metadata = archive.load(self._home.disk, folder) if folder else None
        if metadata is not None:
            tools.storage.work.archived(run, metadata.newest.n, metadata.newest.size)
            with self._home.lock.held():
                index_run(run, tools)
        return run

    def plan_forget(self, given: str) -> ForgetPlan:
        """Of a run that is listed, or one that was forgotten before and still has its bytes."""
        storage, reader = self._home.storage(), self._home.reader
        barred = storage.bars.barred(reader)

        def starting_with(prefix: str, reader: Reader) -> Sequence[str]:
            forgotten = (run for run in barred if run.startswith(prefix))
            return list(dict.fromkeys((*storage.runs.starting_with(prefix, reader), *forgotten)))

        run = self._home.whole_id(given, starting_with)
        summary, folder = storage.runs.get(run, reader), self._home.layout.find(run)
        disk = self._home.disk
        files = list(disk.files_below(folder)) if folder else []
        recalls = len(storage.recalls.newest(None, reader, run=run))
        title = summary.title or summary.first.text if summary else ""
        memories = len(caught_from(self._home, run))
        return ForgetPlan(run, title, folder, sum(map(disk.size, files)), len(files), recalls, memories)

    def forget_for_good(self, plan: ForgetPlan) -> None:
        forget_for_good(self._home, plan.run)
