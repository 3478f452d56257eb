"""How does a Run go on here? Its files back where its agent looks for them, from the archive, and the agent started.

What lies there already is never changed.
"""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path, PurePath

from memlane import archive
from memlane.agents import FileCopy, Placement, Resume, RunCopy, Transcript
from memlane.app.home import Home
from memlane.app.projects import ProjectBook
from memlane.app.resume.destination import CheckoutChoices, Destination, Destinations
from memlane.app.resume.files import PlacedFile, fill, put_new
from memlane.app.resume.lines import Damage, lines_of, moved, readable
from memlane.app.resume.offload import OffloadRow, Offloads
from memlane.app.resume.paths import PathMap
from memlane.app.runs import Runs
from memlane.domain import RunSummary
from memlane.errors import DamagedError, LaneError, NotFoundError, UsageError

__all__ = [
    "CheckoutChoices",
    "Damage",
    "OffloadRow",
    "Offloads",
    "PlacedFile",
    "ResumePlan",
    "ResumeReport",
    "RunResume",
]

_COPY = uuid.UUID("6c1d5b0e-5f0b-4a52-9d0e-6a6c616e6521")  # under which a copy's id is made of the first one's
PATIENCE = 120  # seconds, for an agent to take a session in


@dataclass(frozen=True)
class ResumePlan:
    """What `put_back` will do, before it does."""

    run: RunSummary
    folder: Path
    paths: PathMap
    command: tuple[str, ...]
    placement: Placement
    damage: Damage = field(default_factory=Damage)
    unsaid: str = ""  # a prompt that its agent takes only from whoever types it there

    @property
    def files(self) -> list[Path]:
        """Those that will be written."""
        return [path for file in self.placement.files if not (path := Path(file.path)).exists()]


@dataclass(frozen=True, slots=True)
class ResumeReport:
    plan: ResumePlan
    files: tuple[PlacedFile, ...]


