"""`python -m benchmarks.hook [--n 200] [--memories 1000] [--json] [--save FILE]`: how long does an agent wait for us?

The whole hook as the agent sees it, shell and interpreter included, beside a bare interpreter started in the same way
at the same moment; what the daemon took of it; and the first hook of the day, which finds no daemon.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import memlane
from memlane.config import load
from memlane.lane import Lane

SCRIPT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"
BARE = f"{shlex.quote(sys.executable)} -I -S -c pass"
NOUNS = ("ferry", "ledger", "parser", "schema", "harbour", "queue", "beacon", "invoice", "tariff", "kiosk")
VERBS = ("sorts", "caches", "rejects", "prints", "stores", "mirrors", "signs", "archives", "counts", "merges")
SEED = 7
TOUCHED = "PostToolUse"
NEEDED = "The nightly tariff export runs through make tariff-export, never by hand on the beacon host"
SHOWN = "how does the nightly tariff export run, make tariff-export or by hand on the beacon host?"
OF_FILE = "In tariff.py amounts are kept in cents, never as floats"
READ = "x = 1  # a line of a file that was read\n" * 500  # what an agent's hook is handed with its path
SILENT = "please rename the local variable in this small function so that it reads better"


@dataclass(frozen=True, slots=True)
class Bench:
    """A home with memories in it, and the hook that asks there."""

    home: Path

    @property
    def variables(self) -> dict[str, str]:
        known = {name: value for name, value in os.environ.items() if not name.startswith("LANE_")}
        return {**known, "HOME": str(self.home), "LANE_HOME": str(self.home / ".memlane")}

    def fill(self, memories: int) -> None:
        words, dice = Lane(load(self.variables)), random.Random(SEED)
        project = self.home / "project"
        project.mkdir()
        with words as lane:
            (project / "tariff.py").touch()
            lane.remembering.remember(NEEDED, project)
            lane.remembering.remember(OF_FILE, project)
            for number in range(memories - 2):
                one, two = dice.sample(NOUNS, 2)
                text = f"The {one} {dice.choice(VERBS)} every {two} twice: ticket {number * 17}, module {one}_{number}"
                lane.remembering.remember(text, project)

    def hook(self, event: str, words: str, number: int) -> tuple[float, bytes]:
        """`words`: a prompt, or the name of a file that is touched."""
        given: dict[str, object] = {"session_id": f"{event}-{number}", "cwd": str(self.home / "project")}
        touched = {"tool_name": "Read", "tool_input": {"file_path": str(self.home / "project" / words)}}
        given |= (
            {**touched, "tool_response": {"content": READ}} if event == TOUCHED else {"prompt": words + " " * number}
        )  # never twice
        given |= {"hook_event_name": event, "transcript_path": str(self.home / ".claude/projects/p/none.jsonl")}
        command = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(SCRIPT))} claude-code {event}"
        return timed(command, json.dumps(given).encode(), self.variables)

    def lane(self, *words: str) -> Any:
        command = [sys.executable, "-m", "memlane", *words, "--json"]
        done = subprocess.run(command, env=self.variables, capture_output=True, check=True)
        return json.loads(done.stdout)["data"]


def timed(command: str, given: bytes, variables: Mapping[str, str]) -> tuple[float, bytes]:
    began = time.perf_counter()
    done = subprocess.run(["/bin/sh", "-c", command], input=given, capture_output=True, env=variables, check=True)
    return (time.perf_counter() - began) * 1000, done.stdout


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    found = {f"p{p}": round(ordered[round(last * p / 100)], 2) for p in (50, 95, 99)}
    return {**found, "max": round(ordered[-1], 2)}


def answered(bench: Bench, event: str, prompt: str, n: int, *, shown: bool) -> dict[str, Any]:
    """One kind of question `n` times, each next to a bare interpreter; the daemon says what it took of it."""
    bench.lane("daemon", "restart")
    bench.hook(event, prompt, -1)
    whole, bare = list[float](), list[float]()
    for number in range(n):
        took, said = bench.hook(event, prompt, number)
        if bool(said) is not shown:
            raise SystemExit(f"{event} said {len(said)} bytes; wanted {'some' if shown else 'none'}")
        whole.append(took)
        bare.append(timed(BARE, b"", bench.variables)[0])
    found, plain = spread(whole), spread(bare)
    ratio = {name: round(found[name] / plain[name], 2) for name in ("p50", "p95", "p99")}
    state = bench.lane("daemon", "status")
    inside = {name: state[f"{name}_ms"] for name in ("p50", "p95", "p99")}
    return {"whole_ms": found, "bare_python_ms": plain, "ratio": ratio, "daemon_ms": inside}


def cold(bench: Bench, n: int) -> dict[str, Any]:
    """The first hook: it starts the daemon and waits for its answer."""
    whole, delivered = list[float](), 0
    for number in range(n):
        bench.lane("daemon", "stop")
        took, said = bench.hook("UserPromptSubmit", SHOWN, 10_000 + number)
        whole.append(took)
        delivered += bool(said)
    return {"whole_ms": spread(whole), "asked": n, "delivered": delivered}


def measure(n: int, memories: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.fill(memories)
        try:
            found = {
                "shown": answered(bench, "UserPromptSubmit", SHOWN, n, shown=True),
                "silent": answered(bench, "UserPromptSubmit", SILENT, n, shown=False),
                "told": answered(bench, "Stop", "", n, shown=False),
                "known_file": answered(bench, TOUCHED, "tariff.py", n, shown=True),
                "other_file": answered(bench, TOUCHED, "kiosk.py", n, shown=False),
                "cold": cold(bench, max(5, n // 20)),
            }
        finally:
            bench.lane("daemon", "stop")
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}
    return {"benchmark": "hook", "n": n, "memories": memories, "machine": machine, **found}


def table(found: Mapping[str, Any]) -> str:
    rows = ["hook                  p50     p95     p99     max   × bare python   in the daemon p50 / p99"]
    kinds = {"shown": "a note is shown", "silent": "nothing fits", "told": "a turn ended"}
    for name, what in (*kinds.items(), ("known_file", "a file with note"), ("other_file", "any other file")):
        one = found[name]
        times = "".join(f"{one['whole_ms'][p]:7.1f} " for p in ("p50", "p95", "p99", "max"))
        inside = f"{one['daemon_ms']['p50']} / {one['daemon_ms']['p99']} ms"
        rows.append(f"{what:<17} {times}   {one['ratio']['p50']:>13}   {inside}")
    one = found["cold"]
    times = "".join(f"{one['whole_ms'][p]:7.1f} " for p in ("p50", "p95", "p99", "max"))
    rows.append(f"{'no daemon yet':<17} {times}   {one['delivered']} of {one['asked']} answered")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook", description=__doc__)
    parser.add_argument("--n", type=int, default=200, help="hooks of each kind")
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    options = parser.parse_args()
    command = f"python -m benchmarks.hook --n {options.n} --memories {options.memories}"
    found = {"command": command, **measure(options.n, options.memories)}
    if not options.json:
        print(table(found))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
