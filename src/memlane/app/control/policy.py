"""What a Central demands of the machines that join it: what is never captured, who may share what is
theirs, and whether secrets are masked before anything is sent.

A machine shows it before it joins and keeps to it; the door checks what arrives all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from memlane.app.control.people import PersonBook
from memlane.app.control.records import ControlRecords
from memlane.domain import Entry
from memlane.domain import journal as kinds
from memlane.errors import NotAllowedError, UsageError


class Sharing(StrEnum):
    """Who may share runs and lessons with others."""

    EVERYBODY = "everybody"
    ADMINS = "admins"
    NOBODY = "nobody"


class Policy(msgspec.Struct, frozen=True):
    """`never`: patterns as `lane exclude` has them, for every machine."""

    never: tuple[str, ...] = ()
    sharing: Sharing = Sharing.EVERYBODY
    mask: bool = False
    by: str = ""
    since: str = ""

    @property
    def words(self) -> Sequence[str]:
        """What it demands, a line each; nothing, where it demands nothing."""
        found = [f"never captured: {', '.join(self.never)}"] if self.never else []
        if self.sharing is not Sharing.EVERYBODY:
            found.append(f"runs and lessons may be shared by {self.sharing.value}")
        if self.mask:
            found.append("secrets are masked before anything is sent")
        return found


class PolicyBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._policy = Policy()
        records.keep(self._take)

    def now(self) -> Policy:
        self._records.read()
        return self._policy

    def set(self, never: Sequence[str], sharing: Sharing, by: str, *, mask: bool = False) -> Policy:
        """In the place of the one before."""
        for pattern in never:
            _must_be_pattern(pattern)
        with self._records.held():
            now = self._records.now().isoformat()
            made = Policy(tuple(dict.fromkeys(never)), sharing, mask, by, now)
            self._records.write(kinds.POLICY, "policy", {"policy": made})
        return made

    def must_let_share(self, person: str) -> None:
        sharing = self.now().sharing
        if sharing is Sharing.NOBODY or (sharing is Sharing.ADMINS and not self._people.is_admin(person)):
            who = "only by admins" if sharing is Sharing.ADMINS else "by nobody"
            raise NotAllowedError(f"on this Central runs and lessons may be shared {who}", hint="lane policy")

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.POLICY:
            self._policy = msgspec.convert(entry.data["policy"], Policy)


def _must_be_pattern(pattern: str) -> None:
    """It has to mean the same on every computer."""
    if not pattern.startswith(("/", "*", "agent:")) or pattern.strip("*/") == "":
        raise UsageError(
            f"{pattern!r} does not mean the same folder on every machine", hint="/srv/secret, */secret or agent:codex"
        )
