"""The file of an encoder: a line of facts, a word piece in each line, then matrices as whole numbers with their scales.

It rests as int8 and is unpacked into single precision when it is opened. Written by `python -m training.pack`.
"""

from __future__ import annotations

import hashlib
import mmap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from memlane.embed.embedder import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIGNED = 64


class Tensor(msgspec.Struct, frozen=True):
    """One array of the file, and where it begins behind the word pieces."""

    name: str
    kind: str  # numpy's: |i1, <f4
    shape: tuple[int, ...]
    at: int


class WeightsHeader(msgspec.Struct, frozen=True):
    """The last four are a second look's: so many layers of which encoder, by its digest, stand before it, and how many
    tokens of a prompt and of a note it reads."""

    name: str
    layers: int
    text: int  # bytes of all word pieces
    tensors: tuple[Tensor, ...]
    apart: int = 0
    behind: str = ""
    asked: int = 0
    noted: int = 0


@dataclass(frozen=True, slots=True)
class EncoderWeights:
    """By name. A matrix `x` of whole numbers has `x.scale` beside it."""

    facts: WeightsHeader
    pieces: list[str]
    arrays: dict[str, NDArray[Any]]

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def layers(self) -> int:
        return self.facts.layers

    def whole(self, name: str) -> NDArray[np.float32]:
        numbers = self.arrays[name]
        return numbers * self.arrays[f"{name}.scale"] if numbers.dtype == np.int8 else numbers


def opened(path: Path, sha256: str) -> EncoderWeights:
    """Those at this place, if they are what they should be, byte for byte."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise EmbedderError(f"the encoder {path.name} is missing ({error})", "reinstall memlane") from error
    if hashlib.sha256(mapped).hexdigest() != sha256:
        raise EmbedderError(f"{path} is damaged", "reinstall memlane")
    begins = mapped.find(b"\n") + 1
    facts = msgspec.json.decode(mapped[:begins], type=WeightsHeader)
    pieces = mapped[begins : begins + facts.text].decode().split("\n")
    base = aligned(begins + facts.text)
    arrays = {
        one.name: np.frombuffer(mapped, np.dtype(one.kind), int(np.prod(one.shape)), base + one.at).reshape(one.shape)
        for one in facts.tensors
    }
    return EncoderWeights(facts, pieces, arrays)


def aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED
