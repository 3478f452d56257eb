"""The small tables that say what is left to do, in PostgreSQL: marks, checkpoints, bars, notes, Windows read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import cast

from memlane.domain import Reader
from memlane.domain.journal import TOMBSTONE
from memlane.storage.postgres.builds import Builds
from memlane.storage.postgres.connection import Connection, digest
from memlane.storage.values import Bookmark, CatchMark, IndexMark


class PostgresWork:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def archived(self, run: str, generation: int, size: int) -> None:
        self._db.run(
            "INSERT INTO marks (owner, build, run, archived_generation, archived_size, moved)"
            " VALUES (%s, %s, %s, %s, %s, extract(epoch FROM clock_timestamp())) ON CONFLICT (owner, build, run)"
            " DO UPDATE SET moved = excluded.moved, archived_generation = excluded.archived_generation,"
            " archived_size = excluded.archived_size",
            (*self._builds.mine, run, generation, size),
        )

    def pending(self) -> Sequence[str]:
        found = self._db.rows(
            "SELECT run FROM marks WHERE owner = %s AND build = %s"
            " AND (generation <> archived_generation OR size <> archived_size) ORDER BY moved, run",
            self._builds.mine,
        )
        return [str(row[0]) for row in found]

    def indexed(self, run: str) -> IndexMark | None:
        row = self._db.row(
            "SELECT generation, size, turn, rules FROM marks"
            " WHERE owner = %s AND build = %s AND run = %s AND size >= 0",
            (*self._builds.mine, run),
        )
        return IndexMark(int(str(row[0])), int(str(row[1])), int(str(row[2])), str(row[3])) if row else None

    def index_done(self, run: str, mark: IndexMark) -> None:
        self._db.run(
            "INSERT INTO marks (owner, build, run, archived_generation, archived_size, moved, generation, size, turn,"
            " rules) VALUES (%s, %s, %s, %s, %s, 0, %s, %s, %s, %s) ON CONFLICT (owner, build, run) DO UPDATE"
            " SET generation = excluded.generation, size = excluded.size, turn = excluded.turn, rules = excluded.rules",
            (*self._builds.mine, run, mark.generation, mark.size, mark.generation, mark.size, mark.turn, mark.rules),
        )

    def index_again(self, run: str) -> None:
        self._db.run(
            "UPDATE marks SET size = -1 WHERE owner = %s AND build = %s AND run = %s", (*self._builds.mine, run)
        )

    def masked_otherwise(self, rules: str, limit: int) -> Sequence[str]:
        found = self._db.rows(
            "SELECT run FROM marks WHERE owner = %s AND build = %s AND size >= 0 AND rules <> %s ORDER BY run LIMIT %s",
            (*self._builds.mine, rules, limit),
        )
        return [str(row[0]) for row in found]

    def bookmark(self, run: str) -> Bookmark | None:
        row = self._db.row(
            'SELECT generation, "offset", state FROM bookmarks WHERE owner = %s AND build = %s AND run = %s',
            (*self._builds.mine, run),
        )
        return Bookmark(int(str(row[0])), int(str(row[1])), cast(bytes, row[2])) if row else None

    def keep_bookmark(self, run: str, bookmark: Bookmark | None) -> None:
        if bookmark is None:
            gone = "DELETE FROM bookmarks WHERE owner = %s AND build = %s AND run = %s"
            self._db.run(gone, (*self._builds.mine, run))
            return
        self._db.run(
            'INSERT INTO bookmarks (owner, build, run, generation, "offset", state) VALUES (%s, %s, %s, %s, %s, %s)'
            " ON CONFLICT (owner, build, run) DO UPDATE SET generation = excluded.generation,"
            ' "offset" = excluded."offset", state = excluded.state',
            (*self._builds.mine, run, bookmark.generation, bookmark.offset, bookmark.state),
        )

    def journal_read(self) -> Mapping[str, int]:
        asked = 'SELECT file, "offset" FROM journal_read WHERE owner = %s AND build = %s'
        return {str(file): int(str(offset)) for file, offset in self._db.rows(asked, self._builds.mine)}

    def journal_done(self, positions: Mapping[str, int]) -> None:
        mine = self._builds.mine
        self._db.run_many(
            'INSERT INTO journal_read (owner, build, file, "offset") VALUES (%s, %s, %s, %s)'
            ' ON CONFLICT (owner, build, file) DO UPDATE SET "offset" = excluded."offset"',
            ((*mine, file, offset) for file, offset in positions.items()),
        )


class PostgresCheckpoints:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def all(self) -> Mapping[str, str]:
        asked = "SELECT path, signature FROM checkpoints WHERE owner = %s AND build = %s"
        return {str(path): str(seen) for path, seen in self._db.rows(asked, self._builds.mine)}

    def get(self, path: str) -> str:
        asked = "SELECT signature FROM checkpoints WHERE owner = %s AND build = %s AND digest = %s"
        row = self._db.row(asked, (*self._builds.mine, digest(path)))
        return str(row[0]) if row else ""

    def save(self, path: str, signature: str) -> None:
        self._db.run(
            "INSERT INTO checkpoints (owner, build, digest, path, signature) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (owner, build, digest) DO UPDATE SET signature = excluded.signature",
            (*self._builds.mine, digest(path), path, signature),
        )

    def forget(self, paths: Iterable[str]) -> None:
        self._db.run(
            "DELETE FROM checkpoints WHERE owner = %s AND build = %s AND digest = ANY(%s::uuid[])",
            (*self._builds.mine, [digest(path) for path in paths]),
        )


class PostgresBars:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def put(self, run: str, owner: str, reason: str) -> None:
        self._db.run(
            "INSERT INTO bars (owner, build, run, reason) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (owner, build, run) DO UPDATE SET reason = excluded.reason",
            (*self._builds.made_for(owner), run, reason),
        )

    def lift(self, run: str, owner: str) -> None:
        self._db.run(
            "DELETE FROM bars WHERE owner = %s AND build = %s AND run = %s", (*self._builds.made_for(owner), run)
        )

    def barred(self, reader: Reader) -> Mapping[str, str]:
        asked = "SELECT run, reason FROM bars WHERE owner = %s AND build = %s"
        return {str(run): str(reason) for run, reason in self._db.rows(asked, self._builds.of(reader.user))}


class PostgresNotes:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def get(self, name: str) -> str:
        asked = "SELECT value FROM notes WHERE owner = %s AND build = %s AND name = %s"
        row = self._db.row(asked, (*self._builds.mine, name))
        return str(row[0]) if row else ""

    def put(self, name: str, value: str) -> None:
        self._db.run(
            "INSERT INTO notes (owner, build, name, value) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (owner, build, name) DO UPDATE SET value = excluded.value",
            (*self._builds.mine, name, value),
        )


_DUE = """
SELECT runs.id FROM runs
JOIN marks ON marks.owner = runs.owner AND marks.build = runs.build AND marks.run = runs.id AND marks.size >= 0
LEFT JOIN looked ON looked.owner = runs.owner AND looked.build = runs.build AND looked.run = runs.id
WHERE runs.owner = %s AND runs.build = %s AND NOT EXISTS (SELECT FROM bars
  WHERE bars.owner = runs.owner AND bars.build = runs.build AND bars.run = runs.id AND reason = %s)
