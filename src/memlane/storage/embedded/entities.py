"""Entities made by hand, and what people said names mean, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.domain import Entity, NameAnswer, Reader
from memlane.storage.embedded.connection import Connection

_entity = msgspec.json.Decoder(Entity)
_answer = msgspec.json.Decoder(NameAnswer)


class EmbeddedEntities:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, entity: Entity, owner: str) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO entities (owner, type, slug, body) VALUES (?,?,?,?)",
            (owner, entity.type, entity.slug, msgspec.json.encode(entity).decode()),
        )

    def listed(self, reader: Reader) -> Sequence[Entity]:
        found = self._db.rows("SELECT body FROM entities WHERE owner = ? ORDER BY type, slug", (reader.user,))
        return [_entity.decode(str(row[0])) for row in found]

    def answer(self, answer: NameAnswer, owner: str) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO name_answers (owner, raw, project_key, body) VALUES (?,?,?,?)",
            (owner, answer.raw.casefold(), answer.project_key, msgspec.json.encode(answer).decode()),
        )

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        found = self._db.rows("SELECT body FROM name_answers WHERE owner = ? ORDER BY raw, project_key", (reader.user,))
        return [_answer.decode(str(row[0])) for row in found]
