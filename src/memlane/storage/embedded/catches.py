"""Windows that were read, and how far each Run was looked at, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from memlane.domain import Reader
from memlane.domain.journal import TOMBSTONE
from memlane.storage.embedded.connection import Connection
from memlane.storage.values import Looked

_DUE = """
SELECT runs.id FROM runs JOIN marks ON marks.run = runs.id AND marks.size >= 0
LEFT JOIN looked ON looked.run = runs.id AND looked.owner = runs.owner
WHERE runs.owner = ?1 AND NOT EXISTS (SELECT 1 FROM bars WHERE bars.run = runs.id AND reason = ?2)
AND (looked.run IS NULL OR marks.turn - looked.turn >= ?3
  OR (coalesce(runs.ended < ?4, 1)
    AND NOT (looked.closed AND looked.generation = marks.generation AND looked.size = marks.size)))
ORDER BY runs.ended, runs.id
"""


class EmbeddedCatches:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def record(self, run: str, owner: str, extractor: str, windows: Sequence[str]) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO caught (owner, run, window, extractor) VALUES (?,?,?,?)",
            ((owner, run, window, extractor) for window in windows),
        )

    def read(self, run: str, reader: Reader) -> Mapping[str, frozenset[str]]:
        by = dict[str, set[str]]()
        asked = "SELECT window, extractor FROM caught WHERE owner = ? AND run = ?"
        for window, extractor in self._db.rows(asked, (reader.user, run)):
            by.setdefault(str(window), set()).add(str(extractor))
        return {window: frozenset(extractors) for window, extractors in by.items()}

    def count(self, reader: Reader) -> Mapping[str, int]:
        asked = "SELECT extractor, count(*) FROM caught WHERE owner = ? GROUP BY extractor"
        return {str(extractor): int(str(n)) for extractor, n in self._db.rows(asked, (reader.user,))}

    def looked(self, run: str) -> Looked | None:
        row = self._db.row("SELECT generation, size, turn, closed FROM looked WHERE run = ?", (run,))
        if row is None:
            return None
        generation, size, turn, closed = cast("tuple[int, int, int, int]", row)
        return Looked(generation, size, turn, bool(closed))

    def look_done(self, run: str, owner: str, looked: Looked) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO looked (run, owner, generation, size, turn, closed) VALUES (?,?,?,?,?,?)",
            (run, owner, looked.generation, looked.size, looked.turn, looked.closed),
        )

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """A Run without any time may have ended long ago."""
        found = self._db.rows(_DUE, (reader.user, TOMBSTONE, turns, idle_since.timestamp()))
        return [str(row[0]) for row in found]
