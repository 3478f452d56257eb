"""Who belongs to this Central."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.errors import UsageError

NAME = re.compile(r"[\w][\w.@-]{0,63}")


class PersonBook:
    def __init__(self, records: ControlRecords) -> None:
        self._records = records
        self._people = dict[str, str]()
        records.keep(self._take)

    def names(self) -> Sequence[str]:
        self._records.read()
        return sorted(self._people)

    def made(self, name: str) -> Sequence[Record]:
        """The record of somebody who is new here; none, where they are known."""
        if not NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot be a person's name here", hint="letters, digits, . _ - and @")
        return [] if name in self._people else [(kinds.PERSON, name, {"state": "member"})]

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.PERSON:
            self._people[entry.id] = str(entry.data["state"])
