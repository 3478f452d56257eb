"""The Dreams of this home: when one is due, running one at a time, writing it as one act, its report and its undo."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

import msgspec

from memlane import archive, dream
from memlane.app.acts.life import life_of
from memlane.app.acts.undo import Acts, UndoEffect
from memlane.app.dream import background
from memlane.app.dream.due import DreamDue, due, note_begun, somebody_since
from memlane.app.dream.process import DisturbedError
from memlane.app.dream.words import ThoughtWording, worded
from memlane.app.home import Home
from memlane.app.home.journal import DREAM, ActLine, ActWriter
from memlane.domain import AppliedChange, Dream, Memory, Query, RecallMoment, State, Thought
from memlane.domain import journal as kinds
from memlane.errors import BusyError, NotFoundError, UsageError
from memlane.flow import dream as dreaming
from memlane.flow import recall
from memlane.flow.dream import Decided
from memlane.flow.journal import catch_up, understand
from memlane.flow.tools import Tools
from memlane.work import take

LOOKED_AT = 0.5  # seconds: whoever asks whether somebody dreams holds the lock for a moment


class Thinker(Protocol):
    """Who thinks: a process of its own, which can do nothing else."""

    def think(self, now: datetime, disturbed: Callable[[], bool]) -> Thought | str: ...


@dataclass(frozen=True, slots=True)
class DreamReport:
    """A report, and whether it was taken back."""

    dream: Dream
    undone: bool
    machine: str


class FolderPages(Protocol):
    """Pages that people may change: what they changed is taken over before a Dream reads, and written after it."""

    def take(self) -> object: ...

    def write(self) -> object: ...


class Dreams:
    def __init__(
        self,
        home: Home,
        writer: ActWriter,
        acts: Acts,
        folders: FolderPages,
        tools: Callable[[], Tools],
        mind: Thinker,
    ) -> None:
        self._home, self._writer, self._acts, self._folders = home, writer, acts, folders
        self._tools, self._mind = tools, mind

    def due(self) -> DreamDue:
        return due(self._home)

    def start(self) -> None:
        """One now, behind whoever asks: its report is there when it is done."""
        background.start(self._home)

    def running(self) -> bool:
        return background.is_running(self._home)

    # -- the pass ----------------------------------------------------------------------------------------------------

    def run(self, *, steps_aside: bool = True) -> Dream:
        """One Dream from beginning to end. What it did is durable on return, and so is its report."""
        with self._alone():
            self._folders.take()
            began = self._begin()
            with self._home.lock.held():
                note_begun(self._home, began)
            thought, asked = self._thought(began, steps_aside=steps_aside), self._asked_now()
            with self._home.lock.held():  # nobody writes between our look at a Memory and our line about it
                decided = self._decided(thought, began, asked)
                self._writer.write([ActLine(kind, id, data, DREAM) for kind, id, data in dreaming.lines(decided)])
            self._folders.write()
        return decided.report

    def dry_run(self, *, steps_aside: bool = True) -> Decided:
        """What `dream` would do now. Nothing is written."""
        with self._alone():
            began = self._begin()
            thought, asked = self._thought(began, steps_aside=steps_aside), self._asked_now()
            with self._home.lock.held():
                return self._decided(thought, began, asked)

    def _begin(self) -> datetime:
        """All that was written down is known, and understood."""
        catch_up(self._home.tools())
        understand(self._tools())
        return self._home.clock().astimezone(UTC)

    def _thought(self, began: datetime, *, steps_aside: bool) -> ThoughtWording:
        try:
            thought = self._mind.think(began, lambda: steps_aside and somebody_since(began, self._home))
        except DisturbedError:
            raise BusyError("an agent is in use, so the dream was postponed", hint="lane dream --now") from None
        return worded(thought, self._home)

    def _asked_now(self) -> dream.ProbeAnswers:
        return dream.asked_now(self._home.storage(), self._home.reader, self._asked)

    def _decided(self, said: ThoughtWording, began: datetime, asked: dream.ProbeAnswers) -> Decided:
        catch_up(self._home.tools())
        decided = dreaming.decide(said.thought, began, self._tools(), asked)
        return replace(decided, report=replace(decided.report, reader=said.by, tokens=said.tokens))

    def _asked(self, query: Query) -> Collection[str]:
        """What an agent would be told now."""
        answered = recall.recall_for(replace(query, moment=RecallMoment.ASKED), self._tools())
        return [match.memory.id for match in answered.shown]

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        self._home.storage()  # where nothing is set up, no folder is made for the lock
        try:
            descriptor = take(self._home.run_folder / background.LOCK, LOOKED_AT)
        except BusyError as error:
            raise BusyError("another dream is running", hint="wait, then: lane dream report") from error
        try:
            yield
        finally:
            os.close(descriptor)

    # -- what was done -----------------------------------------------------------------------------------------------

    def reports(self) -> Sequence[DreamReport]:
        """Newest first."""
        undone = {act.dream for act in self._acts.all() if act.dream and act.undone}
        found = archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{kinds.DREAM}"')
        told = [(entry, msgspec.convert(entry.data["dream"], Dream)) for entry in found if entry.kind == kinds.DREAM]
        return [DreamReport(dream, dream.id in undone, entry.machine) for entry, dream in reversed(told)]

    def report(self, given: str = "") -> DreamReport:
        found = [told for told in self.reports() if told.dream.id.startswith(given)]
        if not found and not given:
            raise NotFoundError("no dream has run yet", hint="lane dream --dry-run")
        if not found:
            raise NotFoundError(f"there is no dream {given}", hint="lane dream report --list")
        if given and len(found) > 1:
            raise UsageError(f"{given} could be any of: {', '.join(told.dream.id for told in found)}")
        return found[0]

    def undo(self, given: str, memory: str = "") -> UndoEffect:
        """The whole of it, or all that it did with one Memory, byte for byte."""
        report = self.report(given).dream
        act = self._acts.get(report.id)
        if not memory:
            return self._acts.undo(act)
        whole = self._home.whole_id(memory, self._home.storage().memories.starting_with)
        together = _together(report, whole)
        if not together:
            raise NotFoundError(f"{report.id} did nothing with {whole}", hint=f"lane dream report {report.id}")
        return self._acts.undo(act, together)

    def title(self, memory: str) -> str:
        found = self._home.storage().memories.get(memory, self._home.reader)
        return found.title if found else ""

    def reworded(self, dream: Dream, done: AppliedChange) -> tuple[Memory, Memory] | None:
        """The Memory it changed, as it was and as it left it: the journal has both."""
        for moved in life_of(self._home, done.memories[0]):
            data, both = moved.entry.data, (moved.before, moved.after)
            if data.get("dream") == dream.id and data.get("change") == done.change and both[0] and both[1]:
                return both[0], both[1]
        return None

    def standing(self) -> int:
        return self._home.storage().memories.count([State.ACTIVE, State.HELD], self._home.reader)


def _together(dream: Dream, memory: str) -> frozenset[str]:
    """What hangs together with it: a merge is taken back as a whole, or it would be there twice."""
    found = (
        frozenset({memory}) if any(memory in (*one.memories, *one.result) for one in dream.done) else frozenset[str]()
    )
    while found:
        more = [{*one.memories, *one.result} for one in dream.done]
        grown = found.union(*(names for names in more if names & found))
        if grown == found:
            break
        found = grown
    return found
