"""The prompts that tell a fork's copied Turns, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlane.domain import Reader
from memlane.storage.embedded.connection import Connection


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
