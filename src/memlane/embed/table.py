"""The file of a token table: a line of facts, a token in each line, then a scale and whole numbers for every token.

Mapped, not read: a question touches the few rows of its own words. Written by `python -m tools.static_table`.
"""

from __future__ import annotations

import hashlib
import mmap
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from memlane.embed.embedder import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ALIGNED = 64


class _Facts(msgspec.Struct, frozen=True):
    name: str
    tokens: int
    dimension: int
    text: int  # bytes of all tokens


@dataclass(frozen=True, slots=True)
class Table:
    """Token → number, and what each number means: `scales[n] * numbers[n]`."""

    name: str
    sha256: str
    tokens: dict[str, int]
    scales: NDArray[np.float32]
    numbers: NDArray[np.int8]


@lru_cache(1)
def opened(path: Path, sha256: str) -> Table:
    """The table at this place, if it is the one it should be, byte for byte. Once in a process: Lanes share it."""
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hashlib.sha256(mapped).hexdigest() != sha256:
        raise EmbedderError(f"{path} is not as it was made", "install memlane again")
    begins = mapped.find(b"\n") + 1
    facts = msgspec.json.decode(mapped[:begins], type=_Facts)
    words = mapped[begins : begins + facts.text].decode().split("\n")
    at = -(-(begins + facts.text) // _ALIGNED) * _ALIGNED
    scales = np.frombuffer(mapped, np.dtype("<f4"), facts.tokens, at)
    numbers = np.frombuffer(mapped, np.int8, facts.tokens * facts.dimension, at + scales.nbytes)
    known = dict(zip(words, range(facts.tokens), strict=True))
    return Table(facts.name, sha256, known, scales, numbers.reshape(facts.tokens, facts.dimension))
