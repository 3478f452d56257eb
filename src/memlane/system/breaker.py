"""Whoever failed some times in a row is left alone for a while, longer after every further failure.

When the pause is over one is let through, to try; the others wait for how that goes. It does not know who that is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

import msgspec

from memlane.errors import LaneError

_MOST_DOUBLINGS = 10
_LONGEST_NAMED = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class BreakerLimits:
    """How many failures in a row, and seconds of the first and the longest pause."""

    failures: int
    first: float
    longest: float


class BreakerState(msgspec.Struct):
    who: str = ""
    failures: int = 0
    again_at: float = 0.0
    why: str = ""
    named: bool = False  # the pause is as long as it asked for itself


class BreakerStore(Protocol):
    """Where the state is: a file that several processes share, or this process alone."""

    def read(self) -> BreakerState: ...

    def changed(self) -> AbstractContextManager[BreakerState]: ...


class BreakerMemory:
    """For threads of one process; gone with it."""

    def __init__(self) -> None:
        self._state, self._lock = BreakerState(), threading.Lock()

    def read(self) -> BreakerState:
        return self._state

    @contextmanager
    def changed(self) -> Generator[BreakerState]:
        with self._lock:
            yield self._state


class Breaker:
    """Keeps the trouble with `who` alone: somebody else begins anew. `refusal` is given the seconds that are left."""

    def __init__(
        self,
        limits: BreakerLimits,
        state: BreakerStore,
        clock: Callable[[], float],
        refusal: Callable[[BreakerState, float], LaneError],
        who: str = "",
    ) -> None:
        self._limits, self._state, self._clock, self._refusal, self._who = limits, state, clock, refusal, who

    def enter(self) -> None:
        """Raises while it is left alone."""
        with self._state.changed() as trouble:
            if trouble.who != self._who:
                return
            if (refused := self._refused(trouble)) is not None:
                raise refused
            if trouble.failures >= self._limits.failures:
                trouble.again_at = self._clock() + self._pause(trouble)  # the others wait for how this one goes

    def worked(self) -> None:
        with self._state.changed() as trouble:
            trouble.who, trouble.failures, trouble.again_at, trouble.why = self._who, 0, 0.0, ""
            trouble.named = False

    def failed(self, why: str, after: float = 0.0) -> None:
        """`after`: seconds it asked to be left alone."""
        with self._state.changed() as trouble:
            if trouble.who != self._who:
                trouble.who, trouble.failures, trouble.again_at = self._who, 0, 0.0
            trouble.failures += 1
            trouble.why, trouble.named = why, False
            pause = self._pause(trouble) if trouble.failures >= self._limits.failures else 0.0
            trouble.again_at = self._clock() + min(self._limits.longest, max(pause, after))

    def leave_alone(self, why: str, seconds: float) -> None:
        """It said itself for how long."""
        with self._state.changed() as trouble:
            trouble.who, trouble.failures, trouble.why, trouble.named = self._who, 0, why, True
            trouble.again_at = self._clock() + min(seconds, _LONGEST_NAMED)

    def why_not(self) -> str:
        """Why it would be refused now; "" when it would not."""
        trouble = self._state.read()
        refused = self._refused(trouble) if trouble.who == self._who else None
        return refused.message if refused is not None else ""

    def _refused(self, trouble: BreakerState) -> LaneError | None:
        left = trouble.again_at - self._clock()
        longest = _LONGEST_NAMED if trouble.named else self._limits.longest
        in_pause = 0 < left <= longest  # more than that, and a clock was wrong
        return self._refusal(trouble, left) if in_pause else None

    def _pause(self, trouble: BreakerState) -> float:
        doublings = min(_MOST_DOUBLINGS, max(0, trouble.failures - self._limits.failures))
        return min(self._limits.longest, self._limits.first * 2.0**doublings)
