"""What was done to this computer, written down in `$LANE_HOME/setup.json` before it is done: so it can be undone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from memlane.disk import Disk
from memlane.setup import files
from memlane.setup.changes import Keys

NAME = "setup.json"


@dataclass(frozen=True, slots=True)
class Changed:
    """One file of the person's that we changed."""

    path: str
    backup: str  # what it was without us; "": there was no such file
    left: tuple[str, ...]  # digests of what we left: if it is still one of them, the backup can be put back
    made: tuple[Keys, ...] = ()
    between: bool = False  # its agent's program was at work on it and we have not seen the end


@dataclass(frozen=True, slots=True)
class Way:
    """How an agent was given our hooks."""

    by: str  # plugin, settings
    recall: bool = True
    said: str = ""  # by its program, when that did not work


@dataclass(frozen=True, slots=True)
class Record:
    """All of it. An empty one means nothing is known to have been changed."""

    schema: str = "lane.setup/1"
    version: str = ""
    python: str = ""
    agents: Mapping[str, Way] = field(default_factory=dict[str, Way])
    timer: str = ""
    files: tuple[Changed, ...] = ()
    new: tuple[str, ...] = ()  # files and folders that were not there before an agent's program made them for us

    def of(self, path: Path) -> Changed | None:
        return next((changed for changed in self.files if changed.path == str(path)), None)

    def with_file(self, changed: Changed) -> Record:
        others = (other for other in self.files if other.path != changed.path)
        return replace(self, files=(*others, changed))

    def without_file(self, path: Path) -> Record:
        return replace(self, files=tuple(changed for changed in self.files if changed.path != str(path)))

    def with_way(self, agent: str, way: Way) -> Record:
        return replace(self, agents={**self.agents, agent: way})

    def without_way(self, agent: str) -> Record:
        return replace(self, agents={name: way for name, way in self.agents.items() if name != agent})

    def with_new(self, paths: Iterable[Path]) -> Record:
        return replace(self, new=tuple(dict.fromkeys((*self.new, *map(str, paths)))))

    def without_new(self, paths: Iterable[Path]) -> Record:
        gone = set(map(str, paths))
        return replace(self, new=tuple(name for name in self.new if name not in gone))

    @property
    def empty(self) -> bool:
        return not (self.agents or self.timer or self.files or self.new)


def digest(data: bytes | None) -> str:
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def load(lane_home: Path) -> Record:
    """A lost or damaged record costs no more than the backups: our lines are known by sight."""
    try:
        return msgspec.json.decode((lane_home / NAME).read_bytes(), type=Record)
    except (FileNotFoundError, msgspec.DecodeError):
        return Record()


def save(disk: Disk, lane_home: Path, record: Record) -> None:
    disk.make_folders(lane_home)
    disk.replace(lane_home / NAME, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def remove(disk: Disk, lane_home: Path) -> None:
    files.remove(disk, lane_home / NAME)
    files.remove(disk, lane_home / f"{NAME}.tmp")  # of a save that was cut off
