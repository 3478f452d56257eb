"""What others share with whoever's home this is: their runs and memories, read on Central for as long as a grant holds.

Each lender's part is opened for a guest (`storage/guest`); what comes back is put together with what is one's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from memlane.app.control import ControlBook, Grant, GrantType, Reading, of_owner
from memlane.app.home import Home
from memlane.app.search import Mode, SearchAnswer, together
from memlane.config import Config
from memlane.domain import LentMemory, Loan, Memory, Reader, RunFilter, RunSummary, Scope, Selection, State
from memlane.errors import LaneError, NotFoundError
from memlane.flow.journal import encode
from memlane.storage import Storage

if TYPE_CHECKING:
    from memlane.app.memories import Memories
    from memlane.app.runs import Runs
    from memlane.app.search import RunSearch

NEVER = datetime.min.replace(tzinfo=UTC)
FOR_GOOD = "9999"  # later than any end


@dataclass(frozen=True, slots=True)
class Shelves:
    """What can be read of one person's part of Central: by themselves, or by a guest."""

    runs: Runs
    search: RunSearch
    memories: Memories
    close: Callable[[], None]


OpensShelves = Callable[[Config, Reader], Shelves]


@dataclass(slots=True)
class _Lender:
    """Somebody's part of Central, opened once to see what is granted and once for the guest."""

    home: Home
    shelves: Shelves | None = None
    loan: Loan | None = None

    def close(self) -> None:
        self.close_guest()
        self.home.close()

    def close_guest(self) -> None:
        if self.shelves is not None:
            self.shelves.close()
        self.shelves, self.loan = None, None


class Loans:
    """`central`: its settings; None: this home belongs to none, and nothing is shared with it here."""

    def __init__(self, home: Home, central: Config | None, opens: OpensShelves) -> None:
        self._home, self._central, self._opens = home, central, opens
        self._lenders = dict[str, _Lender]()

    @cached_property
    def _control(self) -> ControlBook:
        assert self._central is not None
        return ControlBook(Home(self._central, self._home.clock))

    def grants(self) -> Sequence[Grant]:
        """Those that hold now, looked up anew for each answer."""
        return self._control.grants.to(self._home.config.user) if self._central is not None else []

    def given(self) -> Sequence[Grant]:
        """By whoever's home this is; those that hold now."""
        if self._central is None:
            return []
        return self._control.grants.holding_of(self._home.config.user)

    def shelves(self) -> Iterator[Shelves]:
        """One for each lender whose index can be read, with exactly what is granted in it."""
        yield from (shelves for _grants, shelves in self._by_lender())

    def _by_lender(self) -> Iterator[tuple[Sequence[Grant], Shelves]]:
        """Who shared first comes first: whoever says later that the same id is theirs takes nobody's place."""
        by_owner = dict[str, list[Grant]]()
        for one in reversed(self.grants()):
            by_owner.setdefault(one.owner, []).append(one)
        for gone in self._lenders.keys() - by_owner.keys():
            self._lenders.pop(gone).close()
        for owner, grants in by_owner.items():
            if (shelves := self._opened(owner, grants)) is not None:
                yield grants, shelves

    def _opened(self, owner: str, grants: Sequence[Grant]) -> Shelves | None:
        assert self._central is not None
        if owner not in self._lenders:
            self._lenders[owner] = _Lender(Home(of_owner(self._central, owner), self._home.clock, read_only=True))
        lender = self._lenders[owner]
        if lender.home.engine.serving() is None:  # nothing of theirs was indexed yet
            return None
        loan = loan_of(grants, lender.home.storage(), lender.home.reader)
        if lender.shelves is None or lender.loan != loan:
            lender.close_guest()
            guest = Reader(self._home.config.user, loan)
            lender.shelves, lender.loan = self._opens(lender.home.config, guest), loan
        return lender.shelves

    def owners(self) -> Mapping[str, Sequence[str]]:
        """Ids of all that is shared here → whose it is: all who say that it is theirs, so that none hides another."""
        for _one in self.shelves():
            pass
        found = dict[str, list[str]]()
        for loan in (one.loan for one in self._lenders.values() if one.loan is not None):
            for id in (*loan.runs, *loan.memories):
                found.setdefault(id, []).append(loan.owner)
        return found

    # -- lent to a machine, which recalls it without us ------------------------------------------------------------

    def mark(self, machine: str, version: str) -> str:
        """What the Memories that are lent now are called together. `version`: of those that the machine has."""
        at, grants = self._home.clock(), {one.id for one in self.grants()}
        now, _memories = self._lent()
        if now == version and self._central is not None:
            self._control.deliveries.holds(machine, grants, at)
        return now

    def lend(self, machine: str) -> tuple[str, Sequence[LentMemory]]:
        """From now on this machine may recall them, until it says that it has others."""
        if self._central is not None:
            self._control.deliveries.sends(machine, {one.id for one in self.grants()}, self._home.clock())
        return self._lent()

    def bring_up(self) -> None:
        """The same into this part of Central, which recalls for a thin machine: before each answer, so that nothing is
        told that is not shared any more."""
        shelf = self._home.lent
        if not self.grants() and shelf.storage() is None:
            return
        version, lent = self._lent()
        if version != shelf.note.version:
            shelf.take(version, lent)
        if (storage := shelf.storage()) is not None:
            encode(replace(self._home.tools(), storage=storage))

    def _lent(self) -> tuple[str, Sequence[LentMemory]]:
        first = dict[str, LentMemory]()
        for grants, shelves in self._by_lender():
            for one in self._lent_by(grants, shelves):
                first.setdefault(one.memory.id, one)
        found = [one for _id, one in sorted(first.items())]
        return hashlib.sha256(msgspec.json.encode(found)).hexdigest() if found else "", found

    def _lent_by(self, grants: Sequence[Grant], shelves: Shelves) -> Iterator[LentMemory]:
        """Each with its end: that of the grant which holds longest."""
        ends = dict[str, str]()
        for one in sorted(grants, key=lambda one: one.until or FOR_GOOD):
            ends |= dict.fromkeys(self._memories_of(one), one.until)
        for memory in shelves.memories.select(Selection(states=(State.ACTIVE,))):
            yield LentMemory(memory, ends.get(memory.id, ""))

    def _memories_of(self, grant: Grant) -> frozenset[str]:
        home = self._lenders[grant.owner].home
        return loan_of([grant], home.storage(), home.reader).memories

    # -- put together ------------------------------------------------------------------------------------------------

    def search(self, own: SearchAnswer, words: str, which: RunFilter, limit: int, mode: Mode | None) -> SearchAnswer:
        """With the turns that others share, best first."""
        for one in self.shelves():
            theirs = one.search.find(words, which, limit, mode)
            meant = {**theirs.search.meant, **own.search.meant}
            own = together(own, theirs, limit)
            own = replace(own, search=replace(own.search, meant={} if own.search.best else meant))
        return own

    def runs(self, own: Sequence[RunSummary], which: RunFilter) -> Sequence[RunSummary]:
        """With those that others share, newest first."""
        theirs = [run for one in self.shelves() for run in one.runs.select(which)]
        if not theirs:
            return own
        every = sorted((*own, *theirs), key=lambda run: run.ended or run.started or NEVER, reverse=True)
        return every[: which.limit]

    def memories(self, own: Sequence[Memory], which: Selection) -> Sequence[Memory]:
        theirs = [memory for one in self.shelves() for memory in one.memories.select(which)]
        if not theirs:
            return own
        return sorted((*own, *theirs), key=lambda one: one.last_observed_at, reverse=True)[: which.limit]

    def opening(self, run: RunSummary) -> Sequence[Grant]:
        """Through which shares others than its owner read it: all of one's own, and of another's those that one has."""
        if run.owner == self._home.config.user:
            home, grants = self._home, self.given()
        else:
            home, grants = self._lenders[run.owner].home, [one for one in self.grants() if one.owner == run.owner]
        return [one for one in grants if run.id in loan_of([one], home.storage(), home.reader).runs]

    def holding_run(self, run: str, own: Shelves) -> Shelves:
        """Where this run can be read: in the own home, or in that of a lender."""
        return self._holding(own, lambda one: one.runs.get(run))

    def holding_memory(self, memory: str, own: Shelves) -> Shelves:
        return self._holding(own, lambda one: one.memories.get(memory))

    def _holding(self, own: Shelves, find: Callable[[Shelves], object]) -> Shelves:
        """What is not there is said in the own home's words, whether it is nowhere or not shared."""
        try:
            find(own)
        except NotFoundError:
            for one in self.shelves():
                try:
                    find(one)
                except LaneError:
                    continue
                return one
        return own

    def close(self) -> None:
        for lender in self._lenders.values():
            lender.close()
        self._lenders.clear()


