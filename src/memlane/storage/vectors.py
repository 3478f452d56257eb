"""What both engines work out about vectors, so that it is the same number in both. Loads numpy."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memlane.errors import LaneError

Floats = NDArray[np.float32]
Words = NDArray[np.uint64]
Octets = NDArray[np.int8]
Rows = NDArray[np.floating] | Octets
Number = TypeVar("Number", bound=np.generic)
SAMPLE = 1 << 14  # of the distances, to see how they are spread
FAR = (1 << 16) - 1  # as far as none is
BLOCK = 1 << 15  # rows compared at once: what stays in the processor's cache
AT_ONCE = 4_096  # rows read or turned into bits together
WORD = 64  # bits
FULL = 127  # the largest number of a vector, as an octet


def likeness(rows: Floats, vector: Floats) -> Floats:
    """Not as a product of matrices: that would wake a thread for each processor, and they wait by spinning."""
    return np.einsum("ij,j->i", rows, vector)


def of_length_one(vectors: Floats, count: int) -> Floats:
    """Every number a number, one row for each."""
    given = np.asarray(vectors, np.float32)
    if given.ndim != 2 or len(given) != count or given.shape[1] == 0:
        raise LaneError(f"{count} texts, and vectors of shape {given.shape}", hint="one row of numbers for each text")
    lengths = np.linalg.norm(given.astype(np.float64), axis=1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise LaneError("a vector has length zero", hint="is the model healthy? nothing was changed")
    return (given / lengths[:, None]).astype(np.float32)


def hamming(bits: Words, wanted: Words) -> NDArray[np.uint16]:
    """In how many bits each differs: a row for each word of them."""
    distance = np.zeros(bits.shape[1], np.uint16)
    for start in range(0, len(distance), BLOCK):
        part = distance[start : start + BLOCK]
        for column, word in zip(bits, wanted, strict=True):
            part += np.bitwise_count(column[start : start + BLOCK] ^ word)
    return distance


def smallest(distance: NDArray[np.uint16], count: int) -> NDArray[np.intp]:
    """Places of the smallest, at least this many, and all that are as small as the last of them.

    How small that is, some of them tell roughly; counting all of them at once would take three times as long.
    """
    some = distance[:: max(1, len(distance) // SAMPLE)]
    reached = int(np.partition(some, at)[at]) if (at := len(some) * count // max(1, len(distance))) < len(some) else FAR
    while reached < FAR and np.count_nonzero(distance <= reached) < count:
        reached += 1
    while reached > 0 and np.count_nonzero(distance < reached) >= count:
        reached -= 1
    return np.flatnonzero(distance <= reached)


def halves_of(model: str, vectors: Floats, count: int, known: int) -> list[bytes]:
    """As they rest. `known`: numbers in another one of this model, 0 if there is none."""
    halves = _of_the_same_size(model, of_length_one(vectors, count), known).astype("<f2")
    return [row.tobytes() for row in halves]


def octets_of(model: str, vectors: Floats, count: int, known: int) -> Octets:
    """A byte for each number, as exact as a byte can be: a cosine moves by half a thousandth."""
    rows = _of_the_same_size(model, of_length_one(vectors, count), known)
    return np.rint(rows * (FULL / np.abs(rows).max(axis=1, keepdims=True))).astype(np.int8)


def _of_the_same_size(model: str, rows: Floats, known: int) -> Floats:
    if known and known != rows.shape[1]:
        raise LaneError(
            f"{model} gave {rows.shape[1]} numbers, its other vectors have {known}",
            hint="another model, or the same at another size, needs a tag of its own",
        )
    return rows


def whole(halves: bytes) -> Floats:
    """One vector, as it rests, in single precision."""
    return np.frombuffer(halves, "<f2").astype(np.float32)


def signs_of(rows: Rows) -> Words:
    """One bit for each number: a column of words for each row."""
    packed = np.packbits(rows > 0, axis=1)
    words = np.zeros((len(rows), -(-rows.shape[1] // WORD) * WORD // 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64).T


def longer(old: NDArray[Number], room: int) -> NDArray[Number]:
    made = np.empty((room, *old.shape[1:]), old.dtype)
    made[: len(old)] = old
    return made
