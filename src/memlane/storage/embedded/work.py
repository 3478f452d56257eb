"""Marks, checkpoints, bars and notes: the small tables that say what is left to do, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from memlane.domain import Reader
from memlane.storage.embedded.connection import Connection
from memlane.storage.values import Bookmark, Mark


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

    def indexed(self, run: str) -> Mark | None:
        row = self._db.row("SELECT generation, size, turn, rules FROM marks WHERE run = ? AND size >= 0", (run,))
        return Mark(int(str(row[0])), int(str(row[1])), int(str(row[2])), str(row[3])) if row else None

    def index_done(self, run: str, mark: Mark) -> None:
        self._db.run(
            "INSERT INTO marks (run, archived_generation, archived_size, moved, generation, size, turn, rules)"
            " VALUES (?1, ?2, ?3, 0, ?2, ?3, ?4, ?5) ON CONFLICT (run)"
            " DO UPDATE SET generation = ?2, size = ?3, turn = ?4, rules = ?5",
            (run, mark.generation, mark.size, mark.turn, mark.rules),
        )

    def index_again(self, run: str) -> None:
        self._db.run("UPDATE marks SET size = -1 WHERE run = ?", (run,))

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
