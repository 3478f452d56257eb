"""What a model answered until it is journaled, and how often each Window was tried."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from memlane.domain import Window
from memlane.errors import UnreadError
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile

_KEPT = timedelta(days=30)  # a Window nobody asks about any more


class AnswerRecord(msgspec.Struct, frozen=True):
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

    def get(self, key: str) -> AnswerRecord | None:
        return self._read(self._path(key))

    def _read(self, path: Path) -> AnswerRecord | None:
        try:
            return msgspec.json.decode(self._disk.read_whole(path), type=AnswerRecord)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return None  # one that cannot be read is asked for again

    def put(self, key: str, recorded: AnswerRecord) -> None:
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


MOST_TRIES = 3
_FIRST_WAIT, _LONGEST_WAIT = timedelta(hours=1), timedelta(days=1)
_NO_END = "it did not come to an end"


class WindowTries(msgspec.Struct):
    run: str
    first: str
    last: str
    times: int = 0
    at: str = ""
    why: str = _NO_END
    late: int = 0  # times there was no answer in time
    not_before: str = ""

    @property
    def parked(self) -> bool:
        return self.times >= MOST_TRIES


class TriesFile(msgspec.Struct):
    windows: dict[str, WindowTries] = {}


class Tries:
    def __init__(self, kept: JsonFile[TriesFile], clock: Callable[[], datetime]) -> None:
        self._kept, self._clock = kept, clock

    def begin(self, window: Window) -> None:
        with self._kept.changed() as all_:
            tried = all_.windows.setdefault(_key(window), WindowTries(window.run, str(window.first), str(window.last)))
            if tried.parked:
                raise UnreadError(
                    f"{window.run}#{window.first} is set aside after {tried.times} tries: {tried.why}",
                    hint=f"lane catch --run {window.run} --again",
                )
            if tried.not_before and self._clock() < datetime.fromisoformat(tried.not_before):
                raise UnreadError(f"{window.run}#{window.first} waits: {tried.why}", hint="lane catch")
            tried.times += 1
            tried.at = self._clock().isoformat()
            tried.why = _NO_END

    def tried(self, window: Window) -> bool:
        """Whether it was asked about before, and not answered."""
        return _key(window) in self._kept.read().windows

    def failed(self, window: Window, why: str) -> None:
        """It was its own fault, or nobody's: the try counts."""
        with self._kept.changed() as all_:
            if tried := all_.windows.get(_key(window)):
                tried.why = why

    def take_back(self, window: Window) -> None:
        """Whoever should have read it was not there: no try of this Window."""
        with self._kept.changed() as all_:
            tried = all_.windows.get(_key(window))
            if tried is not None:
                tried.times -= 1
                if tried.times <= 0:
                    del all_.windows[_key(window)]

    def postpone(self, window: Window, why: str) -> None:
        """No answer in time says nothing about this Window: it is not tried in vain, and others go first."""
        with self._kept.changed() as all_:
            if tried := all_.windows.get(_key(window)):
                tried.times, tried.why = max(0, tried.times - 1), why
                tried.late += 1
                wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(5, tried.late - 1))
                tried.not_before = (self._clock() + wait).isoformat()

    def hurry(self) -> None:
        """A person waits: nothing is put off."""
        with self._kept.changed() as all_:
            for tried in all_.windows.values():
                tried.not_before = ""

    def done(self, window: Window) -> None:
        with self._kept.changed() as all_:
            all_.windows.pop(_key(window), None)

    def parked(self) -> Sequence[WindowTries]:
        return [tried for tried in self._kept.read().windows.values() if tried.parked]

    def again(self, runs: Sequence[str] = ()) -> int:
        """The Windows of these Runs, or all, as if they had never been tried."""
        with self._kept.changed() as all_:
            keys = [key for key, tried in all_.windows.items() if not runs or tried.run in runs]
            for key in keys:
                del all_.windows[key]
        return len(keys)


def _key(window: Window) -> str:
    return f"{window.run}/{window.key}"
