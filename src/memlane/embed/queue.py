"""One queue in front of a model: a question overtakes what is new, what is new overtakes the bulk.

Work is cut into small batches; between two of them whoever is most urgent goes first, in this process and in the others
of the home. So a question waits for at most the batch in flight. It does not know what kind of model stands behind it.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.embed.embedder import Embedder, EmbedderError
from memlane.embed.priority import Priority, Turnstile
from memlane.system.breaker import Breaker, BreakerLimits, BreakerMemory, BreakerState

if TYPE_CHECKING:
    from concurrent.futures import Future

    from memlane.embed.embedder import Vector

_LOOK = 0.005  # seconds between two looks at whether another process still asks
_PATIENCE = 30.0  # seconds one batch gives way for: a process that was stopped while it asked must not end all work
_FOREVER = float("inf")
_CLOSING = "memlane is closing"


class EmbedQueue:
    """Threads may share one. It owns one thread, begun when first needed, and its model."""

    def __init__(self, embedder: Embedder, run_folder: Path) -> None:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - it loads logging; only for who asks

        self._embedder = embedder
        self._turnstile = Turnstile(run_folder)
        self._breaker = EmbedBreaker()
        self._pace = Pace()
        self._worker = ThreadPoolExecutor(1, "embed")
        self._changed = threading.Condition()
        self._waiting: list[tuple[Priority, int]] = []
        self._numbers = itertools.count()
        self._busy = False
        self._closed = False

    @property
    def tag(self) -> str:
        return self._embedder.tag

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def query(self, text: str, timeout: float) -> Vector:
        """What somebody looks for, within so many seconds."""
        until = time.monotonic() + timeout
        with self._turnstile.announced(Priority.QUERY):
            return self._answered(lambda: self._embedder.query(text), Priority.QUERY, until)

    def passages(self, texts: Sequence[str], priority: Priority = Priority.BULK) -> Vector:
        """One unit vector for each, or none at all."""
        if priority is Priority.BULK:
            return self._batches(texts, priority)
        with self._turnstile.announced(priority):
            return self._batches(texts, priority)

    def close(self) -> None:
        """Whoever still waits is told; what is in flight is cut off or finishes."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._embedder.close()
        self._worker.shutdown()

    def _batches(self, texts: Sequence[str], priority: Priority) -> Vector:
        import numpy as np  # noqa: PLC0415 - only for who wants vectors

        found, begin = [np.zeros((0, self.dimension), np.float32)], 0
        while begin < len(texts):
            batch = texts[begin : self._pace.end(texts, begin)]
            found.append(self._answered(lambda batch=batch: self._timed(batch), priority, _FOREVER))
            begin += len(batch)
        return np.concatenate(found)

    def _timed(self, batch: Sequence[str]) -> Vector:
        began = time.monotonic()
        found = self._embedder.passages(batch)
        self._pace.learn(len(batch), sum(map(len, batch)), time.monotonic() - began)
        return found

    def _answered(self, work: Callable[[], Vector], priority: Priority, until: float) -> Vector:
        self._breaker.enter()
        try:
            self._take_turn(priority, until)
            doing = self._begun(work)
            found = doing.result(None if until == _FOREVER else max(0.0, until - time.monotonic()))
        except TimeoutError:
            self._breaker.failed(slow := f"{self.tag} takes too long")
            raise EmbedderError(slow, "lane config set embed.timeout SECONDS") from None
        except EmbedderError as error:
            self._breaker.failed(error.message)
            raise
        self._breaker.worked()
        return found

    def _begun(self, work: Callable[[], Vector]) -> Future[Vector]:
        """It keeps the turn until it is done, also when its asker has left."""
        try:
            doing = self._worker.submit(work)
        except RuntimeError:  # closed since the turn was taken
            raise EmbedderError(_CLOSING) from None
        doing.add_done_callback(self._give_turn)
        return doing

    def _take_turn(self, priority: Priority, until: float) -> None:
        ticket = (priority, next(self._numbers))
        patient_until = time.monotonic() + _PATIENCE
        with self._changed:
            self._waiting.append(ticket)
            try:
                while not self._closed and not self._next(ticket, patient_until):
                    if time.monotonic() >= until:
                        raise TimeoutError
                    self._changed.wait(self._nap(until))
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            if self._closed:
                raise EmbedderError(_CLOSING)
            self._busy = True

    def _next(self, ticket: tuple[Priority, int], patient_until: float) -> bool:
        """Nothing is in flight, nobody here was before, nobody elsewhere is more urgent."""
        if self._busy or ticket != min(self._waiting):
            return False
        return time.monotonic() >= patient_until or not self._turnstile.taken(ticket[0])

    def _nap(self, until: float) -> float | None:
        """Until somebody here is done; while it is others we give way to, a moment."""
        left = until - time.monotonic()
        if not self._busy:
            return max(0.0, min(_LOOK, left))
        return None if left == _FOREVER else max(0.0, left)

    def _give_turn(self, _done: Future[Vector]) -> None:
        with self._changed:
            self._busy = False
            self._changed.notify_all()


_BATCH = 0.05  # seconds of work nobody minds waiting for
_ONE_REQUEST = 1.1  # times a request with one text: a slow endpoint is given more only if that is free
_MOST_TEXTS = 256
_SLOWLY = 0.1  # how fast a request is believed to have become slower: once may be chance
_AGAIN = 1.01  # after some seventy requests with one text, two are tried again


class Pace:
    """Begins with one text, and at most doubles from batch to batch."""

    def __init__(self) -> None:
        self._request = math.inf  # seconds of a request with one text
        self._allowed = 0.0  # characters in one batch
        self._tried = False  # more than one text at a time

    def end(self, texts: Sequence[str], begin: int) -> int:
        """Where the batch that begins here ends: one text at least."""
        room, last = self._allowed, min(len(texts), begin + _MOST_TEXTS)
        for number in range(begin, last):
            room -= len(texts[number])
            if room < 0:
                return max(number, begin + 1)
        return last

    def learn(self, texts: int, characters: int, seconds: float) -> None:
        if texts == 1:
            self._learn_request(characters, seconds)
            return
        self._tried = True
        spare = max(_BATCH, _ONE_REQUEST * self._request) - self._request
        affordable = spare * characters / max(seconds - self._request, 1e-6)
        self._allowed = min(affordable, 2 * max(self._allowed, characters))

    def _learn_request(self, characters: int, seconds: float) -> None:
        slower = seconds > self._request
        self._request = self._request + _SLOWLY * (seconds - self._request) if slower else seconds
        if seconds < _BATCH:
            proportional = characters * _BATCH / max(seconds, 1e-6)
            self._allowed = max(self._allowed, min(proportional, 2 * max(self._allowed, characters)))
        elif self._tried:
            self._allowed *= _AGAIN
        else:
            self._allowed = 2.0 * characters


class EmbedBreaker(Breaker):
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(_LIMITS, BreakerMemory(), clock, _refusal)


_LIMITS = BreakerLimits(failures=3, first=1.0, longest=60.0)


def _refusal(trouble: BreakerState, left: float) -> EmbedderError:
    return EmbedderError(f"{trouble.why} ({trouble.failures} times; next try in {math.ceil(left)} s)")
