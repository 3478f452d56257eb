"""Two machines and one Central under cuts, kills, repeats, a lying network, full and old disks: nothing is lost.

`python -m campaigns.ship --faults 5000 --store`. Each step lets something happen on a machine and ships it with one
fault.
After a few steps everything is shipped undisturbed and compared: Central must hold every byte and every line of both
machines, once and in order, every archive must be whole, and a worker must find every run. In some steps one side is
of a later version (`campaigns.later`). With `--store`, Central's archive is in an object store and its index in
PostgreSQL, and both are killed too. `--mutants` runs products that look away; each must be caught.
"""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaigns import later, report
from campaigns.countdown import Countdown
from campaigns.mutants import Mutant
from campaigns.postgres_server import Server
from campaigns.proxy import FAULTS as NETWORK
from campaigns.proxy import FaultProxy
from campaigns.ship_mutants import MUTANTS, STORE_MUTANTS
from campaigns.world import scratch
from memlane import archive
from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.app.home import disk_of
from memlane.archive import Layout, PlacedEntry, journal
from memlane.config import Config, load
from memlane.domain import Level
from memlane.errors import LaneError, UnreachableError
from memlane.surfaces.cli.work import Worker
from memlane.surfaces.serve import Listening, serve
from memlane.system.disk import Disk
from tests.clients.object_store import Seaweed, in_environment, running_store

OWNER, PLACE = "noor", "s3://lane/central"
SIZE = "bytes"  # compared; a process of its own tells it beside what is wrong
LOST, TWICE, DIFFERENT, UNFOUND, UNCLEAN = FAULTS = ("lost", "twice", "different", "unfound", "unclean")
DISKS = ("two at once", "machine put back", "central put back")
KILLS = ("machine killed", "server killed", "worker killed", "disk full", *DISKS)
VERSIONS = ("later machine", "later central")
SERVERS = ("store killed", "store away", "database killed")  # only where Central has them
EVERY_KIND = (*NETWORK[1:], *KILLS, *VERSIONS, *SERVERS)
SOON = 0.3  # seconds after which a server is killed, at most
BACK_WITHIN = 20.0  # seconds after which Central must take everything again
SETTLE_EVERY = 12  # steps
START_TRIES = 5
BEGUN = b"!"  # a server is there
MANY_CHANGES = 40  # of a disk, in one exchange; a kill comes before one of them


@dataclass(slots=True)
class Result:
    steps: int = 0
    faults_made: Counter[str] = field(default_factory=Counter[str])
    compared: int = 0
    bytes: int = 0
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in FAULTS})


