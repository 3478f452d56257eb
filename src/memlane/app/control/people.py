"""Who belongs to this Central: each person's role, whether they came yet or left again, and what they may use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.errors import NotAllowedError, NotFoundError, UsageError

NAME = re.compile(r"[\w][\w.@-]{0,63}")
LOOK_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})  # each has letters like another's


class Role(StrEnum):
    """What somebody may do here. None of them opens what another person keeps."""

    MEMBER = "member"
    ADMIN = "admin"  # manages people, groups and machines
    AUDITOR = "auditor"  # reads the audit


class PersonState(StrEnum):
    """Whether somebody's machines may come."""

    INVITED = "invited"  # with a code that was not used yet
    MEMBER = "member"
    LEFT = "left"


class KnownPerson(msgspec.Struct, frozen=True):
    """Somebody known to this Central."""

    name: str
    role: Role = Role.MEMBER
    state: PersonState = PersonState.MEMBER
    since: str = ""
    machines: int = 0  # that may be joined at once; 0: any number
    by: str = ""  # who changed it last


class PersonBook:
    def __init__(self, records: ControlRecords) -> None:
        self._records = records
        self._people = dict[str, KnownPerson]()
        records.keep(self._take)

    # -- what is known ---------------------------------------------------------------------------------------------

    def names(self) -> Sequence[str]:
        """Of those who are invited or here."""
        return [one.name for one in self.all() if one.state is not PersonState.LEFT]

    def all(self) -> Sequence[KnownPerson]:
        """Those who left too, so that nobody takes their name by mistake."""
        self._records.read()
        return sorted(self._people.values(), key=lambda one: one.name)

    def one(self, name: str) -> KnownPerson:
        self._records.read()
        if (found := self._people.get(name)) is None:
            raise NotFoundError(f"there is no person {name!r} on this Central", hint="lane people")
        return found

    def here(self, name: str) -> KnownPerson:
        """Somebody who has not left."""
        if (found := self.one(name)).state is PersonState.LEFT:
            raise NotFoundError(f"{name} has left this Central", hint="lane people")
        return found

    def is_admin(self, name: str) -> bool:
        return self._is(name, Role.ADMIN)

    def is_auditor(self, name: str) -> bool:
        return self._is(name, Role.AUDITOR)

    def _is(self, name: str, role: Role) -> bool:
        self._records.read()
        found = self._people.get(name)
        return found is not None and found.role is role and found.state is not PersonState.LEFT

    def must_be_admin(self, name: str) -> None:
        if not self.is_admin(name):
            raise NotAllowedError("only an admin of this Central may do that", hint="lane people")

    def must_be_new(self, name: str) -> None:
        """Nothing of theirs is kept here yet: an admin who got a code for somebody else could read what is."""
        self._records.read()
        known = self._people.get(name)
        if name == self._records.home.config.user or (known is not None and known.state is not PersonState.INVITED):
            raise NotAllowedError(
                f"{name} was here before, and whoever comes in as {name} reads what {name} keeps",
                hint=f"on a machine of {name}: lane machines invite; where none is left, on Central's own computer",
            )

    # -- what is done ----------------------------------------------------------------------------------------------

    def made(self, name: str, state: PersonState = PersonState.MEMBER, role: Role | None = None) -> Sequence[Record]:
        """The record of somebody who is new here, or comes back; none, where they are known. The first person here is
        the one whose home it is: their record comes along."""
        if not NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot be a person's name here", hint="letters, digits, . _ - and @")
        operator, now = self._records.home.config.user, self._records.now().isoformat()
        must_be_told_apart(name, (operator, *self._people))
        first = [KnownPerson(operator, Role.ADMIN, since=now)] if operator not in self._people else []
        known = self._people.get(name)
        if name == operator or (known is not None and known.state is not PersonState.LEFT):
            return [self._record(one) for one in first]
        made = KnownPerson(name, role or Role.MEMBER, state, now)
        return [self._record(one) for one in (*first, made)]

    def came(self, name: str) -> Sequence[Record]:
        """Their first machine joined."""
        known = self._people.get(name)
        if known is None or known.state is not PersonState.INVITED:
            return []
        return [self._record(msgspec.structs.replace(known, state=PersonState.MEMBER))]

    def give_role(self, name: str, role: Role, by: str) -> KnownPerson:
        with self._records.held():
            known = self.here(name)
            if role is not Role.ADMIN:
                self._must_leave_an_admin(known)
            return self._write(msgspec.structs.replace(known, role=role, by=by))

    def limit(self, name: str, machines: int, by: str) -> KnownPerson:
        with self._records.held():
            return self._write(msgspec.structs.replace(self.here(name), machines=machines, by=by))

    def left(self, name: str, by: str) -> Sequence[Record]:
        """The record of somebody who goes."""
        known = self.here(name)
        self._must_leave_an_admin(known)
        if name == self._records.home.config.user:
            raise NotAllowedError(
                f"Central is {name}'s own home: they cannot leave it", hint="lane archive move takes it elsewhere"
            )
        return [self._record(msgspec.structs.replace(known, state=PersonState.LEFT, role=Role.MEMBER, by=by))]

    def _must_leave_an_admin(self, known: KnownPerson) -> None:
        others = [one for one in self._people.values() if one.name != known.name and self.is_admin(one.name)]
        if known.role is Role.ADMIN and not others:
            raise NotAllowedError(
                f"{known.name} is the last admin of this Central", hint="first: lane people role NAME admin"
            )

    def _write(self, one: KnownPerson) -> KnownPerson:
        self._records.write_all([self._record(one)])
        return one

    def _record(self, one: KnownPerson) -> Record:
        return kinds.PERSON, one.name, {"person": one}

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.PERSON:
            self._people[entry.id] = msgspec.convert(entry.data["person"], KnownPerson)


def alike(name: str) -> str:
    """The same for names that a person takes for one."""
    return unicodedata.normalize("NFKC", name).casefold()


def must_be_told_apart(name: str, others: Iterable[str]) -> None:
    """Who shares with `noor` must not mean another `Noor`."""
    scripts = {unicodedata.name(one, "").partition(" ")[0] for one in name if one.isalpha()}
    if len(scripts & LOOK_ALIKE) > 1:
        raise UsageError(f"{name} mixes letters of two scripts that look alike", hint="give a name in one script")
    for one in others:
        if one != name and alike(one) == alike(name):
            raise UsageError(f"{name} looks like {one}, who is known here", hint="give another name")
