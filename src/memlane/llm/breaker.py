"""A model that fails again and again is left alone for a while, by every process of this home."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime

import msgspec

from memlane.kept import Kept
from memlane.llm.llm import NotAskedError

_FAILURES = 5  # in a row
_PAUSE = 300.0  # seconds, twice as long after every further failure
_LONGEST = 6 * 3600.0


class Trouble(msgspec.Struct):
    who: str = ""
    failures: int = 0
    again_at: float = 0.0
    why: str = ""


class Breaker:
    """Open after some failures in a row; when the pause is over one question is let through, to try."""

    def __init__(self, kept: Kept[Trouble], who: str, clock: Callable[[], datetime]) -> None:
        self._kept, self._who, self._clock = kept, who, clock

    def enter(self) -> None:
        with self._kept.changed() as trouble:
            if trouble.who != self._who:
                return
            self._refuse(trouble)
            if trouble.failures >= _FAILURES:
                trouble.again_at = self._now() + self._pause(trouble)  # the others wait for how this one goes

    def worked(self) -> None:
        with self._kept.changed() as trouble:
            trouble.who, trouble.failures, trouble.again_at, trouble.why = self._who, 0, 0.0, ""

    def failed(self, why: str, after: float = 0.0) -> None:
        """`after`: seconds it asked to be left alone."""
        with self._kept.changed() as trouble:
            if trouble.who != self._who:
                trouble.who, trouble.failures, trouble.again_at = self._who, 0, 0.0
            trouble.failures += 1
            trouble.why = why
            pause = self._pause(trouble) if trouble.failures >= _FAILURES else 0.0
            trouble.again_at = self._now() + min(_LONGEST, max(pause, after))

    def why_not(self) -> str:
        trouble = self._kept.read()
        if trouble.who == self._who:
            try:
                self._refuse(trouble)
            except NotAskedError as error:
                return error.message
        return ""

    def _refuse(self, trouble: Trouble) -> None:
        left = trouble.again_at - self._now()
        if 0 < left <= _LONGEST:  # more than that, and a clock was wrong
            raise NotAskedError(
                f"{trouble.why} ({trouble.failures} in a row; asked again in {_in_words(left)})",
                "lane config get catch",
            )

    def _pause(self, trouble: Trouble) -> float:
        return min(_LONGEST, _PAUSE * 2.0 ** min(10, max(0, trouble.failures - _FAILURES)))

    def _now(self) -> float:
        return self._clock().timestamp()


def _in_words(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds < 90 else f"{math.ceil(seconds / 60)} min"
