"""Runs and what people call them, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import Project, Reader, RunFilter, RunSummary
from memlane.storage.postgres.chosen import run_condition
from memlane.storage.postgres.chunk_rows import remove_run
from memlane.storage.postgres.connection import Connection, Row, encoded, seconds
from memlane.storage.postgres.prompts import index_holders_again

_decoder = msgspec.json.Decoder(RunSummary)
_COLUMNS = "id, owner, agent, machine, native_id, project, project_key, started, ended, parent, body"
_SELECT = (
    "SELECT runs.body, labels.title, labels.tags, labels.pinned FROM runs"
    " LEFT JOIN labels ON labels.run = runs.id AND labels.owner = runs.owner"
)


class PostgresRuns:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, summary: RunSummary) -> None:
        updated = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[1:])
        self._db.run(
            f"INSERT INTO runs ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
            f" ON CONFLICT (id) DO UPDATE SET {updated}",
            (
                summary.id,
                summary.owner,
                summary.agent,
                summary.machine,
                summary.native_id,
                summary.project.name,
                summary.project.key,
                seconds(summary.started),
                seconds(summary.ended),
                summary.parent,
                encoded(summary),
            ),
        )

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        self._db.run(
            "INSERT INTO labels (run, owner, title, tags, pinned) VALUES (%s, %s, %s, %s::text[], %s)"
            " ON CONFLICT (run, owner) DO UPDATE SET title = excluded.title, tags = excluded.tags,"
            " pinned = excluded.pinned",
            (run, owner, title, list(tags), pinned),
        )

    def drop(self, run: str) -> None:
        with self._db.transaction():
            prompts = self._db.rows("SELECT digest FROM prompts WHERE run = %s", (run,))
            index_holders_again(self._db, run, [row[0] for row in prompts])
            remove_run(self._db, run)
            for table in ("prompts", "marks", "bookmarks", "looked", "touches"):
                self._db.run(f"DELETE FROM {table} WHERE run = %s", (run,))
            self._db.run("DELETE FROM runs WHERE id = %s", (run,))

    def get(self, run: str, reader: Reader) -> RunSummary | None:
        return self._one("runs.id = %s AND runs.owner = %s", (run, reader.user))

    def by_native_id(self, native_id: str, reader: Reader) -> RunSummary | None:
        where = "native_id = %s AND runs.owner = %s ORDER BY ended DESC NULLS LAST, id LIMIT 1"
        return self._one(where, (native_id, reader.user))

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM runs WHERE id >= %s AND id < %s AND owner = %s ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        runs = run_condition(which, reader)
        found = self._db.rows(
            f"{_SELECT} WHERE {runs.sql} ORDER BY ended DESC NULLS LAST, id LIMIT %s", (*runs.values, which.limit)
        )
        return [_summary(row) for row in found]

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]:
        where = "parent = %s AND runs.owner = %s ORDER BY started NULLS FIRST, id"
        return [_summary(row) for row in self._db.rows(f"{_SELECT} WHERE {where}", (run, reader.user))]

    def projects(self, reader: Reader) -> Sequence[Project]:
        found = self._db.rows(
            "SELECT project, project_key FROM runs WHERE owner = %s GROUP BY project_key, project"
            ' ORDER BY min(coalesce(ended, -1e18)), project_key COLLATE "C", project COLLATE "C"',
            (reader.user,),
        )
        return [Project(str(name), str(key)) for name, key in found]

    def count(self, reader: Reader) -> int:
        return self._db.number("SELECT count(*) FROM runs WHERE owner = %s", (reader.user,))

    def _one(self, where: str, values: Sequence[object]) -> RunSummary | None:
        row = self._db.row(f"{_SELECT} WHERE {where}", values)
        return _summary(row) if row else None


def _summary(row: Row) -> RunSummary:
    body, title, tags, pinned = cast("tuple[str, str | None, list[str], bool]", row)
    summary = _decoder.decode(body)
    if title is None:
        return summary
    return replace(summary, title=title or summary.title, tags=tuple(tags), pinned=pinned)
