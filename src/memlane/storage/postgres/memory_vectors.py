"""What Memories mean, in PostgreSQL: halves by model and Memory, and all of them kept in mind."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from typing import cast
from uuid import UUID

from memlane.domain import CueMatch, Memory, Reader, State
from memlane.storage.memory_lookup import cue_text
from memlane.storage.memory_matrix import MatrixRow, MemoryMatrix
from memlane.storage.postgres.builds import Builds, Whose
from memlane.storage.postgres.connection import Connection, digest
from memlane.storage.values import MemoryBounds
from memlane.storage.vectors import AT_ONCE, Floats, halves_of, octets_of, whole

# Who ticks has the owner's clock until the commit: one at a time of each owner.
TICK = """clock AS MATERIALIZED (
  UPDATE memory_clocks SET tick = tick + 1 WHERE owner = %s AND build = %s RETURNING owner, build, tick AS n
)"""
GONE = "UPDATE memory_clocks SET tick = tick + 1, gone = tick + 1 WHERE owner = %s AND build = %s"
_NOW = "SELECT tick, gone FROM memory_clocks WHERE owner = %s AND build = %s"
_WAITING = (
    "SELECT body FROM memories WHERE owner = %s AND build = %s AND changed > %s AND state <> %s AND NOT EXISTS"
    " (SELECT FROM memory_vectors AS v WHERE v.owner = %s AND v.build = %s AND v.model = %s AND v.memory = memories.id"
    " AND v.digest = memories.digest) ORDER BY saved DESC, id LIMIT %s"
)
_CUES_WAITING = (
    "SELECT body FROM memories WHERE owner = %s AND build = %s AND changed > %s AND cued IS NOT NULL AND NOT EXISTS"
    " (SELECT FROM cue_vectors AS c WHERE c.owner = %s AND c.build = %s AND c.model = %s AND c.memory = memories.id"
    " AND c.digest = memories.cued) ORDER BY saved DESC, id LIMIT %s"
)
_FOUND = (
    "SELECT id, state, place, halves, octets"
    " FROM (SELECT %s::int AS owner, %s::int AS build, %s::text AS model) AS asked JOIN memories USING (owner, build)"
    " LEFT JOIN memory_vectors AS v ON v.owner = asked.owner AND v.build = asked.build AND v.model = asked.model"
    "  AND v.memory = id AND v.digest = memories.digest"
    " LEFT JOIN cue_vectors AS c ON c.owner = asked.owner AND c.build = asked.build AND c.memory = id"
    "  AND c.model = asked.model AND c.digest = memories.cued"
)
_CHANGED = f"{_FOUND} WHERE changed > %s"
_NEXT = f"{_FOUND} WHERE id > %s ORDER BY id LIMIT {AT_ONCE}"
_MEANINGS = (
    "SELECT id, halves FROM memories JOIN memory_vectors AS v ON v.owner = memories.owner AND v.build = memories.build"
    " AND v.model = %s AND v.memory = memories.id AND v.digest = memories.digest"
    f" WHERE memories.owner = %s AND memories.build = %s AND id > %s ORDER BY id LIMIT {AT_ONCE}"
)
_OCTETS = (
    "SELECT memory, octets FROM cue_vectors WHERE owner = %s AND build = %s AND memory = ANY(%s::text[]) AND model = %s"
)
_SIZE = "SELECT length(halves) / 2 FROM memory_vectors WHERE owner = %s AND build = %s AND model = %s LIMIT 1"
_GIVE_CUES = f"""
WITH {TICK},
asked AS (SELECT * FROM unnest(%s::text[], %s::uuid[], %s::bytea[]) AS asked (id, digest, octets)),
cued AS (UPDATE memories SET changed = n FROM clock, asked
  WHERE memories.owner = clock.owner AND memories.build = clock.build AND memories.id = asked.id
  AND memories.cued = asked.digest RETURNING memories.owner, memories.build, asked.*)