AND (looked.run IS NULL OR marks.turn - looked.turn >= %s
  OR (coalesce(runs.ended < %s, true)
    AND NOT (looked.closed AND looked.generation = marks.generation AND looked.size = marks.size)))
ORDER BY runs.ended NULLS FIRST, runs.id
"""


class PostgresCatches:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def record(self, run: str, owner: str, extractor: str, windows: Sequence[str]) -> None:
        self._db.run(
            'INSERT INTO caught (owner, build, run, "window", extractor)'
            " SELECT %s, %s, %s, said, %s FROM unnest(%s::text[]) AS said ON CONFLICT DO NOTHING",
            (*self._builds.made_for(owner), run, extractor, list(windows)),
        )

    def read(self, run: str, reader: Reader) -> Mapping[str, frozenset[str]]:
        by = dict[str, set[str]]()
        asked = 'SELECT "window", extractor FROM caught WHERE owner = %s AND build = %s AND run = %s'
        for window, extractor in self._db.rows(asked, (*self._builds.of(reader.user), run)):
            by.setdefault(str(window), set()).add(str(extractor))
        return {window: frozenset(extractors) for window, extractors in by.items()}

    def count(self, reader: Reader) -> Mapping[str, int]:
        asked = "SELECT extractor, count(*) FROM caught WHERE owner = %s AND build = %s GROUP BY extractor"
        found = self._db.rows(asked, self._builds.of(reader.user))
        return {str(extractor): int(str(n)) for extractor, n in found}

    def looked(self, run: str) -> CatchMark | None:
        asked = "SELECT generation, size, turn, closed FROM looked WHERE owner = %s AND build = %s AND run = %s"
        row = self._db.row(asked, (*self._builds.mine, run))
        return CatchMark(*cast("tuple[int, int, int, bool]", row)) if row else None

    def look_done(self, run: str, owner: str, looked: CatchMark) -> None:
        self._db.run(
            "INSERT INTO looked (owner, build, run, generation, size, turn, closed) VALUES (%s,%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, build, run) DO UPDATE SET generation = excluded.generation,"
            " size = excluded.size, turn = excluded.turn, closed = excluded.closed",
            (*self._builds.made_for(owner), run, looked.generation, looked.size, looked.turn, looked.closed),
        )

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """A Run without any time may have ended long ago."""
        whose = self._builds.of(reader.user)
        found = self._db.rows(_DUE, (*whose, TOMBSTONE, turns, idle_since.timestamp()))
        return [str(row[0]) for row in found]
