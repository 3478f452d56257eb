"""Holds: what must not be deleted until somebody lifts the hold, whatever rule, command or machine asks for it.

A hold on a run keeps its memories too, one on a memory the runs that it quotes. Every path that deletes asks `kept_by`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import msgspec

from memlane import archive
from memlane.app.control.owners import of_owner
from memlane.app.control.people import PersonBook
from memlane.app.control.records import ControlRecords
from memlane.app.home import Home
from memlane.domain import Entry, Memory, Project, random_id
from memlane.domain import journal as kinds
from memlane.errors import HeldError, NotFoundError, UsageError

RUN, MEMORY, PROJECT, OWNER = "run", "memory", "project", "person"
PROJECT_DIGEST = "project digest"  # how a machine is told of one: who has no such project learns no name
TOLD = "central-rules.json"  # on a machine: what its Central said last


class Hold(msgspec.Struct, frozen=True):
    """One thing that stays. `kind` says what `what` names: an id, a project's name or key, a person."""

    id: str
    kind: str
    what: str
    why: str
    by: str = ""
    since: str = ""
    released: str = ""  # when
    released_by: str = ""
    owner: str = ""  # of a run or memory: whose it is

    @property
    def words(self) -> str:
        if self.kind == PROJECT_DIGEST:
            return "its project is under a hold"
        return f"{self.kind} {self.what} is under a hold ({self.why})"


class HoldBook:
    def __init__(self, records: ControlRecords, people: PersonBook) -> None:
        self._records, self._people = records, people
        self._holds = dict[str, Hold]()
        records.keep(self._take)

    def all(self) -> Sequence[Hold]:
        """Those that were released too, newest first."""
        self._records.read()
        return sorted(self._holds.values(), key=lambda one: one.since, reverse=True)

    def now(self) -> Sequence[Hold]:
        return [one for one in self.all() if not one.released]

    def told(self, owner: str) -> Sequence[Hold]:
        """As a machine of this person is told: what concerns them, and projects by their digests."""
        found = list[Hold]()
        for one in self.now():
            if one.kind == PROJECT:
                found.append(Hold(one.id, PROJECT_DIGEST, digest_of(one.what), ""))
            elif owner in (one.owner, one.what if one.kind == OWNER else ""):
                found.append(one)
        return found

    def add(self, kind: str, what: str, why: str, by: str) -> Hold:
        if not why.strip():
            raise UsageError("a hold needs a reason", hint='--why "the audit of May"')
        owner = self._owner(kind, what)
        with self._records.held():
            self._records.read()
            return self._write(
                Hold(random_id("h"), kind, what, why.strip(), by, self._records.now().isoformat(), owner=owner)
            )

    def _owner(self, kind: str, what: str) -> str:
        """Whose run or memory it is. Nothing else is known by an id."""
        if kind in (PROJECT, OWNER):
            if kind == OWNER:
                self._people.one(what)
            return ""
        for name in self._people.names():
            theirs = Home(of_owner(self._records.home.config, name), self._records.home.clock)
            try:
                if _has(theirs, what):
                    return name
            finally:
                theirs.close()
        raise NotFoundError(f"there is no {kind} {what} on this Central", hint="give its whole id: lane runs --json")

    def release(self, given: str, by: str) -> Hold:
        with self._records.held():
            found = [one for one in self.now() if len(given) >= 4 and one.id.startswith(given)]
            if len(found) != 1:
                raise NotFoundError(f"there is no hold {given!r}", hint="lane hold list")
            now = self._records.now().isoformat()
            return self._write(msgspec.structs.replace(found[0], released=now, released_by=by))

    def _write(self, one: Hold) -> Hold:
        self._records.write(kinds.HOLD, one.id, {"hold": one})
        return one

    def _take(self, entry: Entry) -> None:
        if entry.kind != kinds.HOLD:
            return
        one, before = msgspec.convert(entry.data["hold"], Hold), self._holds.get(entry.id)
        if before is None or not before.released:
            self._holds[one.id] = one


