"""Entities made by hand, and what people said names mean, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.domain import Entity, NameAnswer, Reader
from memlane.storage.postgres.connection import Connection, digest, encoded

_entity = msgspec.json.Decoder(Entity)
_answer = msgspec.json.Decoder(NameAnswer)


class PostgresEntities:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, entity: Entity, owner: str) -> None:
        self._db.run(
            "INSERT INTO entities (owner, digest, type, slug, body) VALUES (%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, digest) DO UPDATE SET body = excluded.body",
            (owner, digest(encoded([entity.type, entity.slug])), entity.type, entity.slug, encoded(entity)),
        )

    def listed(self, reader: Reader) -> Sequence[Entity]:
        found = self._db.rows("SELECT body FROM entities WHERE owner = %s ORDER BY type, slug", (reader.user,))
        return [_entity.decode(str(row[0])) for row in found]

    def answer(self, answer: NameAnswer, owner: str) -> None:
        raw = answer.raw.casefold()
        self._db.run(
            "INSERT INTO name_answers (owner, digest, raw, project_key, body) VALUES (%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, digest) DO UPDATE SET body = excluded.body",
            (owner, digest(encoded([raw, answer.project_key])), raw, answer.project_key, encoded(answer)),
        )

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        asked = "SELECT body FROM name_answers WHERE owner = %s ORDER BY raw, project_key"
        return [_answer.decode(str(row[0])) for row in self._db.rows(asked, (reader.user,))]
