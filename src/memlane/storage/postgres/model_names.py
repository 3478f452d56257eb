"""Models by number: they stand in many rows, each in four bytes."""

from __future__ import annotations

from memlane.storage.postgres.connection import Connection


class ModelNumbers:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._numbers: dict[str, int] = {}  # only what others can see too: a transaction may still be rolled back

    def find(self, name: str) -> int | None:
        """None: nothing here has that name."""
        known = self._numbers.get(name)
        if known is not None:
            return known
        row = self._db.row("SELECT n FROM model_names WHERE name = %s", (name,))
        number = int(str(row[0])) if row else None
        if number is not None and not self._db.changing:
            self._numbers[name] = number
        return number

    def give(self, name: str) -> int:
        """Its number, made if need be."""
        found = self.find(name)
        if found is not None:
            return found
        self._db.run("INSERT INTO model_names (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,))
        number = self.find(name)
        assert number is not None
        return number
