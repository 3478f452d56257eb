"""Runs and what people call them, the files they touched, the prompts that tell a fork, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import Project, Reader, RunFilter, RunSummary, Touch, ranked
from memlane.storage.embedded.chunk_rows import remove_run
from memlane.storage.embedded.conditions import ending, ending_condition, most, run_condition
from memlane.storage.embedded.connection import Connection, Row, moment, seconds
from memlane.storage.embedded.names import Names
from memlane.storage.project_place import PLACED, filing
from memlane.storage.run_traits import traits_of

_decoder = msgspec.json.Decoder(RunSummary)
_PLACED = PLACED.format(table="runs", hole="?", text="?", c="")
_tags = msgspec.json.Decoder(tuple[str, ...])
_counts = msgspec.json.Decoder(dict[str, int])
_NAMED = (
    "(SELECT json_group_object(key, n) FROM"
    " (SELECT key, count(*) AS n FROM run_entities WHERE run_entities.run = runs.id GROUP BY key))"
)
_SELECT = (
    f"SELECT runs.body, {_NAMED}, labels.title, labels.tags, labels.pinned FROM runs"
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
        given = summary.project
        where = filing(self._db.rows(_PLACED, (summary.id, summary.owner, given.name, given.key)))
        summary = replace(summary, project=where.now)
        self._db.run(
            "INSERT OR REPLACE INTO runs (id, n, owner, agent, machine, native_id, project, project_key, started,"
            " ended, parent, body, filed, filed_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
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
                where.filed.name,
                where.filed.key,
            ),
        )
        self._db.run("DELETE FROM run_traits WHERE run = ?", (summary.id,))
        self._db.run_many(
            "INSERT INTO run_traits (run, trait, value) VALUES (?,?,?)",
            ((summary.id, trait, value) for trait, value in traits_of(summary)),
        )

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO labels (run, owner, title, tags, pinned) VALUES (?,?,?,?,?)",
            (run, owner, title, msgspec.json.encode(list(tags)).decode(), pinned),
        )

    def name(self, run: str, from_turn: int, named: Iterable[tuple[int, str]]) -> None:
        with self._db.transaction():
            self._db.run("DELETE FROM run_entities WHERE run = ? AND (turn >= ? OR turn < 0)", (run, from_turn))
            self._db.run_many(
                "INSERT OR IGNORE INTO run_entities (run, turn, key) VALUES (?,?,?)",
                ((run, turn, key) for turn, key in named),
            )
            self._db.run("DELETE FROM unnamed WHERE run = ?", (run,))

    def unnamed(self, reader: Reader) -> Sequence[tuple[str, int]]:
        found = self._db.rows(
            "SELECT unnamed.run, unnamed.turn FROM unnamed JOIN runs ON runs.id = unnamed.run WHERE runs.owner = ?"
            " ORDER BY runs.ended IS NULL, runs.ended DESC, runs.id",
            (reader.user,),
        )
        return [(str(run), int(str(turn))) for run, turn in found]

    def name_again(self, runs: Sequence[str] | None, reader: Reader) -> None:
        some = "" if runs is None else " AND id IN (SELECT value FROM json_each(?))"
        values = () if runs is None else (msgspec.json.encode(list(runs)).decode(),)
        self._db.run(
            f"INSERT OR REPLACE INTO unnamed (run, turn) SELECT id, 0 FROM runs WHERE owner = ?{some}",
            (reader.user, *values),
        )

    def drop(self, run: str) -> None:
        with self._db.transaction():
            prompts = self._db.rows("SELECT native_id FROM prompts WHERE run = ?", (run,))
            index_holders_again(self._db, run, (str(row[0]) for row in prompts))
            for table in ("prompts", "marks", "bookmarks", "looked", "run_entities", "run_traits", "unnamed"):
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
            f"{_SELECT} WHERE {condition} ORDER BY ended IS NULL, ended DESC, id LIMIT ?", (*values, most(which.limit))
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
    body, named, title, tags, pinned = cast("tuple[str, str, str | None, str, int]", row)
    summary = replace(_decoder.decode(body), entities=ranked(_counts.decode(named)))
    if title is None:
        return summary
    return replace(summary, title=title or summary.title, tags=_tags.decode(tags), pinned=bool(pinned))


class EmbeddedTouches:
    def __init__(self, connection: Connection, names: Names) -> None:
        self._db = connection
        self._names = names

    def replace(self, run: str, owner: str, from_turn: int, touches: Iterable[Touch]) -> None:
        with self._db.transaction():
            number, whose, give = self._names.give(run), self._names.give(owner), self._names.give
            self._db.run("DELETE FROM touches WHERE run = ? AND turn >= ?", (number, from_turn))
            self._db.run_many(
                "INSERT INTO touches (owner, run, turn, step, path, ending, changed, tool, at)"
                " VALUES (?,?,?,?,?,?,?,?,?)",
                [
                    (whose, number, t.turn, t.step, t.path, ending(t.path), t.changed, give(t.tool), seconds(t.at))
                    for t in touches
                ],
            )

    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        owner = self._names.find(reader.user)
        where, ends = ending_condition(path)
        condition, values = run_condition(which, reader)
        found = self._db.rows(
            "SELECT runs.id, turn, step, path, changed, tool, at FROM touches JOIN runs ON runs.n = touches.run"
            f" WHERE touches.owner = ? AND {where} AND {condition} {'AND changed' if changed else ''}"
            " ORDER BY at IS NULL, at DESC, runs.id, turn DESC, step DESC, path LIMIT ?",
            (owner, *ends, *values, most(which.limit)),
        )
        return [self._touch(cast("tuple[str, int, int, str, int, int, object]", row)) for row in found]

    def _touch(self, row: tuple[str, int, int, str, int, int, object]) -> Touch:
        run, turn, step, path, changed, tool, at = row
        return Touch(run, turn, step, path, bool(changed), self._names.name(tool), moment(at))


class EmbeddedPrompts:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def holders(self, native_id: str, reader: Reader) -> Sequence[tuple[str, int, int]]:
        found = self._db.rows(
            "SELECT run, turn, steps FROM prompts WHERE native_id = ? AND owner = ? ORDER BY run",
            (native_id, reader.user),
        )
        return [(str(run), int(str(turn)), int(str(steps))) for run, turn, steps in found]

    def replace(self, run: str, owner: str, from_turn: int, prompts: Iterable[tuple[str, int, int]]) -> None:
        listed = list(prompts)
        old = self._db.rows("SELECT native_id FROM prompts WHERE run = ? AND turn >= ?", (run, from_turn))
        gone = {str(row[0]) for row in old} - {native_id for native_id, _turn, _steps in listed}
        index_holders_again(self._db, run, gone)
        self._db.run("DELETE FROM prompts WHERE run = ? AND turn >= ?", (run, from_turn))
        self._db.run_many(
            "INSERT OR REPLACE INTO prompts (native_id, run, owner, turn, steps) VALUES (?,?,?,?,?)",
            ((native_id, run, owner, turn, steps) for native_id, turn, steps in listed),
        )


def index_holders_again(db: Connection, run: str, prompts: Iterable[str]) -> None:
    """Other Runs may have left these prompts to this one, which is about to let go of them."""
    db.run_many(
        "UPDATE marks SET size = -1 WHERE run IN (SELECT run FROM prompts WHERE native_id = ? AND run <> ?)",
        ((native_id, run) for native_id in prompts),
    )
