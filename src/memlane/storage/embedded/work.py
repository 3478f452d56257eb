"""The small tables that say what is left to do, in SQLite: marks, checkpoints, bars, notes, Windows read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import cast

from memlane.domain import Reader
from memlane.domain.journal import TOMBSTONE
from memlane.storage.embedded.connection import Connection
from memlane.storage.values import Bookmark, CatchMark, IndexMark


class EmbeddedWork:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def archived(self, run: str, generation: int, size: int) -> None:
        self._db.run(
            "INSERT INTO marks (run, archived_generation, archived_size, moved)"
            " VALUES (?1, ?2, ?3, unixepoch('now', 'subsec'))"
            " ON CONFLICT (run) DO UPDATE SET archived_generation = ?2, archived_size = ?3, moved = excluded.moved",
            (run, generation, size),
        )

    def pending(self) -> Sequence[str]:
        found = self._db.rows(
            "SELECT run FROM marks WHERE generation <> archived_generation OR size <> archived_size ORDER BY moved, run"
        )
        return [str(row[0]) for row in found]

    def indexed(self, run: str) -> IndexMark | None:
        row = self._db.row("SELECT generation, size, turn, rules FROM marks WHERE run = ? AND size >= 0", (run,))
        return IndexMark(int(str(row[0])), int(str(row[1])), int(str(row[2])), str(row[3])) if row else None

    def index_done(self, run: str, mark: IndexMark) -> None:
        self._db.run(
            "INSERT INTO marks (run, archived_generation, archived_size, moved, generation, size, turn, rules)"
            " VALUES (?1, ?2, ?3, 0, ?2, ?3, ?4, ?5) ON CONFLICT (run)"
            " DO UPDATE SET generation = ?2, size = ?3, turn = ?4, rules = ?5",
            (run, mark.generation, mark.size, mark.turn, mark.rules),
        )

    def index_again(self, run: str) -> None:
        self._db.run("UPDATE marks SET size = -1 WHERE run = ?", (run,))

    def masked_otherwise(self, rules: str, limit: int) -> Sequence[str]:
        found = self._db.rows(
            "SELECT run FROM marks WHERE size >= 0 AND rules <> ? ORDER BY run LIMIT ?", (rules, limit)
        )
        return [str(row[0]) for row in found]

    def bookmark(self, run: str) -> Bookmark | None:
        row = self._db.row("SELECT generation, offset, state FROM bookmarks WHERE run = ?", (run,))
        return Bookmark(int(str(row[0])), int(str(row[1])), cast(bytes, row[2])) if row else None

    def keep_bookmark(self, run: str, bookmark: Bookmark | None) -> None:
        if bookmark is None:
            self._db.run("DELETE FROM bookmarks WHERE run = ?", (run,))
            return
        self._db.run(
            "INSERT OR REPLACE INTO bookmarks (run, generation, offset, state) VALUES (?, ?, ?, ?)",
            (run, bookmark.generation, bookmark.offset, bookmark.state),
        )

    def journal_read(self) -> Mapping[str, int]:
        return {str(file): int(str(offset)) for file, offset in self._db.rows("SELECT file, offset FROM journal_read")}

    def journal_done(self, positions: Mapping[str, int]) -> None:
        self._db.run_many("INSERT OR REPLACE INTO journal_read (file, offset) VALUES (?, ?)", iter(positions.items()))


class EmbeddedCheckpoints:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def all(self) -> Mapping[str, str]:
        return {str(path): str(seen) for path, seen in self._db.rows("SELECT path, signature FROM checkpoints")}

    def get(self, path: str) -> str:
        row = self._db.row("SELECT signature FROM checkpoints WHERE path = ?", (path,))
        return str(row[0]) if row else ""

    def save(self, path: str, signature: str) -> None:
        self._db.run("INSERT OR REPLACE INTO checkpoints (path, signature) VALUES (?, ?)", (path, signature))

    def forget(self, paths: Iterable[str]) -> None:
        self._db.run_many("DELETE FROM checkpoints WHERE path = ?", ((path,) for path in paths))


class EmbeddedBars:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, run: str, owner: str, reason: str) -> None:
        self._db.run("INSERT OR REPLACE INTO bars (run, owner, reason) VALUES (?,?,?)", (run, owner, reason))

    def lift(self, run: str, owner: str) -> None:
        self._db.run("DELETE FROM bars WHERE run = ? AND owner = ?", (run, owner))

    def barred(self, reader: Reader) -> Mapping[str, str]:
        found = self._db.rows("SELECT run, reason FROM bars WHERE owner = ?", (reader.user,))
        return {str(run): str(reason) for run, reason in found}


class EmbeddedNotes:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def get(self, name: str) -> str:
        row = self._db.row("SELECT value FROM notes WHERE name = ?", (name,))
        return str(row[0]) if row else ""

    def put(self, name: str, value: str) -> None:
        self._db.run("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)", (name, value))


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

    def looked(self, run: str) -> CatchMark | None:
        row = self._db.row("SELECT generation, size, turn, closed FROM looked WHERE run = ?", (run,))
        if row is None:
            return None
        generation, size, turn, closed = cast("tuple[int, int, int, int]", row)
        return CatchMark(generation, size, turn, bool(closed))

    def look_done(self, run: str, owner: str, looked: CatchMark) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO looked (run, owner, generation, size, turn, closed) VALUES (?,?,?,?,?,?)",
            (run, owner, looked.generation, looked.size, looked.turn, looked.closed),
        )

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """A Run without any time may have ended long ago."""
        found = self._db.rows(_DUE, (reader.user, TOMBSTONE, turns, idle_since.timestamp()))
        return [str(row[0]) for row in found]
