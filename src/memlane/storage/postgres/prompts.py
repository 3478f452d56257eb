"""The prompts that tell a fork's copied Turns, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlane.domain import Reader
from memlane.storage.postgres.connection import Connection, digest


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
