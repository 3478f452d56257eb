"""Names by number: Runs, owners, authors, tools and models stand in many rows, each in two or three bytes."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.storage.embedded.connection import Connection


class Names:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._numbers = connection.remembered(dict[str, int]())
        self._names = connection.remembered(dict[int, str]())
        self._state = connection.state

    def find(self, name: str) -> int | None:
        """None: nothing here has that name."""
        return self.find_all((name,))[name]

    def find_all(self, names: Iterable[str]) -> dict[str, int | None]:
        if self._state != (state := self._db.state):  # another process may have let go of a name and given it anew
            self._numbers.clear()
            self._state = state
        return {name: self._numbers[name] if name in self._numbers else self._look_up(name) for name in set(names)}

    def _look_up(self, name: str) -> int | None:
        row = self._db.row("SELECT n FROM names WHERE name = ?", (name,))
        if row is None:
            return None
        self._numbers[name] = int(str(row[0]))
        return self._numbers[name]

    def give(self, name: str) -> int:
        """Its number, made if need be. Inside a transaction."""
        found = self.find(name)
        if found is not None:
            return found
        self._db.run("INSERT INTO names (name) VALUES (?)", (name,))
        number = self.find(name)
        assert number is not None
        return number

    def name(self, number: object) -> str:
        if not isinstance(number, int):
            return ""
        if number not in self._names:
            row = self._db.row("SELECT name FROM names WHERE n = ?", (number,))
            if row is None:
                return ""
            self._names[number] = str(row[0])
        return self._names[number]

    def let_go(self, name: str) -> None:
        """Whoever has this name next has another number."""
        self._db.run("DELETE FROM names WHERE name = ?", (name,))
        self._numbers.pop(name, None)

    def forget_unused(self) -> None:
        """Names that nothing here uses any more: a dropped Run may have been the only one with this tool."""
        used = (
            ("chunks", ("run", "author", "tool")),
            ("touches", ("run", "owner", "tool")),
            ("totals", ("owner",)),
            ("runs", ("n",)),
            ("models", ("model",)),
        )
        everything = " UNION ".join(f"SELECT {column} FROM {table}" for table, columns in used for column in columns)
        self._db.run(f"DELETE FROM names WHERE n NOT IN ({everything})")
        self._numbers.clear()
        self._names.clear()
