"""Many agents at once: 50 hooks a second from 8 clients for a minute, prompts, starts, touched files and ends mixed.

`python -m campaigns.load --seconds 60`. Every hook ends with 0 within its stop and says one whole thing or nothing; a
run is told a note once; one daemon answers all of it; every turn is captured in the end, once; nobody is left over.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from itertools import islice

from campaigns import report
from campaigns.agents import Agent, Called, Place, called, children, end_of, until, verified
from memlane.surfaces.hooks import client

FAULTS = ("exit", "slow", "cut", "told twice", "daemons", "orphans", "lost", "twice")
A_LITTLE = 0.1  # seconds that a process may take to be seen as ended: FAULTS 6.2 asks for 0.6 in all


@dataclass(slots=True)
class Result:
    hooks: int = 0
    answered: int = 0
    late: int = 0  # began after its time: the clients themselves could not keep up
    seconds: list[float] = field(default_factory=list[float])
    turns: dict[str, int] = field(default_factory=dict[str, int])
    daemon: dict[str, object] = field(default_factory=dict[str, object])
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in FAULTS})

    def take(self, call: Called) -> None:
        self.hooks += 1
        self.answered += bool(call.said)
        self.seconds.append(round(call.seconds, 4))
        what = f"{call.event} after {call.seconds:.2f} s"
        if call.exit_code != 0:
            self.faults["exit"].append(f"{what}: {call.exit_code}")
        if call.seconds > client.STOP + A_LITTLE:
            self.faults["slow"].append(what)
        if not call.whole:
            self.faults["cut"].append(f"{what}: {call.said[-80:]!r}")


@dataclass(frozen=True, slots=True)
class Load:
    seconds: float
    rate: float  # hooks a second, of all clients together
    clients: int
    calls: int  # of each client, whatever time they take; 0: as many as fit into `seconds`


def client_process(place: Place, number: int, load: Load, seed: int) -> int:
    """One of the clients, forked; what came of it is left in a file."""
    pid = os.fork()
    if pid:
        return pid
    agent, result = Agent(place, f"client{number}", seed), Result()
    begin, rate = time.monotonic(), load.rate / load.clients
    for n, (event, given) in enumerate(islice(agent.calls(), load.calls or None)):
        wait = begin + (n + number * 0.13) / rate - time.monotonic()
        result.late += wait < -1 / rate
        time.sleep(max(0.0, wait))
        if not load.calls and time.monotonic() - begin > load.seconds:
            break
        call = called(event, given)
        agent.heard(given, call)
        result.take(call)
    told = [run for run, times in agent.told.items() if times > 1]
    kept = {"late": result.late, "seconds": result.seconds, "answered": result.answered, "turns": agent.turns}
    faults = {**result.faults, "told twice": told}
    (place.folder / f"client{number}.json").write_text(json.dumps({**kept, "faults": faults}))
    os._exit(0)


class Trial:
    def __init__(self, seed: int) -> None:
        self.seed, self.result, self.place = seed, Result(), Place()
        self.place.settle_in()
        self._seen: set[int] = set()

    def run(self, load: Load) -> Result:
        first = called(*next(Agent(self.place, "first", self.seed).calls()))  # starts the daemon
        self.result.take(first)
        assert until(lambda: (self.place.run / "daemon.sock").exists())
        running = {client_process(self.place, n, load, self.seed * 100 + n) for n in range(load.clients)}
        while running:
            time.sleep(0.2)
            self._seen.add(self.place.holder())
            running &= children()
        for n in range(load.clients):
            self._collect(n)
        self._end()
        return self.result

    def _collect(self, client: int) -> None:
        kept = json.loads((self.place.folder / f"client{client}.json").read_text())
        self.result.hooks += len(kept["seconds"])
        self.result.answered += kept["answered"]
        self.result.late += kept["late"]
        self.result.seconds += kept["seconds"]
        self.result.turns |= kept["turns"]
        for fault, found in kept["faults"].items():
            self.result.faults[fault] += found

    def _end(self) -> None:
        """The daemon may finish; then it goes, and with it everybody."""
        if len(self._seen) > 1:
            self.result.faults["daemons"].append(f"{len(self._seen)} took the lock: {sorted(self._seen)}")
        captured = until(self._all_captured, looks=3000)
        self.result.daemon = {"captured by the daemon alone": captured}
        daemon = self.place.holder()
        end_of(daemon)
        if not until(lambda: not children()):
            self.result.faults["orphans"] += [str(pid) for pid in children()]
            for pid in children():
                end_of(pid)
        for fault, found in verified(self.place, self.result.turns).items():
            self.result.faults[fault] += found

    def _all_captured(self) -> bool:
        with self.place.lane() as lane:
            storage, reader = lane.home.storage(), lane.home.reader
            found = ((storage.runs.by_native_id(run, reader), turns) for run, turns in self.result.turns.items())
            return all(summary is not None and summary.turns >= turns for summary, turns in found)

    def close(self) -> None:
        self.place.close()


def figures(result: Result) -> dict[str, object]:
    ordered = sorted(result.seconds)
    times = {f"p{p}": round(ordered[round((len(ordered) - 1) * p / 100)] * 1000, 1) for p in (50, 99, 100)}
    return {
        "hooks": result.hooks,
        "answered with something": result.answered,
        "begun late by the clients": result.late,
        "milliseconds": times,
        "turns": sum(result.turns.values()),
        "runs": len(result.turns),
        **result.daemon,
        **{fault: len(found) for fault, found in result.faults.items()},
    }


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="hooks a second, of all clients together")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--calls", type=int, default=0, help="of each client, instead of --seconds")
    parser.add_argument("--stop", type=float, default=client.STOP, help="seconds a hook may take")
    chosen = parser.parse_args()
    client.STOP = chosen.stop
    trial = Trial(chosen.seed)
    try:
        result = trial.run(Load(chosen.seconds, chosen.rate, chosen.clients, chosen.calls))
    finally:
        trial.close()
    much = f"--calls {chosen.calls}" if chosen.calls else f"--seconds {chosen.seconds:g}"
    command = f"python -m campaigns.load {much} --rate {chosen.rate:g} --clients {chosen.clients}"
    report.tell(command, figures(result), result.faults, chosen)


if __name__ == "__main__":
    main()
