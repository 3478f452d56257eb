"""How Runs went, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.domain import Reader
from memlane.storage.postgres.connection import Connection, encoded
from memlane.storage.values import Result

_decoder = msgspec.json.Decoder(Result)


class PostgresResults:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, result: Result, owner: str) -> None:
        with self._db.transaction():
            self._db.run(
                "INSERT INTO results (owner, run, at, body) VALUES (%s,%s,%s,%s)"
                " ON CONFLICT (owner, run) DO UPDATE SET at = excluded.at, body = excluded.body",
                (owner, result.run, result.at.timestamp(), encoded(result)),
            )
            self._db.run("DELETE FROM credited WHERE owner = %s AND run = %s", (owner, result.run))
            self._db.run(
                "INSERT INTO credited (owner, memory, run) SELECT %s, memory, %s FROM unnest(%s::text[]) AS memory"
                " ON CONFLICT DO NOTHING",
                (owner, result.run, list(result.memories)),
            )

    def get(self, run: str, reader: Reader) -> Result | None:
        row = self._db.row("SELECT body FROM results WHERE owner = %s AND run = %s", (reader.user, run))
        return _decoder.decode(str(row[0])) if row else None

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        asked = "SELECT body FROM credited JOIN results USING (owner, run) WHERE owner = %s AND memory = %s"
        found = self._db.rows(f"{asked} ORDER BY at, run", (reader.user, memory))
        return [_decoder.decode(str(row[0])) for row in found]
