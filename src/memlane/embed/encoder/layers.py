"""The arithmetic of a BERT, on one text: attention and two matrices, layer by layer, and the mean of what comes out.

Matrices are cut into blocks of 32 or 64 columns: OpenBLAS multiplies a few tokens with a small block without copying
it first, which is twice as quick at the length of a prompt as one large product.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memlane.embed.encoder.weights import EncoderWeights

    Floats = NDArray[np.float32]

_TINY = np.float32(1e-12)
_CUBE, _ROOT, _HALF = np.float32(0.044715), np.float32(0.7978845608), np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Layer:
    """`heads` holds queries, keys and values; what scales the queries is in the weights."""

    heads: Floats  # 3 x heads blocks
    heads_bias: Floats
    mix: Floats
    mix_bias: Floats
    mixed: Floats  # gain and shift
    up: Floats
    up_bias: Floats
    down: Floats  # blocks of rows x blocks of columns
    down_bias: Floats
    done: Floats


@dataclass(frozen=True, slots=True)
class Layers:
    words: NDArray[np.int8]
    scales: Floats
    places: Floats
    norm: Floats
    layers: tuple[Layer, ...]

    def states(self, tokens: list[int], layers: int) -> Floats:
        """A row for each token, as it is after the first `layers`."""
        words = self.words[tokens] * self.scales[tokens]
        return self.further(normal(words + self.places[: len(tokens)], self.norm), 0, layers)

    def further(self, x: Floats, begin: int, end: int | None = None) -> Floats:
        return through(self.layers[begin:end], x)


def through(layers: Iterable[Layer], x: Floats) -> Floats:
    for layer in layers:
        x = normal(x + _attended(x, layer), layer.mixed)
        x = normal(x + _thought(x, layer), layer.done)
    return x


def unpacked(weights: EncoderWeights) -> Layers:
    arrays = weights.arrays
    return Layers(arrays["words"], arrays["words.scale"], arrays["places"], arrays["norm"], layers_of(weights))


def layers_of(weights: EncoderWeights) -> tuple[Layer, ...]:
    return tuple(
        Layer(*(weights.whole(f"{n}.{name}") for name in Layer.__dataclass_fields__)) for n in range(weights.layers)
    )


def _attended(x: Floats, layer: Layer) -> Floats:
    """What each token takes from the others."""
    made = np.matmul(x, layer.heads)
    made += layer.heads_bias
    queries, keys, values = np.split(made, 3)
    shares = np.matmul(queries, keys.transpose(0, 2, 1))
    shares -= shares.max(axis=2, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=2, keepdims=True)
    taken = _side_by_side(np.matmul(shares, values))
    return _side_by_side(np.matmul(taken, layer.mix)) + layer.mix_bias


def _thought(x: Floats, layer: Layer) -> Floats:
    """What each token makes of it."""
    inner = np.matmul(x, layer.up)
    inner += layer.up_bias
    bend(inner)
    rows = layer.down.shape[0]
    pieces = _side_by_side(inner).reshape(len(x), rows, -1).transpose(1, 0, 2)
    whole = np.matmul(pieces[:, np.newaxis], layer.down).sum(axis=0)
    return _side_by_side(whole) + layer.down_bias


def bend(x: Floats) -> None:
    """GELU, by its tangent; in place."""
    bent = x * x
    bent *= _CUBE
    bent += 1
    bent *= x
    bent *= _ROOT
    np.tanh(bent, out=bent)
    bent += 1
    bent *= _HALF
    x *= bent


def _side_by_side(blocks: Floats) -> Floats:
    """(block, token, column) as (token, all columns)."""
    count, tokens, columns = blocks.shape
    return np.ascontiguousarray(blocks.transpose(1, 0, 2)).reshape(tokens, count * columns)


def normal(x: Floats, gain_and_shift: Floats) -> Floats:
    x = x - x.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1])
    x *= (1 / np.sqrt(spread + _TINY))[:, np.newaxis]
    x *= gain_and_shift[0]
    x += gain_and_shift[1]
    return x
