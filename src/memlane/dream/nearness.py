"""Which Memories are near enough to be compared? Pairs by cosine, within one place. Nearness decides nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memlane.domain import Memory, Reader, State
from memlane.embed import EmbedderError, VectorModel
from memlane.storage import Storage

if TYPE_CHECKING:
    from memlane.storage import Vector

LEAST = 0.25  # cosine: neither paraphrases nor denials are farther apart, and comparing costs time
MOST = 20  # that one is compared with
BATCH = 500  # texts understood together
AT_ONCE = 1024  # rows of the table of cosines

Pair = tuple[str, str, float]


class Nearness:
    """What Memories mean: as it is stored, else worked out here. Without a model nothing is near anything."""

    def __init__(self, model: VectorModel | None, storage: Storage, reader: Reader) -> None:
        self._model = model
        self._stored: Mapping[str, Vector] = {}
        if model is not None:
            self._stored = storage.memories.meanings(model.tag, reader)
        self._said = {memory.id: memory.text for memory in storage.memories.listed(list(State), reader)}
        self._others: dict[str, Vector] = {}
        self._compared: dict[tuple[str, str, str], tuple[Memory, Memory]] = {}

    def among(self, memories: Sequence[Memory], who: str) -> Sequence[Pair]:
        """Without pairs that `who` has compared already, as they still are."""
        if not self._understood(memories):
            return ()
        known = {memory.id: memory for memory in memories}
        rows = [row for memory in memories if (row := self._known(memory)) is not None]
        found = pairs([memory for memory in memories if self._known(memory) is not None], rows)
        return [pair for pair in found if self._is_new(who, known[pair[0]], known[pair[1]])]

    def _is_new(self, who: str, one: Memory, other: Memory) -> bool:
        before = self._compared.get((who, one.id, other.id))
        self._compared[who, one.id, other.id] = one, other
        return before is None or before[0] is not one or before[1] is not other

    def _understood(self, memories: Sequence[Memory]) -> bool:
        new = list(dict.fromkeys(memory.text for memory in memories if self._known(memory) is None))
        try:
            for begin in range(0, len(new) if self._model else 0, BATCH):
                some = new[begin : begin + BATCH]
                self._others |= dict(zip(some, self._model.passages(some), strict=True)) if self._model else {}
        except EmbedderError:
            return False
        return True

    def _known(self, memory: Memory) -> Vector | None:
        same = self._said.get(memory.id) == memory.text
        return self._stored.get(memory.id) if same and memory.id in self._stored else self._others.get(memory.text)


def pairs(memories: Sequence[Memory], vectors: Sequence[Vector]) -> list[Pair]:
    """Each pair once, by the order of `memories`; a vector of unit length for each."""
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for row, memory in enumerate(memories):
        places[memory.owner, memory.project_key].append(row)
    found: dict[tuple[int, int], float] = {}
    for rows in places.values():
        for begin in range(0, len(rows), AT_ONCE):
            for one, other, cosine in _nearest(rows[begin : begin + AT_ONCE], rows, vectors):
                found[min(one, other), max(one, other)] = cosine
    return [(memories[one].id, memories[other].id, cosine) for (one, other), cosine in sorted(found.items())]


def _nearest(some: Sequence[int], rows: Sequence[int], vectors: Sequence[Vector]) -> Iterator[tuple[int, int, float]]:
    import numpy as np  # noqa: PLC0415 - numpy, if meaning is asked

    cosines = np.stack([vectors[row] for row in some]) @ np.stack([vectors[row] for row in rows]).T
    for one, line in zip(some, cosines, strict=True):
        for column in (int(found) for found in np.argsort(-line)[: MOST + 1]):
            if line[column] >= LEAST and rows[column] != one:
                yield one, rows[column], float(line[column])
