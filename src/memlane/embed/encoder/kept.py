"""Notes as the first layers leave them, kept in memory up to so many bytes: who was not needed longest goes first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MOST_BYTES = 16 << 20
_BESIDE = 200  # bytes of keeping one


class Kept:
    """By their text, in half precision. Threads may share one."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._lock = Lock()
        self._known: OrderedDict[str, NDArray[np.float16]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, text: str) -> bool:
        return text in self._known

    def get(self, text: str) -> Floats | None:
        with self._lock:
            found = self._known.get(text)
            if found is not None:
                self._known.move_to_end(text)
        return None if found is None else found.astype(np.float32)

    def put(self, text: str, states: Floats) -> Floats:
        """As it will be given back: a note is the same whether or not it was kept."""
        half = states.astype(np.float16)
        with self._lock:
            self._drop(text)
            self._known[text] = half
            self.bytes += _size(text, half)
            while self.bytes > self._most:
                self._drop(next(iter(self._known)))
        return half.astype(np.float32)

    def _drop(self, text: str) -> None:
        known = self._known.pop(text, None)
        if known is not None:
            self.bytes -= _size(text, known)


def _size(text: str, states: NDArray[np.float16]) -> int:
    return states.nbytes + 4 * len(text) + _BESIDE
