"""One-time codes: made for one machine of one person, used once, soon. Only the hash of a code is written down."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from memlane.app.control.people import PersonBook
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.domain.token import MACHINE, hash_of, new_code, plain_code
from memlane.errors import NotAllowedError

CODE_HOLDS = timedelta(minutes=30)
OPEN, USED = "open", "used"
ANOTHER = "make another on Central: lane machines invite"


class JoinCode(msgspec.Struct, frozen=True):
    """Opens once, until a time. `id` is the hash of what a person types."""

    id: str
    owner: str
    until: datetime
    kind: str = MACHINE
    state: str = OPEN
    machine: str = ""  # that used it


class CodeBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._codes = dict[str, JoinCode]()
        records.keep(self._take)

    def invite(self, owner: str, kind: str = MACHINE, holds: timedelta = CODE_HOLDS) -> tuple[str, JoinCode]:
        """A code that opens once, for a machine of this person."""
        code = new_code()
        made = JoinCode(hash_of(code), owner, self._records.now() + holds, kind)
        with self._records.held():
            self._records.read()
            self._records.write_all([*self._people.made(owner), (kinds.CODE, made.id, {"code": made})])
        return code, made

    def opened(self, typed: str) -> JoinCode:
        """The code a person typed, if it still opens."""
        code = self._codes.get(hash_of(plain_code(typed)))
        if code is None:
            raise NotAllowedError("there is no such code", hint="make one on Central: lane machines invite")
        if code.state == USED:
            raise NotAllowedError("this code was used already", hint=ANOTHER)
        if self._records.now() > code.until:
            raise NotAllowedError("this code is too old", hint=ANOTHER)
        return code

    def used(self, code: JoinCode, machine: str) -> Record:
        return kinds.CODE, code.id, {"code": msgspec.structs.replace(code, state=USED, machine=machine)}

    def _take(self, entry: Entry) -> None:
        if entry.kind != kinds.CODE:
            return
        code = msgspec.convert(entry.data["code"], JoinCode)
        before = self._codes.get(code.id)
        if before is None or before.state != USED:
            self._codes[code.id] = code
