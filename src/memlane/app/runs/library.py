"""The Runs there are: their turns, their bytes, their families, and the files they touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.app.home import Home
from memlane.domain import BESIDE, Address, Memory, Project, RunFilter, RunSummary, State, Step, Touch, Turn
from memlane.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memlane.archive import Metadata

SHOWN_OF_AN_ID = len("r_") + 4  # characters, at least
_ADDRESS = re.compile(r"^(?P<run>[a-z0-9_-]+)(?:#t(?P<turn>\d+)(?:\.(?P<step>\d+))?)?$")


@dataclass(frozen=True, slots=True)
class RunView:
    """A Run and those of its Turns that were asked for."""

    run: RunSummary
    address: Address
    turns: Iterator[Turn]


@dataclass(frozen=True, slots=True)
class RunBranch:
    """A Run and those that came out of it."""

    run: RunSummary
    depth: int
    children: tuple[RunBranch, ...]


@dataclass(frozen=True, slots=True)
class FileEdits:
    """A Run and those of its Steps that touched one file, newest first."""

    run: RunSummary
    touches: Sequence[Touch]


class RunLibrary:
    def __init__(self, home: Home) -> None:
        self._home = home

    def select(self, which: RunFilter | None = None) -> Sequence[RunSummary]:
        return self._home.storage().runs.listed(which or RunFilter(), self._home.reader)

    def resume(self, run: RunSummary) -> str:
        """What to type to go on with it, wherever it was; "" where its agent cannot."""
        agent = self._home.agents.get(run.agent)
        if agent is None or "resume" not in agent.parts or run.relation == "subagent":
            return ""
        return f"lane resume {run.id}"

    def project_at(self, folder: Path) -> Project:
        return self._home.project_at(str(folder))

    def projects_like(self, name: str) -> Sequence[str]:
        """The project of this name or key, else those whose name ends like it: `api` for `acme/api`."""
        if joined := self._joined(name):
            return [joined]
        if self.select(RunFilter(project=name, limit=1)):
            return [name]
        every = {run.project.name for run in self.select(RunFilter())}
        return sorted(project for project in every if project.lower().rpartition("/")[2] == name.lower())

    def _joined(self, name: str) -> str:
        """What the project of this key, or of this name of it alone, is called since it was joined with another."""
        projects, reader = self._home.storage().projects, self._home.reader
        joins = [join for join in projects.joins(reader) if name in (join.key, join.name) and join.into]
        found = {projects.of(join.own, reader).name for join in joins}
        others = name in {project.name for project in self._home.storage().runs.projects(reader)}
        return found.pop() if len(found) == 1 and not others else ""

    def project_called(self, name: str) -> Project:
        """Looked up among those that Runs name: what is given is compared, never opened."""
        names = self.projects_like(name)
        if len(names) > 1:
            raise UsageError(f"{name} could be any of: {', '.join(names)}", hint="give its whole name")
        if not names:
            raise NotFoundError(f"there is no project {name}", hint="lane runs")
        return self.select(RunFilter(project=names[0], limit=1))[0].project

    def known_in(self, project: Project, limit: int) -> Sequence[Memory]:
        """The newest active Memories that hold there, for whoever looks around; recall chooses, this does not."""
        active = self._home.storage().memories.listed([State.ACTIVE], self._home.reader)
        return [memory for memory in active if not project.key or memory.project_key in ("", project.key)][:limit]

    def short_ids(self, runs: Sequence[str]) -> Mapping[str, str]:
        """Each id as people see it: long enough to name this one alone."""
        return {run: self._short(run) for run in runs}

    def _short(self, run: str) -> str:
        for end in range(SHOWN_OF_AN_ID, len(run)):
            if len(self._home.storage().runs.starting_with(run[:end], self._home.reader)) <= 1:
                return run[:end]
        return run

    def get(self, given: str) -> RunSummary:
        runs = self._home.storage().runs
        found = runs.get(self._home.whole_id(given, runs.starting_with), self._home.reader)
        if found is None:
            raise NotFoundError(f"there is no run {given}", hint="lane runs")
        return found

    def children(self, run: str) -> Sequence[RunSummary]:
        """Those that came out of it, directly."""
        return self._home.storage().runs.children(run, self._home.reader)

    def address(self, given: str) -> Address:
        found = _ADDRESS.match(given)
        if not found:
            raise UsageError(f"{given!r} is not an address", hint="RUN, RUN#t41 or RUN#t41.7")
        turn, step = (int(n) if n else None for n in (found["turn"], found["step"]))
        return Address(self.get(found["run"]).id, turn, step)

    def show(self, given: str) -> RunView:
        from memlane.flow.index import turns_of

        address = self.address(given)
        folder, metadata = self._filed(address.run)
        own = turns_of(metadata, folder, self._home.tools(), only=address.turn) if address.turn != BESIDE else ()
        also = self._beside(address.run) if address.turn in (None, BESIDE) else ()
        return RunView(self.get(address.run), address, chain(own, also))

    def beside(self, given: str) -> Sequence[Step]:
        """What its agent keeps beside its transcript: plans, lists of tasks, summaries."""
        return [step for turn in self._beside(self.get(given).id) for step in turn.steps]

    def _beside(self, run: str) -> Iterator[Turn]:
        from memlane.flow.index import beside

        folder, metadata = self._filed(run)
        if (turn := beside(metadata, folder, self._home.tools())) is not None:
            yield turn

    def cut(self, given: str, how: Callable[[Turn], Turn | None]) -> Iterator[Turn]:
        """A Run's Turns, each cut to what is wanted of it, then masked."""
        from memlane.flow.index import turns_of

        folder, metadata = self._filed(self.get(given).id)
        return turns_of(metadata, folder, self._home.tools(), cut=how)

    def raw(self, given: str) -> Iterator[bytes]:
        """The archived bytes of the newest generation, checked, exactly as the agent wrote them."""
        from memlane import archive

        folder, metadata = self._filed(self.address(given).run)
        return archive.pieces(self._home.disk, folder, metadata, metadata.newest)

    def _filed(self, run: str) -> tuple[Path, Metadata]:
        from memlane import archive

        folder = self._home.layout.find(run)
        metadata = archive.load(self._home.disk, folder) if folder else None
        if folder is None or metadata is None:
            raise NotFoundError(f"{run} is in the index but not in the archive", hint="lane doctor")
        return folder, metadata

    def edits(self, path: str, which: RunFilter, *, changed: bool = True) -> Sequence[FileEdits]:
        """Runs whose Steps changed this file (or, not only changed, looked at it), the latest first."""
        storage, reader = self._home.storage(), self._home.reader
        touches = dict[str, list[Touch]]()
        for touch in storage.touches.of(path, which, reader, changed=changed):
            touches.setdefault(touch.run, []).append(touch)
        found = ((storage.runs.get(run, reader), theirs) for run, theirs in touches.items())
        return [FileEdits(run, theirs) for run, theirs in found if run is not None]

    def tree(self, which: RunFilter) -> Sequence[RunBranch]:
        return self.families(self.select(which))

    def families(self, runs: Sequence[RunSummary]) -> Sequence[RunBranch]:
        """Runs under the runs they came from; one whose parent is not here stands on its own."""
        here = {run.id for run in runs}
        children: dict[str, list[RunSummary]] = {}
        for run in runs:
            if run.parent in here and run.parent != run.id:
                children.setdefault(run.parent, []).append(run)
        roots = [run for run in runs if run.parent not in here or run.parent == run.id]
        return [_branch(run, 0, children) for run in roots]


def _branch(run: RunSummary, depth: int, children: dict[str, list[RunSummary]]) -> RunBranch:
    below = sorted(children.get(run.id, []), key=lambda r: (str(r.started), r.id))
    return RunBranch(run, depth, tuple(_branch(child, depth + 1, children) for child in below))
