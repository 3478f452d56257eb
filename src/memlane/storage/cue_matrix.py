"""The Cues of Memories, all of one owner by one model: a bit for each number is kept in mind. Loads numpy.

The numbers themselves, an octet each, are kept beside the bits while they are few; of many, those of the Memories that
the bits choose are read. It knows Memories by their place in a `MemoryMatrix` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memlane.domain import MOST_CUES, CueMatch
from memlane.storage.vectors import WORD, Floats, Octets, Words, hamming, likeness, longer, signs_of, smallest

FREE = -1  # the place of a row that is nobody's any more
EXACT = 20_000  # rows that are all scored
ROUGHLY = 2_000  # rows that the bits choose at first: those whose signs differ least
GENEROUS = 400  # rows that are left of them at least: those whose signs the question agrees with most
FEW = 10  # times as many rows as are asked for: from there on picking them is quicker than comparing all
SHELF = 1 << 15  # rows that stand together: one more never moves those that are there
PIECE = 1_024  # rows scored at once: what stays in the processor's cache

Places = NDArray[np.intp]
Read = Callable[[Sequence[int]], Mapping[int, bytes]]  # the octets of the Memories in these places


class CueMatrix:
    """The rows of one Memory stand side by side."""

    def __init__(self) -> None:
        self._count = 0
        self._dimension = 0
        self._bits: list[Words] = []
        self._octets: list[Octets] | None = []  # None: there are too many
        self._owners = np.empty(0, np.int32)
        self._first = np.empty(0, np.int32)  # row of the Memory in each place
        self._many = np.empty(0, np.int32)  # rows of it
        self._spare: dict[int, list[int]] = {}  # how many together → where nobody's begin

    def take(self, found: Sequence[tuple[int, bytes | None]], dimension: int) -> None:
        """The Cues of the Memories in these places; None: it has none."""
        self._dimension = dimension
        self._reach(1 + max((place for place, _octets in found), default=0))
        for place, octets in found:
            if not octets:
                self._free(place)
        given = [(place, octets) for place, octets in found if octets]
        if given:
            rows = np.frombuffer(b"".join(octets for _place, octets in given), np.int8).reshape(-1, dimension)
            at = np.concatenate([self._room(place, len(octets) // dimension) for place, octets in given])
            self._make_room()
            self._put(at, rows)

    def nearest(self, passing: NDArray[np.bool_], wanted: Floats, limit: int, read: Read) -> dict[int, CueMatch]:
        """Places of Memories and the best Cue of each: those whose best Cue is nearest, `limit` of them at least.
        `passing`: whether each place counts."""
        there = np.append(passing, False)  # where a free row looks
        rows = self._chosen(np.flatnonzero(there[self._owners[: self._count]]), wanted, limit)
        best = self.best_of(np.unique(self._owners[rows]).tolist(), wanted, read)
        last = sorted((cue.likeness for cue in best.values()), reverse=True)[:limit][-1:]
        return {place: cue for place, cue in best.items() if cue.likeness >= last[0]}

    def best_of(self, places: Sequence[int], wanted: Floats, read: Read) -> dict[int, CueMatch]:
        """Which Cue of each is nearest; of those without Cues nothing."""
        cued = [place for place in places if place < len(self._many) and self._many[place]]
        if self._octets is None:
            octets = read(cued)
            cued = [one for one in cued if len(octets.get(one, b"")) == self._many[one] * self._dimension]
            rows = np.frombuffer(b"".join(octets[place] for place in cued), np.int8).reshape(-1, self._dimension)
            scores = cosines(rows, wanted)
        else:
            scores = self._scored(cued, wanted)
        many = self._many[cued]
        first = np.cumsum(many) - many
        best = np.maximum.reduceat(scores, first) if cued else scores
        at = np.flatnonzero(scores == np.repeat(best, many))
        numbers = at[np.searchsorted(at, first)] - first  # of equal ones the first
        each = zip(cued, numbers.tolist(), best.tolist(), strict=True)
        return {place: CueMatch(number, cosine) for place, number, cosine in each}

    def _chosen(self, rows: Places, wanted: Floats, limit: int) -> Places:
        """By their bits, where they are many."""
        if len(rows) <= (EXACT if self._octets is not None else GENEROUS):
            return rows
        if len(rows) > ROUGHLY:
            rows = rows[smallest(self._distances(rows, signs_of(wanted.reshape(1, -1))[:, 0]), ROUGHLY)]
        agreed, most = self._agreed(rows, wanted), max(GENEROUS, MOST_CUES * limit)
        return rows[agreed >= np.partition(agreed, -most)[-most]] if len(rows) > most else rows

    def _distances(self, rows: Places, bits: Words) -> NDArray[np.uint16]:
        """Of one project among many only its own are taken; to pick most of them would take longer than all."""
        if FEW * len(rows) < self._count:
            return hamming(self._columns(rows), bits)
        return np.concatenate([hamming(shelf, bits) for shelf in self._bits])[: self._count][rows]

    def _columns(self, rows: Places) -> Words:
        return np.concatenate([shelf[:, self._mine(rows, number)] for number, shelf in enumerate(self._bits)], axis=1)

    def _agreed(self, rows: Places, wanted: Floats) -> Floats:
        """How much of the question has the sign of each row: more exact than how many signs differ."""
        octets = np.ascontiguousarray(self._columns(rows).T).view(np.uint8)
        return likeness(np.unpackbits(octets, axis=1)[:, : self._dimension].astype(np.float32), wanted)

    def _mine(self, rows: Places, shelf: int) -> Places:
        """Of rows in order, those that stand on one shelf, as they stand there."""
        start, end = np.searchsorted(rows, (shelf * SHELF, (shelf + 1) * SHELF))
        return rows[start:end] - shelf * SHELF

    def _scored(self, places: Sequence[int], wanted: Floats) -> Floats:
        """All Cues of these, one Memory after the other, from what is in mind."""
        first, many = self._first[places], self._many[places]
        rows: Places = np.repeat(first - np.cumsum(many) + many, many) + np.arange(int(many.sum()))
        scores = np.empty(len(rows), np.float32)
        for number, octets in enumerate(self._octets or ()):
            mine = np.flatnonzero(rows // SHELF == number)
            scores[mine] = cosines(octets[rows[mine] - number * SHELF], wanted)
        return scores

    def _put(self, at: Places, rows: Octets) -> None:
        for number, bits in enumerate(self._bits):
            mine = np.flatnonzero(at // SHELF == number)
            there = at[mine] - number * SHELF
            bits[:, there] = signs_of(rows[mine])
            if self._octets is not None:
                self._octets[number][there] = rows[mine]

    def _room(self, place: int, count: int) -> Places:
        """Rows for so many: those it has, if they are as many."""
        if self._many[place] != count:
            self._free(place)
            self._first[place], self._many[place] = self._begin(count), count
        first = int(self._first[place])
        self._owners[first : first + count] = place
        return np.arange(first, first + count)

    def _begin(self, count: int) -> int:
        if spare := self._spare.get(count):
            return spare.pop()
        first, self._count = self._count, self._count + count
        if self._count > len(self._owners):
            self._owners = longer(self._owners, self._count + self._count // 4 + PIECE)
        return first

    def _free(self, place: int) -> None:
        first, count = int(self._first[place]), int(self._many[place])
        if count:
            self._owners[first : first + count] = FREE
            self._many[place] = 0
            self._spare.setdefault(count, []).append(first)

    def _reach(self, places: int) -> None:
        if (known := len(self._many)) < places:
            room = places + places // 4 + PIECE
            self._first, self._many = longer(self._first, room), longer(self._many, room)
            self._many[known:] = 0

    def _make_room(self) -> None:
        if self._count > EXACT:
            self._octets = None
        while len(self._bits) * SHELF < self._count:
            self._bits.append(np.zeros((-(-self._dimension // WORD), SHELF), np.uint64))
            if self._octets is not None:
                self._octets.append(np.empty((SHELF, self._dimension), np.int8))


def cosines(octets: Octets, wanted: Floats) -> Floats:
    """Of each row with one vector."""
    return np.concatenate([np.empty(0, np.float32), *(_cosines(part, wanted) for part in _pieces(octets))])


def _pieces(octets: Octets) -> Iterator[Octets]:
    return (octets[start : start + PIECE] for start in range(0, len(octets), PIECE))


def _cosines(octets: Octets, wanted: Floats) -> Floats:
    rows = octets.astype(np.float32)
    return likeness(rows, wanted) / np.sqrt(np.einsum("ij,ij->i", rows, rows))
