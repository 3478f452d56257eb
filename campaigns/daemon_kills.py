"""The daemon is killed at any moment while agents call their hooks; the next hook starts another.

`python -m campaigns.daemon_kills --n 1000`. Every hook ends with 0 within its stop and says one whole thing or nothing;
one daemon answers at a time; every turn is captured in the end, once; nobody outlives the daemon he worked for. A hook
starts its daemon by a fork of this process, which has everything loaded; now and then as it really does.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from campaigns import report
from campaigns.agents import Agent, Called, Place, called, children, end_of, until, verified
from campaigns.load import Result
from memlane.surfaces.daemon.__main__ import main as daemon
from memlane.surfaces.hooks import client

AT_ONCE = 3  # agents that call beside each other
REALLY = 0.02  # share of the daemons that are started as they are on a person's computer
LONGEST = 0.25  # seconds between the calls and the kill
AIMED = 0.5  # share of the kills that wait for nothing but a daemon somebody is waiting for
A_MOMENT = 0.0005


@dataclass(slots=True)
class Kills:
    """What came of it, beside what came of the hooks."""

    hooks: Result = field(default_factory=Result)
    kills: int = 0
    interrupted: int = 0  # kills while a hook was waiting
    capture: int = 0  # kills while something was captured
    told_again: int = 0  # notes told twice to a run, because the daemon died before it could write the first time down


class Forked(client.Hook):
    """Starts its daemon by a fork."""

    really = False

    def start(self) -> None:
        if Forked.really:
            super().start()
        elif not os.fork():
            try:
                client.detach()
                sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 - as long as it lives
                daemon()
            finally:
                os._exit(0)


class Trial:
    def __init__(self, seed: int) -> None:
        self.dice, self.found, self.place = random.Random(seed), Kills(), Place()
        self.place.settle_in()
        import_module("memlane.surfaces.daemon.loop")
        import_module("memlane.agents.claude_code")
        client.Hook = Forked  # type: ignore[misc] - in this process and those it forks
        self.agents = [Agent(self.place, f"agent{n}", seed * 100 + n) for n in range(AT_ONCE)]
        self._calls = [agent.calls() for agent in self.agents]
        self._killed = 0

    def run(self, n: int) -> Kills:
        while self.found.kills < n:
            self._once()
        self._end()
        return self.found

    def _once(self) -> None:
        """Each agent makes a call; somewhere meanwhile the daemon dies."""
        Forked.really = self.dice.random() < REALLY
        calling = [_begun(*next(calls)) for calls in self._calls]
        if self.dice.random() < AIMED:
            self._aim(calling)
        else:
            until(lambda: self.place.holder() != self._killed, looks=20)
            time.sleep(self.dice.uniform(0, LONGEST) * self.dice.random())
        if (victim := self.place.holder()) not in (0, self._killed):
            self.found.interrupted += _some_wait(calling)
            self.found.capture += _at_work_for(victim)
            os.kill(victim, signal.SIGKILL)
            self.found.kills += 1
            self._only_one(victim)
        for agent, read in zip(self.agents, calling, strict=True):
            self._ended(agent, read)

    def _aim(self, calling: list[int]) -> None:
        """Until there is a daemon that a hook waits for; hooks that have all ended wait for none."""
        while _some_wait(calling) and self.place.holder() in (0, self._killed):
            time.sleep(A_MOMENT)

    def _ended(self, agent: Agent, read: int) -> None:
        told = b""
        while piece := os.read(read, 1 << 16):
            told += piece
        os.close(read)
        head, said, given = told.split(b"\n", 2)
        code, seconds, event = head.decode().split()
        answer = said.rstrip(b" ") + b"\n" if said.strip() else b""
        call = Called(event, int(code), answer, float(seconds))
        agent.heard(given, call)
        self.found.hooks.take(call)

    def _only_one(self, victim: int) -> None:
        """A lock has a new holder only when the old one is dead."""
        if self._killed in children():
            self.found.hooks.faults["daemons"].append(f"{victim} beside {self._killed}")
        self._killed = victim

    def _end(self) -> None:
        hooks = self.found.hooks
        for agent in self.agents:
            hooks.turns |= agent.turns
            self.found.told_again += sum(times - 1 for times in agent.told.values())
        until(lambda: len(children()) <= 1, looks=1000)  # captures, and who was started in vain
        end_of(self.place.holder())
        if not until(lambda: not children(), looks=500):
            hooks.faults["orphans"] += [_named(pid) for pid in children()]
            for pid in children():
                end_of(pid)
        for fault, found in verified(self.place, hooks.turns).items():
            hooks.faults[fault] += found

    def close(self) -> None:
        for pid in children():
            end_of(pid)
        self.place.close()


def _begun(event: str, given: bytes) -> int:
    """A call in a process of its own, so that it can be watched; what came of it arrives in a pipe."""
    read, write = os.pipe()
    if os.fork() == 0:
        call = called(event, given)
        said = call.said.replace(b"\n", b" ")
        os.write(write, b"%d %f %s\n%s\n%s" % (call.exit_code, call.seconds, event.encode(), said, given))
        os._exit(0)
    os.close(write)
    return read


def _some_wait(calling: list[int]) -> bool:
    return len(select.select(calling, (), (), 0)[0]) < len(calling)


def _at_work_for(pid: int) -> bool:
    with suppress(OSError):
        return bool(Path(f"/proc/{pid}/task/{pid}/children").read_text())
    return False


def _named(pid: int) -> str:
    with suppress(OSError):
        return f"{pid} {Path(f'/proc/{pid}/cmdline').read_text()}"
    return str(pid)


def figures(found: Kills) -> dict[str, object]:
    hooks, ordered = found.hooks, sorted(found.hooks.seconds)
    times = {f"p{p}": round(ordered[round((len(ordered) - 1) * p / 100)] * 1000, 1) for p in (50, 99, 100)}
    return {
        "kills": found.kills,
        "while a hook was waiting": found.interrupted,
        "while something else was at work": found.capture,
        "hooks": hooks.hooks,
        "answered with something": hooks.answered,
        "milliseconds": times,
        "turns": sum(hooks.turns.values()),
        "told again after a kill": found.told_again,
        **{fault: len(what) for fault, what in hooks.faults.items()},
    }


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--n", type=int, default=1000, help="kills")
    chosen = parser.parse_args()
    trial = Trial(chosen.seed)
    try:
        found = trial.run(chosen.n)
    finally:
        trial.close()
    report.tell(f"python -m campaigns.daemon_kills --n {chosen.n}", figures(found), found.hooks.faults, chosen)


if __name__ == "__main__":
    main()
