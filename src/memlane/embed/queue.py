"""One queue in front of a model: a question overtakes what is new, what is new overtakes the bulk.

Work is cut into batches of about fifty milliseconds, or one request where the model is slower than that; between two of
them whoever is most urgent goes first. It does not know what kind of model stands behind it.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from memlane.embed.embedder import Embedder, EmbedderError

if TYPE_CHECKING:
    from pathlib import Path

    from memlane.storage.ports import Vector


class Priority(IntEnum):
    """Who goes first."""

    QUERY = 0  # somebody waits
    LIVE = 1  # it was said just now
    BULK = 2  # everything else


class Queue:
    def __init__(self, embedder: Embedder, run_folder: Path) -> None:
        self._embedder = embedder
        self._run_folder = run_folder
        self._lock = threading.Lock()

    @property
    def tag(self) -> str:
        return self._embedder.tag

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def query(self, text: str, timeout: float) -> Vector:
        """What somebody looks for, within so many seconds."""
        with self._lock:
            return self._embedder.query(text)

    def passages(self, texts: Sequence[str], priority: Priority = Priority.BULK) -> Vector:
        """One unit vector for each."""
        with self._lock:
            return self._embedder.passages(texts)

    def close(self) -> None:
        self._embedder.close()