@dataclass
class Household:
    """Two machines, a Central, and the network between them."""

    folder: Path
    chance: random.Random
    result: Result
    server: int = 0
    port: int = 0
    proxy: FaultProxy | None = None
    store: Seaweed | None = None
    database: Server | None = None
    snapshots: dict[str, Path] = field(default_factory=dict[str, Path])
    machine_doom: Countdown = field(default_factory=Countdown)
    server_doom: Countdown = field(default_factory=Countdown)
    worker_doom: Countdown = field(default_factory=Countdown)

    # -- how it begins -------------------------------------------------------------------------------------------------

    def config(self, name: str) -> Config:
        home = self.folder / name
        home.mkdir(exist_ok=True)
        user = "operator" if name == "central" else OWNER
        own = {"HOME": str(home), "LANE_USER": user, "LANE_MACHINE": name, "LANE_RECALL_MODEL": "none"}
        return load({**own, **(self._servers() if name == "central" else {})})

    def _servers(self) -> dict[str, str]:
        found = {"LANE_STORAGE_URL": self.database.url} if self.database else {}
        return {**found, **self.store.variables, "LANE_ARCHIVE_BASE": PLACE} if self.store else found

    def begin(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.proxy = FaultProxy(self.port, self.chance.randrange(1 << 30))
        self.start_server()
        for name in ("flagg", "tower"):
            (code,) = self._apart(self._invited)
            with Lane(self.config(name)) as lane:
                lane.home.begin()
                lane.shipment.join(f"http://127.0.0.1:{self.proxy.port}", code)

    def _invited(self) -> list[str]:
        with Lane(self.config("central")) as lane:
            code, _made = lane.control.codes.invite(OWNER)
        return [code]

    def _apart(self, what: Callable[[], list[str]]) -> list[str]:
        """In a process of its own: the client of a store does not work in a process that forks later."""
        back, told = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(told, "w") as out:
                try:
                    json.dump(what(), out)
                except BaseException as error:  # noqa: BLE001 - whatever it is, the campaign must hear of it
                    json.dump([f"{UNCLEAN}\t{type(error).__name__}: {error}"], out)
            os._exit(0)
        os.close(told)
        with os.fdopen(back) as said:
            found = json.load(said)
        os.waitpid(child, 0)
        return found

    def start_server(self, version: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """As a supervisor does: again, if it does not begin. One that never does is a fault."""
        why = ""
        for _try in range(START_TRIES):
            if not (why := self._started(version)):
                self._wait_for_it()
                return
            time.sleep(SOON)
        self.result.faults[UNCLEAN].append(f"Central does not start: {why}")

    def _started(self, version: Callable[[], AbstractContextManager[None]]) -> str:
        """Why it did not begin, or "". A process of its own, forked: what was broken on purpose is broken there too."""
        ready, told = os.pipe()

        def begun(_url: str) -> None:
            os.write(told, BEGUN)

        self.server = os.fork()
        if self.server == 0:
            os.close(ready)
            try:
                with version(), self.server_doom.counting():
                    listening = Listening("127.0.0.1", self.port)
                    serve(self.config("central"), listening, begun)
            except BaseException as error:  # noqa: BLE001 - whatever it is, the campaign must hear of it
                with suppress(OSError):
                    os.write(told, f"{type(error).__name__}: {error}".encode()[:2000])
            os._exit(0)
        os.close(told)
        with os.fdopen(ready, "rb", buffering=0) as pipe:
            said = pipe.read(2000)
        if said == BEGUN:
            return ""
        self.end_server()
        return (said or b"it ended without a word").decode()

    def restart_if_ended(self) -> None:
        """Nothing that others do may end a server."""
        if self.server and os.waitpid(self.server, os.WNOHANG)[0]:
            self.server = 0
            self.result.faults[UNCLEAN].append("Central ended by itself")
            self.start_server()

    def _wait_for_it(self) -> None:
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)

    def end_server(self, number: int = signal.SIGKILL) -> None:
        if self.server:
            os.kill(self.server, number)
            os.waitpid(self.server, 0)
            self.server = 0

    def close(self) -> None:
        self.end_server()
        if self.proxy is not None:
            self.proxy.close()

    # -- what happens on a machine -------------------------------------------------------------------------------------

    def live(self, name: str) -> None:
        """Something is said, remembered, or a transcript is replaced."""
        match self.chance.choice(["say", "say", "say", "large", "replace", "remember"]):
            case "remember":
                self.remember(name)
            case what:
                config = self.config(name)
                with Lane(config) as lane:
                    self._say(config, what)
                    lane.capture.sweep()

    def remember(self, name: str) -> None:
        """One line of the journal; all of one machine are equally long."""
        with Lane(self.config(name)) as lane:
            _note(lane, f"w_{self.chance.randrange(1 << 60):015x}")

    def _say(self, config: Config, what: str) -> None:
        folder = config.person_home / ".claude" / "projects" / "-shop"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.chance.randrange(4)}.jsonl"
        if what == "replace":
            path.unlink(missing_ok=True)
        before = path.stat().st_size if path.exists() else 0
        words = "x" * (self.chance.randrange(200_000) if what == "large" else 40)
        with path.open("a") as file:
            for turn in range(self.chance.randrange(1, 4)):
                file.write(json.dumps(prompt(path.stem, f"{before}-{turn}", f"{self.chance.random()} {words}")) + "\n")

    # -- shipping, with a fault ----------------------------------------------------------------------------------------

    def ship(self, name: str, fault: str) -> None:
        assert self.proxy is not None
        self.result.faults_made[fault] += 1
        self.proxy.fault = fault if fault in NETWORK else "none"
        self.proxy.at = self.chance.choice([self.chance.randrange(400), self.chance.randrange(6000)])
        match fault:
            case "machine put back":
                self.put_back(name)
            case "central put back":
                self.end_server(signal.SIGTERM)
                self.put_back("central")
                self.start_server()
            case "two at once":
                self._wait([self._child(name), self._child(name)])
            case "machine killed":
                with self.machine_doom.at(self.chance.randrange(MANY_CHANGES)):
                    self._wait([self._child(name)])
            case "server killed":
                with self.server_doom.at(self.chance.randrange(MANY_CHANGES)):
                    self._wait([self._child(name)])
                    self.end_server()
                self.start_server()
            case "worker killed":
                self._wait([self._child(name)])
                with self.worker_doom.at(self.chance.randrange(MANY_CHANGES)):
                    self._wait([self._worker()])
            case "disk full":
                with self.server_doom.full(self.chance.randrange(MANY_CHANGES)):
                    self._wait([self._child(name)])
            case "later machine":
                with Lane(self.config(name)) as lane:
                    later.note(lane, f"w_{self.chance.randrange(1 << 60):015x}")
                self._must_ship(name, later.later_machine)
            case "later central":
                self.end_server(signal.SIGTERM)
                self.start_server(later.later_central)
                self._must_ship(name, nullcontext)
                self.end_server(signal.SIGTERM)
                self.start_server()
            case "store killed" | "database killed":
                child = self._child(name)
                time.sleep(self.chance.random() * SOON)
                self._restart(fault)
                self._wait([child])
            case "store away" if self.store is not None:
                self.store.kill()
                self._wait([self._child(name)])
                self.store.start()
            case _:
                self._wait([self._child(name)])
        self.proxy.fault = "none"

    def _restart(self, fault: str) -> None:
        """As a computer that loses its power, and comes back."""
        if fault == "store killed" and self.store is not None:
            self.store.kill()
            self.store.start()
        elif self.database is not None:
            self.database.restart(signal.SIGQUIT)

    def _must_ship(self, name: str, version: Callable[[], AbstractContextManager[None]]) -> None:
        """Whatever the other side says that this one does not know."""
        self._take(self._apart(lambda: self._shipped(name, version)))

    def _shipped(self, name: str, version: Callable[[], AbstractContextManager[None]]) -> list[str]:
        config = self.config(name)
        with version(), Lane(config) as lane:
            self._say(config, "say")
            lane.capture.sweep()
            lane.shipment.now()
        return []

    def _child(self, name: str) -> int:
        child = os.fork()
        if child == 0:
            with suppress(BaseException), self.machine_doom.counting():
                self.exchange(name)
            os._exit(0)
        return child

    def _worker(self) -> int:
        child = os.fork()
        if child == 0:
            with suppress(BaseException), self.worker_doom.counting():
                self.index()
            os._exit(0)
        return child

    def index(self) -> list[str]:
        """All that `lane work --once` does on Central; what kept it from doing so."""
        with Lane(self.config("central")) as lane:
            done = Worker(lane.config, lane.control).look(everybody=True, to_the_end=True)
        return [f"{UNCLEAN}\tthe worker: {one['why']}" for one in done if one["why"]]

    def unfound(self) -> list[str]:
        """Whatever was killed between the archive and the index: a worker that starts leaves nothing out of search."""
        wrong = self.index()
        with Lane(of_owner(self.config("central"), OWNER)) as theirs:
            work, home = theirs.home.storage().work, theirs.home
            for folder in home.layout.run_folders():
                metadata, mark = archive.load(home.disk, folder), work.indexed(folder.name)
                whole = (metadata.newest.n, metadata.newest.size) if metadata else None
                if mark is None or (mark.generation, mark.size) != whole:
                    wrong.append(f"{UNFOUND}\t{folder.name} is not in the index as it is in the archive")
            wrong += [f"{UNFOUND}\t{run} is still to be indexed" for run in work.pending()]
        return wrong

    def exchange(self, name: str, *, check: bool = False) -> None:
        with Lane(self.config(name)) as lane:
            lane.shipment.now(check=check)

    def _wait(self, children: list[int]) -> None:
        for child in children:
            os.waitpid(child, 0)

    # -- disks that are put back ---------------------------------------------------------------------------------------

    def keep_copy(self, name: str) -> None:
        kept = self.folder / f"{name}.kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.folder / name, kept)
        self.snapshots[name] = kept

    def put_back(self, name: str) -> None:
        """As it was when it was last copied; the token that it has stays valid."""
        if name in self.snapshots:
            shutil.rmtree(self.folder / name)
            shutil.copytree(self.snapshots[name], self.folder / name)

    # -- compared ------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Everything undisturbed, until nothing is left; then every byte compared."""
        self.restart_if_ended()
        for name in ("flagg", "tower", "flagg", "tower"):
            self._settled(name)
        self.result.compared += 1
        for name in ("flagg", "tower"):
            self.compare(name)
        self._take(self._apart(self.unfound))
        for name in ("flagg", "tower", "central"):
            self._take(self._apart(lambda name=name: self._verified(name)))

    def _settled(self, name: str) -> None:
        """As a machine does: again a little later, while Central says that its store was away a moment ago."""
        until = time.monotonic() + BACK_WITHIN
        while True:
            try:
                return self.exchange(name, check=True)
            except UnreachableError as error:
                if time.monotonic() >= until:
                    return self.result.faults[LOST].append(f"{name} cannot ship: {error.message}")
                time.sleep(SOON)
            except LaneError as error:
                return self.result.faults[LOST].append(f"{name} cannot ship: {error.message}")

    def _take(self, found: list[str]) -> None:
        for one in found:
            fault, _tab, what = one.partition("\t")
            if fault == SIZE:
                self.result.bytes += int(what)
            else:
                self.result.faults[fault].append(what)

    def compare(self, name: str) -> None:
        self._take(self._apart(lambda: list(self._compared(name))))

    def _compared(self, name: str) -> Iterator[str]:
        mine, central = _layout(self.config(name)), _layout(of_owner(self.config("central"), OWNER))
        for folder in mine.run_folders():
            found = central.find(folder.name)
            ours, theirs = _contents(mine.disk, folder), _contents(central.disk, found) if found else {}
            lost = [n for n, data in ours.items() if not any(other.startswith(data) for other in theirs.values())]
            if found is None or lost:  # a disk that was put back has the beginning of what Central has
                yield f"{LOST}\t{name}: {folder.name} has generations {lost} that Central has not"
            yield f"{SIZE}\t{sum(map(len, ours.values()))}"
        for path in mine.journal_files():
            copy = central.journal / mine.journal_name(path)
            if not central.disk.is_file(copy) or central.disk.read_whole(copy) != path.read_bytes():
                yield f"{DIFFERENT}\t{name}: {mine.journal_name(path)} differs from Central's"
        lines = [one for one in journal.read(central.disk, central, {}) if isinstance(one, PlacedEntry)]
        names = Counter((one.entry.kind, one.entry.id, one.entry.at) for one in lines)
        yield from (f"{TWICE}\t{line} is there {n} times" for line, n in names.items() if n > 1)

    def _verified(self, name: str) -> list[str]:
        layout = _layout(self.config(name))
        wrong = [one.what for one in archive.verify(layout.disk, layout) if one.level is Level.FAIL]
        return [f"{UNCLEAN}\t{name}: {what}" for what in wrong]


