"""The encoder that ships with memlane: all-MiniLM-L6-v2, tuned to know which memory a later prompt needs.

docs/models/recall-encoder.md says how it was made and what it is worth; THIRD_PARTY.md where it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.check import unit
from memlane.embed.embedder import EmbedderError
from memlane.embed.encoder.layers import unpacked
from memlane.embed.encoder.weights import opened
from memlane.embed.encoder.wordpiece import WordPiece
from memlane.embed.known import tagged
from memlane.embed.shipped import SHA256, WEIGHTS

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector

MOST_TOKENS = 256  # of one text
MOST_ASKED = 96  # of a prompt: somebody waits
ASKED_LATELY = 4  # prompts whose states are at hand for who reads on from there
_CHARACTERS = 16  # for each token, at most: no need to cut a whole book into pieces


class Tuned:
    def __init__(self, path: Path = WEIGHTS, sha256: str = SHA256, dimension: int = 0) -> None:
        weights = opened(path, sha256)
        self._pieces = WordPiece(weights.pieces)
        self._layers = unpacked(weights)
        self.dimension = self._layers.places.shape[1]
        if dimension not in (0, self.dimension):
            raise EmbedderError(f"{weights.name} gives {self.dimension} numbers, not {dimension}")
        self.tag = tagged(f"{weights.name}-{sha256[:8]}", self.dimension)
        self.sha256 = sha256
        self._name = weights.name
        self._half_way = 0
        self._lately: dict[tuple[int, ...], Vector] = {}

    def remember(self, layers: int) -> None:
        """From now on prompts are also kept as they are after so many layers, for whoever reads on from there."""
        self._half_way = layers

    def passages(self, texts: Sequence[str]) -> Vector:
        """One text at a time: the same words are the same numbers, whatever stands beside them."""
        found = np.empty((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            found[row] = self._row(text, MOST_TOKENS)
        return unit(found, len(texts), self.dimension, self._name)

    def query(self, text: str) -> Vector:
        tokens = self._tokens(text, MOST_ASKED)
        x = self._layers.states(tokens, self._half_way)
        if self._half_way:
            self._keep(tuple(tokens), x)
        found = self._layers.further(x, self._half_way).mean(axis=0)
        return unit([found], 1, self.dimension, self._name)[0]

    def states(self, text: str, most: int, layers: int) -> Vector:
        """A row for each of its first tokens, after the first layers; of a prompt asked just now they are known."""
        tokens = self._tokens(text, most)
        known = self._lately.get(tuple(tokens)) if layers == self._half_way else None
        return self._layers.states(tokens, layers) if known is None else known

    def _keep(self, tokens: tuple[int, ...], x: Vector) -> None:
        self._lately = dict([*self._lately.items(), (tokens, x)][-ASKED_LATELY:])  # replaced whole: threads share it

    def _row(self, text: str, most: int) -> Vector:
        return self._layers.states(self._tokens(text, most), len(self._layers.layers)).mean(axis=0)

    def _tokens(self, text: str, most: int) -> list[int]:
        return self._pieces.tokens(text[: most * _CHARACTERS], most)

    def close(self) -> None:
        """Nothing is held but memory."""
