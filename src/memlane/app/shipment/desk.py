"""What a person and the background do with Central: join, leave, send now, and know how far behind this machine is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Protocol, cast

from memlane.app.control import CentralRules, holds
from memlane.app.control.rules import must_be_masked
from memlane.app.home import Home, contact, save_settings
from memlane.app.home.link import CentralLine, LinkFile, Membership, computer, line_to
from memlane.app.home.place import masked_layout
from memlane.app.shipment import central_rules, lent
from memlane.app.shipment.courier import COPIES, Courier, OnShip, ShipReport, nothing, words_of
from memlane.app.shipment.fetch import fetch_run
from memlane.app.shipment.outbox import Behind, Outbox
from memlane.app.shipment.receipts import Receipts, ShipState
from memlane.app.shipment.sign_in import SignsIn, sign_in_offer
from memlane.config import Config
from memlane.domain import Finding, Level
from memlane.domain.token import SHIPPER, kind_of
from memlane.errors import BusyError, DamagedError, LaneError, UsageError
from memlane.work import take

CHECK_EVERY = timedelta(days=1)
MANY_RUNS, MANY_BYTES, LONG = 25, 256 << 20, timedelta(minutes=60)  # from which on it warns
PATIENCE = 4.0  # seconds for a question before something is deleted
TO_SIGN_IN = 45.0  # seconds: Central asks others first
REVOKED = "revoked"  # kind of the error that says this machine is not one of Central's any more
CLOCKS = 300.0  # seconds that a clock may be off before it is said


class Ends(Protocol):
    """A pause of capture."""

    @property
    def until(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True)
class ShipStanding:
    """How this machine stands with its Central; `late`: in words, why somebody should look, or ""."""

    link: Membership
    behind: Behind
    last: datetime | None  # when Central last took everything
    met: datetime | None  # when it last answered
    stopped: str
    late: str
    skew: float
    kept_back: Mapping[str, str]  # runs that are not sent masked, and why


class Shipment:
    """`paused` says whether capture is: then nothing leaves either."""

    def __init__(self, home: Home, paused: Callable[[], Ends | None]) -> None:
        self._home, self._paused = home, paused
        self._link = LinkFile(home)

    @property
    def member(self) -> Membership | None:
        return self._link.read()

    @cached_property
    def _receipts(self) -> Receipts:
        return Receipts(self._home.disk, self._home.config.home)

    # -- joining ---------------------------------------------------------------------------------------------------

    def rules_of(self, url: str, code: str) -> CentralRules:
        """What a person agrees to by joining."""
        return central_rules.before_joining(url, code)

    @property
    def _fresh(self) -> bool:
        return not any(self._home.layout.run_folders()) and not self._home.layout.journal_files()

    def sign_in(self, url: str, by: SignsIn) -> str:
        """A code for another service's word that it is this person."""
        home = self._home
        with CentralLine(url, {}) as line:
            word = by(url, sign_in_offer(line.ask("/api/sign-in")), home.config)
        with CentralLine(url, {}) as line:  # a person may have taken minutes
            asked = {**word, "user": home.config.user, "fresh": self._fresh}
            made = line.ask("/api/sign-in", asked, TO_SIGN_IN)
        return str(cast(Mapping[str, object], made)["code"])

    def join(self, url: str, code: str, name: str = "", *, thin: bool = False) -> Membership:
        """A token for a code. The home keeps its user and its name if anything was captured here. What a thin machine
        had indexed leaves it."""
        home, before, fresh = self._home, self._link.read(), self._fresh
        if name and name != home.config.machine and not fresh:
            raise UsageError(
                f"this machine is {home.config.machine} in the id of every run it has; that cannot be changed now",
                hint="join without --name; another title for it: lane machines rename",
            )
        name = name or home.config.machine
        began = home.clock()
        asked = {"code": code, "user": home.config.user, "machine": name, "computer": computer(home)}
        asked |= {"fresh": fresh, "thin": thin}
        with CentralLine(url, {}) as line:
            made = cast(Mapping[str, object], line.ask("/api/join", asked))
        named = {"user": str(made["owner"]), "machine": name} if fresh else {}
        save_settings(home.config, {**named, **({"thin": thin} if thin != home.thin else {})})
        machine = cast(Mapping[str, object], made["machine"])
        link = Membership(
            url.rstrip("/"),
            str(made["central"]),
            str(made["owner"]),
            name,
            str(machine["id"]),
            str(made["token"]),
            began,
        )
        self._link.write(link)
        if before is not None and before.central != link.central:
            self._home.lent.drop()
        with line_to(link, home) as line:
            central_rules.learn(line, home)
        if thin and not home.thin:
            _empty_index(home)
        state = ShipState(link.central) if before is None or before.central != link.central else self._state(link)
        state.skew = (began - datetime.fromisoformat(str(made["at"]))).total_seconds()
        self._receipts.write(state)
        return link

    def leave(self, *, copy: bool = False) -> str:
        """The token ends on Central and here. Why it could not be ended there, or "". What was sent stays there."""
        link, why = self._link.must(), ""
        if not copy:  # the token of a copy belongs to the original
            try:
                self.ask("/api/machines/revoke", {"machine": link.id})
            except LaneError as error:
                why = words_of(error)
        self._link.remove()
        if self._home.thin:  # from now on it does all of it itself
            save_settings(self._home.config, {"thin": False})
        central_rules.forget(self._home)
        self._home.lent.drop()
        shutil.rmtree(self._home.config.home / COPIES, ignore_errors=True)
        shutil.rmtree(masked_layout(self._home).base, ignore_errors=True)
        return why

    # -- what others have ------------------------------------------------------------------------------------------

    def ask(self, path: str, fields: Mapping[str, object] | None = None, timeout: float = 10.0) -> object:
        with line_to(self._link.must(), self._home) as line:
            return line.ask(path, fields, timeout)

    def fetch(self, run: str, copies: Config) -> None:
        """A run that Central has, into this home of copies. If one does not fit to it, all copies are thrown away."""
        with line_to(self._link.must(), self._home) as line:
            if not self._fetched(line, run, copies):
                return
            shutil.rmtree(copies.home)
            if why := self._fetched(line, run, copies):
                raise DamagedError(f"{run} cannot be read from Central: {why}", hint="on Central: lane archive verify")

    def _fetched(self, line: CentralLine, run: str, copies: Config) -> str:
        copy = Home(copies, self._home.clock)
        copy.disk.make_folders(copies.home)
        return fetch_run(line, copy, run)

    def learn_shares(self) -> None:
        """What this person shares now, and what others share with them: at once where Central answers."""
        if (link := self.member) is not None and self._home.engine.serving() is not None:
            with suppress(LaneError), line_to(link, self._home) as line:
                lent.bring_up(line, self._home, link)

    def must_be_free(self, names: Sequence[str]) -> None:
        """Nothing of it is under a hold, as far as Central answers now, else as it answered last."""
        if (link := self.member) is not None:
            with suppress(LaneError), line_to(link, self._home) as line:
                central_rules.learn(line, self._home, PATIENCE)
        for name in names:
            holds.must_be_free(self._home, name)

    def machines(self) -> Sequence[Mapping[str, object]]:
        return cast(Sequence[Mapping[str, object]], self.ask("/api/machines"))

    # -- exchanging ------------------------------------------------------------------------------------------------

    def now(self, on: OnShip = nothing, *, check: bool = False, patience: float = 0.0) -> ShipReport:
        """Everything new there, and what others left here. Raises what stopped it; what was taken is taken."""
        link = self._link.must()
        if not self._home.outdated:  # before journal lines come: then nobody takes it for one that was lost
            self._home.create_storage()
        with self._alone(patience), line_to(link, self._home) as line:
            contact.note(self._home.config.home)
            state = self._state(link)
            courier = Courier(self._home, line, self._receipts, self._outbox(link, state))
            try:
                central_rules.learn(line, self._home)
                lent.bring_up(line, self._home, link)
                self._exchange(courier, on, check=check)
            except LaneError as error:
                state.stopped = words_of(error)
                if error.kind == REVOKED:
                    self._home.lent.drop()
                raise
            finally:
                self._receipts.write(state)
        return courier.report

    def _exchange(self, courier: Courier, on: OnShip, *, check: bool) -> None:
        state, now, sends = courier.state, self._home.clock(), False
        with self._home.lock.held():
            self._home.register.settle_moved()
        if check or not state.checked or now - datetime.fromisoformat(state.checked) > CHECK_EVERY:
            courier.check()
            state.checked = now.isoformat()
        if not self._home.config.switch("ship.enabled"):
            state.stopped = "ship.enabled is false"
        elif (paused := self._paused()) is not None and (paused.until is None or paused.until > now):
            state.stopped = "capture is paused"
        else:
            self._send(courier, on)
            sends = True
        courier.tell(courier.outbox.behind())
        courier.fetch()
        if sends and courier.outbox.behind().lines:  # of ours, put behind lines of Central that came just now
            self._send(courier, on)
        state.met = now.isoformat()

    def _send(self, courier: Courier, on: OnShip) -> None:
        """What Central answered about gaps is made good at once."""
        state = courier.state
        state.stopped = ""
        for _again in range(3):
            courier.ship(on)
            behind = courier.outbox.behind()
            if not (behind.runs or behind.lines):
                state.last = self._home.clock().isoformat()
                return

    def _outbox(self, link: Membership, state: ShipState) -> Outbox:
        return Outbox(self._home, state, only_runs=kind_of(link.token) == SHIPPER)

    def standing(self) -> ShipStanding | None:
        """None: it has not joined."""
        link = self._link.read()
        if link is None:
            return None
        state = self._state(link)
        behind = self._outbox(link, state).behind()
        last = datetime.fromisoformat(state.last) if state.last else None
        met = datetime.fromisoformat(state.met) if state.met else None
        kept = state.kept_back if must_be_masked(self._home) else {}
        return ShipStanding(link, behind, last, met, state.stopped, self._late(link, behind, last), state.skew, kept)

    def findings(self) -> Iterator[Finding]:
        """For `lane doctor` and `lane status`: what Central has, and why somebody should look."""
        if (standing := self.standing()) is not None:
            yield from _findings(standing)
            if self._home.thin:
                yield Finding("thin", Level.OK, "a thin machine: Central indexes, reads and recalls for it")

    def must_stand(self) -> ShipStanding:
        self._link.must()
        standing = self.standing()
        assert standing is not None
        return standing

    def _late(self, link: Membership, behind: Behind, last: datetime | None) -> str:
        if not (behind.runs or behind.lines):
            return ""
        if behind.runs >= MANY_RUNS:
            return f"{behind.runs} runs are not on Central yet"
        if behind.bytes >= MANY_BYTES:
            return f"{behind.bytes >> 20} MiB are not on Central yet"
        waited = self._home.clock() - (last or link.joined)
        return f"nothing was sent for {int(waited.total_seconds() // 60)} minutes" if waited >= LONG else ""

    def _state(self, link: Membership) -> ShipState:
        return self._receipts.read(link.central)

    @contextmanager
    def _alone(self, patience: float) -> Generator[None]:
        """Another process that is at it already does it for both."""
        try:
            descriptor = take(self._home.run_folder / "ship.lock", patience)
        except BusyError:
            raise BusyError("another process is sending to Central", hint="lane ship") from None
        try:
            yield
        finally:
            os.close(descriptor)


