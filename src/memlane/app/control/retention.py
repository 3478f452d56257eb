"""Rules that say how long runs are kept: for a person, for a project, for everybody. The narrowest one counts.

A rule deletes nothing for a day, so everybody it concerns can see it, take a copy, or ask for a hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from memlane.app.control.records import ControlRecords
from memlane.domain import Entry, Project, derived_id
from memlane.domain import journal as kinds
from memlane.errors import NotFoundError, UsageError

FOREVER = 0
GRACE = timedelta(days=1)


class RetentionRule(msgspec.Struct, frozen=True):
    """`days` after the last word of a run it is deleted; 0: it stays. Empty names fit everybody and everything."""

    id: str
    days: int
    person: str = ""
    project: str = ""  # name or key
    by: str = ""
    since: str = ""
    ended: str = ""

    def fits(self, owner: str, project: Project) -> bool:
        return self.person in ("", owner) and self.project in ("", project.name, project.key)

    @property
    def narrowness(self) -> tuple[bool, bool]:
        return bool(self.project), bool(self.person)

    @property
    def deletes_from(self) -> datetime:
        return datetime.fromisoformat(self.since) + GRACE

    def due(self, ended: datetime, now: datetime) -> bool:
        return now >= self.deletes_from and self.over(ended, now)

    def over(self, ended: datetime, now: datetime) -> bool:
        return self.days != FOREVER and now - ended > timedelta(days=self.days)

    @property
    def words(self) -> str:
        whose = f"{self.person}'s runs" if self.person else "runs"
        what = f"{whose} of {self.project}" if self.project else whose
        return f"{what} are kept {'for good' if self.days == FOREVER else f'{self.days} days'}"


class RetentionBook:
    def __init__(self, records: ControlRecords) -> None:
        self._records = records
        self._rules = dict[str, RetentionRule]()
        records.keep(self._take)

    def now(self) -> Sequence[RetentionRule]:
        """The narrowest first."""
        self._records.read()
        rules = [one for one in self._rules.values() if not one.ended]
        return sorted(rules, key=lambda one: (one.narrowness, one.person, one.project), reverse=True)

    def concerning(self, owner: str) -> Sequence[RetentionRule]:
        return [one for one in self.now() if one.person in ("", owner)]

    def planned(self, days: int, person: str, project: str, by: str) -> RetentionRule:
        """As it would be written."""
        if days < 0:
            raise UsageError("a length of time is needed", hint="lane retention set 365d, or: forever")
        now = self._records.now().isoformat()
        return RetentionRule(derived_id("t", person, project), days, person, project, by, now)

    def set(self, rule: RetentionRule) -> RetentionRule:
        """In the place of one for the same person and project."""
        with self._records.held():
            self._records.read()
            self._records.write(kinds.RETENTION, rule.id, {"retention": rule})
        return rule

    def end(self, given: str, by: str) -> RetentionRule:
        with self._records.held():
            found = [one for one in self.now() if len(given) >= 4 and one.id.startswith(given)]
            if len(found) != 1:
                raise NotFoundError(f"there is no retention rule {given!r}", hint="lane retention list")
            ended = msgspec.structs.replace(found[0], ended=self._records.now().isoformat(), by=by)
            self._records.write(kinds.RETENTION, ended.id, {"retention": ended})
        return ended

    def _take(self, entry: Entry) -> None:
        if entry.kind == kinds.RETENTION:
            self._rules[entry.id] = msgspec.convert(entry.data["retention"], RetentionRule)