class RunResume:
    def __init__(self, home: Home, runs: Runs, projects: ProjectBook) -> None:
        self._home, self._runs = home, runs
        self._destinations = Destinations(home, projects)

    # -- plan --------------------------------------------------------------------------------------------------------

    def plan(self, given: str, cwd: Path | None, here: Path, prompt: str = "") -> ResumePlan:
        run = self._runs.get(given)
        how = self._how(run)
        there = self._destinations.of(run, cwd, here)
        damage = Damage()
        copy = self._copy(run, there, how, damage)
        placement = how.place(copy, self._home.surroundings)
        if self._lies_elsewhere(run, placement):
            if not how.by_folder:
                placement = Placement(placement.handle, ())
            else:
                placement = how.place(_renamed(copy, run.native_id, there.folder), self._home.surroundings)
        command = how.command(placement.handle, prompt)
        unsaid = prompt if command == how.command(placement.handle) else ""
        return ResumePlan(run, there.folder, there.paths, command, placement, damage, unsaid)

    def choices(self, run: RunSummary, here: Path) -> CheckoutChoices:
        """Between which checkouts a person may have to choose."""
        return self._destinations.choices(run, here)

    def folder_for(self, run: RunSummary, cwd: Path | None, here: Path) -> Path:
        """Where another agent goes on with it."""
        return self._destinations.of(run, cwd, here).folder

    def begin(self, agent: str, prompt: str) -> tuple[str, ...]:
        """What starts this agent with a first prompt."""
        found = self._home.agents.get(agent)
        if found is None or found.resume is None:
            names = ", ".join(one.name for one in self._home.agents.with_part("resume"))
            raise UsageError(f"{agent!r} cannot be started with a prompt", hint=f"one of: {names}")
        return found.resume.begin(prompt)

    def environment(self) -> Mapping[str, str]:
        """For the agent that is started: it is no part of a run that started us."""
        return self._home.agents.outside_runs(self._home.config.variables)

    def _how(self, run: RunSummary) -> Resume:
        agent = self._home.agents.get(run.agent)
        if run.relation == "subagent":
            hint = f"go on with the run it belongs to: lane resume {run.parent}" if run.parent else "lane show"
            raise UsageError(f"{run.id} is the run of a subagent", hint=hint)
        if agent is None or agent.resume is None:
            title = agent.title if agent is not None else run.agent
            hint = f"give it to another agent: lane resume {run.id} --in claude-code"
            raise UsageError(f"{title} cannot go on with a run that is put back", hint=hint)
        return agent.resume

    def _lies_elsewhere(self, run: RunSummary, placement: Placement) -> bool:
        """Its agent has it, and not where it would be put."""
        targets = {Path(file.path) for file in placement.files}
        if any(path.exists() for path in targets if not path.name.startswith(".")):
            return False
        source, there = self._home.sources[run.agent], {path.name for path in targets}
        for place in source.places(self._home.surroundings):
            for folder, _folders, names in os.walk(place):
                for name in names:
                    path = Path(folder, name)
                    what = source.recognise(PurePath(path.relative_to(place)))
                    if not isinstance(what, Transcript) or what.native_id != run.native_id:
                        continue
                    if name in there or not what.apart:  # else it may hold something else
                        return path not in targets
        return False

    # -- the bytes ---------------------------------------------------------------------------------------------------

    def _copy(self, run: RunSummary, there: Destination, how: Resume, damage: Damage) -> RunCopy:
        """All files of the Run and of its subagents' Runs, as they will be written."""
        transcript, *others = self._files(run, there, how, damage)
        below = (file for child in self._subagents(run.id) for file in self._files(child, there, how, Damage()))
        started = run.started or datetime.fromtimestamp(0, UTC)
        return RunCopy(run.native_id, started, str(there.folder), transcript, (*others, *below))

    def _subagents(self, run: str) -> Iterator[RunSummary]:
        for child in self._runs.children(run):
            if child.relation == "subagent" and child.id != run:
                yield child
                yield from self._subagents(child.id)

    def _files(self, run: RunSummary, there: Destination, how: Resume, damage: Damage) -> Iterator[FileCopy]:
        folder = self._home.layout.find(run.id)
        metadata = archive.load(self._home.disk, folder) if folder else None
        if folder is None or metadata is None:
            raise NotFoundError(f"{run.id} is in the index but not in the archive", hint="lane doctor")
        if metadata.format != run.agent:
            hint = f"give it to an agent as a hand-over: lane resume {run.id} --in {run.agent}"
            raise UsageError(f"{run.id} was imported: it has no records of {run.agent} itself", hint=hint)
        whole = self._is_whole(run, folder, metadata, damage)
        path = PurePath(metadata.newest.source_path or f"{run.native_id}.jsonl")
        yield FileCopy(path, partial(self._transcript, folder, metadata, there.paths, how, damage, whole=whole))
        for side in metadata.files:
            if side.source_path and "~" not in side.name:  # an older version of one that was rewritten
                yield FileCopy(PurePath(side.source_path), partial(self._side, folder / "files" / side.name, there))

    def _is_whole(self, run: RunSummary, folder: Path, metadata: archive.Metadata, damage: Damage) -> bool:
        """Every byte as it was archived, every line a record: then not a byte is changed but its paths."""
        try:
            for _piece in archive.pieces(self._home.disk, folder, metadata, metadata.newest):
                pass
        except DamagedError:
            pieces = archive.salvage(self._home.disk, folder, metadata, metadata.newest)
            damage.altered = sum(not intact for _piece, intact in pieces)
            return False
        return not (run.broken or run.withheld)

    def _transcript(
        self, folder: Path, metadata: archive.Metadata, paths: PathMap, how: Resume, damage: Damage, *, whole: bool
    ) -> Iterator[bytes]:
        disk, newest = self._home.disk, metadata.newest
        if PurePath(newest.source_path).suffix == ".json":  # one document, not lines
            return iter((paths.line(b"".join(archive.pieces(disk, folder, metadata, newest))),))
        if whole:
            pieces = archive.pieces(disk, folder, metadata, newest)
            return moved(lines_of(pieces), paths) if paths.changes else pieces
        damage.lost.clear()
        left = (piece for piece, _intact in archive.salvage(disk, folder, metadata, newest))
        return moved(readable(lines_of(left), how.chain, damage), paths)

    def _side(self, path: Path, there: Destination) -> Iterator[bytes]:
        data = self._home.disk.read_whole(path)
        try:
            changed = there.paths.text(data.decode()) if there.paths.names(data) else None
        except UnicodeDecodeError:
            changed = None
        yield data if changed is None else changed.encode()

    # -- do it -------------------------------------------------------------------------------------------------------

    def put_back(self, plan: ResumePlan) -> ResumeReport:
        disk, files = self._home.disk, plan.placement.files
        if plan.placement.intake:
            return ResumeReport(plan, tuple(self._take_in(plan, file) for file in files))
        return ResumeReport(plan, tuple(put_new(disk, Path(file.path), file.data) for file in files))

    def _take_in(self, plan: ResumePlan, file: FileCopy) -> PlacedFile:
        """By the agent's own command, from a file of ours that is gone afterwards."""
        folder = self._home.run_folder / "resume"
        self._home.disk.make_folders(folder)
        path = folder / f"{plan.run.id}-{file.path.name}"
        size, digest = fill(self._home.disk, path, file.data)
        try:
            _done((*plan.placement.intake, str(path)), plan.folder, self.environment())
        finally:
            self._home.disk.unlink(path)
        return PlacedFile(path, size, digest, written=True)


def _done(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> None:
    shown, hint = " ".join(command[:2]), "is it installed, and on your PATH?"
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LaneError(f"{shown} could not be run: {error}", hint=hint) from error
    if done.returncode:
        raise LaneError(f"{shown} failed: {done.stderr.strip()[-300:]}", hint=hint)


def _renamed(copy: RunCopy, native_id: str, folder: Path) -> RunCopy:
    """A copy under an id of its own, the same one each time: an agent finds one file for an id."""
    fresh = str(uuid.uuid5(_COPY, f"{native_id} {folder}"))

    def file(one: FileCopy) -> FileCopy:
        def data() -> Iterator[bytes]:
            return (line.replace(native_id.encode(), fresh.encode()) for line in lines_of(one.data()))

        return FileCopy(PurePath(str(one.path).replace(native_id, fresh)), data)

    transcript, *others = (file(one) for one in chain((copy.transcript,), copy.others))
    return replace(copy, native_id=fresh, transcript=transcript, others=tuple(others))
