"""Memories, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from memlane.domain import Memory, Reader, State
from memlane.storage.postgres.connection import Connection, Row, encoded

_decoder = msgspec.json.Decoder(Memory)
_COLUMNS = "body, (SELECT count(*) FROM recalled WHERE memory = memories.id)"


class PostgresMemories:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, memory: Memory) -> None:
        self._db.run(
            "INSERT INTO memories (id, owner, state, type, scope, project_key, saved, body)"
            " VALUES (%s,%s,%s,%s,%s,%s,%s,%s) ON CONFLICT (id) DO UPDATE SET owner = excluded.owner,"
            " state = excluded.state, type = excluded.type, scope = excluded.scope,"
            " project_key = excluded.project_key, saved = excluded.saved, body = excluded.body",
            (
                memory.id,
                memory.owner,
                memory.state.value,
                memory.type.value,
                memory.scope.value,
                memory.project_key,
                memory.saved_at.timestamp(),
                encoded(replace(memory, recall_count=0)),
            ),
        )

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None:
        row = self._db.row("SELECT body FROM memories WHERE id = %s AND owner = %s", (memory, owner))
        if row:
            self.put(replace(_decoder.decode(str(row[0])), state=state, superseded_by=superseded_by))

    def drop(self, memory: str, owner: str) -> None:
        self._db.run("DELETE FROM memories WHERE id = %s AND owner = %s", (memory, owner))

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
        found = self._db.rows(
            f"SELECT {_COLUMNS} FROM memories WHERE owner = %s AND state = ANY(%s) ORDER BY saved DESC, id",
            (reader.user, [state.value for state in states]),
        )
        return [_memory(row) for row in found]

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return self._db.number(
            "SELECT count(*) FROM memories WHERE owner = %s AND state = ANY(%s)",
            (reader.user, [state.value for state in states]),
        )


def _memory(row: Row) -> Memory:
    memory, recalled = _decoder.decode(str(row[0])), int(str(row[1]))
    return replace(memory, recall_count=recalled) if recalled else memory  # most never were, and a copy costs 5 µs
