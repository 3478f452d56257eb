"""Which build of whose index is meant. An owner's number and the number of the build stand first in every key."""

from __future__ import annotations

import time

from memlane.errors import BusyError
from memlane.storage.postgres.connection import SCHEMA, Connection
from memlane.storage.postgres.owners import OwnerNumbers

Whose = tuple[int, int]  # an owner's number, and the build of their index
NOBODY: Whose = (0, 0)  # no row is theirs
_SERVES = "SELECT build FROM builds WHERE owner = %s AND state = 'serves' AND version = %s"
# One that was replaced is kept for a minute; who looks every 25 seconds is told before it is gone.
_STILL = (
    "SELECT state = 'retired' AND since < now() - interval '30 seconds' FROM builds WHERE owner = %s AND build = %s"
)


class Builds:
    """`name`'s own is the one that was opened, whether it serves or not; of others it is the one that serves."""

    def __init__(self, connection: Connection, owners: OwnerNumbers, name: str, mine: Whose) -> None:
        self._db = connection
        self._owners = owners
        self._name = name
        self._mine = mine
        self._looked = time.monotonic()

    @property
    def mine(self) -> Whose:
        """An index that was replaced is kept for a while, and then it is empty: whoever still has it asks again."""
        if not self._db.changing and time.monotonic() - self._looked >= self._db.limits.looks:
            row = self._db.row(_STILL, self._mine)
            if row is None or row[0]:
                raise BusyError("the index was just replaced by a newer one", hint="try again")
            self._looked = time.monotonic()
        return self._mine

    def of(self, name: str) -> Whose:
        if name == self._name:
            return self.mine
        number = self._owners.find(name)
        build = self._db.number(_SERVES, (number, SCHEMA)) if number else 0
        return (number, build) if number and build else NOBODY

    def made_for(self, name: str) -> Whose:
        """Theirs; an owner who has none gets an empty one."""
        found = self.of(name)
        return found if found != NOBODY else begun(self._db, self._owners, name, "serves")


def begun(db: Connection, owners: OwnerNumbers, name: str, state: str) -> Whose:
    """A new one beside those there are. Only who begins one for the same owner waits for it."""
    with db.transaction():
        number = owners.give(name)
        db.run("SELECT FROM owners WHERE n = %s FOR UPDATE", (number,))
        serves = db.number(_SERVES, (number, SCHEMA)) if state == "serves" else 0
        if serves:
            return number, serves
        build = db.number("SELECT max(build) FROM builds WHERE owner = %s", (number,)) + 1
        insert = "INSERT INTO builds (owner, build, version, state) VALUES (%s, %s, %s, %s)"
        db.run(insert, (number, build, SCHEMA, state))
        db.run("INSERT INTO memory_clocks (owner, build) VALUES (%s, %s)", (number, build))
    return number, build
