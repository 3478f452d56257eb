"""The journal of Central's own records: read where it was left, written before anybody is answered.

It knows no kind of record: each kind has a module of its own beside this one, which takes the lines that concern it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

import msgspec

from memlane.app.home import Home
from memlane.archive import Layout, PlacedEntry
from memlane.archive import journal as lines
from memlane.domain import Entry, Machine
from memlane.domain.journal import CONTROL
from memlane.errors import StoreAwayError

Record = tuple[str, str, Mapping[str, object]]  # kind, id, data
TakesEntry = Callable[[Entry], None]
Witness = Callable[[Sequence[Record]], None]


class ControlRecords:
    """Any number of processes may read; one writes at a time."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.layout = Layout(home.config.archive_base, CONTROL, home.config.home / "control-register.json", home.disk)
        self._positions = dict[str, int]()
        self._seen = ""
        self._takers = list[TakesEntry]()
        self.witness: Witness = lambda _records: None

    @property
    def is_there(self) -> bool:
        return self.home.disk.is_folder(self.layout.root)

    def keep(self, taker: TakesEntry) -> None:
        """From now on it gets every line; all of them must be known before the first is read."""
        self._takers.append(taker)

    def now(self) -> datetime:
        return self.home.clock()

    def held(self) -> AbstractContextManager[object]:
        """Alone with the journal: what is read inside stays true until it is written."""
        return self.home.lock.held()

    def read(self) -> None:
        """What is new since the last look, by whoever wrote it.

        While an object store does not answer, what was read before counts.
        """
        try:
            self._read()
        except StoreAwayError:
            if not self._positions:
                raise

    def _read(self) -> None:
        newest = self.home.disk.newest(self.layout.journal)
        if newest and newest == self._seen:
            return
        for placed in lines.read(self.home.disk, self.layout, self._positions):
            if isinstance(placed, PlacedEntry):
                self._positions[placed.file] = placed.next_offset
                for take in self._takers:
                    take(placed.entry)
        self._seen = newest

    def write(self, kind: str, name: str, data: Mapping[str, object]) -> None:
        self.write_all([(kind, name, data)])

    def write_all(self, records: Sequence[Record]) -> None:
        """Together or not at all, durable when it returns; the witness writes down that they come, before them."""
        self.witness(records)
        home, now = self.home, self.home.clock()
        entries = [
            Entry(kind, name, now, CONTROL, home.config.machine, "person", _plain(data)) for kind, name, data in records
        ]
        lines.write(home.disk, self.layout, Machine(CONTROL, home.config.machine), entries)
        self.read()


def _plain(data: Mapping[str, object]) -> Mapping[str, object]:
    return msgspec.convert(msgspec.to_builtins(data), dict[str, object])
