"""Which files the Steps of a Run touched, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from memlane.domain import Reader, RunFilter, Touch
from memlane.storage.embedded.chosen import ending, ending_condition, run_condition
from memlane.storage.embedded.connection import Connection, moment, seconds
from memlane.storage.embedded.names import Names


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
            (owner, *ends, *values, which.limit),
        )
        return [self._touch(cast("tuple[str, int, int, str, int, int, object]", row)) for row in found]

    def _touch(self, row: tuple[str, int, int, str, int, int, object]) -> Touch:
        run, turn, step, path, changed, tool, at = row
        return Touch(run, turn, step, path, bool(changed), self._names.name(tool), moment(at))
