"""The memory folders: Memories as pages that people and agents can read, and people's edits of these pages.

A person's edit is read before anything is written. It is journaled as theirs, and it wins.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from memlane.app.folder import due
from memlane.app.folder.agents_md import AgentsFile, AgentsFileReport
from memlane.app.folder.edits import FolderEdits, FolderSnapshot
from memlane.app.folder.places import FolderPlaces, FolderTarget
from memlane.app.folder.record import load
from memlane.app.folder.report import FolderChange, FolderReport, FolderSize, KeptAside
from memlane.app.folder.writer import FolderWriter
from memlane.app.home import Home
from memlane.app.home.journal import ActWriter
from memlane.app.memories.edits import Memories
from memlane.domain import Memory, State
from memlane.dream.folder import INDEX, FolderPlan, belonging, most_useful_first, pages, wanted, without
from memlane.flow.journal import catch_up
from memlane.system.disk import cause_of
from memlane.work import WriteLock

__all__ = ["AgentsFileReport", "FolderChange", "FolderReport", "FolderSize", "KeptAside", "MemoryFolders"]
LOCK = "folder.lock"


class MemoryFolders:
    def __init__(self, home: Home, memories: Memories, writer: ActWriter) -> None:
        self._home = home
        self._places = FolderPlaces(home)
        self._edits = FolderEdits(home, memories, writer, self._places)
        self._lock = WriteLock(home.run_folder / LOCK)
        self.agents_file = AgentsFile(home)
        self.told = FolderReport()  # what people changed, as far as this process took it over

    # -- the whole of it ---------------------------------------------------------------------------------------------

    def due(self) -> bool:
        return due.due(self._home)

    def write(self) -> FolderReport:
        """People's changes first, then every folder as it should be."""
        written, seen = FolderReport(), dict[Path, FolderSnapshot]()
        with self._alone():
            for target in self._targets():
                self._guarded(target, written, lambda target: self._take(target, seen, written))
            self._edits.clear_aside()
            active = self._memories([State.ACTIVE])
            for target in self._targets():
                self._guarded(target, written, lambda target: self._write(target, active, seen, written))
            due.written(self._home)
        self.told.add(written)
        return written

    def take(self) -> FolderReport:
        """Only what people changed, before anybody reads what is known in order to change it."""
        written = FolderReport()
        with self._alone():
            for target in self._targets():
                self._guarded(target, written, lambda target: self._take(target, {}, written))
        self.told.add(written)
        return written

    def without_claude(self, folder: str = "") -> tuple[FolderReport, Sequence[str]]:
        """Our pages and lines out of Claude Code's memory, of the checkout this folder lies in or ("") of all; its own
        stay byte for byte. Which checkouts keep ours."""
        named = self._home.config.names("memory.claude_code")
        root = self._places.root(folder) if folder else ""
        leaving = [given for given in named if not folder or self._places.root(given) == root]
        written, seen = FolderReport(), dict[Path, FolderSnapshot]()
        if not leaving:
            return written, named
        with self._lock.held():
            for target in self._places.of_claude(leaving):
                self._guarded(target, written, lambda target: self._take(target, seen, written))
                self._guarded(target, written, lambda target: self._empty(target, seen, written))
        return written, [given for given in named if given not in leaving]

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        """One writer of folders at a time, who knows all that was written down."""
        self._home.must_have_archive()
        with self._lock.held():
            with self._home.lock.held():
                catch_up(self._home.tools())
            yield

    def _guarded(self, target: FolderTarget, written: FolderReport, act: Callable[[FolderTarget], None]) -> None:
        """A folder nobody can write to keeps no other one from being written."""
        try:
            act(target)
        except OSError as error:
            why = cause_of(error)
            written.folders.append(FolderSize(target.folder, target.project, 0, 0, trouble=why))

    def claude_loads(self) -> bool:
        """Whether Claude Code has a memory of its own for each checkout here."""
        return self._places.claude_loads()

    # -- how things stand --------------------------------------------------------------------------------------------

    def standing(self) -> Sequence[FolderSize]:
        """The folders as they were last written."""
        records = ((target, load(self._home.disk, target.record)) for target in self._targets())
        return [FolderSize(t.folder, t.project, len(r.pages), len(r.listed)) for t, r in records if r.pages]

    def _targets(self) -> Sequence[FolderTarget]:
        return self._places.all(self._memories(list(State)))

    def _memories(self, states: Sequence[State]) -> Sequence[Memory]:
        found = self._home.storage().memories.listed(states, self._home.reader)
        return [memory for memory in found if memory.owner == self._home.config.user]

    # -- one folder --------------------------------------------------------------------------------------------------

    def _take(self, target: FolderTarget, seen: dict[Path, FolderSnapshot], written: FolderReport) -> None:
        looked = self._edits.look(target)
        if looked.record.pages:
            self._edits.take(target, looked, written)
        seen[target.folder] = looked

    def _write(
        self, target: FolderTarget, active: Sequence[Memory], seen: Mapping[Path, FolderSnapshot], written: FolderReport
    ) -> None:
        looked = seen.get(target.folder) or self._edits.look(target)
        want = self._wanted(target, active, looked)
        if want.files or looked.record.pages:
            self._brought_to(want, target, looked, written)

    def _empty(self, target: FolderTarget, seen: Mapping[Path, FolderSnapshot], written: FolderReport) -> None:
        looked = seen[target.folder]
        text, made = without(looked.found.text), looked.record.made_index
        index = None if looked.found.index is None or (made and not text) else text.encode("utf-8", "surrogateescape")
        self._brought_to(FolderPlan({}, {}, index, 0), target, looked, written)
        if target.record.exists():
            self._home.disk.unlink(target.record)

    def _brought_to(
        self, want: FolderPlan, target: FolderTarget, looked: FolderSnapshot, written: FolderReport
    ) -> None:
        writer = FolderWriter(self._home.disk, target.folder, target.record)
        writer.clear(looked.record)
        writer.write(want, looked.record, looked.found, looked.was)
        written.folders.append(FolderSize(target.folder, target.project, len(want.files), want.lines, writer.took))
        written.late += [target.folder / file for file in writer.late]

    def _wanted(self, target: FolderTarget, active: Sequence[Memory], looked: FolderSnapshot) -> FolderPlan:
        record, mask = looked.record, self._home.gate.mask
        memories = [memory for memory in belonging(active, target.place) if memory.id not in record.left_out]
        masked = [
            replace(m, title=mask(m.title), content=mask(m.content), reasoning=mask(m.reasoning)) for m in memories
        ]
        taken = [name.removesuffix(".md") for name in (*looked.found.others, INDEX)]
        made = {page.memory.id: page for page in pages(masked, record.names, taken)}
        best = most_useful_first(masked, self._net_ups(list(made)), self._home.clock())
        return wanted(list(made.values()), [made[memory.id] for memory in best], record, looked.found)

    def _net_ups(self, ids: Sequence[str]) -> Mapping[str, float]:
        found = dict[str, float]()
        given = self._home.storage().recalls.judged(ids, self._home.reader) if ids else ()
        for one in (one for one in given if not one.by):
            found[one.memory] = found.get(one.memory, 0.0) + (1.0 if one.up else -1.0)
        return found
