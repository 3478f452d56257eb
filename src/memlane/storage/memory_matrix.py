"""What Memories mean, all of one owner by one model kept in mind: the same in both engines. Loads numpy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.domain import CueMatch, Scope, State
from memlane.errors import LaneError
from memlane.storage.cue_matrix import CueMatrix
from memlane.storage.memory_lookup import WIDER, place_of
from memlane.storage.vectors import (
    AT_ONCE,
    WORD,
    Floats,
    Words,
    hamming,
    likeness,
    longer,
    of_length_one,
    signs_of,
    smallest,
)

NOWHERE = -1  # the state of one whose vector does not count: asked for by nobody
_NUMBERS = {state.value: number for number, state in enumerate(State)}

EXACT = 20_000  # Memories that are all scored
GENEROUS = 2_000  # rows that the bits choose at least

# Memory, state, the place it holds in, halves, octets of its Cues.
MatrixRow = tuple[str, str, str, bytes | None, bytes | None]


class MemoryMatrix:
    """Those that were found up to a tick of the clock; `take` brings in what changed since."""

    def __init__(self) -> None:
        self.tick = 0
        self._places: dict[str, int] = {}
        self._ids: list[str] = []
        self._states = np.empty(0, np.int8)
        self._numbers = {WIDER: 0}  # of projects
        self._projects = np.empty(0, np.int32)
        self._rows: NDArray[np.floating] = np.empty((0, 0), np.float32)
        self._bits: Words | None = None  # of so many that they choose
        self._cues = CueMatrix()

    def take(self, found: Sequence[MatrixRow], tick: int | None = None) -> None:
        """`tick`: with these, everything up to it is known."""
        for id, _state, _project, halves, _cues in found:
            if halves is None and id in self._places:
                self._states[self._places[id]] = NOWHERE
        there = [(id, state, project, halves, cues) for id, state, project, halves, cues in found if halves is not None]
        if there:
            rows = np.frombuffer(b"".join(halves for *_others, halves, _cues in there), "<f2").reshape(len(there), -1)
            places = [self._place(id) for id, *_others in there]
            self._make_room(rows.shape[1])
            self._rows[places] = rows
            self._states[places] = [_NUMBERS[one[1]] for one in there]
            self._projects[places] = [self._number(one[2]) for one in there]
            self._sign(places)
            self._cues.take([(place, one[4]) for place, one in zip(places, there, strict=True)], rows.shape[1])
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
        wanted = self._asked(vector)
        if not self._ids or limit <= 0:
            return []
        return self._nearest(self._passing(states, here, only), wanted, limit)

    def nearest_with_cues(
        self,
        vector: Floats,
        states: Sequence[State],
        limit: int,
        here: str | None = None,
        only: Collection[str] | None = None,
    ) -> list[tuple[str, float, CueMatch | None]]:
        """The nearest by what they say and the nearest by a Cue, `limit` of each: ids, cosines of what they say, and
        the best Cue. In the order of `nearest`."""
        wanted = self._asked(vector)
        if not self._ids or limit <= 0:
            return []
        passing = self._passing(states, here, only)
        by_note = {self._places[id] for id, _likeness in self._nearest(passing, wanted, limit)}
        by_cue = self._in_order(self._cues.nearest(passing, wanted, limit).items())[:limit]
        places = sorted(by_note | {self._places[id] for id, _likeness in by_cue})
        best = self._cues.best_of(places, wanted)
        scores = self._scored(np.array(places, np.intp), wanted)
        found = self._in_order(zip(places, scores.tolist(), strict=True))
        return [(id, likeness, best.get(self._places[id])) for id, likeness in found]

    def _asked(self, vector: Floats) -> Floats:
        wanted = of_length_one(np.asarray(vector, np.float32).reshape(1, -1), 1)[0]
        if self._ids and len(wanted) != self._rows.shape[1]:
            raise LaneError(
                f"a vector of {len(wanted)} numbers among those of {self._rows.shape[1]}",
                hint="the model that asks must be the one that was asked before",
            )
        return wanted

    def _nearest(self, passes: NDArray[np.bool_], wanted: Floats, limit: int) -> list[tuple[str, float]]:
        passing = self._chosen(np.flatnonzero(passes), wanted, limit)
        scores = self._scored(passing, wanted)
        if len(passing) > limit:
            stay = scores >= np.partition(scores, -limit)[-limit]
            passing, scores = passing[stay], scores[stay]
        places = cast("list[int]", passing.tolist())
        return self._in_order(zip(places, scores.tolist(), strict=True))[:limit]

    def _in_order(self, found: Iterable[tuple[int, float]]) -> list[tuple[str, float]]:
        return sorted(((self._ids[place], score) for place, score in found), key=lambda one: (-one[1], one[0]))

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

    def _passing(self, states: Sequence[State], here: str | None, only: Collection[str] | None) -> NDArray[np.bool_]:
        """Whether each place is asked for."""
        count = len(self._ids)
        wanted = np.zeros(len(_NUMBERS) + 1, np.bool_)
        wanted[[_NUMBERS[state.value] for state in states]] = True
        passing = wanted[self._states[:count]]
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
            self._rows = longer(kept.astype(np.float16, copy=False) if needed > EXACT else kept, room)
            self._bits = None if self._bits is None else longer(self._bits.T, room).T.copy()
            self._states = longer(self._states, room)
            self._projects = longer(self._projects, room)

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
