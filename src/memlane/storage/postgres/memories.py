"""Memories and what they mention, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from memlane.domain import Memory, Reader, State
from memlane.storage.arithmetic import Floats
from memlane.storage.postgres.connection import Connection, Row, digest, encoded
from memlane.storage.postgres.memory_vectors import GONE, TICK, MemoryVectors, saying
from memlane.storage.values import EVERYWHERE, Where, named

_decoder = msgspec.json.Decoder(Memory)
_COLUMNS = "body, (SELECT count(*) FROM recalled WHERE memory = memories.id)"
_PUT = f"""
WITH {TICK},
said AS (SELECT %s::text AS memory, %s::uuid[] AS raws),
gone AS (DELETE FROM mentions USING said WHERE mentions.memory = said.memory AND NOT mentions.raw = ANY(said.raws)),
new AS (INSERT INTO mentions (memory, raw) SELECT memory, raw FROM said, unnest(raws) AS raw ON CONFLICT DO NOTHING)
INSERT INTO memories (id, owner, state, type, scope, project_key, saved, digest, body, changed)
SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, n FROM clock
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, state = excluded.state, type = excluded.type,
  scope = excluded.scope, project_key = excluded.project_key, saved = excluded.saved, digest = excluded.digest,
  body = excluded.body, changed = excluded.changed
"""


class PostgresMemories:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._vectors = MemoryVectors(connection)

    def put(self, memory: Memory) -> None:
        self._db.run(
            _PUT,
            (
                memory.id,
                [digest(name) for name in named(memory)],
                memory.id,
                memory.owner,
                memory.state.value,
                memory.type.value,
                memory.scope.value,
                memory.project_key,
                memory.saved_at.timestamp(),
                saying(memory),
                encoded(replace(memory, recall_count=0)),
            ),
        )

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None:
        row = self._db.row("SELECT body FROM memories WHERE id = %s AND owner = %s", (memory, owner))
        if row:
            self.put(replace(_decoder.decode(str(row[0])), state=state, superseded_by=superseded_by))

    def drop(self, memory: str, owner: str) -> None:
        with self._db.transaction():
            if self._db.run("DELETE FROM memories WHERE id = %s AND owner = %s", (memory, owner)):
                self._db.run(GONE)
                for table in ("mentions", "memory_vectors"):
                    self._db.run(f"DELETE FROM {table} WHERE memory = %s", (memory,))

    def get(self, memory: str, reader: Reader) -> Memory | None:
        row = self._db.row(f"SELECT {_COLUMNS} FROM memories WHERE id = %s AND owner = %s", (memory, reader.user))
        return _memory(row) if row else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM memories WHERE id >= %s AND id < %s AND owner = %s ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        return self._some("state = ANY(%s)", [state.value for state in states], reader)

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return self._db.number(
            "SELECT count(*) FROM memories WHERE owner = %s AND state = ANY(%s)",
            (reader.user, [state.value for state in states]),
        )

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        return self._some("id IN (SELECT memory FROM mentions WHERE raw = %s)", digest(raw.casefold()), reader)

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT body FROM memories WHERE owner = %s AND state = %s AND body LIKE %s",
            (reader.user, State.ACTIVE.value, f'%"type":"{type_}",%'),
        )
        about = (one for (body,) in found for one in _decoder.decode(str(body)).related_entities)
        return sorted({one.slug.casefold() for one in about if one.resolved and one.type == type_})

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.waiting(model, limit)]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        self._vectors.give(model, memories, vectors)

    def nearest(
        self, vector: Floats, model: str, states: Sequence[State], reader: Reader, limit: int, where: Where = EVERYWHERE
    ) -> Sequence[tuple[Memory, float]]:
        near = self._vectors.nearest(vector, model, states, reader, limit, where)
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", [id for id, _likeness in near], reader)}
        return [(found[id], likeness) for id, likeness in near if id in found]

    def scrub(self) -> None:
        """Vectors of what no Memory says any more."""
        self._db.run(
            "DELETE FROM memory_vectors WHERE NOT EXISTS (SELECT 1 FROM memories"
            " WHERE memories.id = memory AND memories.digest = memory_vectors.digest)"
        )

    def _some(self, condition: str, value: object, reader: Reader) -> list[Memory]:
        """Newest first."""
        found = self._db.rows(
            f"SELECT {_COLUMNS} FROM memories WHERE owner = %s AND {condition} ORDER BY saved DESC, id",
            (reader.user, value),
        )
        return [_memory(row) for row in found]


def _memory(row: Row) -> Memory:
    memory, recalled = _decoder.decode(str(row[0])), int(str(row[1]))
    return replace(memory, recall_count=recalled) if recalled else memory  # most never were, and a copy costs 5 µs
