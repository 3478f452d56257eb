"""Logistic regression in plain numpy: dense or sparse rows, weights on each, a ridge on all but the intercept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_POWER_STEPS = 30


class Rows(Protocol):
    """What is needed of a matrix."""

    @property
    def shape(self) -> tuple[int, int]: ...
    def times(self, column: Numbers) -> Numbers: ...
    def transposed_times(self, column: Numbers) -> Numbers: ...
    def taken(self, rows: NDArray[np.int64]) -> Rows: ...


@dataclass(frozen=True, slots=True)
class Dense:
    values: Numbers

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    def times(self, column: Numbers) -> Numbers:
        return self.values @ column

    def transposed_times(self, column: Numbers) -> Numbers:
        return self.values.T @ column

    def taken(self, rows: NDArray[np.int64]) -> Dense:
        return Dense(self.values[rows])


@dataclass(frozen=True, slots=True)
class Sparse:
    """Row, place and value of everything that is not zero."""

    row: NDArray[np.int64]
    place: NDArray[np.int64]
    value: Numbers
    shape: tuple[int, int]

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, float]], width: int) -> Sparse:
        row = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
        place = np.fromiter((p for each in rows for p in each), np.int64, len(row))
        value = np.fromiter((v for each in rows for v in each.values()), np.float64, len(row))
        return cls(row, place, value, (len(rows), width))

    def times(self, column: Numbers) -> Numbers:
        return np.bincount(self.row, self.value * column[self.place], self.shape[0]).astype(np.float64)

    def transposed_times(self, column: Numbers) -> Numbers:
        return np.bincount(self.place, self.value * column[self.row], self.shape[1]).astype(np.float64)

    def taken(self, rows: NDArray[np.int64]) -> Sparse:
        new = np.full(self.shape[0], -1)
        new[rows] = np.arange(len(rows))
        kept = new[self.row] >= 0
        return Sparse(new[self.row[kept]], self.place[kept], self.value[kept], (len(rows), self.shape[1]))


@dataclass(frozen=True, slots=True)
class Line:
    """What was fitted: log-odds are `rows @ slope + base`."""

    slope: Numbers
    base: float

    def of(self, rows: Rows) -> Numbers:
        return rows.times(self.slope) + self.base


def fit(rows: Rows, wanted: Numbers, weights: Numbers, strength: float, steps: int = 300) -> Line:
    """The same minimum as the usual `C`: half the squared slope plus `strength` times the weighted loss."""
    weights = weights * strength
    pace = 1 / (_curvature(rows, weights) + 1)
    slope = last_slope = np.zeros(rows.shape[1])
    share = float(np.clip(np.average(wanted, weights=weights), 1e-3, 1 - 1e-3))
    base = last_base = float(np.log(share / (1 - share)))
    momentum = 1.0
    for _ in range(steps):
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = (momentum - 1) / following
        at, at_base = slope + ahead * (slope - last_slope), base + ahead * (base - last_base)
        off = weights * (sigmoid(rows.times(at) + at_base) - wanted)
        down, down_base = rows.transposed_times(off) + at, float(off.sum())
        last_slope, last_base = slope, base
        slope, base = at - pace * down, at_base - pace * down_base
        uphill = down @ (slope - last_slope) + down_base * (base - last_base) > 0
        momentum = 1.0 if uphill else following
    return Line(slope, base)


def sigmoid(odds: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-np.clip(odds, -40, 40)))


def _curvature(rows: Rows, weights: Numbers) -> float:
    """The largest curvature of the loss, intercept included, by power iteration."""
    side, up = np.ones(rows.shape[1]) / np.sqrt(rows.shape[1]), 1.0
    length = 1.0
    for _ in range(_POWER_STEPS):
        across = weights * (rows.times(side) + up) / 4
        side, up = rows.transposed_times(across), float(across.sum())
        length = float(np.sqrt(side @ side + up**2)) or 1.0
        side, up = side / length, up / length
    return 1.05 * length
