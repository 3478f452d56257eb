"""Runs and what people call them, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import Project, Reader, RunFilter, RunSummary
from memlane.storage.embedded.chosen import run_condition
from memlane.storage.embedded.chunk_rows import remove_run
from memlane.storage.embedded.connection import Connection, Row, seconds
from memlane.storage.embedded.names import Names
from memlane.storage.embedded.prompts import index_holders_again

_decoder = msgspec.json.Decoder(RunSummary)
_tags = msgspec.json.Decoder(tuple[str, ...])
_SELECT = (
    "SELECT runs.body, labels.title, labels.tags, labels.pinned FROM runs"
    " LEFT JOIN labels ON labels.run = runs.id AND labels.owner = runs.owner"
)


class EmbeddedRuns:
    def __init__(self, connection: Connection, names: Names) -> None:
        self._db = connection
        self._names = names

    def put(self, summary: RunSummary) -> None:
        with self._db.transaction():
            self._put(summary, self._names.give(summary.id))

    def _put(self, summary: RunSummary, number: int) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO runs (id, n, owner, agent, machine, native_id, project, project_key, started,"
            " ended, parent, body) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                summary.id,
                number,
                summary.owner,
                summary.agent,
                summary.machine,
                summary.native_id,
                summary.project.name,
                summary.project.key,
                seconds(summary.started),
                seconds(summary.ended),
                summary.parent,
                msgspec.json.encode(summary).decode(),
            ),
        )

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO labels (run, owner, title, tags, pinned) VALUES (?,?,?,?,?)",
            (run, owner, title, msgspec.json.encode(list(tags)).decode(), pinned),
        )

    def drop(self, run: str) -> None:
        with self._db.transaction():
            prompts = self._db.rows("SELECT native_id FROM prompts WHERE run = ?", (run,))
            index_holders_again(self._db, run, (str(row[0]) for row in prompts))
            for table in ("prompts", "marks", "bookmarks", "looked"):
                self._db.run(f"DELETE FROM {table} WHERE run = ?", (run,))
            self._db.run("DELETE FROM runs WHERE id = ?", (run,))
            number = self._names.find(run)
            if number is not None:
                self._db.run("DELETE FROM touches WHERE run = ?", (number,))
                remove_run(self._db, number)

    def get(self, run: str, reader: Reader) -> RunSummary | None:
        return self._one("runs.id = ? AND runs.owner = ?", (run, reader.user))

    def by_native_id(self, native_id: str, reader: Reader) -> RunSummary | None:
        return self._one("native_id = ? AND runs.owner = ? ORDER BY ended DESC", (native_id, reader.user))

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM runs WHERE id >= ? AND id < ? AND owner = ? ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        condition, values = run_condition(which, reader)
        found = self._db.rows(
            f"{_SELECT} WHERE {condition} ORDER BY ended IS NULL, ended DESC, id LIMIT ?", (*values, which.limit)
        )
        return [_summary(row) for row in found]

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]:
        found = self._db.rows(f"{_SELECT} WHERE parent = ? AND runs.owner = ? ORDER BY started, id", (run, reader.user))
        return [_summary(row) for row in found]

    def projects(self, reader: Reader) -> Sequence[Project]:
        found = self._db.rows(
            "SELECT project, project_key FROM runs WHERE owner = ? GROUP BY project_key, project"
            " ORDER BY min(ifnull(ended, -1e18)), project_key, project",
            (reader.user,),
        )
        return [Project(str(name), str(key)) for name, key in found]

    def count(self, reader: Reader) -> int:
        return self._db.number("SELECT count(*) FROM runs WHERE owner = ?", (reader.user,))

    def _one(self, where: str, values: Sequence[object]) -> RunSummary | None:
        row = self._db.row(f"{_SELECT} WHERE {where}", values)
        return _summary(row) if row else None


def _summary(row: Row) -> RunSummary:
    body, title, tags, pinned = cast("tuple[str, str | None, str, int]", row)
    summary = _decoder.decode(body)
    if title is None:
        return summary
    return replace(summary, title=title or summary.title, tags=_tags.decode(tags), pinned=bool(pinned))
