"""Marks, checkpoints, bars and notes: the small tables that say what is left to do, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memlane.domain import Reader
from memlane.storage.embedded.connection import Connection, Row
from memlane.storage.ports import Mark


class EmbeddedWork:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def indexed(self, run: str) -> Mark | None:
        row = self._db.row("SELECT generation, size, turn, rules FROM marks WHERE run = ?", (run,))
        return _mark(row) if row else None

    def all_indexed(self) -> Mapping[str, Mark]:
        found = self._db.rows("SELECT generation, size, turn, rules, run FROM marks")
        return {str(row[4]): _mark(row) for row in found}

    def index_done(self, run: str, mark: Mark) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO marks (run, generation, size, turn, rules) VALUES (?,?,?,?,?)",
            (run, mark.generation, mark.size, mark.turn, mark.rules),
        )

    def index_again(self, run: str) -> None:
        self._db.run("DELETE FROM marks WHERE run = ?", (run,))

    def journal_read(self) -> Mapping[str, int]:
        return {str(file): int(str(offset)) for file, offset in self._db.rows("SELECT file, offset FROM journal_read")}

    def journal_done(self, positions: Mapping[str, int]) -> None:
        self._db.run_many("INSERT OR REPLACE INTO journal_read (file, offset) VALUES (?, ?)", iter(positions.items()))


def _mark(row: Row) -> Mark:
    return Mark(int(str(row[0])), int(str(row[1])), int(str(row[2])), str(row[3]))


class EmbeddedCheckpoints:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def all(self) -> Mapping[str, str]:
        return {str(path): str(seen) for path, seen in self._db.rows("SELECT path, signature FROM checkpoints")}

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
