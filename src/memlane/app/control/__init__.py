"""Central's own records: people, groups, their machines, one-time codes, what they share, and what was revoked.

They are lines of a journal of their own in the archive (`records`), durable before anybody is answered. Each kind of
record has a book of its own in a module beside this one; what a book knows is read from the journal.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from memlane.app.control.audit import CLOSED, LOST, OPENED, AuditBook, AuditLine, AuditWanted
from memlane.app.control.codes import CodeBook, JoinCode
from memlane.app.control.deliveries import Deliveries
from memlane.app.control.grant_receipts import GrantReceipt, receipt
from memlane.app.control.grants import Grant, GrantBook, GrantType, Reading, grants_in
from memlane.app.control.groups import Group, GroupBook
from memlane.app.control.holds import Hold, HoldBook
from memlane.app.control.identities import Identity, IdentityBook
from memlane.app.control.machines import JoinedMachine, Joining, MachineBook, Welcome
from memlane.app.control.owners import claimed, is_part, of_owner
from memlane.app.control.people import KnownPerson, PersonBook, PersonState, Role
from memlane.app.control.policy import Policy, PolicyBook, Sharing
from memlane.app.control.receipts import DeletionReceipt, ReceiptBook
from memlane.app.control.records import ControlRecords, Record
from memlane.app.control.retention import RetentionBook, RetentionRule
from memlane.app.control.rules import CentralRules
from memlane.app.control.sightings import Sightings
from memlane.app.control.sign_in import Asking, SignIn, SignInOffer
from memlane.app.home import Home
from memlane.domain import Entry, random_id
from memlane.domain import journal as kinds

__all__ = [
    "CLOSED",
    "LOST",
    "OPENED",
    "Asking",
    "AuditBook",
    "AuditLine",
    "AuditWanted",
    "CentralRules",
    "ControlBook",
    "DeletionReceipt",
    "Departure",
    "Grant",
    "GrantBook",
    "GrantReceipt",
    "GrantType",
    "Group",
    "Hold",
    "Identity",
    "JoinCode",
    "JoinedMachine",
    "Joining",
    "KnownPerson",
    "PersonState",
    "Policy",
    "Reading",
    "RetentionRule",
    "Role",
    "Sharing",
    "SignInOffer",
    "Welcome",
    "claimed",
    "grants_in",
    "is_part",
    "of_owner",
]


@dataclass(frozen=True, slots=True)
class Departure:
    """Somebody left: what ended with that."""

    name: str
    machines: Sequence[str]
    grants: int


class ControlBook:
    """One Central's records, book by book. All of them read the one journal."""

    def __init__(self, home: Home) -> None:
        self._records = ControlRecords(home)
        self._central = ""
        self._records.keep(self._take)
        self._actor = home.config.user, home.config.machine
        self.audit = AuditBook(self._records)
        self._records.witness = self._witness
        self.people = PersonBook(self._records)
        self.codes = CodeBook(self._records, self.people)
        self.machines = MachineBook(self._records, self.codes, self.people)
        self.groups = GroupBook(self._records, self.people)
        self.policy = PolicyBook(self._records, self.people)
        self.grants = GrantBook(self._records, self.people, self.groups, self.policy)
        self.holds = HoldBook(self._records, self.people)
        self.retention = RetentionBook(self._records)
        self.receipts = ReceiptBook(self._records)
        self.identities = IdentityBook(self._records, self.people)
        self.sign_in = SignIn(self._records, self.people, self.groups, self.codes, self.identities)
        self.sightings = Sightings(home)
        self.deliveries = Deliveries(home)

    @property
    def is_central(self) -> bool:
        return self._records.is_there

    @property
    def central(self) -> str:
        """The id of this Central, made when it is first asked for."""
        self._records.read()
        if not self._central:
            with self._records.held():
                self._records.read()
                if not self._central:
                    self._records.write(kinds.CENTRAL, random_id("c"), {})
        return self._central

    @contextmanager
    def acting(self, person: str, machine: str) -> Generator[None]:
        """Who changes records meanwhile; else it is whose home this is."""
        before, self._actor = self._actor, (person, machine)
        try:
            yield
        finally:
            self._actor = before

    def reads_whole_audit(self, person: str) -> bool:
        """An auditor; whose home it is reads the disk anyway."""
        known = {one.name: one for one in self.people.all()}.get(person)
        auditor = known is not None and known.role is Role.AUDITOR and known.state is not PersonState.LEFT
        return auditor or person == self._records.home.config.user

    def rules_for(self, person: str) -> CentralRules:
        """What this person's machines keep to."""
        retention = [one.words for one in self.retention.concerning(person)]
        return CentralRules(list(self.holds.told(person)), retention, self.policy.now())

    def _witness(self, records: Sequence[Record]) -> None:
        self.audit.witness(records, *self._actor)

    def leave(self, name: str, by: str) -> Departure:
        """Somebody goes: their machines, codes, groups and grants end in one write. Their runs are another question."""
        with self._records.held():
            gone = self.people.left(name, by)
            machines = [one for one in self.machines.of(name) if not one.revoked]
            grants = self.grants.without(name)
            self._records.write_all(
                [
                    *gone,
                    *self.machines.ended(machines),
                    *self.codes.ended(name),
                    *self.groups.without(name, by),
                    *self.identities.without(name),
                    *grants,
                ]
            )
        return Departure(name, [one.title for one in machines], len(grants))

    def receipt(self, grant: Grant) -> GrantReceipt:
        return receipt(grant, self.grants.readers(grant), self.machines.of(), self.deliveries)

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.CENTRAL:
            self._central = self._central or entry.id
