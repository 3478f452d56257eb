"""A model that fails again and again is left alone for a while: questions are told at once, and words answer alone."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from memlane.embed.embedder import EmbedderError

_FAILURES = 3  # in a row
_PAUSE = 1.0  # seconds, twice as long after every further failure
_LONGEST_PAUSE = 60.0


class Breaker:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._again_at = 0.0
        self._why = ""

    def enter(self) -> None:
        """Raises while the model is left alone. When the pause is over one is let through, to try."""
        with self._lock:
            left = self._again_at - self._clock()
            if self._failures < _FAILURES:
                return
            if left > 0:
                raise EmbedderError(f"{self._why} ({self._failures} times; asked again in {math.ceil(left)} s)")
            self._again_at = self._clock() + self._pause()

    def worked(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self, why: str) -> None:
        with self._lock:
            self._failures += 1
            self._why = why
            self._again_at = self._clock() + self._pause()

    def _pause(self) -> float:
        return min(_LONGEST_PAUSE, _PAUSE * 2.0 ** max(0, self._failures - _FAILURES))
