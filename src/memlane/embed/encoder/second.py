"""The second look that ships: would this note change what the agent does with this prompt?

It reads on from the first layers of the encoder it was made for, and from no other. docs/models/second-look.md says how
it was made and what it is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.embed.embedder import EmbedderError
from memlane.embed.encoder.kept import MOST_BYTES, Kept
from memlane.embed.encoder.together import together
from memlane.embed.encoder.weights import opened

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector
    from memlane.embed.encoder.tuned import Tuned


class SecondLook:
    def __init__(self, encoder: Tuned, path: Path, sha256: str, most_bytes: int = MOST_BYTES) -> None:
        weights = opened(path, sha256)
        if weights.facts.behind != encoder.sha256:
            raise EmbedderError(f"{weights.name} reads on from another encoder", "install memlane again")
        self.tag = f"{weights.name}-{sha256[:8]}"
        self.size = path.stat().st_size
        self._together = together(weights)
        self._encoder, self._facts = encoder, weights.facts
        self._kept = Kept(most_bytes)
        encoder.remember(self._facts.apart)

    @property
    def kept(self) -> Kept:
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
