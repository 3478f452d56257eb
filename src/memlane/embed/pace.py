"""How much goes into one batch? As much as keeps a question waiting for fifty milliseconds, or for one slow request.

Learned from what batches took: a part that every request costs, and a part for each character.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
