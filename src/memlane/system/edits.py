"""Where plans become changes: each file whole or not at all, and written down in `setup.json` before it is made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from memlane.errors import LaneError
from memlane.system import files
from memlane.system.computer import CommandLine, CommandOutcome, Computer
from memlane.system.disk import Disk
from memlane.system.plan import FileChange, FolderRemoval, Keys, ProgramCall

PROGRAM = 0o700  # the person's own, and it runs


class ChangedMeanwhileError(LaneError):
    """A file changed after the plan was shown, so it was left unchanged."""

    kind = "changed-meanwhile"
    retryable = True


class FileEditor:
    """One application of one plan. The record is on disk before the file it speaks of is touched."""

    def __init__(self, computer: Computer, disk: Disk) -> None:
        self.computer = computer
        self.disk = disk
        self.record = load_record(computer.lane_home)

    def note(self, changed: SetupRecord) -> None:
        if changed != self.record:
            save_record(self.disk, self.computer.lane_home, changed)
            self.record = changed

    def run(self, command: CommandLine) -> CommandOutcome:
        return self.computer.run(command)

    # -- files -----------------------------------------------------------------------------------------------------

    def must_be_as_planned(self, change: FileChange) -> None:
        if files.read(change.path) != change.before:
            raise ChangedMeanwhileError(
                f"{self.computer.shown(change.path)} was changed while the plan was shown",
                hint="run it again to see the current state",
            )

    def put(self, change: FileChange) -> None:
        self.must_be_as_planned(change)
        if change.theirs:
            self.prepare(change)
        self.write(change.path, change.after)
        if change.runs:
            change.path.chmod(PROGRAM)

    def undo(self, change: FileChange | FolderRemoval | ProgramCall) -> None:
        """Part of taking everything out: a program that fails now has nothing left to stop."""
        match change:
            case FileChange():
                self.put(change)
            case FolderRemoval():
                files.remove_tree(self.disk, change.path)
            case ProgramCall():
                self.run(change.command)

    def write(self, path: Path, data: bytes | None) -> None:
        if data is None:
            files.remove(self.disk, path)
        else:
            files.replace(self.disk, path, data)

    def prepare(self, change: FileChange) -> None:
        """The backup, and a line about what is going to be done. A kill after this leaves nothing that is not known."""
        known, will_leave = self.record.of(change.path), digest(change.after)
        if known is not None and (known.between or digest(change.before) in known.left):
            left = tuple(dict.fromkeys((*known.left, will_leave)))
            entry = replace(known, left=left, made=tuple(dict.fromkeys((*known.made, *change.made))))
        else:
            entry = FileRecord(str(change.path), self._backup(change), (will_leave,), change.made)
        self.note(self.record.with_file(entry))

    def between(self, path: Path, *, now: bool) -> None:
        """Whether an agent's program is at work on it: a kill then leaves the file in that program's writing."""
        known = self.record.of(path)
        if known is not None:
            self.note(self.record.with_file(replace(known, between=now)))

    def _backup(self, change: FileChange) -> str:
        if change.without is None:
            return ""
        place = files.backup_for(change.path, change.without)
        if files.read(place) is None:
            files.replace(self.disk, place, change.without)
            place.chmod(change.path.stat().st_mode & 0o777)
        return str(place)

    def forget(self, path: Path) -> None:
        """A file that is as it was: its backup has nothing left to tell."""
        known = self.record.of(path)
        if known is None:
            return
        if known.backup and files.read(Path(known.backup)) == files.read(path):
            files.remove(self.disk, Path(known.backup))
        files.remove(self.disk, path.resolve().with_name(path.resolve().name + files.TEMPORARY))
        self.note(self.record.without_file(path))


RECORD_FILE = "setup.json"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of the person's that we changed."""

    path: str
    backup: str  # what it was without us; "": there was no such file
    left: tuple[str, ...]  # digests of what we left: if it is still one of them, the backup can be put back
    made: tuple[Keys, ...] = ()
    between: bool = False  # its agent's program was at work on it and we have not seen the end


@dataclass(frozen=True, slots=True)
class HookRoute:
    """How an agent was given our hooks."""

    by: str  # plugin, settings
    recall: bool = True
    said: str = ""  # by its program, when that did not work


@dataclass(frozen=True, slots=True)
class SetupRecord:
    """All of it. An empty one means nothing is known to have been changed."""

    schema: str = "lane.setup/1"
    version: str = ""
    python: str = ""
    agents: Mapping[str, HookRoute] = field(default_factory=dict[str, HookRoute])
    timer: str = ""
    files: tuple[FileRecord, ...] = ()
    new: tuple[str, ...] = ()  # files and folders that were not there before an agent's program made them for us

    def of(self, path: Path) -> FileRecord | None:
        return next((changed for changed in self.files if changed.path == str(path)), None)

    def with_file(self, changed: FileRecord) -> SetupRecord:
        others = (other for other in self.files if other.path != changed.path)
        return replace(self, files=(*others, changed))

    def without_file(self, path: Path) -> SetupRecord:
        return replace(self, files=tuple(changed for changed in self.files if changed.path != str(path)))

    def with_way(self, agent: str, way: HookRoute) -> SetupRecord:
        return replace(self, agents={**self.agents, agent: way})

    def without_way(self, agent: str) -> SetupRecord:
        return replace(self, agents={name: way for name, way in self.agents.items() if name != agent})

    def with_new(self, paths: Iterable[Path]) -> SetupRecord:
        return replace(self, new=tuple(dict.fromkeys((*self.new, *map(str, paths)))))

    def without_new(self, paths: Iterable[Path]) -> SetupRecord:
        gone = set(map(str, paths))
        return replace(self, new=tuple(name for name in self.new if name not in gone))

    @property
    def empty(self) -> bool:
        return not (self.agents or self.timer or self.files or self.new)


def digest(data: bytes | None) -> str:
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def load_record(lane_home: Path) -> SetupRecord:
    """A lost or damaged record costs no more than the backups: our lines are known by sight."""
    try:
        return msgspec.json.decode((lane_home / RECORD_FILE).read_bytes(), type=SetupRecord)
    except (FileNotFoundError, msgspec.DecodeError):
        return SetupRecord()


def save_record(disk: Disk, lane_home: Path, record: SetupRecord) -> None:
    disk.make_folders(lane_home)
    disk.replace(lane_home / RECORD_FILE, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def remove_record(disk: Disk, lane_home: Path) -> None:
    files.remove(disk, lane_home / RECORD_FILE)
    files.remove(disk, lane_home / f"{RECORD_FILE}.tmp")  # of a save that was cut off
