"""Procedures that corrections touch: skills, commands and rules files, with a proposed change each.

Looked for on request. Nothing is written before a person says so; what was written is kept beside what it was, so that
it can be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from memlane import identity
from memlane.agents.agent import OwnNotes
from memlane.app.home import Home
from memlane.app.home.paths import FILE, small_text
from memlane.app.runs.library import RunLibrary
from memlane.domain import Memory, RunSummary, State, Trust, Type, derived_id
from memlane.dream.procedure_change import diff, with_rule
from memlane.errors import NotFoundError, UsageError

LARGEST = 200_000  # bytes of a procedure
SKILL = "SKILL.md"
TEACH = frozenset({Type.CORRECTION, Type.COMMITMENT, Type.DECISION})
UNDO = "procedures"  # below the home: what procedures said before a person took a change over


@dataclass(frozen=True, slots=True)
class ProcedureChange:
    """One file, the memory that would change it, and why that memory is about it."""

    id: str
    path: Path
    memory: Memory
    because: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        return diff(self.before, self.after, self.path.name)


class KeptProcedure(msgspec.Struct, frozen=True):
    """What a file said before and after a change that a person took over."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WrittenChange:
    """One that a person took over, by the id that takes it back."""

    id: str
    path: Path


class Procedures:
    def __init__(self, home: Home, runs: RunLibrary) -> None:
        self._home, self._runs = home, runs

    def changes(self) -> Sequence[ProcedureChange]:
        """The newest corrections first. Only what the person said themselves, and only files that are there."""
        memories = self._home.storage().memories.listed((State.ACTIVE,), self._home.reader)
        found = dict[str, ProcedureChange]()
        for memory in memories:
            if memory.type in TEACH and memory.trust is Trust.PERSON and memory.owner == self._home.config.user:
                for path, because in self._about(memory):
                    if (change := _proposed(path, memory, because)) is not None:
                        found.setdefault(change.id, change)
        return list(found.values())

    def chosen(self, given: str) -> ProcedureChange:
        """By its number in the list, or its id."""
        found = self.changes()
        if given.isdecimal() and 1 <= int(given) <= len(found):
            return found[int(given) - 1]
        for one in found:
            if one.id == given:
                return one
        raise NotFoundError(f"there is no change {given}", hint="lane skills improve")

    def apply(self, change: ProcedureChange) -> None:
        """What the file said is on disk before the file is changed."""
        kept = KeptProcedure(str(change.path), change.before, change.after)
        disk, folder = self._home.disk, self._home.config.home / UNDO
        disk.make_folders(folder)
        disk.replace(folder / f"{change.id}.json", msgspec.json.encode(kept))
        if small_text(change.path, LARGEST) != change.before:
            raise UsageError(f"{change.path} changed since", hint="lane skills improve")
        disk.replace(change.path, change.after.encode())

    def undo(self, given: str) -> Path:
        """The file as it was. One that was changed since is left alone."""
        file = self._home.config.home / UNDO / f"{given}.json"
        try:
            kept = msgspec.json.decode(file.read_bytes(), type=KeptProcedure)
        except (OSError, msgspec.DecodeError) as error:
            raise NotFoundError(f"nothing is kept of {given}", hint="lane skills improve") from error
        path = Path(kept.path)
        if small_text(path, LARGEST) != kept.after:
            raise UsageError(f"{path} changed since", hint=f"what it said before is in {file}")
        self._home.disk.replace(path, kept.before.encode())
        return path

    def written(self) -> Sequence[WrittenChange]:
        """What a person took over and can still take back."""
        files = sorted((self._home.config.home / UNDO).glob("i_*.json"))
        kept = [(file.stem, msgspec.json.decode(file.read_bytes(), type=KeptProcedure)) for file in files]
        there = [(id, Path(one.path)) for id, one in kept if small_text(Path(one.path), LARGEST) == one.after]
        return [WrittenChange(id, path) for id, path in there]

    # -- which files -------------------------------------------------------------------------------------------------

    def _about(self, memory: Memory) -> Iterator[tuple[Path, str]]:
        """A file the memory names; a skill or command that the run used in which it was said."""
        runs = [run for one in memory.evidence if one.run and (run := self._run(one.run)) is not None]
        for run in runs:
            top = identity.checkout_of(run.cwd) or run.cwd
            yield from self._used(run, top)
            for mention in memory.related_entities:
                if mention.type == FILE and mention.resolved and self._is_procedure(mention.slug):
                    yield Path(top, mention.slug), "it is about this file"

    def _is_procedure(self, slug: str) -> bool:
        """A Skill, or what some agent reads by itself in a checkout."""
        path = PurePosixPath(slug)
        names = {PurePosixPath(name).name for one in self._notes for name in (*one.in_checkout, *one.nested)}
        folders = [folder for one in self._notes for folder in (*one.rules, *one.commands)]
        return path.name in (SKILL, *names) or any(path.is_relative_to(folder) for folder in folders)

    @property
    def _notes(self) -> Sequence[OwnNotes]:
        parts = (agent.own_notes for agent in self._home.agents.with_part("own_notes"))
        return [one for one in parts if one is not None]

    def _used(self, run: RunSummary, top: str) -> Iterator[tuple[Path, str]]:
        roots = (Path(top), self._home.config.person_home)
        for name in run.skills:
            for folder in dict.fromkeys((*(folder for one in self._notes for folder in one.skills), ".agents/skills")):
                for root in roots:
                    yield root / folder / _safe(name) / SKILL, f"said in a run that used the skill {name}"
        for name in run.commands:
            for folder in dict.fromkeys(folder for one in self._notes for folder in one.commands):
                for root in roots:
                    yield root / folder / f"{_safe(name)}.md", f"said in a run that used the command /{_safe(name)}"

    def _run(self, run: str) -> RunSummary | None:
        return self._home.storage().runs.get(run, self._home.reader)


def _safe(name: str) -> str:
    """A name is a name: no folder in it."""
    return name.removeprefix("/").replace("/", "_").replace("\\", "_").lstrip(".")


def _proposed(path: Path, memory: Memory, because: str) -> ProcedureChange | None:
    before = small_text(path, LARGEST) if path.is_file() and not path.is_symlink() else None
    if before is None:
        return None
    after = with_rule(before, memory.title)
    if after == before:
        return None
    return ProcedureChange(derived_id("i", str(path), memory.id), path, memory, because, before, after)
