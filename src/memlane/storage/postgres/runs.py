"""Runs and what people call them, the files they touched, the prompts that tell a fork, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import Project, Reader, RunFilter, RunSummary, Touch
from memlane.storage.postgres.chunk_rows import remove_run
from memlane.storage.postgres.conditions import ending, ending_condition, run_condition
from memlane.storage.postgres.connection import Connection, Row, digest, encoded, moment, seconds
from memlane.storage.postgres.names import Names
from memlane.storage.project_place import PLACED, filing

_decoder = msgspec.json.Decoder(RunSummary)
_COLUMNS = "id, owner, agent, machine, native_id, project, project_key, started, ended, parent, body, filed, filed_key"
_PLACED = PLACED.format(table="runs", hole="%s", text="%s::text", c=' COLLATE "C"')
_SELECT = (
    "SELECT runs.body, labels.title, labels.tags, labels.pinned FROM runs"
    " LEFT JOIN labels ON labels.run = runs.id AND labels.owner = runs.owner"
)


class PostgresRuns:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, summary: RunSummary) -> None:
        given = summary.project
        where = filing(self._db.rows(_PLACED, (summary.id, summary.owner, given.name, given.key)))
        summary = replace(summary, project=where.now)
        updated = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[1:])
        self._db.run(
            f"INSERT INTO runs ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
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
                where.filed.name,
                where.filed.key,
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


class PostgresTouches:
    def __init__(self, connection: Connection, names: Names) -> None:
        self._db = connection
        self._names = names

    def replace(self, run: str, owner: str, from_turn: int, touches: Iterable[Touch]) -> None:
        listed = list(touches)
        with self._db.transaction():
            whose = self._names.give(owner)
            self._db.run("DELETE FROM touches WHERE run = %s AND turn >= %s", (run, from_turn))
            self._db.copy(
                "COPY touches (owner, run, turn, step, path, ending, changed, tool, at) FROM STDIN",
                (
                    (whose, run, t.turn, t.step, t.path, ending(t.path), t.changed, t.tool, seconds(t.at))
                    for t in listed
                ),
            )

    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        owner, ends, runs = self._names.find(reader.user), ending_condition(path), run_condition(which, reader)
        found = self._db.rows(
            "SELECT runs.id, turn, step, path, changed, tool, at FROM touches JOIN runs ON runs.id = touches.run"
            f" WHERE touches.owner = %s AND {ends.sql} AND {runs.sql} {'AND changed' if changed else ''}"
            " ORDER BY at DESC NULLS LAST, runs.id, turn DESC, step DESC, path LIMIT %s",
            (owner, *ends.values, *runs.values, which.limit),
        )
        return [_touch(cast("tuple[str, int, int, str, bool, str, object]", row)) for row in found]


def _touch(row: tuple[str, int, int, str, bool, str, object]) -> Touch:
    run, turn, step, path, changed, tool, at = row
    return Touch(run, turn, step, path, changed, tool, moment(at))


class PostgresPrompts:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def holders(self, native_id: str, reader: Reader) -> Sequence[tuple[str, int, int]]:
        found = self._db.rows(
            "SELECT run, turn, steps FROM prompts WHERE digest = %s AND owner = %s ORDER BY run",
            (digest(native_id), reader.user),
        )
        return [(str(run), int(str(turn)), int(str(steps))) for run, turn, steps in found]

    def replace(self, run: str, owner: str, from_turn: int, prompts: Iterable[tuple[str, int, int]]) -> None:
        new = {digest(native_id): (native_id, turn, steps) for native_id, turn, steps in prompts}
        with self._db.transaction():
            old = self._db.rows("SELECT digest FROM prompts WHERE run = %s AND turn >= %s", (run, from_turn))
            index_holders_again(self._db, run, [row[0] for row in old if row[0] not in new])
            self._db.run("DELETE FROM prompts WHERE run = %s AND turn >= %s", (run, from_turn))
            self._db.run_many(
                "INSERT INTO prompts (digest, run, native_id, owner, turn, steps) VALUES (%s,%s,%s,%s,%s,%s)"
                " ON CONFLICT (digest, run) DO UPDATE SET turn = excluded.turn, steps = excluded.steps",
                ((key, run, native_id, owner, turn, steps) for key, (native_id, turn, steps) in new.items()),
            )


def index_holders_again(db: Connection, run: str, prompts: Sequence[object]) -> None:
    """Other Runs may have left these prompts to this one, which is about to let go of them."""
    if prompts:
        db.run(
            "UPDATE marks SET size = -1 WHERE run IN"
            " (SELECT run FROM prompts WHERE digest = ANY(%s::uuid[]) AND run <> %s)",
            (list(prompts), run),
        )
