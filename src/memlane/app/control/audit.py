"""The Audit: who did or was told what, on whose behalf. Ids and counts, never text.

Lines stand beside Central's records in the archive, in files of their own because they grow (`chain`). What changes a
record is written here before the record is (`ControlBook`); what was read is handed over in batches by the door.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import msgspec

from memlane.app.control.chain import Chain, ChainedLine, ChainFault, ChainHeads
from memlane.app.control.records import ControlRecords, Record
from memlane.domain.journal import PERSON
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

ENDS = ("revoked", "released", "ended")  # fields that say a record's thing is over
ACCEPTED, OPENED, CLOSED, LOST = "accepted", "opened", "closed", "lost"


class AuditLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """`of`: whose runs and memories, by their ids. `count`: of all of them, where only some are named."""

    at: datetime
    who: str
    act: str
    machine: str = ""
    of: dict[str, list[str]] = {}
    what: str = ""  # the thing acted on: a machine, a person, a grant
    whom: str = ""  # whom else it concerns
    count: int = 0
    n: int = 0

    def seen_by(self, person: str) -> AuditLine | None:
        """What this person may know of it: of what others read, their own part. None: it does not concern them."""
        if person in (self.who, self.whom, self.what):
            return self
        if person not in self.of:
            return None
        theirs = self.of[person]
        return msgspec.structs.replace(self, machine="", of={person: theirs}, count=len(theirs))


@dataclass(frozen=True, slots=True)
class AuditWanted:
    """`reader`: only lines that concern this person; "": all."""

    reader: str = ""
    of: str = ""
    by: str = ""
    act: str = ""
    since: datetime | None = None
    limit: int = 100

    def seen(self, line: AuditLine) -> AuditLine | None:
        """As the reader sees it, if it is wanted."""
        shown = line.seen_by(self.reader) if self.reader else line
        return shown if shown is not None and self._fits(shown) else None

    def _fits(self, line: AuditLine) -> bool:
        return (
            (not self.of or self.of in line.of or self.of in (line.whom, line.what))
            and self.by in ("", line.who)
            and self.act in ("", line.act)
        )


class AuditBook:
    """Any number of processes write, one at a time."""

    def __init__(self, records: ControlRecords) -> None:
        self._records = records

    @cached_property
    def _chain(self) -> Chain:
        home = self._records.home
        lock = WriteLock(home.run_folder / "audit.lock")
        heads = JsonFile(home.config.home / "audit-heads.json", ChainHeads, home.disk, lock.held)
        return Chain(home.disk, self._records.layout.root / "audit", home.config.machine, heads, lock)

    # -- written -------------------------------------------------------------------------------------------------------

    def write(self, lines: Sequence[AuditLine]) -> None:
        """Durable on return."""
        if lines:
            self._chain.append([_body(line) for line in lines], max(line.at for line in lines))

    def witness(self, records: Iterable[Record], who: str, machine: str) -> None:
        """Each change of Central's records, before it is made."""
        now = self._records.now()
        self.write([_of_record(record, AuditLine(now, who, record[0], machine)) for record in records])

    def accept(self, why: str, who: str) -> None:
        """A person knows why there are gaps: the archive was put back from a copy."""
        self.write([AuditLine(self._records.now(), who, ACCEPTED, what=why)])

    # -- read ----------------------------------------------------------------------------------------------------------

    def lines(self, which: AuditWanted) -> Iterator[AuditLine]:
        """Newest first."""
        found = 0
        for month in self._months_back(which.since):
            for line in month:
                if which.since is not None and line.at < which.since:
                    continue
                if (seen := which.seen(line)) is not None:
                    yield seen
                    found += 1
                if found >= which.limit:
                    return

    def _months_back(self, since: datetime | None) -> Iterator[Sequence[AuditLine]]:
        oldest = f"{since.year:04}-{since.month:02}" if since is not None else ""
        months = sorted({path.parent.name for path in self._chain.files()}, reverse=True)
        for month in (one for one in months if one >= oldest):
            files = [path for path in self._chain.files() if path.parent.name == month]
            lines = [_line(one) for path in files for one in self._chain.backwards(path)]
            yield sorted(filter(None, lines), key=_when, reverse=True)

    def faults(self) -> Sequence[ChainFault]:
        """What was changed, cut off or put back; without gaps that a person has accepted since."""
        accepted = max((one.n for one in self._chain.lines() if one.body.get("act") == ACCEPTED), default=0)
        return [one for one in self._chain.faults() if not (one.gap and one.n < accepted)]

    def count(self) -> int:
        return sum(1 for _line in self._chain.lines())

    def unclean(self) -> int:
        """How often a server ended without saying so: the reads of its last second may be missing."""
        opened, unclean = set[str](), 0
        for one in self._chain.lines():
            act, what = one.body.get("act"), str(one.body.get("machine", ""))
            if act == OPENED:
                unclean += what in opened
                opened.add(what)
            elif act == CLOSED:
                opened.discard(what)
        return unclean


def _when(line: AuditLine) -> tuple[datetime, int]:
    return line.at, line.n


def _body(line: AuditLine) -> Mapping[str, object]:
    body = msgspec.to_builtins(line)
    body.pop("n", None)
    return body


def _line(one: ChainedLine) -> AuditLine | None:
    """None: it says nothing we know; `faults` names it."""
    with suppress(msgspec.ValidationError):
        return msgspec.structs.replace(msgspec.convert(one.body, AuditLine), n=one.n)
    return None


def _of_record(record: Record, line: AuditLine) -> AuditLine:
    """Which record, and whom it concerns: nothing that it says."""
    kind, name, data = record
    fields = dict[str, object]()
    for part in data.values():
        said = msgspec.to_builtins(part)
        fields |= said if isinstance(said, dict) else {}
    owner = name if kind == PERSON else str(fields.get("owner", ""))
    ended = any(fields.get(one) for one in ENDS)
    return msgspec.structs.replace(
        line,
        who=str(fields.get("by", "")) or line.who or owner,
        act=f"{kind} ended" if ended else kind,
        of={owner: [name]} if owner else {},
        what=name,
        whom=str(fields.get("whom", "")),
    )
