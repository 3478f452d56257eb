"""The Cues of Memories, each a row of octets, all of one owner by one model kept in mind. Loads numpy.

It knows Memories by their place in a `MemoryMatrix` alone: neither who they are nor who may read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memlane.domain import MOST_CUES, CueMatch
from memlane.storage.vectors import WORD, Floats, Octets, Words, hamming, likeness, longer, signs_of, smallest

FREE = -1  # the place of a row that is nobody's any more
EXACT = 20_000  # rows that are all scored
GENEROUS = 4_000  # rows that the bits choose at least
SHELF = 1 << 15  # rows that stand together: one more never moves those that are there
PIECE = 1_024  # rows scored at once: what stays in the processor's cache

Places = NDArray[np.intp]


class CueMatrix:
    """The rows of one Memory stand side by side."""

    def __init__(self) -> None:
        self._count = 0
        self._shelves: list[Octets] = []
        self._bits: list[Words] = []
        self._lengths = np.empty(0, np.float32)
        self._owners = np.empty(0, np.int32)
        self._rows_of: dict[int, tuple[int, int]] = {}  # place of a Memory → its first row, and behind its last
        self._spare: dict[int, list[int]] = {}  # how many together → where nobody's begin

    def take(self, found: Sequence[tuple[int, bytes | None]], dimension: int) -> None:
        """The Cues of the Memories in these places; None: it has none."""
        for place, octets in found:
            if not octets:
                self._free(place)
        given = [(place, octets) for place, octets in found if octets]
        if given:
            rows = np.frombuffer(b"".join(octets for _place, octets in given), np.int8).reshape(-1, dimension)
            at = np.concatenate([self._room(place, len(octets) // dimension) for place, octets in given])
            self._make_room(dimension)
            self._lengths[at] = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float32))
            self._put(at, rows)

    def nearest(self, passing: NDArray[np.bool_], wanted: Floats, limit: int) -> Mapping[int, float]:
        """Places of Memories and the cosine of the best Cue of each: `limit` of them, and all as near as the last one.
        `passing`: whether each place counts."""
        there = np.append(passing, False)  # where a free row looks
        rows = self._chosen(np.flatnonzero(there[self._owners[: self._count]]), wanted, limit)
        scores = self._scored(rows, wanted)
        if len(rows) > (most := limit * MOST_CUES):
            stay = scores >= np.partition(scores, -most)[-most]
            rows, scores = rows[stay], scores[stay]
        best = dict[int, float]()
        for place, score in zip(self._owners[rows].tolist(), scores.tolist(), strict=True):
            best[place] = max(score, best.get(place, score))
        last = sorted(best.values(), reverse=True)[:limit][-1:]
        return {place: score for place, score in best.items() if score >= last[0]}

    def best_of(self, places: Sequence[int], wanted: Floats) -> Mapping[int, CueMatch]:
        """Which Cue of each is nearest; of those without Cues nothing."""
        found = dict[int, CueMatch]()
        for place in places:
            if place in self._rows_of:
                scores = self._scored(np.arange(*self._rows_of[place]), wanted)
                number = int(scores.argmax())
                found[place] = CueMatch(number, float(scores[number]))
        return found

    def _chosen(self, rows: Places, wanted: Floats, limit: int) -> Places:
        """By their bits, where they are many."""
        if len(rows) <= EXACT:
            return rows
        bits = signs_of(wanted.reshape(1, -1))[:, 0]
        distance = np.concatenate([hamming(shelf, bits) for shelf in self._bits])[: self._count]
        return rows[smallest(distance[rows], max(GENEROUS, 8 * limit))]

    def _scored(self, rows: Places, wanted: Floats) -> Floats:
        """Of rows in order."""
        scores = np.empty(len(rows), np.float32)
        for number, some in self._by_shelf(rows):
            for start in range(some.start, some.stop, PIECE):
                part = slice(start, min(start + PIECE, some.stop))
                octets = self._shelves[number][rows[part] - number * SHELF]
                scores[part] = likeness(octets.astype(np.float32), wanted) / self._lengths[rows[part]]
        return scores

    def _put(self, at: Places, rows: Octets) -> None:
        order = np.argsort(at, kind="stable")
        at, rows = at[order], rows[order]
        for number, some in self._by_shelf(at):
            there = at[some] - number * SHELF
            self._shelves[number][there] = rows[some]
            self._bits[number][:, there] = signs_of(rows[some])

    def _by_shelf(self, rows: Places) -> Iterator[tuple[int, slice]]:
        """Which of these rows, which are in order, stand on each."""
        edges = np.searchsorted(rows, np.arange(len(self._shelves) + 1) * SHELF).tolist()
        return ((n, slice(edges[n], edges[n + 1])) for n in range(len(self._shelves)) if edges[n] < edges[n + 1])

    def _room(self, place: int, count: int) -> Places:
        """Rows for so many: those it has, if they are as many."""
        first, behind = self._rows_of.get(place, (0, 0))
        if behind - first != count:
            self._free(place)
            first = self._begin(count)
            behind = first + count
            self._rows_of[place] = first, behind
            self._owners[first:behind] = place
        return np.arange(first, behind)

    def _begin(self, count: int) -> int:
        if spare := self._spare.get(count):
            return spare.pop()
        first, self._count = self._count, self._count + count
        if self._count > len(self._owners):
            self._owners = longer(self._owners, self._count + self._count // 4 + PIECE)
        return first

    def _free(self, place: int) -> None:
        if place in self._rows_of:
            first, behind = self._rows_of.pop(place)
            self._owners[first:behind] = FREE
            self._spare.setdefault(behind - first, []).append(first)

    def _make_room(self, dimension: int) -> None:
        if len(self._lengths) < len(self._owners):
            self._lengths = longer(self._lengths, len(self._owners))
        while len(self._shelves) * SHELF < self._count:
            self._shelves.append(np.empty((SHELF, dimension), np.int8))
            self._bits.append(np.zeros((-(-dimension // WORD), SHELF), np.uint64))
