"""The encoder that ships, all-MiniLM-L6-v2 tuned for recall, and its word pieces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.embedder import EmbedderError
from memlane.embed.encoder.layers import unpacked
from memlane.embed.encoder.weights import opened
from memlane.embed.models import ENCODER_SHA256, ENCODER_WEIGHTS, tagged
from memlane.embed.vectors import unit

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector

MOST_TOKENS = 256  # of one text
MOST_ASKED = 96  # of a prompt: somebody waits
ASKED_LATELY = 4  # prompts whose states are at hand for who reads on from there
_CHARACTERS = 16  # for each token, at most: no need to cut a whole book into pieces


class TunedEncoder:
    def __init__(self, path: Path = ENCODER_WEIGHTS, sha256: str = ENCODER_SHA256, dimension: int = 0) -> None:
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


BEGIN, END, STRANGE = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 100  # characters; what is longer is no word
_REMEMBERED = 1 << 14
_CJK = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002ceaf\U0002f800-\U0002fa1f"
)
_ALONE = re.compile(rf"[{_CJK}]|[!-/:-@\[-`{{-~]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    def __init__(self, pieces: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._begin, self._end, self._strange = (self._numbers[mark] for mark in (BEGIN, END, STRANGE))
        self._cut = lru_cache(_REMEMBERED)(self._cut_anew)

    def tokens(self, text: str, most: int) -> list[int]:
        """At most so many, the first and the last of which say that it begins and ends."""
        found = [self._begin]
        for word in _words(text):
            found += self._cut(word)
            if len(found) >= most:
                break
        return [*found[: most - 1], self._end]

    def _cut_anew(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._strange,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._numbers.get(word[start:end] if not start else f"##{word[start:end]}")
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return (self._strange,)
        return tuple(found)


def _words(text: str) -> list[str]:
    """Cut at spaces, and around everything that is neither letter nor digit."""
    if text.isascii() and text.isprintable():
        return _PLAIN.findall(text.lower())
    seen = "".join(_shown(character) for character in text)
    bare = (c for c in unicodedata.normalize("NFD", seen) if unicodedata.category(c) != "Mn")
    spaced = _ALONE.sub(r" \g<0> ", "".join(bare).lower())
    return "".join(f" {c} " if not c.isascii() and unicodedata.category(c)[0] == "P" else c for c in spaced).split()


def _shown(character: str) -> str:
    if character in "\t\n\r" or character.isspace():
        return " "
    return "" if character in "\x00\ufffd" or unicodedata.category(character)[0] == "C" else character
