"""Catching: which Windows are open, who reads them by itself, and what was made of them. One process at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memlane import catch
from memlane.app.catch.reader_state import count_read, unread_by_models
from memlane.app.home import Home
from memlane.catch import Extractor
from memlane.catch.record import why_on_probation
from memlane.domain import STANDING, Memory, RunFilter, RunSummary, Window, WindowDrafts
from memlane.errors import BusyError, DamagedError
from memlane.flow.catch import CatchOutcome, catch_run, keep, keep_some, nearby, release, unread, windows_of
from memlane.flow.journal import catch_up, understand
from memlane.flow.records import record_of
from memlane.flow.tools import Tools
from memlane.work import take

TURNS = 3  # a Run that grew by so many may have a Window closed: two follow the first of them
PATIENCE = 5.0  # seconds somebody waits for another process that is catching


@dataclass(frozen=True, slots=True)
class CatchReport:
    """What one pass made of the Windows that were open."""

    kept: CatchOutcome
    runs: int
    left: int  # Runs that were not looked at: there was no time, or the reader did not come to an answer
    unread: Sequence[str]  # why
    seconds: float
    released: Sequence[Memory] = ()  # held before, active now: their reader's probation is over
    probation: str = ""  # why what the reader found waits for a person


OnRun = Callable[[int, int], None]


def quietly(_done: int, _all: int) -> None:
    return None


class CatchWindows:
    def __init__(self, home: Home, tools: Callable[[], Tools], extractor: Callable[[str, bool], Extractor]) -> None:
        self._home = home
        self._tools = tools
        self._extractor = extractor

    def due(self, by: str = "embedded") -> Sequence[str]:
        """Runs that may have Windows nobody as good has looked at: for a model, with its daily cap, the most promising
        first; for the classifier in the order they ended."""
        storage, reader, now = self._home.storage(), self._home.reader, self._home.clock()
        due = dict.fromkeys(storage.catches.due(now - catch.IDLE, TURNS, reader))
        if by != "model":
            return list(due)
        listed = [run for run in storage.runs.listed(RunFilter(), reader) if not self.skips(run)]
        wanted = [run for run in listed if run.id in due or unread_by_models(self._home, run.id)]
        return [run.id for run in sorted(wanted, key=lambda run: -catch.run_promise(run, now))]

    def skips(self, run: RunSummary) -> bool:
        """A project that only the built-in classifier may read."""
        return self._home.called_any(self._home.config.names("catch.skip_projects"))(run.project)

    def run(
        self,
        by: str = "",
        runs: Sequence[str] = (),
        *,
        seconds: float = float("inf"),
        on: OnRun = quietly,
        anew: bool = False,
    ) -> CatchReport:
        """Every closed Window of these Runs, or of all that are due, read by one extractor; for so long.

        `anew`: a person waits for it, so a model that was down or over its limit a moment ago is asked again.
        """
        name = by or self._home.config.text("catch.with")
        due = [] if name == "none" else list(runs) or list(self.due(name))
        if not due:  # the usual answer, every five minutes: nothing is loaded for it
            return CatchReport(CatchOutcome(), 0, 0, (), 0.0)
        began, kept, unread, done = time.monotonic(), CatchOutcome(), list[str](), 0
        with self.alone():
            tools, extractor = self._tools(), self._extractor(name, anew)
            catch_up(tools)
            understand(tools)
            released = list(release(extractor, tools)) if name == "model" else []
            for run in due:
                if time.monotonic() - began >= seconds:
                    break
                if isinstance(extractor, catch.ResumableExtractor) and (why := extractor.why_not()):
                    unread.append(why)
                    break
                on(done, len(due))
                try:
                    found = catch_run(run, extractor, tools)
                except DamagedError as error:
                    unread.append(f"{run}: {error.message}")
                else:
                    kept += found
                    if name == "model":
                        count_read(self._home, found)
                done += 1
            released += release(extractor, tools) if name == "model" else []
            probation = self._probation(extractor, tools)
        on(done, len(due))
        why, took = [*kept.unread, *unread], time.monotonic() - began
        return CatchReport(kept, done, len(due) - done, why, took, released, probation)

    def _probation(self, extractor: Extractor, tools: Tools) -> str:
        """One sentence, or ""."""
        if extractor.name != "model":
            return ""
        return why_on_probation(record_of(f"{extractor.name}@{extractor.version}", tools))

    def open_windows(self, by: str, runs: Sequence[str] = (), on: OnRun = quietly) -> Iterator[Window]:
        """Closed and not yet read by anybody as good: of the newest Runs first, in each of them the oldest first."""
        tools = self._tools()
        given = [tools.storage.runs.get(run, tools.reader) for run in runs]
        listed = [run for run in given if run] if runs else tools.storage.runs.listed(RunFilter(), tools.reader)
        wanted = [run.id for run in listed if by == "embedded" or not self.skips(run)]
        for done, run in enumerate(wanted):
            on(done, len(wanted))
            yield from unread(windows_of(run, tools), by, tools)

    def project_in(self, folder: Path) -> str:
        """The key of the project this folder belongs to."""
        return self._home.project_at(str(folder)).key

    def nearby(self, window: Window) -> Sequence[Memory]:
        return nearby(window, self._tools())

    def keep(self, window: Window, read: WindowDrafts, extractor: Extractor, actor: str = "lane") -> CatchOutcome:
        """What somebody else has read: checked, journaled, stored like everything."""
        with self.alone():
            return keep(window, read, extractor, self._tools(), actor)

    def keep_some(self, window: Window, read: WindowDrafts, extractor: Extractor, actor: str) -> CatchOutcome:
        """The good part of an answer; the Window stays open for the rest of it."""
        with self.alone():
            return keep_some(window, read, extractor, self._tools(), actor)

    def may_name(self, memory: str, window: Window) -> bool:
        """Whether a reader of this Window may call a lesson the same as this Memory."""
        tools = self._tools()
        found = tools.storage.memories.get(memory, tools.reader)
        return found is not None and found.state in STANDING and catch.holds_in(found, window.project.key)

    @contextmanager
    def alone(self) -> Generator[None, None, None]:
        self._home.storage()  # where nothing is set up, no folder is made for the lock
        try:
            descriptor = take(self._home.run_folder / "catch.lock", PATIENCE)
        except BusyError:
            hint = "nothing is lost; try again when its question is answered, or: lane catch pause"
            raise BusyError("another process is reading passages", hint=hint) from None
        try:
            yield
        finally:
            os.close(descriptor)
