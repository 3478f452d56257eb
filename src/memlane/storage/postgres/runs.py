"""Runs and what people call them, the files they touched, the prompts that tell a fork, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import Project, Reader, RunFilter, RunSummary, Touch, ranked
from memlane.storage.postgres.builds import Builds, Whose
from memlane.storage.postgres.chunk_rows import remove_run
from memlane.storage.postgres.conditions import ending, ending_condition, run_condition
from memlane.storage.postgres.connection import Connection, Row, digest, encoded, moment, seconds
from memlane.storage.postgres.project_rows import filed_place
from memlane.storage.run_traits import traits_of

_decoder = msgspec.json.Decoder(RunSummary)
_COLUMNS = (
    "owner, build, id, agent, machine, native_id, project, project_key, started, ended, parent, body, filed, filed_key"
)
_counts = msgspec.json.Decoder(dict[str, int])
_NAMED = (
    "(SELECT coalesce(json_object_agg(key, n), '{}')::text FROM (SELECT key, count(*) AS n FROM run_entities AS e"
    " WHERE e.owner = runs.owner AND e.build = runs.build AND e.run = runs.id GROUP BY key) AS named)"
)
_SELECT = (
    f"SELECT runs.body, {_NAMED}, labels.title, labels.tags, labels.pinned FROM runs LEFT JOIN labels"
    " ON labels.owner = runs.owner AND labels.build = runs.build AND labels.run = runs.id"
)
_OF = "runs.owner = %s AND runs.build = %s"
_OF_ONE = ("prompts", "marks", "bookmarks", "looked", "touches", "run_entities", "run_traits", "unnamed")


class PostgresRuns:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def put(self, summary: RunSummary) -> None:
        whose = self._builds.made_for(summary.owner)
        where = filed_place(self._db, "runs", whose, summary.id, summary.project)
        summary = replace(summary, project=where.now)
        updated = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[3:])
        self._db.run(
            f"INSERT INTO runs ({_COLUMNS}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
            f" ON CONFLICT (owner, build, id) DO UPDATE SET {updated}",
            (
                *whose,
                summary.id,
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
        gone = "DELETE FROM run_traits WHERE owner = %s AND build = %s AND run = %s"
        self._db.run(gone, (*whose, summary.id))
        self._db.run_many(
            "INSERT INTO run_traits (owner, build, run, trait, value) VALUES (%s, %s, %s, %s, %s)",
            ((*whose, summary.id, trait, digest(value)) for trait, value in traits_of(summary)),
        )

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        self._db.run(
            "INSERT INTO labels (owner, build, run, title, tags, pinned) VALUES (%s, %s, %s, %s, %s::text[], %s)"
            " ON CONFLICT (owner, build, run) DO UPDATE SET title = excluded.title, tags = excluded.tags,"
            " pinned = excluded.pinned",
            (*self._builds.made_for(owner), run, title, list(tags), pinned),
        )

    def name(self, run: str, from_turn: int, named: Iterable[tuple[int, str]]) -> None:
        rows, mine = list(dict.fromkeys(named)), self._builds.mine
        of_run = "owner = %s AND build = %s AND run = %s"
        with self._db.transaction():
            gone = f"DELETE FROM run_entities WHERE {of_run} AND (turn >= %s OR turn < 0)"
            self._db.run(gone, (*mine, run, from_turn))
            self._db.copy(
                "COPY run_entities (owner, build, run, turn, digest, key) FROM STDIN",
                ((*mine, run, turn, digest(key), key) for turn, key in rows),
            )
            self._db.run(f"DELETE FROM unnamed WHERE {of_run}", (*mine, run))

    def unnamed(self, reader: Reader) -> Sequence[tuple[str, int]]:
        found = self._db.rows(
            "SELECT u.run, u.turn FROM unnamed AS u JOIN runs ON runs.owner = u.owner AND runs.build = u.build"
            f" AND runs.id = u.run WHERE {_OF} ORDER BY runs.ended DESC NULLS LAST, runs.id",
            self._builds.of(reader.user),
        )
        return [(str(run), int(str(turn))) for run, turn in found]

    def name_again(self, runs: Sequence[str] | None, reader: Reader) -> None:
        some = "" if runs is None else " AND id = ANY(%s::text[])"
        values = () if runs is None else (list(runs),)
        self._db.run(
            f"INSERT INTO unnamed (owner, build, run, turn) SELECT owner, build, id, 0 FROM runs WHERE {_OF}{some}"
            " ON CONFLICT (owner, build, run) DO UPDATE SET turn = 0",
            (*self._builds.of(reader.user), *values),
        )

    def drop(self, run: str) -> None:
        with self._db.transaction():
            mine = self._builds.mine
            held = "SELECT digest FROM prompts WHERE owner = %s AND build = %s AND run = %s"
            index_holders_again(self._db, mine, run, [row[0] for row in self._db.rows(held, (*mine, run))])
            remove_run(self._db, mine, run)
            for table in _OF_ONE:
                self._db.run(f"DELETE FROM {table} WHERE owner = %s AND build = %s AND run = %s", (*mine, run))
            self._db.run("DELETE FROM runs WHERE owner = %s AND build = %s AND id = %s", (*mine, run))

    def get(self, run: str, reader: Reader) -> RunSummary | None:
        return self._one(f"{_OF} AND runs.id = %s", (*self._builds.of(reader.user), run))

    def by_native_id(self, native_id: str, reader: Reader) -> RunSummary | None:
        where = (
            f"{_OF} AND hashtextextended(native_id, 0) = hashtextextended(%s, 0) AND native_id = %s"
            " ORDER BY ended DESC NULLS LAST, id LIMIT 1"
        )
        return self._one(where, (*self._builds.of(reader.user), native_id, native_id))

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            f"SELECT id FROM runs WHERE {_OF} AND id >= %s AND id < %s ORDER BY id LIMIT 10",
            (*self._builds.of(reader.user), prefix, prefix + "\U0010ffff"),
        )
        return [str(row[0]) for row in found]

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        runs = run_condition(which, self._builds.of(reader.user))
        found = self._db.rows(
            f"{_SELECT} WHERE {runs.sql} ORDER BY ended DESC NULLS LAST, id LIMIT %s", (*runs.values, which.limit)
        )
        return [_summary(row) for row in found]

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]:
        where = f"{_OF} AND parent = %s AND parent <> '' ORDER BY started NULLS FIRST, id"
        found = self._db.rows(f"{_SELECT} WHERE {where}", (*self._builds.of(reader.user), run))
        return [_summary(row) for row in found]

    def projects(self, reader: Reader) -> Sequence[Project]:
        found = self._db.rows(
            f"SELECT project, project_key FROM runs WHERE {_OF} GROUP BY project_key, project"
            ' ORDER BY min(coalesce(ended, -1e18)), project_key COLLATE "C", project COLLATE "C"',
            self._builds.of(reader.user),
        )
        return [Project(str(name), str(key)) for name, key in found]

    def count(self, reader: Reader) -> int:
        return self._db.number(f"SELECT count(*) FROM runs WHERE {_OF}", self._builds.of(reader.user))

    def _one(self, where: str, values: Sequence[object]) -> RunSummary | None:
        row = self._db.row(f"{_SELECT} WHERE {where}", values)
        return _summary(row) if row else None


def _summary(row: Row) -> RunSummary:
    body, named, title, tags, pinned = cast("tuple[str, str, str | None, list[str], bool]", row)
    summary = replace(_decoder.decode(body), entities=ranked(_counts.decode(named)))
    if title is None:
        return summary
    return replace(summary, title=title or summary.title, tags=tuple(tags), pinned=pinned)


class PostgresTouches:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def replace(self, run: str, owner: str, from_turn: int, touches: Iterable[Touch]) -> None:
        listed = list(touches)
        with self._db.transaction():
            whose = self._builds.made_for(owner)
            gone = "DELETE FROM touches WHERE owner = %s AND build = %s AND run = %s AND turn >= %s"
            self._db.run(gone, (*whose, run, from_turn))
            self._db.copy(
                "COPY touches (owner, build, run, turn, step, path, ending, changed, tool, at) FROM STDIN",
                (
                    (*whose, run, t.turn, t.step, t.path, ending(t.path), t.changed, t.tool, seconds(t.at))
                    for t in listed
                ),
            )

    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        whose, ends = self._builds.of(reader.user), ending_condition(path)
        runs = run_condition(which, whose)
        found = self._db.rows(
            "SELECT runs.id, turn, step, path, changed, tool, at FROM touches JOIN runs ON runs.id = touches.run"
            f" WHERE touches.owner = %s AND touches.build = %s AND {ends.sql} AND {runs.sql}"
            f" {'AND changed' if changed else ''}"
            " ORDER BY at DESC NULLS LAST, runs.id, turn DESC, step DESC, path LIMIT %s",
            (*whose, *ends.values, *runs.values, which.limit),
        )
        return [_touch(cast("tuple[str, int, int, str, bool, str, object]", row)) for row in found]


def _touch(row: tuple[str, int, int, str, bool, str, object]) -> Touch:
    run, turn, step, path, changed, tool, at = row
    return Touch(run, turn, step, path, changed, tool, moment(at))


class PostgresPrompts:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def holders(self, native_id: str, reader: Reader) -> Sequence[tuple[str, int, int]]:
        found = self._db.rows(
            "SELECT run, turn, steps FROM prompts WHERE owner = %s AND build = %s AND digest = %s ORDER BY run",
            (*self._builds.of(reader.user), digest(native_id)),
        )
        return [(str(run), int(str(turn)), int(str(steps))) for run, turn, steps in found]

    def replace(self, run: str, owner: str, from_turn: int, prompts: Iterable[tuple[str, int, int]]) -> None:
        new = {digest(native_id): (native_id, turn, steps) for native_id, turn, steps in prompts}
        those = "owner = %s AND build = %s AND run = %s AND turn >= %s"
        with self._db.transaction():
            whose = self._builds.made_for(owner)
            old = self._db.rows(f"SELECT digest FROM prompts WHERE {those}", (*whose, run, from_turn))
            index_holders_again(self._db, whose, run, [row[0] for row in old if row[0] not in new])
            self._db.run(f"DELETE FROM prompts WHERE {those}", (*whose, run, from_turn))
            self._db.run_many(
                "INSERT INTO prompts (owner, build, digest, run, native_id, turn, steps) VALUES (%s,%s,%s,%s,%s,%s,%s)"
                " ON CONFLICT (owner, build, digest, run) DO UPDATE SET turn = excluded.turn, steps = excluded.steps",
                ((*whose, key, run, native_id, turn, steps) for key, (native_id, turn, steps) in new.items()),
            )


def index_holders_again(db: Connection, whose: Whose, run: str, prompts: Sequence[object]) -> None:
    """Other Runs may have left these prompts to this one, which is about to let go of them."""
    if prompts:
        db.run(
            "UPDATE marks SET size = -1 WHERE owner = %s AND build = %s AND run IN (SELECT run FROM prompts"
            " WHERE owner = %s AND build = %s AND digest = ANY(%s::uuid[]) AND run <> %s)",
            (*whose, *whose, list(prompts), run),
        )
