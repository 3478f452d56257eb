"""Windows that were read, and how far each Run was looked at, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from memlane.domain import Reader
from memlane.domain.journal import TOMBSTONE
from memlane.storage.postgres.connection import Connection
from memlane.storage.values import Looked

_DUE = """
SELECT runs.id FROM runs JOIN marks ON marks.run = runs.id AND marks.size >= 0
LEFT JOIN looked ON looked.run = runs.id AND looked.owner = runs.owner
WHERE runs.owner = %s AND NOT EXISTS (SELECT FROM bars WHERE bars.run = runs.id AND reason = %s)
AND (looked.run IS NULL OR marks.turn - looked.turn >= %s
  OR (coalesce(runs.ended < %s, true)
    AND NOT (looked.closed AND looked.generation = marks.generation AND looked.size = marks.size)))
ORDER BY runs.ended NULLS FIRST, runs.id
"""


class PostgresCatches:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def record(self, run: str, owner: str, extractor: str, windows: Sequence[str]) -> None:
        self._db.run(
            'INSERT INTO caught (owner, run, "window", extractor)'
            " SELECT %s, %s, said, %s FROM unnest(%s::text[]) AS said ON CONFLICT DO NOTHING",
            (owner, run, extractor, list(windows)),
        )

    def read(self, run: str, reader: Reader) -> Mapping[str, frozenset[str]]:
        by = dict[str, set[str]]()
        asked = 'SELECT "window", extractor FROM caught WHERE owner = %s AND run = %s'
        for window, extractor in self._db.rows(asked, (reader.user, run)):
            by.setdefault(str(window), set()).add(str(extractor))
        return {window: frozenset(extractors) for window, extractors in by.items()}

    def count(self, reader: Reader) -> Mapping[str, int]:
        asked = "SELECT extractor, count(*) FROM caught WHERE owner = %s GROUP BY extractor"
        return {str(extractor): int(str(n)) for extractor, n in self._db.rows(asked, (reader.user,))}

    def looked(self, run: str) -> Looked | None:
        row = self._db.row("SELECT generation, size, turn, closed FROM looked WHERE run = %s", (run,))
        return Looked(*cast("tuple[int, int, int, bool]", row)) if row else None

    def look_done(self, run: str, owner: str, looked: Looked) -> None:
        self._db.run(
            "INSERT INTO looked (run, owner, generation, size, turn, closed) VALUES (%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (run) DO UPDATE SET owner = excluded.owner, generation = excluded.generation,"
            " size = excluded.size, turn = excluded.turn, closed = excluded.closed",
            (run, owner, looked.generation, looked.size, looked.turn, looked.closed),
        )

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """A Run without any time may have ended long ago."""
        found = self._db.rows(_DUE, (reader.user, TOMBSTONE, turns, idle_since.timestamp()))
        return [str(row[0]) for row in found]
