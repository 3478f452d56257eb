"""Two machines and one Central under cuts, kills, repeats, a lying network and disks put back: nothing may be lost.

`python -m campaigns.ship --faults 5000`. Each step lets something happen on a machine and ships it with one fault.
After a few steps everything is shipped undisturbed and compared: Central must hold every byte and every line of both
machines, once and in order, and every archive must be whole. `--mutants` runs products that look away; each must be
caught.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaigns import report
from campaigns.countdown import Countdown
from campaigns.mutants import Mutant
from campaigns.proxy import FAULTS as NETWORK
from campaigns.proxy import FaultProxy
from campaigns.ship_mutants import MUTANTS
from campaigns.world import scratch
from memlane import archive
from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.archive import Layout, PlacedEntry, journal
from memlane.config import Config, load
from memlane.domain import Level
from memlane.errors import LaneError
from memlane.surfaces.serve import Listening, serve
from memlane.system.disk import Disk

OWNER = "noor"
LOST, TWICE, DIFFERENT, UNCLEAN = FAULTS = ("lost", "twice", "different", "unclean")
KILLS = ("machine killed", "server killed", "two at once", "machine put back", "central put back")
SETTLE_EVERY = 12  # steps
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
    snapshots: dict[str, Path] = field(default_factory=dict[str, Path])
    machine_doom: Countdown = field(default_factory=Countdown)
    server_doom: Countdown = field(default_factory=Countdown)

    # -- how it begins -------------------------------------------------------------------------------------------------

    def config(self, name: str) -> Config:
        home = self.folder / name
        home.mkdir(exist_ok=True)
        user = "operator" if name == "central" else OWNER
        return load({"HOME": str(home), "LANE_USER": user, "LANE_MACHINE": name, "LANE_RECALL_MODEL": "none"})

    def begin(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.proxy = FaultProxy(self.port, self.chance.randrange(1 << 30))
        self.start_server()
        for name in ("flagg", "tower"):
            with Lane(self.config("central")) as lane:
                code, _made = lane.control.codes.invite(OWNER)
            with Lane(self.config(name)) as lane:
                lane.home.begin()
                lane.shipment.join(f"http://127.0.0.1:{self.proxy.port}", code)

    def start_server(self) -> None:
        """In a process of its own, forked: what was broken on purpose is broken there too."""
        ready, told = os.pipe()
        self.server = os.fork()
        if self.server == 0:
            with suppress(BaseException), self.server_doom.counting():
                os.close(ready)
                listening = Listening("127.0.0.1", self.port)
                serve(self.config("central"), listening, lambda _url: bool(os.write(told, b"!")) and None)
            os._exit(0)
        os.close(told)
        os.read(ready, 1)
        os.close(ready)
        self._wait_for_it()

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
                file.write(json.dumps(_prompt(path.stem, f"{before}-{turn}", f"{self.chance.random()} {words}")) + "\n")

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
            case _:
                self._wait([self._child(name)])
        self.proxy.fault = "none"

    def _child(self, name: str) -> int:
        child = os.fork()
        if child == 0:
            with suppress(BaseException), self.machine_doom.counting():
                self.exchange(name)
            os._exit(0)
        return child

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
        for name in ("flagg", "tower", "flagg", "tower"):
            try:
                self.exchange(name, check=True)
            except LaneError as error:
                self.result.faults[LOST].append(f"{name} cannot ship: {error.message}")
        self.result.compared += 1
        for name in ("flagg", "tower"):
            self.compare(name)
        for name in ("flagg", "tower", "central"):
            self._verify(name)

    def compare(self, name: str) -> None:
        here, there = self.config(name), of_owner(self.config("central"), OWNER)
        mine, central = Layout(here.archive_base, OWNER), Layout(there.archive_base, OWNER)
        for folder in mine.run_folders():
            found = central.find(folder.name)
            ours, theirs = _contents(folder), _contents(found) if found else {}
            lost = [n for n, data in ours.items() if not any(other.startswith(data) for other in theirs.values())]
            if found is None or lost:  # a disk that was put back has the beginning of what Central has
                self.result.faults[LOST].append(f"{name}: {folder.name} has generations {lost} that Central has not")
            self.result.bytes += sum(map(len, ours.values()))
        for path in mine.journal_files():
            copy = central.journal / mine.journal_name(path)
            if not copy.exists() or copy.read_bytes() != path.read_bytes():
                self.result.faults[DIFFERENT].append(f"{name}: {mine.journal_name(path)} differs from Central's")
        lines = [one for one in journal.read(Disk(), central, {}) if isinstance(one, PlacedEntry)]
        names = Counter((one.entry.kind, one.entry.id, one.entry.at) for one in lines)
        self.result.faults[TWICE] += [f"{line} is there {n} times" for line, n in names.items() if n > 1]

    def _verify(self, name: str) -> None:
        config = self.config(name)
        layout = Layout(config.archive_base, OWNER)
        wrong = [one.what for one in archive.verify(Disk(), layout) if one.level is Level.FAIL]
        self.result.faults[UNCLEAN] += [f"{name}: {what}" for what in wrong]


def _note(lane: Lane, name: str) -> None:
    from memlane.domain import Entry  # noqa: PLC0415
    from memlane.flow.journal import write_down  # noqa: PLC0415

    home = lane.home
    entry = Entry("wish", name, home.clock(), OWNER, home.config.machine, "agent:x", {"memory": "m_1"})
    write_down([entry], home.tools())


def _prompt(session: str, number: str, words: str) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": f"{session}-{number}",
        "parentUuid": None,
        "sessionId": session,
        "cwd": "/home/dev/shop",
        "timestamp": "2026-11-10T10:00:00.000Z",
        "message": {"role": "user", "content": words},
    }


def _contents(folder: Path) -> dict[int, bytes]:
    metadata = archive.load(Disk(), folder)
    found = metadata.generations if metadata else ()
    return {g.n: b"".join(archive.pieces(Disk(), folder, metadata, g)) for g in found}


def campaign(faults: int, seed: int, folder: Path, result: Result | None = None) -> Result:
    result = result or Result()
    household = Household(folder, random.Random(seed), result)
    chance = household.chance
    try:
        household.begin()
        for step in range(faults):
            name = chance.choice(["flagg", "tower"])
            household.live(name)
            household.ship(name, chance.choice([*NETWORK[1:], *KILLS]))
            result.steps += 1
            if chance.random() < 0.1:
                household.keep_copy(chance.choice(["flagg", "tower"]))
            if chance.random() < 0.05:
                household.keep_copy("central")
            if step % SETTLE_EVERY == SETTLE_EVERY - 1 or step == faults - 1:
                household.settle()
            if any(result.faults.values()):
                break
    finally:
        household.close()
    return result


def caught(mutant: Mutant, faults: int, seed: int) -> bool:
    folder = scratch()
    try:
        with mutant.breaking():
            return any(campaign(faults, seed, folder).faults.values())
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--mutants", action="store_true", help="products that look away; each must be caught")
    chosen = parser.parse_args()
    if chosen.mutants:
        missed = [m.name for m in MUTANTS if not caught(m, chosen.faults, chosen.seed)]
        figures = {"mutants": len(MUTANTS), "caught": len(MUTANTS) - len(missed)}
        report.tell("campaigns.ship --mutants", figures, {"not caught": missed}, chosen)
    folder = scratch()
    try:
        result = campaign(chosen.faults, chosen.seed, folder)
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