INSERT INTO cue_vectors (owner, build, memory, model, digest, octets)
SELECT owner, build, id, %s, digest, octets FROM cued
ON CONFLICT (owner, build, memory, model) DO UPDATE SET digest = excluded.digest, octets = excluded.octets
"""
_GIVE = f"""
WITH {TICK},
asked AS (SELECT * FROM unnest(%s::text[], %s::uuid[], %s::bytea[]) AS asked (id, digest, halves)),
said AS (UPDATE memories SET changed = n FROM clock, asked
  WHERE memories.owner = clock.owner AND memories.build = clock.build AND memories.id = asked.id
  AND memories.digest = asked.digest RETURNING memories.owner, memories.build, asked.*)
INSERT INTO memory_vectors (owner, build, model, memory, digest, halves, at)
SELECT owner, build, %s, id, digest, halves, %s FROM said
ON CONFLICT (owner, build, model, memory)
DO UPDATE SET digest = excluded.digest, halves = excluded.halves, at = excluded.at
"""


class MemoryVectors:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds
        self._known: dict[tuple[str, Whose], MemoryMatrix] = {}
        self._lock = Lock()  # one thread at a time takes in what is new

    def tick(self, whose: Whose) -> int:
        """The last one."""
        return self._db.number(_NOW, whose)

    def waiting(self, model: str, limit: int) -> list[str]:
        """As JSON. What was served once is not looked at again until it changes."""
        mine = self._builds.mine
        now, served = self.tick(mine), self._served("served", model)
        found = self._db.rows(_WAITING, (*mine, served, State.FORGOTTEN.value, *mine, model, limit))
        if not found and served < now and limit > 0:
            self._serve("served", model, now)
        return [str(row[0]) for row in found]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats, at: datetime) -> None:
        """All of one owner, as they waited."""
        if not memories:
            return
        whose = self._builds.made_for(memories[0].owner)
        halves = halves_of(model, vectors, len(memories), self._db.number(_SIZE, (*whose, model)))
        given = {memory.id: (saying(memory), row) for memory, row in zip(memories, halves, strict=True)}
        said, rows = zip(*given.values(), strict=True)
        self._db.run(_GIVE, (*whose, list(given), list(said), list(rows), model, at.timestamp()))

    def cues_waiting(self, model: str, limit: int) -> list[str]:
        """The same for Cues."""
        mine = self._builds.mine
        now, served = self.tick(mine), self._served("cued", model)
        found = self._db.rows(_CUES_WAITING, (*mine, served, *mine, model, limit))
        if not found and served < now and limit > 0:
            self._serve("cued", model, now)
        return [str(row[0]) for row in found]

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        if not memories:
            return
        whose = self._builds.made_for(memories[0].owner)
        count = sum(len(memory.cues) for memory in memories)
        octets, first = octets_of(model, vectors, count, self._db.number(_SIZE, (*whose, model))), 0
        given = dict[str, tuple[UUID | None, bytes]]()
        for memory in memories:
            rows, first = octets[first : first + len(memory.cues)], first + len(memory.cues)
            given[memory.id] = cueing(memory), rows.tobytes()
        cued, rows_of = zip(*given.values(), strict=True)
        self._db.run(_GIVE_CUES, (*whose, list(given), list(cued), list(rows_of), model))

    def _served(self, what: str, model: str) -> int:
        asked = f"SELECT {what} FROM memory_models WHERE owner = %s AND build = %s AND model = %s"
        return self._db.number(asked, (*self._builds.mine, model))

    def _serve(self, what: str, model: str, now: int) -> None:
        self._db.run(
            f"INSERT INTO memory_models (owner, build, model, {what}) VALUES (%s, %s, %s, %s)"
            f" ON CONFLICT (owner, build, model) DO UPDATE SET {what} = excluded.{what}",
            (*self._builds.mine, model, now),
        )

    def all(self, model: str, reader: Reader) -> dict[str, Floats]:
        found, last, whose = dict[str, Floats](), "", self._builds.of(reader.user)
        while some := cast("list[tuple[str, bytes]]", self._db.rows(_MEANINGS, (model, *whose, last))):
            found |= {id: whole(halves) for id, halves in some}
            last = some[-1][0]
        return found

    def nearest(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float]]:
        whose = self._builds.of(reader.user)
        only = [*self._about(where.about, whose), *where.ids] if where.about or where.ids else None
        with self._up_to_date(model, whose) as known:
            return known.nearest(vector, states, limit, where.here, only)

    def nearest_with_cues(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: MemoryBounds
    ) -> list[tuple[str, float, CueMatch | None]]:
        whose = self._builds.of(reader.user)
        only = [*self._about(where.about, whose), *where.ids] if where.about or where.ids else None
        with self._up_to_date(model, whose) as known:
            return known.nearest_with_cues(
                vector, states, limit, where.here, only, octets=lambda ids: self._octets(model, ids, whose)
            )

    def _octets(self, model: str, ids: Sequence[str], whose: Whose) -> dict[str, bytes]:
        found = self._db.rows(_OCTETS, (*whose, list(ids), model))
        return dict(cast("list[tuple[str, bytes]]", found))

    @contextmanager
    def _up_to_date(self, model: str, whose: Whose) -> Generator[MemoryMatrix, None, None]:
        if self._db.changing:  # what this transaction wrote is nobody else's, and it may still be rolled back
            yield self._brought_up_to_date(MemoryMatrix(), model, whose)
            return
        with self._lock:
            known = self._known.get((model, whose), MemoryMatrix())
            known = self._known[model, whose] = self._brought_up_to_date(known, model, whose)
            yield known

    def prepare(self, model: str, reader: Reader) -> None:
        """Outside of the lock: whoever asks meanwhile does not wait for it."""
        whose = self._builds.of(reader.user)
        known = self._brought_up_to_date(MemoryMatrix(), model, whose)
        with self._lock:
            self._known.setdefault((model, whose), known)

    def _about(self, keys: Sequence[str], whose: Whose) -> list[str]:
        named = [digest(key.casefold()) for key in keys]
        asked = "SELECT DISTINCT memory FROM mentions WHERE owner = %s AND build = %s AND raw = ANY(%s)"
        return [str(row[0]) for row in self._db.rows(asked, (*whose, named))]

    def _brought_up_to_date(self, known: MemoryMatrix, model: str, whose: Whose) -> MemoryMatrix:
        now, gone = cast("tuple[int, int]", self._db.row(_NOW, whose) or (0, 0))
        if known.tick < max(gone, 1):
            known = self._all(model, whose, now)
        if known.tick != now:
            known.take(cast("list[MatrixRow]", self._db.rows(_CHANGED, (*whose, model, known.tick))), now)
        return known

    def _all(self, model: str, whose: Whose, tick: int) -> MemoryMatrix:
        """A page at a time: what changes meanwhile has a later tick."""
        known, last = MemoryMatrix(), ""
        while found := cast("list[MatrixRow]", self._db.rows(_NEXT, (*whose, model, last))):
            known.take(found)
            last = found[-1][0]
        known.tick = tick
        return known


def drop_model(db: Connection, whose: Whose, model: str) -> None:
    """Whoever keeps its vectors in mind reads anew."""
    for table in ("memory_vectors", "cue_vectors", "memory_models"):
        db.run(f"DELETE FROM {table} WHERE owner = %s AND build = %s AND model = %s", (*whose, model))
    db.run(GONE, whose)


def saying(memory: Memory) -> UUID:
    """Digest of what a vector is made from."""
    return digest(memory.text)


def cueing(memory: Memory) -> UUID | None:
    """The same of its Cues; None: there are none."""
    return digest(text) if (text := cue_text(memory)) else None
