"""`python -m campaigns.sync --n N`: two machines that sync one folder at the same time, killed at any of its steps.

For each machine a fork of this process syncs and kills itself before the nth thing that would be written, both at once.
Then both sync in peace: the target must hold each run whole and once, as its machine promised it, and both machines
must have the runs of both. In the end both sync to a new folder: it must be the same, byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter
from memlane.store import folder as folder_store
from memlane.system.disk import Disk

MACHINES = ("desk", "laptop")
WRITES = ("write", "sync", "rename", "sync_folder", "truncate")
DEEP = {"home": 24, "target": 6}  # steps of one sync, about


class Doomed(Disk):
    """A disk whose process dies before its nth write."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self._left = left

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


def _deadly(name: str) -> Any:
    def step(self: Doomed, *given: Any, **more: Any) -> Any:
        self._step()
        return getattr(Disk, name)(self, *given, **more)

    return step


for _name in WRITES:
    setattr(Doomed, _name, _deadly(_name))


@dataclass
class SyncKills:
    """What the campaign saw."""

    kills: int = 0
    survived: int = 0
    lost: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    torn: list[str] = field(default_factory=list[str])
    unlike: list[str] = field(default_factory=list[str])  # files that the new target has otherwise


def _lane(folder: Path, machine: str, disk: Disk | None = None) -> Lane:
    home = folder / machine
    named = {"HOME": str(home / "home"), "LANE_HOME": str(home / "lane"), "LANE_USER": "ann", "LANE_MACHINE": machine}
    return Lane(load(named), disk=disk)


def _say(folder: Path, machine: str, n: int) -> None:
    """One more turn in one of a few runs of this machine."""
    session = f"{n % 5:08d}-{MACHINES.index(machine):04d}-4333-8444-555555555555"
    path = folder / machine / "home" / ".claude" / "projects" / "-home-dev-app" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user",
        "uuid": f"{n:08d}-0000-4000-8000-{MACHINES.index(machine):012d}",
        "sessionId": session,
        "timestamp": f"2026-05-01T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}.000Z",
        "cwd": "/home/dev/app",
        "message": {"role": "user", "content": f"turn {n} of {machine}"},
    }
    with path.open("a") as file:
        file.write(json.dumps(record) + "\n")


def _doomed(folder: Path, machine: str, target: str, step: int, *, kill_in: str) -> int:
    """A process that syncs and dies at this step; a sync that has fewer steps comes to its end."""
    child = os.fork()
    if child == 0:
        try:
            doomed = Doomed(step)
            if kill_in == "target":
                plain = folder_store.FolderStore.__init__
                folder_store.FolderStore.__init__ = lambda self, at: plain(self, at, doomed)  # type: ignore[method-assign]
            with _lane(folder, machine, doomed if kill_in == "home" else None) as lane:
                lane.syncs.sync(target)
        finally:
            os._exit(0)
    return child


def _compared(folder: Path, target: Path, seen: SyncKills) -> None:
    runs = dict[str, dict[str, int]]()
    for machine in (*MACHINES, MACHINES[0]):
        with _lane(folder, machine) as lane:
            lane.syncs.sync(str(target))
            runs[machine] = {run.id: run.turns for run in lane.runs.select(RunFilter())}
    for run, turns in {**runs["desk"], **runs["laptop"]}.items():
        if any(runs[machine].get(run) != turns for machine in MACHINES):
            seen.lost.append(run)
    for file in (file for file in target.rglob("*.jsonl") if file.is_file()):
        lines = file.read_text().splitlines()
        if not lines or any(not line.endswith("}") for line in lines):
            seen.torn.append(file.name)
        said = [json.loads(line).get("id") for line in lines if '"turn"' in line[:20]]
        if len(said) != len(set(said)):
            seen.doubled.append(file.name)
    for index in target.rglob("digests.json"):
        for name, digest in json.loads(index.read_text()).items():
            if hashlib.sha256((target / name).read_bytes()).hexdigest() != digest:
                seen.torn.append(name)


def _unlike(folder: Path, target: Path) -> list[str]:
    fresh = folder / "fresh"
    for machine in MACHINES:
        with _lane(folder, machine) as lane:
            lane.syncs.sync(str(fresh))
    held = [
        {file.relative_to(at).as_posix(): file.read_bytes() for file in at.rglob("*") if file.is_file()}
        for at in (target, fresh)
    ]
    return sorted(name for name in held[0].keys() | held[1].keys() if held[0].get(name) != held[1].get(name))


def run(kills: int, seed: int = 1) -> SyncKills:
    seen, chance, folder = SyncKills(), random.Random(seed), Path(tempfile.mkdtemp(prefix="lane-sync-kills-"))
    target, n = folder / "nas", 0
    try:
        while seen.kills + seen.survived < kills:
            for machine in MACHINES:
                n += 1
                _say(folder, machine, n)
                with _lane(folder, machine) as lane:
                    lane.capture.sweep()
            children = list[int]()
            for machine in MACHINES:
                where = chance.choice(("home", "target"))
                children.append(_doomed(folder, machine, str(target), chance.randrange(DEEP[where]), kill_in=where))
            died = [os.WIFSIGNALED(os.waitpid(child, 0)[1]) for child in children]
            seen.kills += sum(died)
            seen.survived += len(died) - sum(died)
            _compared(folder, target, seen)
        seen.unlike = _unlike(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return seen


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m campaigns.sync", description=__doc__)
    parser.add_argument("--n", type=int, default=500, help="syncs that are to be killed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    seen = run(options.n, options.seed)
    wrong = {"lost": seen.lost, "duplicated": seen.doubled, "torn": seen.torn, "unlike": seen.unlike}
    found = {name: len(those) for name, those in wrong.items()}
    command = f"python -m campaigns.sync --n {options.n} --seed {options.seed}"
    print(json.dumps({"command": command, "kills": seen.kills, "survived": seen.survived, **found}))
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