class ToldHolds(msgspec.Struct):
    """The part of what Central told this machine that forbids deleting."""

    holds: list[Hold] = []


def holds_on(home: Home) -> Sequence[Hold]:
    """Of Central, where this archive is one's; on a machine, those its Central told it."""
    held = _of_central(home)
    try:
        told = msgspec.json.decode(home.disk.read_whole(home.config.home / TOLD), type=ToldHolds)
    except FileNotFoundError:
        return held
    return [*held, *told.holds]


def _of_central(home: Home) -> Sequence[Hold]:
    records = ControlRecords(home)
    return HoldBook(records, PersonBook(records)).now()


def kept_by(home: Home, name: str) -> Hold | None:
    """The hold that keeps this run or memory of the home's owner."""
    holds = holds_on(home)
    return next((one for one in holds if _Kept(home, name).by(one)), None) if holds else None


def must_be_free(home: Home, name: str) -> None:
    if (hold := kept_by(home, name)) is not None:
        raise HeldError(hold.words, hint=f"an admin of Central lifts it: lane hold release {hold.id}")


def person_kept_by(home: Home) -> Hold | None:
    """The hold that keeps anything of this person: all of it cannot go at once then."""
    return next((one for one in holds_on(home) if _keeps_anything(home, one)), None)


def _keeps_anything(home: Home, hold: Hold) -> bool:
    if hold.kind == OWNER:
        return hold.what == home.config.user
    if hold.kind != PROJECT:
        return hold.owner == home.config.user
    found = (archive.held(home.disk, folder).metadata for folder in home.layout.run_folders())
    return any(hold.what in (one.project.name, one.project.key) for one in found if one is not None)


def digest_of(project: str) -> str:
    return hashlib.sha256(project.encode()).hexdigest()


def _has(home: Home, name: str) -> bool:
    if name.startswith("r_"):
        return home.layout.find(name) is not None
    return home.engine.serving() is not None and home.storage().memories.get(name, home.reader) is not None


class _Kept:
    """One run or memory; what it belongs to is looked up once, when a hold is of that."""

    def __init__(self, home: Home, name: str) -> None:
        self._home, self._name = home, name

    def by(self, hold: Hold) -> bool:
        match hold.kind:
            case "person":
                return hold.what == self._home.config.user
            case "project":
                return hold.what in self._projects
            case "project digest":
                return hold.what in map(digest_of, self._projects)
            case _:
                return hold.what in self._near

    @cached_property
    def _projects(self) -> frozenset[str]:
        """The names of the project it belongs to."""
        found = [self._memory.project, self._memory.project_key] if self._memory is not None else []
        for one in self._of_run:
            found += [one.name, one.key]
        return frozenset(found) - {""}

    @cached_property
    def _near(self) -> frozenset[str]:
        """It and what goes with it: the runs that a memory quotes, the held memories that quote a run."""
        if self._memory is not None:
            return frozenset({self._name, *(one.run for one in self._memory.evidence)})
        home = self._home
        wanted = [one.what for one in holds_on(home) if one.kind == MEMORY]
        found = [home.storage().memories.get(name, home.reader) for name in wanted]
        with_it = [one.id for one in found if one is not None and any(e.run == self._name for e in one.evidence)]
        return frozenset({self._name, *with_it})

    @cached_property
    def _memory(self) -> Memory | None:
        home = self._home
        return home.storage().memories.get(self._name, home.reader) if self._name.startswith("m_") else None

    @cached_property
    def _of_run(self) -> Sequence[Project]:
        """Of the run, or of those that a memory quotes: a memory can be moved to another project."""
        runs = {one.run for one in self._memory.evidence} if self._memory is not None else {self._name}
        return [project for run in sorted(runs) for project in self._projects_of(run)]

    def _projects_of(self, run: str) -> Sequence[Project]:
        """As it was captured, and as it is known now: projects are joined."""
        home, folder = self._home, self._home.layout.find(run)
        metadata = archive.held(home.disk, folder).metadata if folder is not None else None
        known = home.storage().runs.get(run, home.reader)
        return [one.project for one in (metadata, known) if one is not None]
