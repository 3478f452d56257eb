"""What people share with each other: each grant names one thing, for a person or a group, until it ends.

It knows names and ids, not what stands behind them: `app/shared` reads that on behalf of who was granted it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

import msgspec

from memlane.app.control.groups import GroupBook
from memlane.app.control.people import PersonBook, PersonState
from memlane.app.control.policy import PolicyBook
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry, random_id
from memlane.domain import journal as kinds
from memlane.domain.times import sound_time
from memlane.errors import NotFoundError, UsageError

MOST = 500  # shares of one person that hold: whoever they are with looks through all of them at each question


class GrantType(StrEnum):
    """What can be shared."""

    RUN = "run"
    TREE = "tree"  # a run and all that came out of it, also later
    PROJECT = "project"
    TAG = "tag"
    MEMORY = "memory"


class Reading(StrEnum):
    """How much of it."""

    LESSONS = "lessons"  # memories, without their evidence
    TRANSCRIPTS = "transcripts"  # the runs too


class Grant(msgspec.Struct, frozen=True):
    """One thing of one person, for another or for a group."""

    id: str
    owner: str
    type: GrantType
    name: str  # an id, the key of a project, a tag
    title: str  # what people call it
    whom: str
    group: bool = False
    reading: Reading = Reading.LESSONS
    since: str = ""
    until: str = ""  # "": stays
    revoked: str = ""  # when

    def holds(self, now: datetime) -> bool:
        return not self.revoked and (not self.until or now < datetime.fromisoformat(self.until))


class GrantBook:
    def __init__(self, records: ControlRecords, people: PersonBook, groups: GroupBook, policy: PolicyBook) -> None:
        self._records, self._people, self._groups, self._policy = records, people, groups, policy
        self._grants = dict[str, Grant]()
        records.keep(self._take)

    # -- what is known ---------------------------------------------------------------------------------------------

    def by(self, owner: str) -> Sequence[Grant]:
        """Made by somebody, those that ended too; the newest first."""
        self._records.read()
        return _newest_first(one for one in self._grants.values() if one.owner == owner)

    def holding_of(self, owner: str) -> Sequence[Grant]:
        """Of these, those that hold now."""
        return [one for one in self.by(owner) if one.holds(self._records.now())]

    def to(self, person: str) -> Sequence[Grant]:
        """Made for somebody, alone or in a group, by people who are still here; those that hold now."""
        self._records.read()
        now = self._records.now()
        groups = {one.name: one.since for one in self._groups.all() if person in one.people}
        here = {one.name for one in self._people.all() if one.state is not PersonState.LEFT}
        if person not in here:
            return []
        return _newest_first(
            one
            for one in self._grants.values()
            if one.holds(now)
            and one.owner in here - {person}
            and (_is_for(one, groups) if one.group else one.whom == person)
        )

    def one(self, given: str, owner: str) -> Grant:
        """By the beginning of its id, of this owner; another's is not there."""
        found = [one for one in self.by(owner) if len(given) >= 4 and one.id.startswith(given)]
        if not found:
            raise NotFoundError(f"there is no share {given!r} of yours")
        if len(found) > 1:
            raise UsageError(f"{given} could be any of: {', '.join(one.id for one in found)}")
        return found[0]

    def readers(self, grant: Grant) -> Sequence[str]:
        """Whom it is for, one by one."""
        groups = {one.name: one for one in self._groups.all()} if grant.group else {}
        group = groups.get(grant.whom)
        members = group.people if group is not None and grant.since >= group.since else ()
        people = members if grant.group else (grant.whom,)
        return [one for one in people if one != grant.owner]

    # -- what is done ----------------------------------------------------------------------------------------------

    def give(self, grant: Grant) -> Grant:
        """Known, and durable, when it returns. The same grant again changes how much and until when."""
        self._policy.must_let_share(grant.owner)
        until = sound_time(grant.until) if grant.until else None
        if grant.until and until is None:
            raise UsageError(f"{grant.until!r} is no time", hint="for example 2026-12-31T18:00:00Z")
        with self._records.held():
            self._records.read()
            group = grant.whom in {one.name for one in self._groups.all()}
            if not group and self._people.here(grant.whom).name == grant.owner:
                raise UsageError("what is yours is shared with you already")
            self._people.here(grant.owner)
            now = self._records.now()
            theirs = [one for one in self._grants.values() if one.holds(now) and one.owner == grant.owner]
            known = [one for one in theirs if _same(one, grant)]
            if len(theirs) >= MOST and not known:
                raise UsageError(
                    f"you share {MOST} things already", hint="lane shares; lane unshare; or share a project"
                )
            made = msgspec.structs.replace(
                grant,
                id=known[0].id if known else random_id("x"),
                group=group,
                since=now.isoformat(),
                until=until.isoformat() if until else "",
            )
            if not made.holds(now):
                raise UsageError("a share that ends before it begins shares nothing")
            self._records.write_all([_record(made)])
        return made

    def revoke(self, given: str, owner: str) -> Grant:
        """From the next question on."""
        with self._records.held():
            known = self.one(given, owner)
            if known.revoked:
                return known
            gone = msgspec.structs.replace(known, revoked=self._records.now().isoformat())
            self._records.write_all([_record(gone)])
        return gone

    def without(self, person: str) -> Sequence[Record]:
        """The records of everything ending that somebody shared, or that was shared with them alone."""
        now = self._records.now()
        theirs = (one for one in self._grants.values() if one.holds(now) and self._concerns(one, person))
        return [_record(msgspec.structs.replace(one, revoked=now.isoformat())) for one in theirs]

    def _concerns(self, one: Grant, person: str) -> bool:
        return one.owner == person or (one.whom == person and not one.group)

    def _take(self, entry: Entry) -> None:
        if entry.kind != kinds.GRANT:
            return
        one = msgspec.convert(entry.data["grant"], Grant)
        before = self._grants.get(one.id)
        if before is None or not before.revoked:  # in whichever order lines come: revoked stays so
            self._grants[one.id] = one


def grants_in(said: Iterable[Mapping[str, object]], now: datetime) -> Sequence[Grant]:
    """As Central said them to a machine; those that hold now."""
    named = ({name: value for name, value in one.items() if value is not None} for one in said)
    return [one for one in (msgspec.convert(fields, Grant) for fields in named) if one.holds(now)]


def _newest_first(grants: Iterable[Grant]) -> Sequence[Grant]:
    return sorted(grants, key=lambda one: (one.since, one.id), reverse=True)


def _same(one: Grant, other: Grant) -> bool:
    return (one.owner, one.type, one.name, one.whom) == (other.owner, other.type, other.name, other.whom)


def _record(one: Grant) -> Record:
    return kinds.GRANT, one.id, {"grant": one}


def _is_for(one: Grant, groups: Mapping[str, str]) -> bool:
    """Not for those who are in a new group of an old name. `groups`: name → since when."""
    return one.whom in groups and one.since >= groups[one.whom]
