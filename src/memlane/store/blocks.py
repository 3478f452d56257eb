"""What was read from a store, up to a limit. An object of one version never changes, so this is only a cache."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cache
from typing import Any

REMEMBERED = 128 << 20  # bytes


class KnownBlocks:
    """For all threads of a process."""

    def __init__(self) -> None:
        self._kept, self._size = OrderedDict[object, tuple[Any, int]](), 0
        self._lock = threading.Lock()

    def find(self, key: object) -> Any:
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: object, what: Any, size: int) -> None:
        with self._lock:
            _old, before = self._kept.pop(key, (None, 0))
            self._kept[key] = what, size
            self._size += size - before
            while self._size > REMEMBERED and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1][1]


@cache
def blocks_of(address: str) -> KnownBlocks:
    """One for each store."""
    del address
    return KnownBlocks()
