"""How dots come to their places: like ones near each other, none moved later. Pure.

The first ones are laid out together; whoever comes later is put among those it is most like.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from memlane.storage import Vector

TOGETHER = 300  # laid out at once: all pairs are compared in every round
ROUNDS = 80
ALIKE = 6  # neighbours that pull
KEPT = 32  # directions in which meanings differ most; others cost time and move nothing
AMONG = 3  # neighbours between which a new one is put
GOLDEN = math.pi * (3 - math.sqrt(5))
LANDMARKS = 8000  # the first ones: later ones are compared with these alone, or each would cost more than the last
SAMPLED = 2000  # for the directions in which they differ
TRIES = 24  # turns of the spiral in search of room

Spot = tuple[float, float]


def laid_out(names: Sequence[str], vectors: Mapping[str, Vector]) -> Mapping[str, Spot]:
    """Like pulls, all push: some rounds of that, from where the two widest directions put them."""
    if len(names) < 3:
        return {name: (float(n), 0.0) for n, name in enumerate(names)}
    meanings = np.stack([vectors[name] for name in names])
    centred = meanings - meanings.mean(axis=0)
    left, size, _right = np.linalg.svd(centred, full_matrices=False)
    spots = left[:, :2] * size[:2]
    spots = spots / (np.abs(spots).max() or 1.0) * math.sqrt(len(names))
    pull = _pulls(meanings)
    for n in range(ROUNDS):
        apart = spots[:, None, :] - spots[None, :, :]
        far = (apart**2).sum(axis=2) + 0.05
        push = (apart / far[:, :, None]).sum(axis=1)
        draw = (pull[:, :, None] * apart).sum(axis=1)
        move = push - draw * 0.7
        length = np.sqrt((move**2).sum(axis=1, keepdims=True)) + 1e-9
        spots = spots + move / length * np.minimum(length, 0.6 * (1 - n / ROUNDS) + 0.02)
    spots = spots - spots.mean(axis=0)
    spots = spots / (np.quantile(np.sqrt((spots**2).sum(axis=1)), 0.95) or 1.0)
    return {name: (round(float(x), 5), round(float(y), 5)) for name, (x, y) in zip(names, spots, strict=True)}


def _pulls(meanings: Vector) -> Vector:
    """How much each is drawn to each of its nearest, both ways."""
    like = meanings @ meanings.T
    np.fill_diagonal(like, -1.0)
    few = min(ALIKE, len(like) - 1)
    nearest = np.argpartition(-like, few - 1, axis=1)[:, :few]
    pull = np.zeros_like(like)
    rows = np.arange(len(like))[:, None]
    pull[rows, nearest] = np.clip(like[rows, nearest], 0.0, 1.0) ** 2
    return np.maximum(pull, pull.T)


def _widest(sample: Sequence[Vector]) -> Vector:
    """The directions in which they differ most."""
    meanings = np.stack(sample)
    found = np.linalg.svd(meanings - meanings.mean(axis=0), full_matrices=False)[2]
    return cast("Vector", found[: min(KEPT, len(sample))].T)


class Neighbourhood:
    """Puts new ones among those that have a place. None of those moves."""

    def __init__(self, at: Mapping[str, Spot], vectors: Mapping[str, Vector], total: int) -> None:
        known = [name for name in at if name in vectors][:LANDMARKS]
        self._vectors = vectors
        self._axes = _widest([vectors[name] for name in known[:SAMPLED]])
        self._room = 1.6 / math.sqrt(max(16, total))
        self._taken = {self._cell(spot) for spot in at.values()}
        self._matrix = self._reduced(known)
        self._ordered = [at[name] for name in known]

    def put(self, names: Sequence[str]) -> Mapping[str, Spot]:
        fresh = self._reduced(names)
        like = fresh @ self._matrix.T
        few = min(AMONG, like.shape[1])
        found = dict[str, Spot]()
        for name, row in zip(names, like, strict=True):
            best = np.argpartition(-row, few - 1)[:few]
            found[name] = self._spot(name, [(self._ordered[int(n)], float(row[n])) for n in best])
        if len(self._ordered) < LANDMARKS:
            self._matrix = np.concatenate([self._matrix, fresh])
            self._ordered += list(found.values())
        return found

    def _spot(self, name: str, near: Sequence[tuple[Spot, float]]) -> Spot:
        """Between those it is most like, the more so the more it is; then outward to where there is room."""
        weights = [max(0.05, likeness) ** 8 for _spot, likeness in near]
        x = sum(spot[0] * weight for (spot, _l), weight in zip(near, weights, strict=True)) / sum(weights)
        y = sum(spot[1] * weight for (spot, _l), weight in zip(near, weights, strict=True)) / sum(weights)
        turn = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF * 2 * math.pi
        apart = self._room * (0.5 + 2 * (1 - max(likeness for _spot, likeness in near)))
        spot = (x, y)
        for n in range(TRIES):
            out = apart + self._room * 0.5 * math.sqrt(n)
            spot = (round(x + out * math.cos(turn + n * GOLDEN), 5), round(y + out * math.sin(turn + n * GOLDEN), 5))
            if self._cell(spot) not in self._taken:
                break
        self._taken.add(self._cell(spot))
        return spot

    def _cell(self, spot: Spot) -> tuple[int, int]:
        return int(spot[0] // (self._room * 0.6)), int(spot[1] // (self._room * 0.6))

    def _reduced(self, names: Sequence[str]) -> Vector:
        whole = np.stack([self._vectors[name] for name in names])
        few = whole @ self._axes
        return cast("Vector", few / (np.linalg.norm(few, axis=1, keepdims=True) + 1e-9))
