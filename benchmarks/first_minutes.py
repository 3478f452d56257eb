"""`python -m benchmarks.first_minutes --home HOME [--save FILE]`: how long are the first five minutes, step by step?

HOME is copied, and where its transcripts name folders in it, the copies name those of the copy; nothing in HOME is
changed. Each step is the command as a person types it, in a process of its own; the first prompt is the hook as
Claude Code runs it. No model is asked anything. What a person needs to read and to type is not in the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.stage import Stage
from campaigns.report import machine

COMMAND = "python -m benchmarks.first_minutes --home HOME"
TEXTS = (".jsonl", ".json")
OURS = ".memlane"
BETWEEN_LOOKS = 0.25
FIRST_WORDS = 3


@dataclass(slots=True)
class Walk:
    """One walk through it: what was typed, how long each took, what came of it."""

    stage: Stage
    seconds: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def variables(self) -> dict[str, str]:
        return self.stage.variables(LANE_HOME=str(self.stage.person / OURS))

    def lane(self, step: str, *words: str, cwd: Path | None = None) -> Any:
        """Its document; how long it took is written down under this name."""
        done = self.timed(step, [sys.executable, "-m", "memlane", *words, "--json"], cwd=cwd)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def timed(
        self, step: str, words: Sequence[str], given: bytes = b"", cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        began = time.perf_counter()
        done = subprocess.run(
            words, input=given, env=self.variables, cwd=cwd or self.stage.person, capture_output=True, check=False
        )
        self.seconds[step] = round(time.perf_counter() - began, 3)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
        return done


def walked(stage: Stage) -> dict[str, Any]:
    walk, before = Walk(stage), tree(stage.person)
    looked = walk.lane("look", "init", "--dry-run")["meta"]
    with subprocess.Popen(
        [sys.executable, "-m", "memlane", "init", "--yes", "--json"],
        env=walk.variables,
        cwd=stage.person,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as setting_up:
        began = time.perf_counter()
        walk.seconds["first_search_possible"] = findable(walk, setting_up, began)
        said, _nothing = setting_up.communicate()
        walk.seconds["init"] = round(time.perf_counter() - began, 3)
    meta = json.loads(said)["meta"]
    newest = walk.lane("runs", "runs", "--limit", "1")["data"][0]
    found = walk.lane("search", "search", " ".join(str(newest["title"]).split()[:FIRST_WORDS]))
    told = first_recall(walk, meta["suggestion"]) if meta["suggestion"] else 0
    walk.lane("uninstall", "uninstall", "--yes")
    left = {name for name, what in tree(stage.person).items() if before.get(name) != what}
    return {
        "runs": sum(agent["runs"] or 0 for agent in looked["agents"]),
        "bytes": sum(agent["bytes"] for agent in looked["agents"]),
        "agents": len(looked["agents"]),
        "memories": {name: meta[name] for name in ("memories", "caught", "held", "unread")},
        "found": len(found["data"]),
        "told": told,
        "left_behind": len(left),
        "seconds": walk.seconds,
        "whole": round(sum(took for step, took in walk.seconds.items() if step != "first_search_possible"), 3),
    }


def findable(walk: Walk, setting_up: subprocess.Popen[bytes], began: float) -> float:
    """From the yes until a search finds something, while it is still at work."""
    while setting_up.poll() is None:
        looked = subprocess.run(
            [sys.executable, "-m", "memlane", "runs", "--limit", "1", "--json"],
            env=walk.variables,
            capture_output=True,
            check=False,
        )
        if looked.returncode == 0 and json.loads(looked.stdout)["data"]:
            break
        time.sleep(BETWEEN_LOOKS)
    return round(time.perf_counter() - began, 3)


def first_recall(walk: Walk, suggested: Mapping[str, Any]) -> int:
    """The prompt that init ends with, as Claude Code hands it over; then why, and a thumb. How many were told."""
    script = walk.stage.person / OURS / "plugin" / "plugins" / "lane" / "bin" / "client.py"
    folder = Path(suggested["folder"])
    given = {"session_id": "first", "cwd": str(folder), "hook_event_name": "UserPromptSubmit"}
    asked = json.dumps({**given, "prompt": suggested["prompt"]}).encode()
    words = [sys.executable, "-I", "-S", str(script), "claude-code", "UserPromptSubmit"]
    told = walk.timed("first_recall", words, asked, folder).stdout
    time.sleep(1.0)  # it is written down after it was told
    walk.lane("why", "why", cwd=folder)
    walk.lane("up", "up", "1", cwd=folder)
    return len(re.findall(rb"\[m_\w+ ", told))


def tree(home: Path) -> dict[str, str]:
    """Every file of the person's, by what is in it."""
    files = (path for path in home.rglob("*") if path.is_file() and OURS not in path.parts)
    return {str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def copied(home: Path, to: Path) -> None:
    """With its times: what is old stays old."""
    for path in sorted(home.rglob("*")):
        if OURS in path.relative_to(home).parts or path.is_symlink():
            continue
        copy = to / rewritten(path.relative_to(home), home, to)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        raw = path.read_bytes()
        copy.write_bytes(raw.replace(str(home).encode(), str(to).encode()) if path.suffix in TEXTS else raw)
        os.utime(copy, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))


def rewritten(path: Path, home: Path, to: Path) -> Path:
    """Claude Code names a folder after the path of the project."""
    old, new = (re.sub(r"[/.]", "-", str(each)) for each in (home, to))
    return Path(str(path).replace(old, new))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a home with transcripts of agents in it")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lane-") as folder:
        stage = Stage(Path(folder))
        copied(asked.home.resolve(), stage.person)
        found = walked(stage)
    kept = {"command": COMMAND, "benchmark": "first_minutes", "machine": machine(), **found}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    for step, seconds in found["seconds"].items():
        print(f"{step:<24}{seconds:8.2f} s")
    print(
        f"{'all of it':<24}{found['whole']:8.2f} s   {found['told']} told, {found['left_behind']} files changed after"
    )
    print(json.dumps(kept))


if __name__ == "__main__":
    main()