def _empty_index(home: Home) -> None:
    """What was indexed leaves; what was decided is known again from the journal."""
    became = Home(replace(home.config, values={**home.config.values, "thin": True}), home.clock, home.disk)
    if became.engine.serving() is None:
        return
    with became.lock.held():
        fresh = became.engine.begin()
        try:
            became.engine.swap(fresh)
        finally:
            fresh.close()
    shutil.rmtree(home.config.home / "vectors", ignore_errors=True)
    became.know_archive()
    became.close()


def _findings(standing: ShipStanding) -> Iterator[Finding]:
    behind, url = standing.behind, standing.link.url
    if standing.stopped:
        yield Finding(
            "central", Level.WARN, f"the last exchange with {url} stopped: {standing.stopped}", "lane ship --now"
        )
    if standing.kept_back:
        one, why = next(iter(standing.kept_back.items()))
        count = len(standing.kept_back)
        said = f"{count} {'run is' if count == 1 else 'runs are'} kept back; {one}: {why}"
        yield Finding("central", Level.WARN, said, f"lane forget {one} --now removes it here and there")
    if standing.late:
        yield Finding("central", Level.WARN, f"{url}: {standing.late}", "lane ship --now")
    if abs(standing.skew) > CLOCKS:
        ahead = f"{abs(standing.skew):.0f} s {'ahead of' if standing.skew > 0 else 'behind'} Central's"
        yield Finding(
            "central", Level.WARN, f"this machine's clock is {ahead}", "set the clock; then lane join URL again"
        )
    if not (standing.stopped or standing.late):
        waiting = f"{behind.runs} runs are being sent" if behind.runs else "has everything"
        yield Finding("central", Level.OK, f"{url} {waiting}, as {standing.link.machine}")
