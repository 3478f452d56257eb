"""What we wrote into a memory folder, kept in a file of ours.

It is written before the files it speaks of, so that a kill in between never makes our own words look like a person's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from memlane.dream.folder import FolderRecord, PageRecord
from memlane.system.disk import Disk

VERSION = 1


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
