"""Where plans become changes: file by file, each whole or not at all, each written down before it is made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memlane.disk import Disk
from memlane.errors import LaneError
from memlane.setup import files, record
from memlane.setup.changes import FileChange, Gone, ProgramCall
from memlane.setup.computer import Command, Computer, Ran
from memlane.setup.record import Changed, Record, digest

PROGRAM = 0o700  # the person's own, and it runs


class ChangedMeanwhileError(LaneError):
    """A file is not as it was when the plan was shown, so it is not touched."""

    kind = "changed-meanwhile"
    retryable = True


class Hands:
    """One application of one plan. The record is on disk before the file it speaks of is touched."""

    def __init__(self, computer: Computer, disk: Disk) -> None:
        self.computer = computer
        self.disk = disk
        self.record = record.load(computer.lane_home)

    def note(self, changed: Record) -> None:
        if changed != self.record:
            record.save(self.disk, self.computer.lane_home, changed)
            self.record = changed

    def run(self, command: Command) -> Ran:
        return self.computer.run(command)

    # -- files -----------------------------------------------------------------------------------------------------

    def must_be_as_planned(self, change: FileChange) -> None:
        if files.read(change.path) != change.before:
            raise ChangedMeanwhileError(
                f"{self.computer.shown(change.path)} was changed while the plan was shown",
                hint="run it again: it will show what is there now",
            )

    def put(self, change: FileChange) -> None:
        self.must_be_as_planned(change)
        if change.theirs:
            self.prepare(change)
        self.write(change.path, change.after)
        if change.runs:
            change.path.chmod(PROGRAM)

    def undo(self, change: FileChange | Gone | ProgramCall) -> None:
        """Part of taking everything out: a program that fails now has nothing left to stop."""
        match change:
            case FileChange():
                self.put(change)
            case Gone():
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
            entry = Changed(str(change.path), self._backup(change), (will_leave,), change.made)
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
