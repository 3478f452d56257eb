"""Central's own records: people, their machines, one-time codes, and what was revoked.

They are lines of a journal of their own in the archive, durable before anybody is answered; what is known here is read
from it. Revoked tokens are also written down outside of the archive, so that an older copy of it brings none back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

import msgspec

from memlane.app.home import Home
from memlane.app.home.engine import engine_of
from memlane.archive import Layout, PlacedEntry, safe_name
from memlane.archive import journal as lines
from memlane.config import Config
from memlane.domain import Entry, Machine, random_id
from memlane.domain import journal as kinds
from memlane.domain.journal import CONTROL
from memlane.domain.token import MACHINE, SHIPPER, hash_of, kind_of, new_code, new_token, plain_code
from memlane.errors import NotAllowedError, NotFoundError, UsageError
from memlane.system.json_file import JsonFile

CODE_HOLDS = timedelta(minutes=30)
NAME = re.compile(r"[\w][\w.@-]{0,63}")
OPEN, USED = "open", "used"


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


class JoinCode(msgspec.Struct, frozen=True):
    """Opens once, until a time. `id` is the hash of what a person types."""

    id: str
    owner: str
    until: datetime
    kind: str = MACHINE
    state: str = OPEN
    machine: str = ""  # that used it


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

    central: str
    owner: str
    machine: JoinedMachine
    token: str
    at: datetime


class ControlBook:
    """One Central's records. Any number of processes may read; one writes at a time."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._layout = Layout(home.config.archive_base, CONTROL, home.config.home / "control-register.json")
        self._positions = dict[str, int]()
        self._codes = dict[str, JoinCode]()
        self._machines = dict[str, JoinedMachine]()
        self._by_hash = dict[str, str]()  # of a token → machine
        self._people = dict[str, str]()
        self._central = ""

    @cached_property
    def _revoked(self) -> JsonFile[RevokedTokens]:
        path = self._home.config.home / "revoked.json"
        return JsonFile(path, RevokedTokens, self._home.disk, self._home.lock.held)

    @property
    def is_central(self) -> bool:
        return self._layout.root.is_dir()

    # -- what is known ---------------------------------------------------------------------------------------------

    @property
    def central(self) -> str:
        """The id of this Central, made when it is first asked for."""
        self._read()
        if not self._central:
            with self._home.lock.held():
                self._read()
                if not self._central:
                    self._write(kinds.CENTRAL, random_id("c"), {})
        return self._central

    def people(self) -> Sequence[str]:
        self._read()
        return sorted(self._people)

    def machines(self, owner: str = "") -> Sequence[JoinedMachine]:
        self._read()
        found = [one for one in self._machines.values() if owner in ("", one.owner)]
        return sorted(found, key=lambda one: (one.owner, bool(one.revoked), one.title))

    def machine(self, given: str, owner: str = "") -> JoinedMachine:
        """By its title, its name, or the beginning of its id."""
        known = self.machines(owner)
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
        self._read()
        wanted = hash_of(token)
        found = self._machines.get(self._by_hash.get(wanted, ""))
        if found is not None and not found.revoked and wanted in self._revoked.read().hashes:
            return msgspec.structs.replace(found, revoked="before this archive was put back")
        return found

    # -- who was here ----------------------------------------------------------------------------------------------

    @property
    def _seen(self) -> Path:
        return self._home.run_folder / "seen"

    def saw(self, machine: str, runs: int | None, size: int | None) -> None:
        """A machine was here, and says how far behind it is. Nice to know: it is not durable."""
        self._seen.mkdir(mode=0o700, parents=True, exist_ok=True)
        said = {"at": self._home.clock(), "runs": runs, "bytes": size}
        unfinished = self._seen / f"{machine}.tmp"
        unfinished.write_bytes(msgspec.json.encode(said))
        unfinished.replace(self._seen / machine)

    def sightings(self) -> Mapping[str, Mapping[str, object]]:
        found = dict[str, Mapping[str, object]]()
        for path in self._seen.iterdir() if self._seen.is_dir() else ():
            with suppress(OSError, msgspec.DecodeError):
                found[path.name] = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
        return found

    # -- what is done ----------------------------------------------------------------------------------------------

    def invite(self, owner: str, kind: str = MACHINE, holds: timedelta = CODE_HOLDS) -> tuple[str, JoinCode]:
        """A code that opens once, for a machine of this person."""
        if not NAME.fullmatch(owner):
            raise UsageError(f"{owner!r} cannot be a person's name here", hint="letters, digits, . _ - and @")
        code = new_code()
        until = self._home.clock() + holds
        made = JoinCode(hash_of(code), owner, until, kind)
        with self._home.lock.held():
            self._read()
            if owner not in self._people:
                self._write(kinds.PERSON, owner, {"state": "member"})
            self._write(kinds.CODE, made.id, {"code": made})
        return code, made

    def join(self, asked: Joining) -> Welcome:
        """The machine is known, and its code used up, before the token leaves."""
        with self._home.lock.held():
            self._read()
            code = self._opened(asked.code)
            owner = self._owner(asked, code)
            self._must_be_free(owner, asked)
            token, now = new_token(code.kind), self._home.clock()
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
            used = msgspec.structs.replace(code, state=USED, machine=made.id)
            self._write_all([(kinds.CODE, code.id, {"code": used}), (kinds.JOINED, made.id, {"machine": made})])
        return Welcome(self.central, owner, made, token, now)

    def revoke(self, given: str, owner: str = "") -> JoinedMachine:
        """From the next request on. What it sent stays."""
        one = self.machine(given, owner)
        if one.revoked:
            return one
        gone = msgspec.structs.replace(one, revoked=self._home.clock().isoformat())
        with self._home.lock.held():
            self._write(kinds.JOINED, one.id, {"machine": gone})
            with self._revoked.changed() as kept:
                kept.hashes.append(one.hash)
        return gone

    def rename(self, given: str, title: str, owner: str = "") -> JoinedMachine:
        one = self.machine(given, owner)
        if not title.strip() or any(o.title == title and o.id != one.id for o in self.machines(one.owner)):
            raise UsageError(f"{title!r} is taken, or no name", hint="lane machines")
        named = msgspec.structs.replace(one, title=title.strip())
        with self._home.lock.held():
            self._write(kinds.JOINED, one.id, {"machine": named})
        return named

    def _opened(self, typed: str) -> JoinCode:
        code = self._codes.get(hash_of(plain_code(typed)))
        if code is None:
            raise NotAllowedError("there is no such code", hint="make one on Central: lane machines invite")
        if code.state == USED:
            raise NotAllowedError("this code was used already", hint="make another on Central: lane machines invite")
        if self._home.clock() > code.until:
            raise NotAllowedError("this code is too old", hint="make another on Central: lane machines invite")
        return code

    def _owner(self, asked: Joining, code: JoinCode) -> str:
        """Runs carry the name of their user for good, so a home with runs keeps its own."""
        if not asked.fresh and asked.user != code.owner:
            raise NotAllowedError(
                f"the code is for {code.owner}, and the runs on this machine belong to {asked.user}",
                hint=f"on Central: lane machines invite --for {asked.user}",
            )
        return code.owner

    def _must_be_free(self, owner: str, asked: Joining) -> None:
        if not NAME.fullmatch(asked.machine):
            raise UsageError(f"{asked.machine!r} cannot be a machine's name here", hint="letters, digits, . _ - and @")
        taken = [one for one in self._machines.values() if one.owner == owner and one.name == asked.machine]
        if asked.machine == self._home.config.machine and owner == self._home.config.user:
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
                gone = msgspec.structs.replace(one, revoked=self._home.clock().isoformat())
                self._write(kinds.JOINED, one.id, {"machine": gone})

    # -- the journal -----------------------------------------------------------------------------------------------

    def _write(self, kind: str, name: str, data: Mapping[str, object]) -> None:
        self._write_all([(kind, name, data)])

    def _write_all(self, records: Sequence[tuple[str, str, Mapping[str, object]]]) -> None:
        home, now = self._home, self._home.clock()
        entries = [
            Entry(kind, name, now, CONTROL, home.config.machine, "person", _plain(data)) for kind, name, data in records
        ]
        lines.write(home.disk, self._layout, Machine(CONTROL, home.config.machine), entries)
        self._read()

    def _read(self) -> None:
        for placed in lines.read(self._home.disk, self._layout, self._positions):
            if isinstance(placed, PlacedEntry):
                self._positions[placed.file] = placed.next_offset
                self._take(placed.entry)

    def _take(self, entry: Entry) -> None:
        match entry.kind:
            case kinds.CENTRAL:
                self._central = self._central or entry.id
            case kinds.PERSON:
                self._people[entry.id] = str(entry.data["state"])
            case kinds.CODE:
                code = msgspec.convert(entry.data["code"], JoinCode)
                before = self._codes.get(code.id)
                if before is None or before.state != USED:
                    self._codes[code.id] = code
            case kinds.JOINED:
                one = msgspec.convert(entry.data["machine"], JoinedMachine)
                before = self._machines.get(one.id)
                if before is not None and before.revoked:  # in whichever order lines come: it stays so
                    one = msgspec.structs.replace(one, revoked=before.revoked)
                self._machines[one.id] = one
                self._by_hash[one.hash] = one.id
            case _:
                pass


def _plain(data: Mapping[str, object]) -> Mapping[str, object]:
    return msgspec.convert(msgspec.to_builtins(data), dict[str, object])


def of_owner(config: Config, owner: str) -> Config:
    """The settings of a person's part of Central: the same archive, an index of their own. The home's own user has
    the home itself."""
    if owner == config.user:
        return config
    values = {**config.values, "user": owner, "machine": config.machine, "archive.base": str(config.archive_base)}
    origins = {**config.origins, "user": "central", "machine": "central"}
    return replace(config, home=config.home / "owners" / safe_name(owner), values=values, origins=origins)


def claimed(config: Config) -> AbstractContextManager[None]:
    """The work for one person. BusyError: another worker has it."""
    return engine_of(config, config.home / "index").claim()
