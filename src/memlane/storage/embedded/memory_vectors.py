"""What Memories mean, in SQLite: halves by model and Memory, and all of them kept in mind. Loads numpy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from memlane.domain import CueMatch, Memory, Reader, State
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.memory_lookup import cue_digest, digest, tick
from memlane.storage.memory_matrix import MatrixRow, MemoryMatrix
from memlane.storage.values import MemoryBounds
from memlane.storage.vectors import AT_ONCE, Floats, halves_of, octets_of, whole

_WAITING = (
    "SELECT body FROM memories WHERE changed > ? AND state <> ? AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v"
    " WHERE v.model = ? AND v.memory = memories.id AND v.digest = memories.digest) ORDER BY saved DESC, id LIMIT ?"
)
_CUES_WAITING = (
    "SELECT body FROM memories WHERE changed > ? AND cued IS NOT NULL AND NOT EXISTS (SELECT 1 FROM cue_vectors AS c"
    " WHERE c.memory = memories.id AND c.model = ? AND c.digest = memories.cued) ORDER BY saved DESC, id LIMIT ?"
)
_FOUND = (
    "SELECT id, state, place, halves, octets FROM memories LEFT JOIN memory_vectors AS v"
    " ON v.model = ?1 AND v.memory = memories.id AND v.digest = memories.digest LEFT JOIN cue_vectors AS c"
    " ON c.memory = memories.id AND c.model = ?1 AND c.digest = memories.cued"
)
_CHANGED = f"{_FOUND} WHERE changed > ?2 AND +owner = ?3"
_NEXT = f"{_FOUND} WHERE id > ?2 AND +owner = ?3 ORDER BY id LIMIT {AT_ONCE}"
_MEANINGS = (
    "SELECT id, halves FROM memories JOIN memory_vectors AS v ON v.model = ? AND v.memory = memories.id"
    f" AND v.digest = memories.digest WHERE id > ? AND +owner = ? ORDER BY id LIMIT {AT_ONCE}"
)
_OCTETS = (
    "SELECT memory, octets FROM json_each(?) AS asked CROSS JOIN cue_vectors ON memory = asked.value AND model = ?"
)
_SIZE = "SELECT length(halves) / 2 FROM memory_vectors WHERE model = ? LIMIT 1"
_MOVED = "UPDATE memories SET changed = (SELECT n FROM memory_clock) WHERE id = ?"


class MemoryVectors:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._known = connection.remembered(dict[tuple[str, str], MemoryMatrix]())

    def waiting(self, model: str, limit: int) -> list[str]:
        """As JSON. What was served once is not looked at again until it changes."""
        now, served = self._served("served", model)
        found = self._db.rows(_WAITING, (served, State.FORGOTTEN.value, model, limit))
        if not found and served < now and limit > 0:
            self._serve("served", model, now)
        return [str(row[0]) for row in found]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats, at: datetime) -> None:
        if not memories:
            return
        halves = halves_of(model, vectors, len(memories), self._db.number(_SIZE, (model,)))
        with self._db.transaction():
            tick(self._db)
            for memory, row in zip(memories, halves, strict=True):
                saying = (memory.id, said := digest(memory))
                if self._db.row("SELECT 1 FROM memories WHERE id = ? AND digest = ?", saying):
                    self._db.run(
                        "INSERT OR REPLACE INTO memory_vectors (model, memory, digest, halves, at) VALUES (?,?,?,?,?)",
                        (model, memory.id, said, row, at.timestamp()),
                    )
                    self._db.run(_MOVED, (memory.id,))

    def cues_waiting(self, model: str, limit: int) -> list[str]:
        """The same for Cues."""
        now, served = self._served("cued", model)
        found = self._db.rows(_CUES_WAITING, (served, model, limit))
        if not found and served < now and limit > 0:
            self._serve("cued", model, now)
        return [str(row[0]) for row in found]

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        count = sum(len(memory.cues) for memory in memories)
        octets, first = octets_of(model, vectors, count, self._db.number(_SIZE, (model,))), 0
        with self._db.transaction():
            tick(self._db)
            for memory in memories:
                rows, first = octets[first : first + len(memory.cues)], first + len(memory.cues)
                having = (memory.id, cued := cue_digest(memory))
                if self._db.row("SELECT 1 FROM memories WHERE id = ? AND cued = ?", having):
                    self._db.run(
                        "INSERT OR REPLACE INTO cue_vectors (memory, model, digest, octets) VALUES (?,?,?,?)",
                        (memory.id, model, cued, rows.tobytes()),
                    )
                    self._db.run(_MOVED, (memory.id,))

    def _served(self, what: str, model: str) -> tuple[int, int]:
        served = self._db.number(f"SELECT {what} FROM memory_models WHERE model = ?", (model,))
        return self._db.number("SELECT n FROM memory_clock"), served

    def _serve(self, what: str, model: str, now: int) -> None:
        into = f"INSERT INTO memory_models (model, {what}) VALUES (?, ?)"
        self._db.run(f"{into} ON CONFLICT DO UPDATE SET {what} = excluded.{what}", (model, now))

    def all(self, model: str, reader: Reader) -> dict[str, Floats]:
        found, last = dict[str, Floats](), ""
        while some := cast("list[tuple[str, bytes]]", self._db.rows(_MEANINGS, (model, last, reader.user))):
            found |= {id: whole(halves) for id, halves in some}
            last = some[-1][0]
        return found

    def nearest(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float]]:
        only = [*self._about(where.about), *where.ids] if where.about or where.ids else None
        return self._current(model, reader.user).nearest(vector, states, limit, where.here, only)

    def nearest_with_cues(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float, CueMatch | None]]:
        only = [*self._about(where.about), *where.ids] if where.about or where.ids else None
        known = self._current(model, reader.user)
        return known.nearest_with_cues(
            vector, states, limit, where.here, only, octets=lambda ids: self._octets(model, ids)
        )

    def _octets(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        found = self._db.rows(_OCTETS, (json.dumps(list(ids)), model))
        return dict(cast("list[tuple[str, bytes]]", found))

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
    for table in ("memory_vectors", "cue_vectors", "memory_models"):
        db.run(f"DELETE FROM {table} WHERE model = ?", (model,))
    db.run("UPDATE memory_clock SET n = n + 1, gone = n + 1")
