"""The vectors of one owner's Memories by one model, kept in mind and scored whole: the same numbers in both engines.

They rest in half precision and are kept here in single: numpy takes ten times as long to score halves. Loads numpy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memlane.domain import Scope, State
from memlane.errors import LaneError
from memlane.storage.arithmetic import Floats, likeness, of_length_one

NOWHERE = -1  # the state of one whose vector does not count: asked for by nobody
_NUMBERS = {state.value: number for number, state in enumerate(State)}

Number = TypeVar("Number", np.float32, np.int8, np.int32)
Found = tuple[str, str, str, bytes | None]  # Memory, state, project as below, halves
WIDER = ""  # instead of a project, of what holds everywhere


def project_of(scope: str, key: str) -> str:
    """As SQL writes it in both engines."""
    return f"in {key}" if scope == Scope.PROJECT.value else WIDER


def halves_of(model: str, vectors: Floats, count: int, known: int) -> list[bytes]:
    """As they rest. `known`: bytes of another one of this model, 0 if there is none."""
    halves = of_length_one(vectors, count).astype("<f2")
    if known and known != 2 * halves.shape[1]:
        raise LaneError(
            f"{model} gave {halves.shape[1]} numbers, its other vectors have {known // 2}",
            hint="another model, or the same at another size, needs a tag of its own",
        )
    return [row.tobytes() for row in halves]


class Meanings:
    """Those that were found up to a tick of the clock; `take` brings in what changed since."""

    def __init__(self) -> None:
        self.tick = 0
        self._places: dict[str, int] = {}
        self._ids: list[str] = []
        self._states = np.empty(0, np.int8)
        self._numbers = {WIDER: 0}  # of projects
        self._projects = np.empty(0, np.int32)
        self._rows: Floats = np.empty((0, 0), np.float32)

    def take(self, found: Sequence[Found], tick: int) -> None:
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
        self.tick = tick

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
        scores = likeness(self._rows[passing] if len(passing) < count // 2 else self._rows[:count], wanted)
        scores = scores if len(scores) == len(passing) else scores[passing]
        if len(passing) > limit:
            stay = scores >= np.partition(scores, -limit)[-limit]
            passing, scores = passing[stay], scores[stay]
        found = [(self._ids[place], float(score)) for place, score in zip(passing, scores, strict=True)]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]

    def _passing(self, count: int, here: str | None, only: Collection[str] | None) -> NDArray[np.bool_]:
        passing = np.ones(count, np.bool_)
        if here is not None:
            mine = self._numbers.get(project_of(Scope.PROJECT.value, here), NOWHERE)
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
            self._rows = _longer(self._rows.reshape(-1, dimension), room)
            self._states = _longer(self._states, room)
            self._projects = _longer(self._projects, room)


def _longer(old: NDArray[Number], room: int) -> NDArray[Number]:
    made = np.empty((room, *old.shape[1:]), old.dtype)
    made[: len(old)] = old
    return made
