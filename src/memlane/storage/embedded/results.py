"""How Runs went, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.domain import Reader
from memlane.storage.embedded.connection import Connection
from memlane.storage.values import Result

_decoder = msgspec.json.Decoder(Result)


class EmbeddedResults:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, result: Result, owner: str) -> None:
        with self._db.transaction():
            self._db.run(
                "INSERT OR REPLACE INTO results (owner, run, at, body) VALUES (?,?,?,?)",
                (owner, result.run, result.at.timestamp(), msgspec.json.encode(result).decode()),
            )
            self._db.run("DELETE FROM credited WHERE owner = ? AND run = ?", (owner, result.run))
            self._db.run_many(
                "INSERT OR IGNORE INTO credited (owner, memory, run) VALUES (?,?,?)",
                ((owner, memory, result.run) for memory in result.memories),
            )

    def get(self, run: str, reader: Reader) -> Result | None:
        row = self._db.row("SELECT body FROM results WHERE owner = ? AND run = ?", (reader.user, run))
        return _decoder.decode(str(row[0])) if row else None

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        found = self._db.rows(
            "SELECT body FROM credited JOIN results USING (owner, run) WHERE owner = ? AND memory = ? ORDER BY at, run",
            (reader.user, memory),
        )
        return [_decoder.decode(str(row[0])) for row in found]
