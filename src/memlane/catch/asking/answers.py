"""Answers of a model, kept until what was made of them is in the journal: a kill in between asks nobody again.

Masked before they are written; they know no Window but by its key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from memlane.disk import Disk

_KEPT = timedelta(days=30)  # a Window nobody asks about any more


class Recorded(msgspec.Struct, frozen=True):
    """`nearby` are the ids of the Memories that were shown with the question."""

    run: str
    text: str
    nearby: list[str]
    tokens_in: int
    tokens_out: int
    dollars: float
    at: str


class Answers:
    def __init__(self, folder: Path, disk: Disk, clock: Callable[[], datetime]) -> None:
        self._folder, self._disk, self._clock = folder, disk, clock

    def get(self, key: str) -> Recorded | None:
        return self._read(self._path(key))

    def _read(self, path: Path) -> Recorded | None:
        try:
            return msgspec.json.decode(self._disk.read_whole(path), type=Recorded)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return None  # one that cannot be read is asked for again

    def put(self, key: str, recorded: Recorded) -> None:
        self._disk.make_folders(self._folder)
        self._tidy()
        self._disk.replace(self._path(key), msgspec.json.encode(recorded))

    def drop(self, key: str) -> None:
        with suppress(FileNotFoundError):
            self._disk.unlink(self._path(key))

    def forget(self, run: str) -> None:
        """Nothing that was said in this Run is left here; what cannot be read goes too, it may be of it."""
        if not self._folder.is_dir():
            return
        for entry in [*self._disk.list(self._folder)]:
            found = self._read(Path(entry.path))
            if found is None or found.run == run:
                self._disk.unlink(Path(entry.path))

    def _tidy(self) -> None:
        oldest = (self._clock() - _KEPT).timestamp()
        for entry in [*self._disk.list(self._folder)]:
            with suppress(FileNotFoundError):
                if entry.name.endswith(".json") and entry.stat(follow_symlinks=False).st_mtime < oldest:
                    self._disk.unlink(Path(entry.path))

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.json"
