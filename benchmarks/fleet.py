"""A simulated fleet: every owner has two thin machines, and works as on a real day.

`python -m benchmarks.fleet [--owners 200] [--minutes 10] [--rate 1]`. One `lane serve` and `--workers` of `lane work`
on one PostgreSQL, with the models they have by default. The machines are homes on this disk, driven by a few processes,
in which each does at random moments what a person's day brings about: a turn is captured and shipped, a prompt asks
Central for notes, a search asks Central. Afterwards everything is compared: nothing lost, nobody starved.

Recall and search are timed as their machine sees them. What 5,000 owners need is computed from the CPU that was
measured. `late` says how far the driver was behind its plan: where that is much, it was short of processors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.central import WORDS, said
from campaigns.postgres_server import Server
from campaigns.report import machine
from memlane.app import Lane
from memlane.app.home.link import CentralLine, LinkFile, line_to
from memlane.app.search import Mode
from memlane.config import Config, load
from memlane.domain import RunFilter, Scope
from memlane.errors import LaneError

TURNS, RECALLS, SEARCHES = 300, 100, 20  # of one person in a working day
DAY = 8 * 3600.0  # seconds
WORDS_A_TURN = 2000  # about 16 KB: 300 of them are 5 MB a day
DRIVERS = 4
PATIENCE = 10.0
Times = Mapping[str, list[float]]


@dataclass(frozen=True, slots=True)
class Owner:
    """One person with two machines."""

    number: int
    desk: Config
    tablet: Config

    @property
    def transcript(self) -> Path:
        return self.desk.person_home / ".claude" / "projects" / "-shop" / "day.jsonl"

    @property
    def word(self) -> str:
        return f"quagga{self.number}zebra"


def owner(folder: Path, number: int) -> Owner:
    def home(name: str) -> Config:
        place = folder / f"{number}" / name
        place.mkdir(parents=True, exist_ok=True)
        thin = {"LANE_SHIP_BACKGROUND": "false", "LANE_THIN": "true"}
        return load({"HOME": str(place), "LANE_USER": f"owner{number}", "LANE_MACHINE": name, **thin})

    return Owner(number, home("desk"), home("tablet"))


def joined(one: Owner, url: str, codes: Sequence[str]) -> None:
    one.transcript.parent.mkdir(parents=True)
    said(one.transcript, "day", 0, f"deploys of {one.word} go through make ship")
    for settings, code in zip((one.desk, one.tablet), codes, strict=True):
        with Lane(settings) as lane:
            lane.shipment.join(url, code, thin=True)
    with Lane(one.desk) as lane:
        lane.capture.sweep()
        lane.memories.remember(f"deploys of {one.word} go through make ship", one.desk.home, scope=Scope.PERSON)
        lane.shipment.now()


# -- one working day, shortened ----------------------------------------------------------------------------------------


def driven(owners: Sequence[Owner], seconds: float, rate: float, seed: int) -> tuple[Times, list[str]]:
    """What these people do, at random moments of so many days in one, one thing after the other; and what failed."""
    chance, took = random.Random(seed), {name: list[float]() for name in ("turn", "recall", "search", "late")}
    failed = list[str]()
    rates = {name: rate * n / DAY for name, n in (("turn", TURNS), ("recall", RECALLS), ("search", SEARCHES))}
    due = sorted(
        (chance.uniform(0, seconds), name, one)
        for one in owners
        for name, each_second in rates.items()
        for _ in range(_poisson(each_second * seconds, chance))
    )
    lines = dict[int, CentralLine]()
    began = time.monotonic()
    for at, name, one in due:
        time.sleep(max(0.0, at - (time.monotonic() - began)))
        started = time.monotonic()
        try:
            _DOES[name](one, lines, chance)
        except LaneError as error:
            failed.append(f"{name}: {error.message}")
            continue
        took[name].append((time.monotonic() - started) * 1000)
        took["late"].append((started - began - at) * 1000)
    return took, failed


def _poisson(mean: float, chance: random.Random) -> int:
    count, left = 0, chance.expovariate(1.0)
    while left < mean:
        count, left = count + 1, left + chance.expovariate(1.0)
    return count


def _turn(one: Owner, _lines: dict[int, CentralLine], chance: random.Random) -> None:
    """Written by an agent, captured and on Central."""
    said(one.transcript, "day", chance.randrange(10**9), " ".join(chance.choices(WORDS, k=WORDS_A_TURN)))
    with Lane(one.desk) as lane:
        lane.capture.sweep_changed([one.transcript])
        lane.shipment.now()


def _line(one: Owner, lines: dict[int, CentralLine]) -> CentralLine:
    if one.number not in lines:
        with Lane(one.tablet) as lane:
            lines[one.number] = line_to(LinkFile(lane.home).must(), lane.home)
    return lines[one.number]


def _recall(one: Owner, lines: dict[int, CentralLine], chance: random.Random) -> None:
    prompt = f"how do deploys of {one.word} go, through make ship?"
    given = {"session_id": f"s{chance.randrange(10**9)}", "cwd": "/home/dev/shop", "prompt": prompt}
    fields = {"given": given, "folder": {"project": "", "name": "", "top": ""}, "within": 5000}
    _line(one, lines).ask("/api/hooks/claude-code/UserPromptSubmit", fields, PATIENCE)


def _search(one: Owner, lines: dict[int, CentralLine], chance: random.Random) -> None:
    asked = {"query": " ".join(chance.choices(WORDS, k=3)), "which": {}, "limit": 10, "mode": Mode.WORDS.value}
    _line(one, lines).ask("/api/views/search", asked, PATIENCE)


_DOES: Mapping[str, Callable[[Owner, dict[int, CentralLine], random.Random], None]] = {
    "turn": _turn,
    "recall": _recall,
    "search": _search,
}


# -- the servers -------------------------------------------------------------------------------------------------------


class Servers:
    def __init__(self, folder: Path, workers: int) -> None:
        self.database = Server()
        (folder / "central").mkdir()
        self.variables = {"HOME": str(folder / "central"), "LANE_USER": "operator", "LANE_MACHINE": "central"}
        self.variables |= {"LANE_STORAGE_URL": self.database.url, "PATH": os.environ["PATH"]}
        self.variables |= {"OPENBLAS_NUM_THREADS": "1"}
        self._door = self._started("serve", "--port", "0", "--json")
        assert self._door.stdout is not None
        self.url = str(json.loads(self._door.stdout.readline())["data"]["url"])
        self._workers = [self._started("work") for _ in range(workers)]

    def _started(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "memlane", *words]
        return subprocess.Popen(command, env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def cpu(self) -> Mapping[str, float]:
        """Seconds since they began."""
        return {"serve": _cpu([self._door.pid]), "work": _cpu([one.pid for one in self._workers])}

    def memory(self) -> int:
        return int((Path("/proc") / str(self._door.pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        for process in (self._door, *self._workers):
            process.send_signal(signal.SIGTERM)
        for process in (self._door, *self._workers):
            process.communicate(timeout=60)
        self.database.close()


def _cpu(pids: Sequence[int]) -> float:
    ticks = 0
    for pid in pids:
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


# -- all of it ---------------------------------------------------------------------------------------------------------


def measured(number: int, minutes: float, workers: int, rate: float) -> dict[str, object]:
    folder = Path(tempfile.mkdtemp(prefix="lane-fleet-"))
    servers = Servers(folder, workers)
    try:
        owners = [owner(folder, n) for n in range(number)]
        with Lane(load(servers.variables)) as lane:
            codes = [[lane.control.codes.invite(f"owner{n}")[0] for _ in range(2)] for n in range(number)]
        for one, two in zip(owners, codes, strict=True):
            joined(one, servers.url, two)
        before = servers.cpu()
        took, failed = _day(owners, minutes * 60, rate)
        cpu = {name: seconds - before[name] for name, seconds in servers.cpu().items()}
        checked = _checked(owners, folder / "central" / ".memlane" / "archive")
        figures = {name: spread(times) for name, times in took.items()}
        return {
            "owners": number,
            "minutes": minutes,
            "workers": workers,
            "rate": rate,
            "ms": figures,
            "failed": failed,
            **checked,
            "cpu_seconds": {name: round(seconds, 1) for name, seconds in cpu.items()},
            "serve_mb": servers.memory() >> 20,
            "for_5000_owners": _for_many(cpu, number, minutes * rate),
            "machine": machine(),
        }
    finally:
        servers.close()
        shutil.rmtree(folder)


def _day(owners: Sequence[Owner], seconds: float, rate: float) -> tuple[Times, list[str]]:
    """By a few processes, because a driver that computes would be late."""
    pipes = list[tuple[int, int]]()
    for n in range(DRIVERS):
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reads)
            with os.fdopen(writes, "w") as out:
                json.dump(driven(owners[n::DRIVERS], seconds, rate, n), out)
                out.flush()
            os._exit(0)
        os.close(writes)
        pipes.append((child, reads))
    with ThreadPoolExecutor(DRIVERS) as pool:
        parts = list(pool.map(lambda pair: json.loads(Path(f"/dev/fd/{pair[1]}").read_text()), pipes))
    for child, _reads in pipes:
        os.waitpid(child, 0)
    times = {name: [one for part, _failed in parts for one in part[name]] for name in parts[0][0]}
    return times, [one for _times, failed in parts for one in failed]


def _checked(owners: Sequence[Owner], archive: Path) -> dict[str, object]:
    """Every byte that was captured is on Central, and everybody's last turn is found there."""
    lost = starved = 0
    for one in owners:
        said(one.transcript, "day", 10**9, f"the last word is omega{one.word}")
        with Lane(one.desk) as lane:
            lane.capture.sweep_changed([one.transcript])
            lane.shipment.now()
            root = lane.home.layout.root / "runs"
            for raw in root.rglob("g*.raw"):
                there = archive / lane.home.layout.root.name / "runs" / raw.relative_to(root)
                lost += not there.exists() or there.read_bytes() != raw.read_bytes()
    until = time.monotonic() + 120
    waiting = list(owners)
    while waiting and time.monotonic() < until:
        waiting = [one for one in waiting if not _found(one)]
        time.sleep(0.5)
    starved = len(waiting)
    return {"files_lost": lost, "owners_not_indexed": starved}