def _layout(config: Config) -> Layout:
    return Layout(config.archive_base, OWNER, None, disk_of(config))


def _note(lane: Lane, name: str) -> None:
    from memlane.domain import Entry  # noqa: PLC0415
    from memlane.flow.journal import write_down  # noqa: PLC0415

    home = lane.home
    entry = Entry("wish", name, home.clock(), OWNER, home.config.machine, "agent:x", {"memory": "m_1"})
    write_down([entry], home.tools())


def prompt(session: str, number: str, words: str) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": f"{session}-{number}",
        "parentUuid": None,
        "sessionId": session,
        "cwd": "/home/dev/shop",
        "timestamp": "2026-11-10T10:00:00.000Z",
        "message": {"role": "user", "content": words},
    }


def _contents(disk: Disk, folder: Path) -> dict[int, bytes]:
    metadata = archive.load(disk, folder)
    found = metadata.generations if metadata else ()
    return {g.n: b"".join(archive.pieces(disk, folder, metadata, g)) for g in found}


@contextmanager
def servers(folder: Path) -> Generator[tuple[Seaweed, Server]]:
    """An object store and a database, both real."""
    with running_store(folder / "store") as store, closing(Server()) as database, in_environment(store.variables):
        yield store, database


class Deck:
    """Kinds of faults, each as often as any other: also a short campaign has them all."""

    def __init__(self, kinds: Sequence[str], chance: random.Random) -> None:
        self._kinds, self._chance, self._left = kinds, chance, list[str]()

    def draw(self) -> str:
        if not self._left:
            self._left = self._chance.sample(self._kinds, len(self._kinds))
        return self._left.pop()


