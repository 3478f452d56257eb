"""Owners by number: the number stands first in every key, the name once."""

from __future__ import annotations

from memlane.storage.postgres.connection import Connection


class OwnerNumbers:
    """`place` tells homes apart whose owners have the same name: each home's index is its own."""

    def __init__(self, connection: Connection, place: str = "") -> None:
        self._db = connection
        self._place = place
        self._numbers: dict[str, int] = {}  # only what others can see too: a transaction may still be rolled back

    def name(self, user: str) -> str:
        return f"{user} {self._place}" if self._place else user

    def find(self, user: str) -> int | None:
        """None: nothing here is theirs."""
        known = self._numbers.get(user)
        if known is not None:
            return known
        row = self._db.row("SELECT n FROM owners WHERE name = %s", (self.name(user),))
        number = int(str(row[0])) if row else None
        if number is not None and not self._db.changing:
            self._numbers[user] = number
        return number

    def give(self, user: str) -> int:
        """Made if need be."""
        found = self.find(user)
        if found is not None:
            return found
        self._db.run("INSERT INTO owners (name) VALUES (%s) ON CONFLICT DO NOTHING", (self.name(user),))
        number = self.find(user)
        assert number is not None
        return number
