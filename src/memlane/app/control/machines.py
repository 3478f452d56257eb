"""The machines that have joined, with the hash of each one's token; and which tokens have ended.

Revoked tokens are also written down outside of the archive, so that an older copy of it brings none back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

import msgspec

from memlane.app.control.codes import ANOTHER, CodeBook, JoinCode
from memlane.app.control.people import NAME, PersonBook
from memlane.app.control.records import ControlRecords, Record
from memlane.domain import Entry, random_id
from memlane.domain import journal as kinds
from memlane.domain.token import MACHINE, SHIPPER, hash_of, kind_of, new_token
from memlane.errors import NotAllowedError, NotFoundError, UsageError
from memlane.system.json_file import JsonFile


class JoinedMachine(msgspec.Struct, frozen=True):
    """A machine as Central knows it. `hash` is of its token, which nobody here has."""

    id: str
    owner: str
    name: str  # part of every run's id: never changed
    title: str  # how people see it
    hash: str
    kind: str = MACHINE
    computer: str = ""  # what its computer called itself when it joined
    joined: str = ""
    thin: bool = False  # Central reads its runs for it
    revoked: str = ""  # when


class RevokedTokens(msgspec.Struct):
    hashes: list[str] = []


class Joining(msgspec.Struct, frozen=True):
    """What a machine says when it comes with a code."""

    code: str
    user: str
    machine: str
    computer: str = ""
    fresh: bool = False  # nothing was captured there yet: it may take the name of its owner here
    thin: bool = False  # it captures and sends, and has no index of its own


class Welcome(msgspec.Struct, frozen=True):
    """What it gets. The token is shown this once."""

    owner: str
    machine: JoinedMachine
    token: str
    at: datetime


class MachineBook:
    def __init__(self, records: ControlRecords, codes: CodeBook, people: PersonBook) -> None:
        self._records, self._codes, self._people = records, codes, people
        self._machines = dict[str, JoinedMachine]()
        self._by_hash = dict[str, str]()  # of a token → machine
        records.keep(self._take)

    @cached_property
    def _revoked(self) -> JsonFile[RevokedTokens]:
        home = self._records.home
        return JsonFile(home.config.home / "revoked.json", RevokedTokens, home.disk, home.lock.held)

    # -- what is known ---------------------------------------------------------------------------------------------

    def of(self, owner: str = "") -> Sequence[JoinedMachine]:
        """Of one person; of everybody."""
        self._records.read()
        found = [one for one in self._machines.values() if owner in ("", one.owner)]
        return sorted(found, key=lambda one: (one.owner, bool(one.revoked), one.title))

    def one(self, given: str, owner: str = "") -> JoinedMachine:
        """By its title, its name, or the beginning of its id."""
        known = self.of(owner)
        named = [one for one in known if given in (one.title, one.name, one.id)]
        near = named or [one for one in known if len(given) >= 4 and one.id.startswith(given)]
        alive = [one for one in near if not one.revoked] or near
        if not alive:
            raise NotFoundError(f"there is no machine {given!r}", hint="lane machines")
        if len(alive) > 1:
            said = ", ".join(f"{one.title} of {one.owner} ({one.id})" for one in alive)
            raise UsageError(f"{given!r} may be {said}", hint="name it by its id")
        return alive[0]

    def holder(self, token: str) -> JoinedMachine | None:
        """Whose token this is, revoked or not; None: nobody's."""
        if not kind_of(token):
            return None
        self._records.read()
        wanted = hash_of(token)
        found = self._machines.get(self._by_hash.get(wanted, ""))
        if found is not None and not found.revoked and wanted in self._revoked.read().hashes:
            return msgspec.structs.replace(found, revoked="before this archive was put back")
        return found

    # -- what is done ----------------------------------------------------------------------------------------------

    def join(self, asked: Joining) -> Welcome:
        """The machine is known, and its code used up, before the token leaves."""
        with self._records.held():
            self._records.read()
            code = self._opened(asked.code)
            owner = _owner(asked, code)
            self._must_be_free(owner, asked)
            token, now = new_token(code.kind), self._records.now()
            made = JoinedMachine(
                random_id("k"),
                owner,
                asked.machine,
                asked.machine,
                hash_of(token),
                code.kind,
                asked.computer,
                now.isoformat(),
                asked.thin or code.kind == SHIPPER,
            )
            used = self._codes.used(code, made.id)
            self._records.write_all([used, (kinds.JOINED, made.id, {"machine": made}), *self._people.came(owner)])
        return Welcome(owner, made, token, now)

    def revoke(self, given: str, owner: str = "") -> JoinedMachine:
        """From the next request on. What it sent stays."""
        one = self.one(given, owner)
        if not one.revoked:
            with self._records.held():
                self._records.write_all(self.ended([one]))
        return self.one(one.id)

    def ended(self, machines: Sequence[JoinedMachine]) -> Sequence[Record]:
        """The records of their tokens ending, which are also written down beside the archive."""
        now = self._records.now().isoformat()
        with self._revoked.changed() as kept:
            kept.hashes += [one.hash for one in machines]
        gone = (msgspec.structs.replace(one, revoked=now) for one in machines)
        return [(kinds.JOINED, one.id, {"machine": one}) for one in gone]

    def rename(self, given: str, title: str, owner: str = "") -> JoinedMachine:
        one = self.one(given, owner)
        if not title.strip() or any(o.title == title and o.id != one.id for o in self.of(one.owner)):
            raise UsageError(f"{title!r} is taken, or no name", hint="lane machines")
        named = msgspec.structs.replace(one, title=title.strip())
        with self._records.held():
            self._records.write(kinds.JOINED, one.id, {"machine": named})
        return named

    def _opened(self, typed: str) -> JoinCode:
        """A code is worth as much as the token of the machine that asked for it."""
        code = self._codes.opened(typed)
        by = self._machines.get(code.by)
        if by is not None and by.revoked:
            raise NotAllowedError("the machine that asked for this code is revoked", hint=ANOTHER)
        return code

    def _must_be_free(self, owner: str, asked: Joining) -> None:
        if not NAME.fullmatch(asked.machine):
            raise UsageError(f"{asked.machine!r} cannot be a machine's name here", hint="letters, digits, . _ - and @")
        theirs = [one for one in self._machines.values() if one.owner == owner]
        taken = [one for one in theirs if one.name == asked.machine]
        self._must_be_room(owner, [one for one in theirs if not one.revoked and one not in taken])
        here = self._records.home.config
        if asked.machine == here.machine and owner == here.user:
            raise NotAllowedError(f"{asked.machine} is the name of Central itself", hint="lane join URL --name NAME")
        for one in taken:
            if not one.revoked and one.computer != asked.computer:
                raise NotAllowedError(
                    f"another computer has joined as {one.name}",
                    hint=f"a second machine: lane join URL --name NAME; the same one moved to a new computer: "
                    f"lane machines revoke {one.id} on Central first",
                )
        for one in taken:
            if not one.revoked:  # the same computer again: its old token ends here
                gone = msgspec.structs.replace(one, revoked=self._records.now().isoformat())
                self._records.write(kinds.JOINED, one.id, {"machine": gone})

    def _must_be_room(self, owner: str, others: Sequence[JoinedMachine]) -> None:
        most = self._people.here(owner).machines
        if most and len(others) >= most:
            raise NotAllowedError(
                f"{owner} may have {most} machine{'s' if most > 1 else ''} here, and has them",
                hint="lane machines revoke one, or an admin: lane people limit",
            )

    def _take(self, entry: Entry) -> None:
        if entry.kind != kinds.JOINED:
            return
        one = msgspec.convert(entry.data["machine"], JoinedMachine)
        before = self._machines.get(one.id)
        if before is not None and before.revoked:  # in whichever order lines come: it stays so
            one = msgspec.structs.replace(one, revoked=before.revoked)
        self._machines[one.id] = one
        self._by_hash[one.hash] = one.id


def _owner(asked: Joining, code: JoinCode) -> str:
    """Runs carry the name of their user for good, so a home with runs keeps its own."""
    if not asked.fresh and asked.user != code.owner:
        raise NotAllowedError(
            f"the code is for {code.owner}, and the runs on this machine belong to {asked.user}",
            hint=f"on Central: lane machines invite --for {asked.user}",
        )
    return code.owner
