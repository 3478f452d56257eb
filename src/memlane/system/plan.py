"""A plan as a value: what would be changed, in words and as a diff, before anything is."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane.system.computer import CommandLine, Computer

PLUGIN = "plugin"
PROGRAM = "hook-program"
TIMER = "timer"
Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: what is in it (None: there is none) and what will be."""

    area: str  # plugin, hook-program, timer, or an agent's name
    path: Path
    before: bytes | None
    after: bytes | None
    what: str  # `+ plugin lane (4 hooks)`
    theirs: bool = False  # the person's own file: a backup is made first
    without: bytes | None = None  # what it is without us: what that backup holds
    made: tuple[Keys, ...] = ()  # the objects and lists in it that exist only because of us
    runs: bool = False  # it is a program

    @property
    def diff(self) -> str:
        """Unified, as `diff -u` writes it."""
        name = str(self.path)
        old = "/dev/null" if self.before is None else name
        new = "/dev/null" if self.after is None else name
        return "".join(_ended(difflib.unified_diff(_lines(self.before), _lines(self.after), old, new)))


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """A program that will be called."""

    area: str
    command: CommandLine
    what: str

    @property
    def diff(self) -> str:
        given = "".join(f"< {line}\n" for line in self.command.given.decode("utf-8", "replace").splitlines())
        return f"$ {self.command.shown}\n{given}"


@dataclass(frozen=True, slots=True)
class AgentProgramChange:
    """Changes of an agent's files that its own program makes; `files` says what they should come to, settings first."""

    files: tuple[FileChange, ...]
    commands: tuple[CommandLine, ...]

    @property
    def settings(self) -> FileChange:
        return self.files[0]

    @property
    def area(self) -> str:
        return self.settings.area

    @property
    def what(self) -> str:
        return self.settings.what

    @property
    def diff(self) -> str:
        called = "".join(f"$ {command.shown}\n" for command in self.commands)
        return called + "".join(change.diff for change in self.files)


@dataclass(frozen=True, slots=True)
class FolderRemoval:
    """A folder of ours that goes with everything in it, or a link."""

    area: str
    path: Path
    what: str

    @property
    def diff(self) -> str:
        return f"$ rm -r {self.path}\n"


Change = FileChange | ProgramCall | AgentProgramChange | FolderRemoval


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something left alone, with its reason; everything else is done."""

    area: str
    what: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that would change, in order. Nothing to change is a plan too."""

    changes: tuple[Change, ...] = ()
    in_place: tuple[str, ...] = ()  # areas that are as they should be
    left_alone: tuple[Obstacle, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def areas(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.area for change in self.changes))

    def of(self, area: str) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.area == area)


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One line of a plan for people: what is touched, and what happens to it."""

    area: str
    where: str
    what: str


def rows(plan: Plan, computer: Computer) -> list[PlanRow]:
    """A folder of our own is one line, whatever is in it."""
    found: list[PlanRow] = []
    for change in plan.changes:
        match change:
            case FileChange() | FolderRemoval() if change.area == PLUGIN:
                found.append(PlanRow(PLUGIN, f"{computer.shown(computer.plugin)}/", _of_our_own(change)))
            case FileChange() | FolderRemoval() if change.area == PROGRAM:
                found.append(PlanRow(PROGRAM, f"{computer.shown(computer.hooks)}/", _of_our_own(change)))
            case FileChange() | FolderRemoval():
                found.append(PlanRow(change.area, computer.shown(change.path), change.what))
            case AgentProgramChange():
                found += [PlanRow(file.area, computer.shown(file.path), file.what) for file in change.files]
            case ProgramCall():
                found.append(PlanRow(change.area, change.command.shown, change.what))
    return list({(row.area, row.where): row for row in reversed(found)}.values())[::-1]


def _of_our_own(change: FileChange | FolderRemoval) -> str:
    if isinstance(change, FolderRemoval):
        return change.what
    itself = "the plugin itself" if change.area == PLUGIN else "the program that hooks call"
    return f"new ({itself})" if change.before is None else "written again, for this version and interpreter"


def joined(*plans: Plan) -> Plan:
    return Plan(
        tuple(change for plan in plans for change in plan.changes),
        tuple(area for plan in plans for area in plan.in_place),
        tuple(trouble for plan in plans for trouble in plan.left_alone),
        tuple(note for plan in plans for note in plan.notes),
    )


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
