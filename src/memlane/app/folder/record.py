"""What we wrote into a memory folder, kept beside it: how a person's change is told from our own.

It is written before the files it speaks of, so that a kill in between never makes our own words look like a person's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from memlane.system.disk import Disk

VERSION = 1


@dataclass(slots=True)
class PageRecord:
    """One topic file: whose it is, and what may stand in it from us: by digest, the digests of its parts."""

    memory: str
    wrote: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    there: bool = False  # it was written for certain: missing, somebody took it away
    leaving: bool = False  # we are about to take it away


@dataclass(slots=True)
class FolderRecord:
    """Of one folder."""

    pages: dict[str, PageRecord] = field(default_factory=dict[str, PageRecord])  # by file
    index: list[str] = field(default_factory=list[str])  # digests of our block that may stand there
    listed: dict[str, str] = field(default_factory=dict[str, str])  # file → digest of its line, as last written
    theirs: dict[str, str] = field(default_factory=dict[str, str])  # file → its line in a person's own words
    unlisted: list[str] = field(default_factory=list[str])  # files whose line a person took out
    left_out: list[str] = field(default_factory=list[str])  # memories whose file was taken away where anybody may
    made_index: bool = False  # there was no MEMORY.md before

    @property
    def names(self) -> dict[str, str]:
        """Memory → the name of its file."""
        return {known.memory: file.removesuffix(".md") for file, known in self.pages.items()}


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def load(disk: Disk, path: Path) -> FolderRecord:
    """Empty where there is none, or where it cannot be read: nothing is then known to be ours."""
    try:
        said = cast(object, json.loads(disk.read_whole(path)))
    except (FileNotFoundError, ValueError):
        return FolderRecord()
    if not isinstance(said, dict) or cast(Mapping[str, object], said).get("v") != VERSION:
        return FolderRecord()
    try:
        return _read(cast(Mapping[str, Any], said))
    except (KeyError, TypeError, AttributeError):
        return FolderRecord()


def _read(said: Mapping[str, Any]) -> FolderRecord:
    fields = {name: said[name] for name in ("index", "listed", "theirs", "unlisted", "left_out", "made_index")}
    return FolderRecord(pages={str(file): PageRecord(**known) for file, known in said["pages"].items()}, **fields)


def save(disk: Disk, path: Path, record: FolderRecord) -> None:
    disk.make_folders(path.parent)
    disk.replace(path, json.dumps({"v": VERSION, **asdict(record)}, ensure_ascii=False, sort_keys=True).encode())
