"""Runs and the prompts that tell a fork's copied Turns, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from memlane.domain import Reader, RunSummary
from memlane.storage.embedded.connection import Connection, seconds
from memlane.storage.ports import RunFilter

_decoder = msgspec.json.Decoder(RunSummary)


class EmbeddedRuns:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, summary: RunSummary) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO runs (id, owner, agent, machine, native_id, project, project_key, started, ended,"
            " parent, body) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
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
                msgspec.json.encode(summary).decode(),
            ),
        )

    def drop(self, run: str) -> None:
        prompts = self._db.rows("SELECT native_id FROM prompts WHERE run = ?", (run,))
        index_holders_again(self._db, run, (str(row[0]) for row in prompts))
        self._db.run("DELETE FROM chunk_terms WHERE rowid IN (SELECT id FROM chunks WHERE run = ?)", (run,))
        for table, column in (
            ("chunks", "run"),
            ("prompts", "run"),
            ("marks", "run"),
            ("bookmarks", "run"),
            ("runs", "id"),
        ):
            self._db.run(f"DELETE FROM {table} WHERE {column} = ?", (run,))

    def get(self, run: str, reader: Reader) -> RunSummary | None:
        return self._one("SELECT body FROM runs WHERE id = ? AND owner = ?", (run, reader.user))

    def by_native_id(self, native_id: str, reader: Reader) -> RunSummary | None:
        return self._one(
            "SELECT body FROM runs WHERE native_id = ? AND owner = ? ORDER BY ended DESC", (native_id, reader.user)
        )

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM runs WHERE id >= ? AND id < ? AND owner = ? ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        condition, values = run_condition(which, reader)
        found = self._db.rows(
            f"SELECT body FROM runs WHERE {condition} ORDER BY ended IS NULL, ended DESC, id LIMIT ?",
            (*values, which.limit),
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]:
        found = self._db.rows(
            "SELECT body FROM runs WHERE parent = ? AND owner = ? ORDER BY started, id", (run, reader.user)
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def count(self, reader: Reader) -> int:
        row = self._db.row("SELECT count(*) FROM runs WHERE owner = ?", (reader.user,))
        return int(str(row[0])) if row else 0

    def _one(self, sql: str, values: Sequence[object]) -> RunSummary | None:
        row = self._db.row(sql, values)
        return _decoder.decode(str(row[0])) if row else None


def run_condition(which: RunFilter, reader: Reader, table: str = "") -> tuple[str, list[object]]:
    """The Reader first, then whatever was asked for."""
    conditions, values = [f"{table}owner = ?"], list[object]([reader.user])
    for column, value in (("agent", which.agent), ("machine", which.machine)):
        if value:
            conditions.append(f"{table}{column} = ?")
            values.append(value)
    if which.project:
        conditions.append(f"({table}project = ? OR {table}project_key = ?)")
        values += [which.project, which.project]
    if which.since:
        conditions.append(f"{table}ended >= ?")
        values.append(which.since.timestamp())
    if which.until:
        conditions.append(f"{table}started <= ?")
        values.append(which.until.timestamp())
    return " AND ".join(conditions), values


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
