"""Which files the Steps of a Run touched, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from memlane.domain import Reader, RunFilter, Touch
from memlane.storage.postgres.chosen import ending, ending_condition, run_condition
from memlane.storage.postgres.connection import Connection, moment, seconds
from memlane.storage.postgres.names import Names


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
