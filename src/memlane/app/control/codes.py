"""One-time codes: made for one machine of one person, used once, soon. Only the hash of a code is written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from memlane.app.control.people import PersonBook, PersonState, Role
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.domain.token import MACHINE, hash_of, new_code, plain_code
from memlane.errors import NotAllowedError

CODE_HOLDS = timedelta(minutes=30)
PERSON_HOLDS = timedelta(days=3)  # somebody else has to be told the code, and to install something first
OPEN, USED, REPLACED = "open", "used", "replaced"
ANOTHER = "make another on Central: lane machines invite"


class JoinCode(msgspec.Struct, frozen=True):
    """Opens once, until a time. `id` is the hash of what a person types."""

    id: str
    owner: str
    until: datetime
    kind: str = MACHINE
    state: str = OPEN
    machine: str = ""  # that used it
    by: str = ""  # the machine that asked for it; "": whoever works at Central


MadeCode = tuple[str, JoinCode]  # what is typed, and what is written down


class CodeBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._codes = dict[str, JoinCode]()
        records.keep(self._take)

    def invite(self, owner: str, kind: str = MACHINE, holds: timedelta = CODE_HOLDS) -> MadeCode:
        """A code that opens once, for a machine of this person. Who is not known here is a member from now on."""
        code = new_code()
        made = JoinCode(hash_of(code), owner, self._records.now() + holds, kind)
        with self._records.held():
            self._records.read()
            self._records.write_all([*self._people.made(owner), _record(made)])
        return code, made

    def another(self, owner: str, kind: str = MACHINE, holds: timedelta = CODE_HOLDS, by: str = "") -> MadeCode:
        """For one more machine of somebody who is here: it brings nobody back who was let go meanwhile."""
        code = new_code()
        made = JoinCode(hash_of(code), owner, self._records.now() + holds, kind, by=by)
        with self._records.held():
            self._people.here(owner)
            self._records.write_all([_record(made)])
        return code, made

    def invite_person(self, name: str, role: Role, holds: timedelta = PERSON_HOLDS, by: str = "") -> MadeCode:
        """A code for somebody's first machine. It takes the place of one they lost."""
        code = new_code()
        made = JoinCode(hash_of(code), name, self._records.now() + holds, by=by)
        with self._records.held():
            self._records.read()
            new = self._people.made(name, PersonState.INVITED, role)
            self._records.write_all([*new, *self.ended(name), _record(made)])
        return code, made

    def ended(self, owner: str) -> Sequence[Record]:
        """The records of all open codes of somebody being open no longer."""
        theirs = (one for one in self._codes.values() if one.owner == owner and one.state == OPEN)
        return [_record(msgspec.structs.replace(one, state=REPLACED)) for one in theirs]

    def opened(self, typed: str) -> JoinCode:
        """The code a person typed, if it still opens."""
        self._records.read()
        code = self._codes.get(hash_of(plain_code(typed)))
        if code is None:
            raise NotAllowedError("there is no such code", hint="make one on Central: lane machines invite")
        if code.state == USED:
            raise NotAllowedError("this code was used already", hint=ANOTHER)
        if code.state == REPLACED:
            raise NotAllowedError("a newer code took the place of this one", hint=ANOTHER)
        if self._records.now() > code.until:
            raise NotAllowedError("this code is too old", hint=ANOTHER)
        return code

    def used(self, code: JoinCode, machine: str) -> Record:
        return _record(msgspec.structs.replace(code, state=USED, machine=machine))

    def _take(self, entry: Entry) -> None:
        if entry.kind != kinds.CODE:
            return
        code = msgspec.convert(entry.data["code"], JoinCode)
        before = self._codes.get(code.id)
        if before is None or before.state == OPEN:
            self._codes[code.id] = code


def _record(code: JoinCode) -> Record:
    return kinds.CODE, code.id, {"code": code}
