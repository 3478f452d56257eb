"""`python -m benchmarks.first_day --home HOME [--runs 60] [--minutes 10] [--keep FOLDER] [--save FILE]`

What a person has after the first minutes, without a reader: `lane init --yes` on a copy of HOME with its newest runs,
then waiting until nothing is left to do or the minutes are over, then what `lane status` and `lane mem review` say.
With `--keep` the copy stays, its windows ready for a reader (`lane catch next`); `--look FOLDER` says the same things
of such a copy later, when somebody has read. HOME is not changed, and no model is asked anything.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.first_minutes import OURS, copied
from benchmarks.stage import Stage
from campaigns.report import machine

COMMAND = "python -m benchmarks.first_day --home HOME --runs 60 --minutes 10"
TRANSCRIPTS = (
    ".claude/projects/*/*.jsonl",
    ".codex/sessions/*/*/*/*.jsonl",
    ".pi/agent/sessions/*/*.jsonl",
    ".gemini/tmp/*/chats/*.json",
)
AGENTS = (".claude", ".codex", ".pi", ".gemini")
BETWEEN_LOOKS, QUIET = 2.0, 20.0  # seconds
SHOWN = 12  # titles of each kind


class Newcomer:
    """A person who has just installed Lane."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        chosen = {"HOME": str(stage.person), "LANE_HOME": str(stage.person / OURS), "COLUMNS": "140"}
        self.variables = {**{name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}, **chosen}

    def lane(self, *words: str) -> str:
        """What it prints; `status` also where it finds a fault, as a slow hook on a busy machine is one."""
        command, finds = [sys.executable, "-m", "memlane", *words], words[0] == "status"
        return subprocess.run(
            command, env=self.variables, cwd=self.stage.person, capture_output=True, text=True, check=not finds
        ).stdout

    def document(self, *words: str) -> Any:
        return json.loads(self.lane(*words, "--json"))

    def settled(self, until: float) -> float | None:
        """When the last window was read that needs no reader; None if that is not over yet."""
        read, since = -1, time.monotonic()
        while time.monotonic() < until:
            found = self.document("status")["meta"]
            if found["windows"].get("embedded", 0) != read or found["waiting"]:
                read, since = found["windows"].get("embedded", 0), time.monotonic()
            elif time.monotonic() - since > QUIET:
                return since
            time.sleep(BETWEEN_LOOKS)
        return None


def lay_out(home: Path, person: Path, runs: int) -> int:
    """The newest transcripts of agents that keep each run in a file of its own; nothing else of the home."""
    person.mkdir(parents=True, exist_ok=True)
    for agent in AGENTS:
        if (home / agent).is_dir():
            copied(home / agent, person / agent)
    found = sorted(
        (path for pattern in TRANSCRIPTS for path in person.glob(pattern)), key=lambda path: path.stat().st_mtime
    )
    for path in found[:-runs]:
        path.unlink()
    return len(found[-runs:])


def had(newcomer: Newcomer) -> dict[str, Any]:
    """What is there: the screens, and all memories by state and maker."""
    memories = newcomer.document("mem", "list", "--state", "all", "--limit", "10000")["data"]
    kinds = Counter(f"{one['state']} {one['maker'].partition('@')[0]}" for one in memories)
    sys.stdout.write(newcomer.lane("status"))
    for state in ("active", "held"):
        titles = [one["title"] for one in memories if one["state"] == state]
        print(f"\n{len(titles)} {state}", *(f"  {title}" for title in titles[:SHOWN]), sep="\n")
    return {"memories": dict(sorted(kinds.items())), "reading": newcomer.document("status")["meta"]["reading"]}


def first_day(home: Path, stage: Stage, runs: int, minutes: float) -> dict[str, Any]:
    newcomer, laid_out = Newcomer(stage), lay_out(home, stage.person, runs)
    began = time.monotonic()
    newcomer.lane("init", "--yes", "--no-timer")
    ready = time.monotonic() - began
    done = newcomer.settled(began + 60 * minutes)
    return {
        "runs": laid_out,
        "seconds": {"init": round(ready, 1), "until all was read": round(done - began, 1) if done else None},
        **had(newcomer),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_day", description=__doc__)
    parser.add_argument("--home", type=Path, help="a home with transcripts of agents in it")
    parser.add_argument("--look", type=Path, metavar="FOLDER", help="only say what a kept copy has by now")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the copy there, for a reader")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    if (asked.home is None) == (asked.look is None):
        parser.error("either --home or --look")
    if asked.look:
        found = had(Newcomer(Stage(asked.look.resolve())))
    else:
        folder = asked.keep.resolve() if asked.keep else Path(tempfile.mkdtemp(prefix="lane-"))
        try:
            found = first_day(asked.home.resolve(), Stage(folder), asked.runs, asked.minutes)
        finally:
            if asked.keep is None:
                Newcomer(Stage(folder)).lane("daemon", "stop")
                shutil.rmtree(folder)
    kept = {"command": COMMAND, "benchmark": "first_day", "machine": machine(), **found}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept))


if __name__ == "__main__":
    main()
