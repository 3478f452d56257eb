"""The default: what a text means is the mean of what its tokens mean. Offline, at once, thousands of texts a second.

It knows words, not their order, and is a table that ships with memlane (THIRD_PARTY.md says from where).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.check import unit
from memlane.embed.embedder import EmbedderError
from memlane.embed.known import tagged
from memlane.embed.pieces import Pieces
from memlane.embed.table import opened

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector

TABLE = Path(__file__).with_name("wordllama-l2.table")
SHA256 = "960b0a22223d66f61521a0b091a1807826788824d43ba5adbcdd5be2fc3fc22f"
_MOST = 1 << 14  # characters of one text that are read: the mean of more says less
_NOTHING = [0]  # what a text without words has instead: the table's own "unknown"


class Static:
    def __init__(self, dimension: int = 0) -> None:
        self._table = opened(TABLE, SHA256)
        whole = self._table.numbers.shape[1]
        if not 0 <= dimension <= whole:
            raise EmbedderError(
                f"the static table has {whole} numbers, not {dimension}", "lane config set embed.dimension 0"
            )
        self.dimension = dimension or whole
        self.tag = tagged(f"{self._table.name}-{SHA256[:8]}", self.dimension)
        self._pieces = Pieces(self._table.tokens)

    def passages(self, texts: Sequence[str]) -> Vector:
        found = np.empty((len(texts), self._table.numbers.shape[1]), np.float32)
        for row, text in enumerate(texts):
            tokens = self._pieces.tokens(text[:_MOST]) or _NOTHING
            found[row] = self._table.scales[tokens] @ self._table.numbers[tokens].astype(np.float32)
        return unit(found, len(texts), self.dimension, "the static table")

    def query(self, text: str) -> Vector:
        return self.passages([text])[0]

    def close(self) -> None:
        """Nothing is held but memory."""
