"""How often each Window was begun, counted before: one that always breaks its reader is parked, the others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from memlane.domain import Window
from memlane.errors import UnreadError
from memlane.kept import Kept

MOST = 3
_NO_END = "it did not come to an end"


class Tried(msgspec.Struct):
    run: str
    first: str
    last: str
    times: int = 0
    at: str = ""
    why: str = _NO_END

    @property
    def parked(self) -> bool:
        return self.times >= MOST


class AllTried(msgspec.Struct):
    windows: dict[str, Tried] = {}


class Tries:
    def __init__(self, kept: Kept[AllTried], clock: Callable[[], datetime]) -> None:
        self._kept, self._clock = kept, clock

    def begin(self, window: Window) -> None:
        with self._kept.changed() as all_:
            tried = all_.windows.setdefault(_key(window), Tried(window.run, str(window.first), str(window.last)))
            if tried.parked:
                raise UnreadError(
                    f"{window.run}#{window.first} is set aside after {tried.times} tries: {tried.why}",
                    hint=f"lane catch --run {window.run} --again",
                )
            tried.times += 1
            tried.at = self._clock().isoformat()
            tried.why = _NO_END

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

    def done(self, window: Window) -> None:
        with self._kept.changed() as all_:
            all_.windows.pop(_key(window), None)

    def parked(self) -> Sequence[Tried]:
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
