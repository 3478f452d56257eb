"""The arithmetic of the second look: a prompt attends to a note, layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memlane.embed.encoder.layers import bend, normal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memlane.embed.encoder.weights import EncoderWeights

    Floats = NDArray[np.float32]

HEAD = 32  # columns


@dataclass(frozen=True, slots=True)
class CrossLayer:
    """One layer. Matrices as they are multiplied with; `heads` holds queries, keys and values, the queries scaled."""

    heads: Floats
    heads_bias: Floats
    mix: Floats
    mix_bias: Floats
    mixed: Floats  # gain and shift
    up: Floats
    up_bias: Floats
    down: Floats
    down_bias: Floats
    done: Floats


@dataclass(frozen=True, slots=True)
class CrossAttention:
    sides: Floats  # what is added to a prompt's rows, and to a note's
    layers: tuple[CrossLayer, ...]
    out: Floats
    bias: float

    def log_odds(self, prompt: Floats, notes: Sequence[Floats]) -> Floats:
        """For each note. What is given are the states after the encoder's first layers."""
        known = np.concatenate(notes) + self.sides[1]
        lengths = [len(note) for note in notes]
        x = (prompt + self.sides[0])[np.newaxis]
        for layer in self.layers[:-1]:
            x = _read(x, known, lengths, layer, len(prompt))
        x = _read(x, known, lengths, self.layers[-1], 1)
        return x[:, 0] @ self.out + np.float32(self.bias)


def _read(x: Floats, known: Floats, lengths: Sequence[int], layer: CrossLayer, wanted: int) -> Floats:
    """x: for each note the prompt's rows, or one for all before anything is read; the first `wanted` of them go on.
    `known`: the rows of all notes."""
    count, width = len(lengths), x.shape[2]
    queries, own = _made(x[:, :wanted], layer, 0, width), _made(x, layer, width, 3 * width)
    theirs = _made(known[np.newaxis], layer, width, 3 * width)[0]
    taken, begin = np.empty((count, wanted, width), np.float32), 0
    for n, length in enumerate(lengths):
        of = n % len(x)
        _attend(queries[of], own[of], theirs[begin : begin + length], taken[n])
        begin += length
    mixed = np.matmul(taken.reshape(-1, width), layer.mix).reshape(taken.shape)
    mixed += layer.mix_bias
    mixed += x[:, :wanted]
    return _thought(normal(mixed.reshape(-1, width), layer.mixed), layer).reshape(taken.shape)


def _made(x: Floats, layer: CrossLayer, begin: int, end: int) -> Floats:
    """Queries, or keys and values."""
    count, rows, width = x.shape
    made = np.matmul(x.reshape(count * rows, width), layer.heads[:, begin:end])
    made += layer.heads_bias[begin:end]
    return made.reshape(count, rows, end - begin)


def _thought(x: Floats, layer: CrossLayer) -> Floats:
    inner = np.matmul(x, layer.up)
    inner += layer.up_bias
    bend(inner)
    thought = np.matmul(inner, layer.down)
    thought += layer.down_bias
    thought += x
    return normal(thought, layer.done)


def _attend(queries: Floats, own: Floats, note: Floats, taken: Floats) -> None:
    """What these rows of the prompt take from all of its rows and from the note's, into `taken`."""
    rows, width = len(own), taken.shape[1]
    asking = _heads(queries)
    shares = np.empty((len(asking), len(taken), rows + len(note)), np.float32)
    np.matmul(asking, _heads(own[:, :width]).transpose(0, 2, 1), out=shares[:, :, :rows])
    np.matmul(asking, _heads(note[:, :width]).transpose(0, 2, 1), out=shares[:, :, rows:])
    shares -= shares.max(axis=2, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=2, keepdims=True)
    found = np.matmul(shares[:, :, :rows], _heads(own[:, width:]))
    found += np.matmul(shares[:, :, rows:], _heads(note[:, width:]))
    taken[:] = found.transpose(1, 0, 2).reshape(taken.shape)


def _heads(x: Floats) -> Floats:
    """(row, all columns) as (head, row, column)."""
    return x.reshape(len(x), -1, HEAD).transpose(1, 0, 2)


def cross_attention(weights: EncoderWeights) -> CrossAttention:
    layers = tuple(
        CrossLayer(*(weights.whole(f"{n}.{name}") for name in CrossLayer.__dataclass_fields__))
        for n in range(weights.layers)
    )
    arrays = weights.arrays
    return CrossAttention(arrays["sides"], layers, arrays["out"], float(arrays["bias"][0]))
