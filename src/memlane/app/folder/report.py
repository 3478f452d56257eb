"""What a write of the memory folders did, for whoever has to tell it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memlane.domain import Memory


@dataclass(frozen=True, slots=True)
class FolderChange:
    """A person's change in a folder, taken over: which Memory, where, and what takes it back."""

    memory: Memory
    path: Path
    act: str


@dataclass(frozen=True, slots=True)
class KeptAside:
    """A change nobody could take over, why, and where the person's text lies now."""

    path: Path
    why: str
    at: Path


@dataclass(frozen=True, slots=True)
class FolderSize:
    """One folder: how many topic files, how many of them in the index, how many files were written just now."""

    folder: Path
    project: str
    topics: int
    lines: int
    wrote: int = 0
    trouble: str = ""


@dataclass(slots=True)
class FolderReport:
    """What a write did. Empty lists: nothing of a person's was found."""

    folders: list[FolderSize] = field(default_factory=list[FolderSize])
    edits: list[FolderChange] = field(default_factory=list[FolderChange])
    paused: list[FolderChange] = field(default_factory=list[FolderChange])  # their file was taken away
    left_out: list[Path] = field(default_factory=list[Path])  # of this folder: the line or the file was taken away
    kept: list[KeptAside] = field(default_factory=list[KeptAside])
    late: list[Path] = field(default_factory=list[Path])  # changed while we wrote: taken over the next time

    @property
    def wrote(self) -> int:
        return sum(one.wrote for one in self.folders)

    def add(self, other: FolderReport) -> None:
        """What people did, and what went wrong; how the folders stand is told once."""
        self.folders += [one for one in other.folders if one.trouble]
        self.edits += other.edits
        self.paused += other.paused
        self.left_out += other.left_out
        self.kept += other.kept
        self.late += other.late
