"""The default embedder: a text is the mean of its tokens' rows in a table that ships. Offline."""

from __future__ import annotations

import hashlib
import mmap
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from memlane.embed.embedder import EmbedderError
from memlane.embed.models import tagged
from memlane.embed.vectors import unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memlane.embed.embedder import Vector

TABLE = Path(__file__).with_name("wordllama-l2.table")
SHA256 = "960b0a22223d66f61521a0b091a1807826788824d43ba5adbcdd5be2fc3fc22f"
_MOST = 1 << 14  # characters of one text that are read: the mean of more says less
_NOTHING = [0]  # what a text without words has instead: the table's own "unknown"


class StaticEmbedder:
    def __init__(self, dimension: int = 0) -> None:
        self._table = opened(TABLE, SHA256)
        whole = self._table.numbers.shape[1]
        if not 0 <= dimension <= whole:
            raise EmbedderError(
                f"the static table has {whole} numbers, not {dimension}", "lane config set embed.dimension 0"
            )
        self.dimension = dimension or whole
        self.tag = tagged(f"{self._table.name}-{SHA256[:8]}", self.dimension)
        self._pieces = TokenPieces(self._table.tokens)

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


_ALIGNED = 64


class _TableHeader(msgspec.Struct, frozen=True):
    name: str
    tokens: int
    dimension: int
    text: int  # bytes of all tokens


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Token → number, and what each number means: `scales[n] * numbers[n]`."""

    name: str
    sha256: str
    tokens: dict[str, int]
    scales: NDArray[np.float32]
    numbers: NDArray[np.int8]


@lru_cache(1)
def opened(path: Path, sha256: str) -> TokenTable:
    """The table at this place, if it is the one it should be, byte for byte. Once in a process: Lanes share it."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hashlib.sha256(mapped).hexdigest() != sha256:
        raise EmbedderError(f"{path} is damaged", "reinstall memlane")
    begins = mapped.find(b"\n") + 1
    facts = msgspec.json.decode(mapped[:begins], type=_TableHeader)
    words = mapped[begins : begins + facts.text].decode().split("\n")
    at = -(-(begins + facts.text) // _ALIGNED) * _ALIGNED
    scales = np.frombuffer(mapped, np.dtype("<f4"), facts.tokens, at)
    numbers = np.frombuffer(mapped, np.int8, facts.tokens * facts.dimension, at + scales.nbytes)
    known = dict(zip(words, range(facts.tokens), strict=True))
    return TokenTable(facts.name, sha256, known, scales, numbers.reshape(facts.tokens, facts.dimension))


_SPACE = "▁"  # how the table writes the space before a word
_RUN = 32  # letters: merging costs their square, and what is longer is no word
_PIECES = re.compile(rf" ?[^\W\d_]{{1,{_RUN}}}|\d|[^\x00-\x7f\w\s]{{1,{_RUN}}}")
_NONE = 1 << 30  # no token
_REMEMBERED = 1 << 16  # pieces, some 10 MB; forgotten together, for they come back at once


class TokenPieces(dict[str, tuple[int, ...]]):
    """Piece → its tokens, worked out when first asked for."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def tokens(self, text: str) -> list[int]:
        return [token for piece in _PIECES.findall(" " + text) for token in self[piece]]

    def __missing__(self, piece: str) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        merged = self._merged(list(piece.replace(" ", _SPACE)))
        self[piece] = found = tuple(number for part in merged for number in self._numbered(part))
        return found

    def _merged(self, parts: list[str]) -> list[str]:
        """The two neighbours that make the lowest numbered token become one, until no two make any."""
        numbers = self._numbers
        while len(parts) > 1:
            pairs = [numbers.get(left + right, _NONE) for left, right in pairwise(parts)]
            best = min(pairs)
            if best == _NONE:
                break
            at = pairs.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return parts

    def _numbered(self, part: str) -> list[int]:
        """A character the table does not have is its bytes."""
        if part in self._numbers:
            return [self._numbers[part]]
        return [self._numbers[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "replace")]
