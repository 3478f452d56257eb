"""Of which grants each machine may still hold lent Memories, as far as this server knows. Not durable: what is not
known counts as held, until the machine says what it has."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from memlane.app.home import Home


class Delivery(msgspec.Struct, frozen=True):
    """`grants`: those whose Memories went there and were not replaced since."""

    at: datetime
    grants: frozenset[str] = frozenset()


class Deliveries:
    def __init__(self, home: Home) -> None:
        self._home = home

    @property
    def _folder(self) -> Path:
        return self._home.run_folder / "lent"

    def of(self, machine: str) -> Delivery | None:
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode((self._folder / machine).read_bytes(), type=Delivery)
        return None

    def sends(self, machine: str, grants: Collection[str], at: datetime) -> None:
        """Before the answer goes out: it may have these besides what it had."""
        before = self.of(machine)
        held = before.grants if before is not None else frozenset[str]()
        self._write(machine, Delivery(at, held.union(grants)))

    def holds(self, machine: str, grants: Collection[str], at: datetime) -> None:
        """It says that it has exactly what these open. `at`: a time before they were read."""
        self._write(machine, Delivery(at, frozenset(grants)))

    def is_free_of(self, machine: str, grant: str, since: datetime) -> bool:
        """Whether it said after this time what it has, and that was nothing of this grant."""
        known = self.of(machine)
        return known is not None and known.at > since and grant not in known.grants

    def _write(self, machine: str, known: Delivery) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f"{machine}.tmp"
        unfinished.write_bytes(msgspec.json.encode(known))
        unfinished.replace(self._folder / machine)
