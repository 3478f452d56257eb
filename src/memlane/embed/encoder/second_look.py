"""The second look that ships: would this Memory change what the agent does now?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.embedder import EmbedderError
from memlane.embed.encoder.cross_attention import cross_attention
from memlane.embed.encoder.weights import opened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
if TYPE_CHECKING:
    from memlane.embed.embedder import Vector
    from memlane.embed.encoder.recall_encoder import TunedEncoder

MOST_BYTES = 16 << 20
_BESIDE = 200  # bytes of keeping one


class LayerStates:
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


class SecondLook:
    def __init__(self, encoder: TunedEncoder, path: Path, sha256: str, most_bytes: int = MOST_BYTES) -> None:
        weights = opened(path, sha256)
        if weights.facts.behind != encoder.sha256:
            raise EmbedderError(f"{weights.name} reads on from another encoder", "reinstall memlane")
        self.tag = f"{weights.name}-{sha256[:8]}"
        self.size = path.stat().st_size
        self._together = cross_attention(weights)
        self._encoder, self._facts = encoder, weights.facts
        self._kept = LayerStates(most_bytes)
        encoder.remember(self._facts.apart)

    @property
    def kept(self) -> LayerStates:
        return self._kept

    def note(self, text: str) -> Vector:
        """As its first layers leave it: worked out once, as long as there is room to keep it."""
        known = self._kept.get(text)
        return self._kept.put(text, self._states(text, self._facts.noted)) if known is None else known

    def log_odds(self, prompt: str, notes: Sequence[str]) -> list[float]:
        """That it is needed, for each note."""
        if not notes:
            return []
        asked = self._states(prompt, self._facts.asked)
        return [float(odds) for odds in self._together.log_odds(asked, [self.note(text) for text in notes])]

    def _states(self, text: str, most: int) -> Vector:
        return self._encoder.states(text, most, self._facts.apart)
