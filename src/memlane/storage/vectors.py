"""What both engines work out about vectors, so that it is the same number in both. Loads numpy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from memlane.domain import Scope, State
from memlane.errors import LaneError
from memlane.storage.memory_lookup import WIDER, place_of

Floats = NDArray[np.float32]
Words = NDArray[np.uint64]
SAMPLE = 1 << 14  # of the distances, to see how they are spread
FAR = (1 << 16) - 1  # as far as none is
BLOCK = 1 << 15  # rows compared at once: what stays in the processor's cache


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


NOWHERE = -1  # the state of one whose vector does not count: asked for by nobody
_NUMBERS = {state.value: number for number, state in enumerate(State)}

EXACT = 20_000  # Memories that are all scored
GENEROUS = 2_000  # rows that the bits choose at least
AT_ONCE = 4_096  # rows read or turned into bits together
WORD = 64  # bits

Number = TypeVar("Number", bound=np.generic)
Rows = NDArray[np.floating]
MatrixRow = tuple[str, str, str, bytes | None]  # Memory, state, the place it holds in, halves


def halves_of(model: str, vectors: Floats, count: int, known: int) -> list[bytes]:
    """As they rest. `known`: bytes of another one of this model, 0 if there is none."""
    halves = of_length_one(vectors, count).astype("<f2")
    if known and known != 2 * halves.shape[1]:
        raise LaneError(
            f"{model} gave {halves.shape[1]} numbers, its other vectors have {known // 2}",
            hint="another model, or the same at another size, needs a tag of its own",
        )
    return [row.tobytes() for row in halves]


def whole(halves: bytes) -> Floats:
    """One vector, as it rests, in single precision."""
    return np.frombuffer(halves, "<f2").astype(np.float32)


class MemoryMatrix:
    """Those that were found up to a tick of the clock; `take` brings in what changed since."""

    def __init__(self) -> None:
        self.tick = 0
        self._places: dict[str, int] = {}
        self._ids: list[str] = []
        self._states = np.empty(0, np.int8)
        self._numbers = {WIDER: 0}  # of projects
        self._projects = np.empty(0, np.int32)
        self._rows: Rows = np.empty((0, 0), np.float32)
        self._bits: Words | None = None  # of so many that they choose

    def take(self, found: Sequence[MatrixRow], tick: int | None = None) -> None:
        """`tick`: with these, everything up to it is known."""
        for id, _state, _project, halves in found:
            if halves is None and id in self._places:
                self._states[self._places[id]] = NOWHERE
        there = [(id, state, project, halves) for id, state, project, halves in found if halves is not None]
        if there:
            rows = np.frombuffer(b"".join(halves for *_others, halves in there), "<f2").reshape(len(there), -1)
            places = [self._place(id) for id, *_others in there]
            self._make_room(rows.shape[1])
            self._rows[places] = rows
            self._states[places] = [_NUMBERS[state] for _id, state, _project, _halves in there]
            self._projects[places] = [self._number(project) for _id, _state, project, _halves in there]
            self._sign(places)
        self.tick = self.tick if tick is None else tick

    def nearest(
        self,
        vector: Floats,
        states: Sequence[State],
        limit: int,
        here: str | None = None,
        only: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Ids and cosines, nearest first; of those equally near the one whose id comes first. `only`: of these."""
        wanted = of_length_one(np.asarray(vector, np.float32).reshape(1, -1), 1)[0]
        count = len(self._ids)
        if not count or limit <= 0:
            return []
        if len(wanted) != self._rows.shape[1]:
            raise LaneError(
                f"a vector of {len(wanted)} numbers among those of {self._rows.shape[1]}",
                hint="the model that asks must be the one that was asked before",
            )
        wanted_states = np.zeros(len(_NUMBERS) + 1, np.bool_)
        wanted_states[[_NUMBERS[state.value] for state in states]] = True
        passing = np.flatnonzero(wanted_states[self._states[:count]] & self._passing(count, here, only))
        passing = self._chosen(passing, wanted, limit)
        scores = self._scored(passing, wanted)
        if len(passing) > limit:
            stay = scores >= np.partition(scores, -limit)[-limit]
            passing, scores = passing[stay], scores[stay]
        places = cast("list[int]", passing.tolist())
        found = [(self._ids[place], float(score)) for place, score in zip(places, scores, strict=True)]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]

    def _chosen(self, passing: NDArray[np.intp], wanted: Floats, limit: int) -> NDArray[np.intp]:
        """By their bits, where they are many."""
        if self._bits is None or len(passing) <= (most := max(GENEROUS, 8 * limit)):
            return passing
        distance = hamming(self._bits[:, : len(self._ids)], signs_of(wanted.reshape(1, -1))[:, 0])
        return passing[smallest(distance if len(passing) == len(distance) else distance[passing], most)]

    def _scored(self, passing: NDArray[np.intp], wanted: Floats) -> Floats:
        if self._bits is None and len(passing) >= len(self._ids) // 2:
            return likeness(self._rows[: len(self._ids)].astype(np.float32, copy=False), wanted)[passing]
        return likeness(self._rows[passing].astype(np.float32, copy=False), wanted)

    def _passing(self, count: int, here: str | None, only: Collection[str] | None) -> NDArray[np.bool_]:
        passing = np.ones(count, np.bool_)
        if here is not None:
            mine = self._numbers.get(place_of(Scope.PROJECT.value, here), NOWHERE)
            passing &= (self._projects[:count] == 0) | (self._projects[:count] == mine)
        if only is not None:
            among = np.zeros(count, np.bool_)
            among[[self._places[id] for id in only if id in self._places]] = True
            passing &= among
        return passing

    def _number(self, project: str) -> int:
        return self._numbers.setdefault(project, len(self._numbers))

    def _place(self, id: str) -> int:
        if id not in self._places:
            self._places[id] = len(self._ids)
            self._ids.append(id)
        return self._places[id]

    def _make_room(self, dimension: int) -> None:
        """A quarter more than there are, so that one more is seldom a copy of all. What is not used costs nothing."""
        if (needed := len(self._ids)) > len(self._states):
            room = needed + needed // 4 + 64
            kept = self._rows.reshape(-1, dimension)
            self._rows = _longer(kept.astype(np.float16, copy=False) if needed > EXACT else kept, room)
            self._bits = None if self._bits is None else _longer(self._bits.T, room).T.copy()
            self._states = _longer(self._states, room)
            self._projects = _longer(self._projects, room)

    def _sign(self, places: Sequence[int]) -> None:
        """The bits of these; of all, where they have become many."""
        count = len(self._ids)
        if self._rows.dtype == np.float32:
            return
        if self._bits is None:
            self._bits = np.zeros((-(-self._rows.shape[1] // WORD), len(self._rows)), np.uint64)
            for start in range(0, count, AT_ONCE):
                stop = min(start + AT_ONCE, count)
                self._bits[:, start:stop] = signs_of(self._rows[start:stop])
        else:
            self._bits[:, places] = signs_of(self._rows[places])


def signs_of(rows: Rows) -> Words:
    """One bit for each number: a column of words for each row."""
    packed = np.packbits(rows > 0, axis=1)
    words = np.zeros((len(rows), -(-rows.shape[1] // WORD) * WORD // 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64).T


def _longer(old: NDArray[Number], room: int) -> NDArray[Number]:
    made = np.empty((room, *old.shape[1:]), old.dtype)
    made[: len(old)] = old
    return made
