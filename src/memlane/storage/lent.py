"""One's own index, and beside it the Memories that others lend: what Recall looks through. It writes to the own alone.

Lent Memories rest in an index of their own, as rows of whoever they are lent to; here each has its owner again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memlane.domain import Memory, Reader, Selection, State
from memlane.storage.ports import MemoryStore, Storage
from memlane.storage.values import EVERYWHERE, MemoryBounds, MemoryMatch

if TYPE_CHECKING:
    from memlane.storage.values import Vector


class LentStorage:
    """`owners`: each Memory that is lent now → whose it is."""

    def __init__(self, own: Storage, lent: MemoryStore, owners: Mapping[str, str]) -> None:
        self._own = own
        self.memories = cast(MemoryStore, LentMemories(own.memories, lent, owners))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)


class LentMemories:
    """What Recall asks is asked of both; anything else is a question about one's own."""

    def __init__(self, own: MemoryStore, lent: MemoryStore, owners: Mapping[str, str]) -> None:
        self._own, self._lent, self._owners = own, lent, owners

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def get(self, memory: str, reader: Reader) -> Memory | None:
        found = self._own.get(memory, reader)
        if found is not None or memory not in self._owners:
            return found
        lent = self._lent.get(memory, reader)
        return self._whose(lent) if lent is not None else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        theirs = (id for id in self._owners if id.startswith(prefix))
        return sorted({*self._own.starting_with(prefix, reader), *theirs})

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return self._own.count(states, reader) + (len(self._owners) if State.ACTIVE in states else 0)

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        return self._own.has(states, reader) or (State.ACTIVE in states and bool(self._owners))

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        return [*self._own.found(which, reader), *self._those(self._lent.found(which, reader))]

    def foremost(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        own, lent = (one.foremost(here, agent, reader, limit) for one in (self._own, self._lent))
        return [*own, *self._those(lent)][:limit]

    def standing(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        own, lent = (one.standing(here, agent, reader, limit) for one in (self._own, self._lent))
        return [*own, *self._those(lent)][:limit]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> Sequence[Memory]:
        own, lent = (one.sharing(terms, here, reader, limit) for one in (self._own, self._lent))
        return [*own, *self._those(lent)]

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        return [*self._own.naming(raw, reader), *self._those(self._lent.naming(raw, reader))]

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        return sorted({*self._own.subjects(type_, reader), *self._lent.subjects(type_, reader)})

    def nearest_with_cues(
        self,
        vector: Vector,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[MemoryMatch]:
        own, lent = (
            one.nearest_with_cues(vector, model, states, reader, limit, where) for one in (self._own, self._lent)
        )
        theirs = [replace(one, memory=self._whose(one.memory)) for one in lent if one.memory.id in self._owners]
        return [*own, *theirs]

    def prepare(self, model: str, reader: Reader) -> None:
        self._own.prepare(model, reader)
        self._lent.prepare(model, reader)

    def _those(self, found: Iterable[Memory]) -> list[Memory]:
        return [self._whose(one) for one in found if one.id in self._owners]

    def _whose(self, memory: Memory) -> Memory:
        return replace(memory, owner=self._owners[memory.id])
