"""Who is who elsewhere: an issuer and its name for somebody, and the person they are here. And which words were used.

A word of another service is good for one sign-in, in whichever process of this Central.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

import msgspec

from memlane.app.control.people import PersonBook, PersonState
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.errors import NotAllowedError, NotFoundError, UsageError
from memlane.identity.service_auth import Proven


class Identity(msgspec.Struct, frozen=True):
    """`subject` is the issuer's name for somebody, which never changes; `shown` is what people call them there."""

    issuer: str  # "atproto", or the address of an OIDC issuer
    subject: str  # a DID, or the issuer's `sub`
    owner: str  # the person they are here
    shown: str = ""
    linked: str = ""  # when
    ended: str = ""  # when

    @property
    def id(self) -> str:
        return _name(self.issuer, self.subject)


def _name(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


class IdentityBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._identities = dict[str, Identity]()
        self._used = dict[str, datetime]()
        records.keep(self._take)

    def all(self) -> Sequence[Identity]:
        self._records.read()
        return sorted((one for one in self._identities.values() if not one.ended), key=lambda one: one.owner)

    def person_of(self, issuer: str, subject: str) -> str:
        """ "": nobody here."""
        self._records.read()
        found = self._identities.get(_name(issuer, subject))
        return found.owner if found is not None and not found.ended else ""

    def link(self, issuer: str, subject: str, person: str) -> Identity:
        with self._records.held():
            self._records.read()
            held = self.person_of(issuer, subject)
            if held and held != person:
                raise UsageError(f"{subject} is {held} here already", hint=f"lane people unlink {subject}")
            known = person in self._people.names() and self._people.here(person)
            new = () if known else self._people.made(person, PersonState.INVITED)
            self._records.write_all([*new, *self.linked(issuer, subject, person)])
        return self._identities[_name(issuer, subject)]

    def linked(self, issuer: str, subject: str, person: str, shown: str = "") -> Sequence[Record]:
        """The record of it, for whoever writes more at once."""
        made = Identity(issuer, subject, person, shown, self._records.now().isoformat())
        return [(kinds.IDENTITY, made.id, {"identity": made})]

    def end(self, subject: str) -> Identity:
        """It opens nothing from now on. Machines that have joined keep their tokens: revoke those too if need be."""
        with self._records.held():
            found = [one for one in self.all() if one.subject == subject]
            if len(found) != 1:
                raise NotFoundError(f"{subject} is nobody here", hint="lane people identities")
            ended = msgspec.structs.replace(found[0], ended=self._records.now().isoformat())
            self._records.write(kinds.IDENTITY, ended.id, {"identity": ended})
        return ended

    def without(self, person: str) -> Sequence[Record]:
        """The records of all of somebody's accounts opening nothing any more."""
        now = self._records.now().isoformat()
        ended = [msgspec.structs.replace(one, ended=now) for one in self.all() if one.owner == person]
        return [(kinds.IDENTITY, one.id, {"identity": one}) for one in ended]

    def used(self, proven: Proven, owner: str) -> Record:
        """The record that this word was used; raises if it was before. Whoever calls holds the journal."""
        self._records.read()
        word = _name(proven.issuer, proven.word)
        if word in self._used:
            raise NotAllowedError("this sign-in was used already", hint="sign in again: lane join URL")
        return kinds.SIGN_IN, word, {"owner": owner, "issuer": proven.issuer, "until": proven.until}

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.IDENTITY:
            self._identities[entry.id] = msgspec.convert(entry.data["identity"], Identity)
        elif entry.kind == kinds.SIGN_IN:
            until, now = datetime.fromisoformat(str(entry.data["until"])), self._records.now()
            if until > now:  # an older one is refused for its age
                self._used[entry.id] = until
