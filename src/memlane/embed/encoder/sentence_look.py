"""Layers that read on from the encoder's first ones: how likely is a sentence what they were trained to find?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memlane.embed.embedder import EmbedderError
from memlane.embed.encoder.layers import layers_of, through
from memlane.embed.encoder.weights import opened

if TYPE_CHECKING:
    from memlane.embed.encoder.recall_encoder import TunedEncoder


class SentenceLook:
    def __init__(self, encoder: TunedEncoder, path: Path, sha256: str) -> None:
        weights = opened(path, sha256)
        if weights.facts.behind != encoder.sha256:
            raise EmbedderError(f"{weights.name} reads on from another encoder", "reinstall memlane")
        self._encoder, self._facts = encoder, weights.facts
        self._layers = layers_of(weights)
        self._out, self._bias = weights.arrays["out"], float(weights.arrays["bias"][0])

    def log_odds(self, sentence: str) -> float:
        """By its first token, as it is after the last layer."""
        x = self._encoder.states(sentence, self._facts.asked, self._facts.apart)
        return float(through(self._layers, x)[0] @ self._out) + self._bias
