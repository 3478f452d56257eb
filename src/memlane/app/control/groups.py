"""Groups of people: a name, and who is in it. What is shared with a group is shared with those who are in it now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from memlane.app.control.people import NAME, PersonBook, must_be_told_apart
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.errors import NotFoundError, UsageError


class Group(msgspec.Struct, frozen=True):
    """Without people it has ended."""

    name: str
    people: tuple[str, ...] = ()
    by: str = ""
    since: str = ""  # it began then; what was shared with an older one of its name is not for it

    def without(self, person: str, by: str) -> Group:
        return msgspec.structs.replace(self, people=tuple(one for one in self.people if one != person), by=by)


class GroupBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._groups = dict[str, Group]()
        records.keep(self._take)

    def all(self) -> Sequence[Group]:
        self._records.read()
        return sorted((one for one in self._groups.values() if one.people), key=lambda one: one.name)

    def one(self, name: str) -> Group:
        if (found := {one.name: one for one in self.all()}.get(name)) is None:
            raise NotFoundError(f"there is no group {name!r} on this Central", hint="lane groups")
        return found

    def members(self, name: str) -> Sequence[str]:
        """Nobody, once it has ended."""
        return next((one.people for one in self.all() if one.name == name), ())

    def add(self, name: str, people: Iterable[str], by: str) -> Group:
        """More people in it; a name that is not there yet begins one."""
        with self._records.held():
            self._records.read()
            self._must_be_name(name)
            there = self._groups.get(name, Group(name))
            since = there.since if there.people else self._records.now().isoformat()
            joined = {self._people.here(one).name for one in people}
            return self._write(Group(name, tuple(sorted({*there.people, *joined})), by, since))

    def remove(self, name: str, people: Sequence[str], by: str) -> Group:
        """These, or all: then it has ended."""
        with self._records.held():
            known = self.one(name)
            strangers = sorted(set(people) - set(known.people))
            if strangers:
                raise UsageError(f"{', '.join(strangers)} is not in {name}", hint="lane groups")
            kept = tuple(one for one in known.people if people and one not in people)
            return self._write(msgspec.structs.replace(known, people=kept, by=by))

    def without(self, person: str, by: str) -> Sequence[Record]:
        """The records of somebody leaving every group."""
        found = [one for one in self.all() if person in one.people]
        return [_record(one.without(person, by)) for one in found]

    def _must_be_name(self, name: str) -> None:
        if not NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot be a group's name here", hint="letters, digits, . _ - and @")
        people = self._people.names()
        if name in people:
            raise UsageError(f"{name} is a person here", hint="a group needs a name of its own")
        must_be_told_apart(name, (*people, *self._groups))

    def _write(self, one: Group) -> Group:
        self._records.write_all([_record(one)])
        return one

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.GROUP:
            self._groups[entry.id] = msgspec.convert(entry.data["group"], Group)


def _record(one: Group) -> Record:
    return kinds.GROUP, one.name, {"group": one}
