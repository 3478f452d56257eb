"""Receipts for what was deleted for good: what, when, by which rule, and the digest of what it was. Never its words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from memlane.app.control.records import ControlRecords
from memlane.app.home.deletion import Deletion
from memlane.domain import Entry, derived_id
from memlane.domain import journal as kinds


class DeletionReceipt(msgspec.Struct, frozen=True):
    """`digest` is of the other fields, so that two copies of a receipt can be compared."""

    id: str
    owner: str
    name: str
    rule: str
    at: str
    bytes: int
    content: str  # SHA-256 over the digests of what was deleted
    digest: str = ""


class ReceiptBook:
    def __init__(self, records: ControlRecords) -> None:
        self._records = records
        self._receipts = dict[str, DeletionReceipt]()
        records.keep(self._take)

    def of(self, owner: str = "") -> Sequence[DeletionReceipt]:
        """Newest first; of everybody without an owner."""
        self._records.read()
        found = [one for one in self._receipts.values() if owner in ("", one.owner)]
        return sorted(found, key=lambda one: one.at, reverse=True)

    def write(self, done: Deletion) -> None:
        """Said twice it is one: a kill may have come between it and the end of the deletion."""
        name = derived_id("v", done.owner, done.name)
        with self._records.held():
            self._records.read()
            if name not in self._receipts:
                at = self._records.now().isoformat()
                made = DeletionReceipt(name, done.owner, done.name, done.rule, at, done.bytes, done.content)
                made = msgspec.structs.replace(made, digest=hashlib.sha256(msgspec.json.encode(made)).hexdigest())
                self._records.write(kinds.DELETED, name, {"deleted": made})

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.DELETED:
            self._receipts.setdefault(entry.id, msgspec.convert(entry.data["deleted"], DeletionReceipt))