def loan_of(grants: Sequence[Grant], storage: Storage, owner: Reader) -> Loan:
    """The ids that these grants of one owner name now."""
    runs, memories = set[str](), set[str]()
    for one in grants:
        named = frozenset(_runs(one, storage, owner))
        memories |= _memories(one, named, storage, owner)
        if one.reading is Reading.TRANSCRIPTS:
            runs |= named
    return Loan(owner.user, frozenset(runs), frozenset(memories))


def _runs(grant: Grant, storage: Storage, owner: Reader) -> Iterator[str]:
    match grant.type:
        case GrantType.RUN:
            yield from [grant.name] if storage.runs.get(grant.name, owner) else []
        case GrantType.TREE:
            waiting, seen = [grant.name], set[str]()
            while waiting:
                if (run := waiting.pop()) not in seen and storage.runs.get(run, owner):
                    seen.add(run)
                    waiting += [child.id for child in storage.runs.children(run, owner)]
            yield from seen
        case GrantType.PROJECT:
            yield from (run.id for run in storage.runs.listed(RunFilter(project=grant.name), owner))
        case GrantType.TAG:
            yield from (run.id for run in storage.runs.listed(RunFilter(tag=grant.name), owner))
        case GrantType.MEMORY:
            return


def _memories(grant: Grant, runs: frozenset[str], storage: Storage, owner: Reader) -> set[str]:
    """Of a project, what holds in it, and not what its owner prefers everywhere; of runs, what was learnt in them."""
    active = [State.ACTIVE]
    if grant.type is GrantType.MEMORY:
        return {grant.name} if storage.memories.get(grant.name, owner) is not None else set()
    if grant.type is GrantType.PROJECT:
        every = storage.memories.listed(active, owner)
        return {one.id for one in every if one.scope is Scope.PROJECT and one.project_key == grant.name}
    return {one.id for run in runs for one in storage.memories.from_run(run, active, owner)}
