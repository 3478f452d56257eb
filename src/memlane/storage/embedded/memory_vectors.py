"""What Memories mean, in SQLite: halves by model and Memory, and all of them kept in mind. Loads numpy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from memlane.domain import Memory, Reader, State
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.memory_lookup import digest, tick
from memlane.storage.values import MemoryBounds
from memlane.storage.vectors import AT_ONCE, Floats, MatrixRow, MemoryMatrix, halves_of, whole

_WAITING = (
    "SELECT body FROM memories WHERE changed > ? AND state <> ? AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v"
    " WHERE v.model = ? AND v.memory = memories.id AND v.digest = memories.digest) ORDER BY saved DESC, id LIMIT ?"
)
_FOUND = (
    "SELECT id, state, place, halves FROM memories LEFT JOIN memory_vectors AS v"
    " ON v.model = ? AND v.memory = memories.id AND v.digest = memories.digest"
)
_CHANGED = f"{_FOUND} WHERE changed > ? AND +owner = ?"
_NEXT = f"{_FOUND} WHERE id > ? AND +owner = ? ORDER BY id LIMIT {AT_ONCE}"


class MemoryVectors:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._known = connection.remembered(dict[tuple[str, str], MemoryMatrix]())

    def waiting(self, model: str, limit: int) -> list[str]:
        """As JSON. What was served once is not looked at again until it changes."""
        now = self._db.number("SELECT n FROM memory_clock")
        served = self._db.number("SELECT served FROM memory_models WHERE model = ?", (model,))
        found = self._db.rows(_WAITING, (served, State.FORGOTTEN.value, model, limit))
        if not found and served < now and limit > 0:
            self._db.run("INSERT OR REPLACE INTO memory_models (model, served) VALUES (?, ?)", (model, now))
        return [str(row[0]) for row in found]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        size = self._db.number("SELECT length(halves) FROM memory_vectors WHERE model = ? LIMIT 1", (model,))
        halves = halves_of(model, vectors, len(memories), size)
        with self._db.transaction():
            tick(self._db)
            for memory, row in zip(memories, halves, strict=True):
                saying = (memory.id, said := digest(memory))
                if self._db.row("SELECT 1 FROM memories WHERE id = ? AND digest = ?", saying):
                    self._db.run(
                        "INSERT OR REPLACE INTO memory_vectors (model, memory, digest, halves) VALUES (?,?,?,?)",
                        (model, memory.id, said, row),
                    )
                    self._db.run(
                        "UPDATE memories SET changed = (SELECT n FROM memory_clock) WHERE id = ?", (memory.id,)
                    )

    def all(self, model: str, reader: Reader) -> dict[str, Floats]:
        found, last = dict[str, Floats](), ""
        while some := cast("list[MatrixRow]", self._db.rows(_NEXT, (model, last, reader.user))):
            found |= {id: whole(halves) for id, _state, _place, halves in some if halves is not None}
            last = some[-1][0]
        return found

    def nearest(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float]]:
        only = self._about(where.about) if where.about else None
        return self._current(model, reader.user).nearest(vector, states, limit, where.here, only)

    def prepare(self, model: str, reader: Reader) -> None:
        """Through a connection of its own: whoever asks meanwhile has the other one."""
        own = Connection(self._db.path)
        try:
            known = MemoryVectors(own)._current(model, reader.user)
        finally:
            own.close()
        self._known.setdefault((model, reader.user), known)

    def _about(self, keys: Sequence[str]) -> list[str]:
        named = json.dumps([key.casefold() for key in keys])
        return [
            str(row[0])
            for row in self._db.rows(
                "SELECT DISTINCT memory FROM mentions WHERE raw IN (SELECT value FROM json_each(?))", (named,)
            )
        ]

    def _current(self, model: str, owner: str) -> MemoryMatrix:
        now, gone = cast("tuple[int, int]", self._db.rows("SELECT n, gone FROM memory_clock")[0])
        known = self._known.get((model, owner))
        if known is None or known.tick < gone:
            known = self._known[model, owner] = self._all(model, owner, now)
        if known.tick != now:
            known.take(cast("list[MatrixRow]", self._db.rows(_CHANGED, (model, known.tick, owner))), now)
        return known

    def _all(self, model: str, owner: str, tick: int) -> MemoryMatrix:
        """A page at a time: what changes meanwhile has a later tick."""
        known, last = MemoryMatrix(), ""
        while found := cast("list[MatrixRow]", self._db.rows(_NEXT, (model, last, owner))):
            known.take(found)
            last = found[-1][0]
        known.tick = tick
        return known


def drop_model(db: Connection, model: str) -> None:
    """Whoever keeps its vectors in mind reads anew."""
    for table in ("memory_vectors", "memory_models"):
        db.run(f"DELETE FROM {table} WHERE model = ?", (model,))
    db.run("UPDATE memory_clock SET n = n + 1, gone = n + 1")