def _found(one: Owner) -> bool:
    with Lane(one.tablet) as lane:
        found, _why = lane.everywhere.search(f"omega{one.word}", RunFilter(), 1, Mode.WORDS)
    return found is not None and bool(found.search.best)


def _for_many(cpu: Mapping[str, float], owners: int, minutes: float) -> dict[str, object]:
    """Processors that 5,000 people need at this rate, if each costs what each cost here; and bytes a year."""
    each = {name: seconds / owners / (minutes * 60) for name, seconds in cpu.items()}
    return {
        **{f"{name}_processors": round(5000 * share, 2) for name, share in each.items()},
        "archive_tb_a_year": round(5000 * TURNS * WORDS_A_TURN * 6.2 * 220 / 1e12, 1),
    }


def spread(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    return {
        "n": len(times),
        "p50": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(len(ordered) * 0.95) - 1], 1),
        "p99": round(ordered[int(len(ordered) * 0.99) - 1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.0, help="so many working days in one")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    found = measured(chosen.owners, chosen.minutes, chosen.workers, chosen.rate)
    if chosen.save:
        row = {"command": f"python -m benchmarks.fleet {' '.join(sys.argv[1:])}", "benchmark": "fleet", **found}
        chosen.save.write_text(json.dumps(row, indent=2) + "\n")
    print(json.dumps(found) if chosen.json else "\n".join(f"{name}: {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
