"""What Memories mean, in PostgreSQL: halves by model and Memory, and all of them kept in mind."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import cast
from uuid import UUID

from memlane.domain import CueMatch, Memory, Reader, State
from memlane.storage.memory_lookup import cue_text
from memlane.storage.memory_matrix import MatrixRow, MemoryMatrix
from memlane.storage.postgres.connection import Connection, digest
from memlane.storage.values import MemoryBounds
from memlane.storage.vectors import AT_ONCE, Floats, halves_of, octets_of, whole

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
_CUES_WAITING = (
    "SELECT body FROM memories WHERE changed > %s AND cued IS NOT NULL AND NOT EXISTS (SELECT FROM cue_vectors AS c"
    " WHERE c.memory = memories.id AND c.model = %s AND c.digest = memories.cued) ORDER BY saved DESC, id LIMIT %s"
)
_FOUND = (
    "SELECT id, state, place, halves, octets FROM (SELECT %s::text AS model) AS asked CROSS JOIN memories"
    " LEFT JOIN memory_vectors AS v ON v.model = asked.model AND v.memory = id AND v.digest = memories.digest"
    " LEFT JOIN cue_vectors AS c ON c.memory = id AND c.model = asked.model AND c.digest = memories.cued"
)
_CHANGED = f"{_FOUND} WHERE changed > %s AND owner = %s"
_NEXT = f"{_FOUND} WHERE id > %s AND owner = %s ORDER BY id LIMIT {AT_ONCE}"
_MEANINGS = (
    "SELECT id, halves FROM memories JOIN memory_vectors AS v ON v.model = %s AND v.memory = memories.id"
    f" AND v.digest = memories.digest WHERE id > %s AND owner = %s ORDER BY id LIMIT {AT_ONCE}"
)
_SIZE = "SELECT length(halves) / 2 FROM memory_vectors WHERE model = %s LIMIT 1"
_GIVE_CUES = f"""
WITH {TICK},
asked AS (SELECT * FROM unnest(%s::text[], %s::uuid[], %s::bytea[]) AS asked (id, digest, octets)),
cued AS (UPDATE memories SET changed = n FROM clock, asked
  WHERE memories.id = asked.id AND memories.cued = asked.digest RETURNING asked.*)
INSERT INTO cue_vectors (memory, model, digest, octets) SELECT id, %s, digest, octets FROM cued
ON CONFLICT (memory, model) DO UPDATE SET digest = excluded.digest, octets = excluded.octets
"""
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
        now, served = self.tick(), self._served("served", model)
        found = self._db.rows(_WAITING, (served, State.FORGOTTEN.value, model, limit))
        if not found and served < now and limit > 0:
            self._serve("served", model, now)
        return [str(row[0]) for row in found]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        halves = halves_of(model, vectors, len(memories), self._db.number(_SIZE, (model,)))
        given = {memory.id: (saying(memory), row) for memory, row in zip(memories, halves, strict=True)}
        said, rows = zip(*given.values(), strict=True)
        self._db.run(_GIVE, (list(given), list(said), list(rows), model))

    def cues_waiting(self, model: str, limit: int) -> list[str]:
        """The same for Cues."""
        now, served = self.tick(), self._served("cued", model)
        found = self._db.rows(_CUES_WAITING, (served, model, limit))
        if not found and served < now and limit > 0:
            self._serve("cued", model, now)
        return [str(row[0]) for row in found]

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        count = sum(len(memory.cues) for memory in memories)
        octets, first = octets_of(model, vectors, count, self._db.number(_SIZE, (model,))), 0
        given = dict[str, tuple[UUID | None, bytes]]()
        for memory in memories:
            rows, first = octets[first : first + len(memory.cues)], first + len(memory.cues)
            given[memory.id] = cueing(memory), rows.tobytes()
        cued, rows_of = zip(*given.values(), strict=True)
        self._db.run(_GIVE_CUES, (list(given), list(cued), list(rows_of), model))

    def _served(self, what: str, model: str) -> int:
        return self._db.number(f"SELECT {what} FROM memory_models WHERE model = %s", (model,))

    def _serve(self, what: str, model: str, now: int) -> None:
        self._db.run(
            f"INSERT INTO memory_models (model, {what}) VALUES (%s, %s)"
            f" ON CONFLICT (model) DO UPDATE SET {what} = excluded.{what}",
            (model, now),
        )

    def all(self, model: str, reader: Reader) -> dict[str, Floats]:
        found, last = dict[str, Floats](), ""
        while some := cast("list[tuple[str, bytes]]", self._db.rows(_MEANINGS, (model, last, reader.user))):
            found |= {id: whole(halves) for id, halves in some}
            last = some[-1][0]
        return found

    def nearest(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float]]:
        only = self._about(where.about) if where.about else None
        with self._up_to_date(model, reader.user) as known:
            return known.nearest(vector, states, limit, where.here, only)

    def nearest_with_cues(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float, CueMatch | None]]:
        only = self._about(where.about) if where.about else None
        with self._up_to_date(model, reader.user) as known:
            return known.nearest_with_cues(vector, states, limit, where.here, only)

    @contextmanager
    def _up_to_date(self, model: str, owner: str) -> Generator[MemoryMatrix, None, None]:
        if self._db.changing:  # what this transaction wrote is nobody else's, and it may still be rolled back
            yield self._brought_up_to_date(MemoryMatrix(), model, owner)
            return
        with self._lock:
            known = self._known.get((model, owner), MemoryMatrix())
            known = self._known[model, owner] = self._brought_up_to_date(known, model, owner)
            yield known

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
    for table in ("memory_vectors", "cue_vectors", "memory_models"):
        db.run(f"DELETE FROM {table} WHERE model = %s", (model,))
    db.run(GONE)


def saying(memory: Memory) -> UUID:
    """Digest of what a vector is made from."""
    return digest(memory.text)


def cueing(memory: Memory) -> UUID | None:
    """The same of its Cues; None: there are none."""
    return digest(text) if (text := cue_text(memory)) else None