def campaign(
    faults: int,
    seed: int,
    folder: Path,
    within: tuple[Seaweed, Server] | None = None,
    minutes: float = math.inf,
    only: Sequence[str] = (),
) -> Result:
    result, end = Result(), time.monotonic() + minutes * 60
    household = Household(folder, random.Random(seed), result)
    household.store, household.database = within or (None, None)
    chance = household.chance
    deck = Deck(only or EVERY_KIND if within else EVERY_KIND[: -len(SERVERS)], chance)
    try:
        household.begin()
        for step in range(faults):
            name = chance.choice(["flagg", "tower"])
            household.live(name)
            household.ship(name, deck.draw())
            result.steps += 1
            if chance.random() < 0.1:
                household.keep_copy(chance.choice(["flagg", "tower"]))
            if chance.random() < 0.05:
                household.keep_copy("central")
            last = step == faults - 1 or time.monotonic() >= end
            if step % SETTLE_EVERY == SETTLE_EVERY - 1 or last:
                household.settle()
            if last or any(result.faults.values()):
                break
    finally:
        household.close()
    return result


def caught(mutant: Mutant, faults: int, seed: int, *, store: bool = False) -> bool:
    folder = scratch()
    try:
        with mutant.breaking(), servers(folder) if store else nullcontext() as within:
            return any(campaign(faults, seed, folder, within).faults.values())
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--minutes", type=float, default=math.inf, help="then it ends, with the figures so far")
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument(
        "--store", action="store_true", help="Central on an object store and a database; both are killed"
    )
    parser.add_argument("--only", action="append", choices=EVERY_KIND, default=[], help="this fault; repeatable")
    parser.add_argument("--mutants", action="store_true", help="products that look away; each must be caught")
    chosen = parser.parse_args()
    if chosen.mutants:
        mutants = STORE_MUTANTS if chosen.store else MUTANTS
        missed = [m.name for m in mutants if not caught(m, chosen.faults, chosen.seed, store=chosen.store)]
        figures = {"mutants": len(mutants), "caught": len(mutants) - len(missed)}
        report.tell("campaigns.ship --mutants", figures, {"not caught": missed}, chosen)
    folder = scratch()
    try:
        with servers(folder) if chosen.store else nullcontext() as within:
            result = campaign(chosen.faults, chosen.seed, folder, within, chosen.minutes, chosen.only)
    finally:
        shutil.rmtree(folder)
    figures = {
        "faults": result.steps,
        "by_kind": dict(sorted(result.faults_made.items())),
        "comparisons": result.compared,
        "bytes_compared": result.bytes,
        **{name: len(found) for name, found in result.faults.items()},
    }
    report.tell("campaigns.ship", figures, result.faults, chosen)


if __name__ == "__main__":
    sys.exit(main())
