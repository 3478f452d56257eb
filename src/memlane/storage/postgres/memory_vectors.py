"""What Memories mean, in PostgreSQL: halves by model and Memory, and all of them kept in mind."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import cast
from uuid import UUID

from memlane.domain import Memory, Reader, State
from memlane.storage.postgres.connection import Connection, digest
from memlane.storage.values import MemoryBounds
from memlane.storage.vectors import AT_ONCE, Floats, MatrixRow, MemoryMatrix, halves_of, whole

# One at a time until the commit.
TICK = """clock AS MATERIALIZED (
  SELECT nextval('memory_ticks') AS n FROM (SELECT pg_advisory_xact_lock('memories'::regclass::oid::bigint)) AS alone
)"""
GONE = f"WITH {TICK} UPDATE memory_clock SET gone = n FROM clock"
_NOW = "SELECT greatest(gone, (SELECT max(changed) FROM memories)), gone FROM memory_clock"
_WAITING = (
    "SELECT body FROM memories WHERE changed > %s AND state <> %s AND NOT EXISTS (SELECT FROM memory_vectors AS v"
    " WHERE v.model = %s AND v.memory = memories.id AND v.digest = memories.digest) ORDER BY saved DESC, id LIMIT %s"
)
_FOUND = (
    "SELECT id, state, place, halves FROM memories LEFT JOIN memory_vectors AS v"
    " ON v.model = %s AND v.memory = memories.id AND v.digest = memories.digest"
)
_CHANGED = f"{_FOUND} WHERE changed > %s AND owner = %s"
_NEXT = f"{_FOUND} WHERE id > %s AND owner = %s ORDER BY id LIMIT {AT_ONCE}"
_GIVE = f"""
WITH {TICK},
asked AS (SELECT * FROM unnest(%s::text[], %s::uuid[], %s::bytea[]) AS asked (id, digest, halves)),
said AS (UPDATE memories SET changed = n FROM clock, asked
  WHERE memories.id = asked.id AND memories.digest = asked.digest RETURNING asked.*)
INSERT INTO memory_vectors (model, memory, digest, halves) SELECT %s, id, digest, halves FROM said
ON CONFLICT (model, memory) DO UPDATE SET digest = excluded.digest, halves = excluded.halves
"""


class MemoryVectors:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._known: dict[tuple[str, str], MemoryMatrix] = {}
        self._lock = Lock()  # one thread at a time takes in what is new

    def tick(self) -> int:
        """The last one."""
        return self._db.number(_NOW)

    def waiting(self, model: str, limit: int) -> list[str]:
        """As JSON. What was served once is not looked at again until it changes."""
        now = self.tick()
        served = self._db.number("SELECT served FROM memory_models WHERE model = %s", (model,))
        found = self._db.rows(_WAITING, (served, State.FORGOTTEN.value, model, limit))
        if not found and served < now and limit > 0:
            self._db.run(
                "INSERT INTO memory_models (model, served) VALUES (%s, %s)"
                " ON CONFLICT (model) DO UPDATE SET served = excluded.served",
                (model, now),
            )
        return [str(row[0]) for row in found]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        size = self._db.number("SELECT length(halves) FROM memory_vectors WHERE model = %s LIMIT 1", (model,))
        halves = halves_of(model, vectors, len(memories), size)
        given = {memory.id: (saying(memory), row) for memory, row in zip(memories, halves, strict=True)}
        said, rows = zip(*given.values(), strict=True)
        self._db.run(_GIVE, (list(given), list(said), list(rows), model))

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
        if self._db.changing:  # what this transaction wrote is nobody else's, and it may still be rolled back
            fresh = self._brought_up_to_date(MemoryMatrix(), model, reader.user)
            return fresh.nearest(vector, states, limit, where.here, only)
        with self._lock:
            known = self._known.get((model, reader.user), MemoryMatrix())
            known = self._known[model, reader.user] = self._brought_up_to_date(known, model, reader.user)
            return known.nearest(vector, states, limit, where.here, only)

    def prepare(self, model: str, reader: Reader) -> None:
        """Outside of the lock: whoever asks meanwhile does not wait for it."""
        known = self._brought_up_to_date(MemoryMatrix(), model, reader.user)
        with self._lock:
            self._known.setdefault((model, reader.user), known)

    def _about(self, keys: Sequence[str]) -> list[str]:
        named = [digest(key.casefold()) for key in keys]
        return [
            str(row[0]) for row in self._db.rows("SELECT DISTINCT memory FROM mentions WHERE raw = ANY(%s)", (named,))
        ]

    def _brought_up_to_date(self, known: MemoryMatrix, model: str, owner: str) -> MemoryMatrix:
        now, gone = cast("tuple[int, int]", self._db.rows(_NOW)[0])
        if known.tick < max(gone, 1):
            known = self._all(model, owner, now)
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
        db.run(f"DELETE FROM {table} WHERE model = %s", (model,))
    db.run(GONE)


def saying(memory: Memory) -> UUID:
    """Digest of what a vector is made from."""
    return digest(memory.text)
