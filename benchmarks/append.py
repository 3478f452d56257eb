"""What does one more turn cost? `python -m benchmarks.append --home HOME [--repeat-home HOME10] [--json]`.

A home laid out like a person's is copied and captured once. Then one turn at a time is appended to a long transcript
of Claude Code, and what the daemon starts after a turn takes it in: a process of its own, counted from its start to
its end, with every second of processor it used. Last, that its words are found. `--save FILE` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from campaigns.report import machine
from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter
from memlane.system.disk import Disk

COMMAND = "python -m benchmarks.append --home HOME --repeat-home HOME10"
TURNS = 7
EVERYTHING_MEANT = 3600.0  # seconds: what the home says already is not what is measured


class CountingDisk(Disk):
    """The real disk, counting what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes_read = 0

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        data = super().read(descriptor, length, offset)
        self.bytes_read += len(data)
        return data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--repeat-home", type=Path, help="a home with more runs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    report = {"x1": measure(asked.home)}
    if asked.repeat_home:
        report["repeated"] = measure(asked.repeat_home)
    kept = {"command": COMMAND, "benchmark": "append", "machine": machine(), **report}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(report)
    print(json.dumps(kept))


def measure(home: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        copy, state = Path(folder) / "home", Path(folder) / "lane"
        shutil.copytree(home, copy, symlinks=True, ignore=lambda _at, names: [n for n in names if n == ".memlane"])
        environment = os.environ | {"HOME": str(copy), "LANE_HOME": str(state)}
        with Lane(load(environment)) as lane:
            runs = len(lane.capture.sweep().changes)
            lane.vectors.follow_alone(EVERYTHING_MEANT)
        largest = max((copy / ".claude").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
        size = largest.stat().st_size
        took = [captured(largest, n, environment) for n in range(TURNS)]
        disk = CountingDisk()
        with Lane(load(environment), disk=disk) as lane:
            found = [lane.search.find(word(n), RunFilter(), 3).search.best[0].run.native_id for n in range(TURNS)]
            new = append(largest, TURNS)
            lane.capture.sweep_changed([largest], agent="claude-code")
        return {
            "runs": runs,
            "transcript_bytes": size,
            "turn_bytes": new,
            "bytes_read": disk.bytes_read,
            "seconds": sorted(wall for wall, _cpu in took)[TURNS // 2],
            "cpu_seconds": sorted(cpu for _wall, cpu in took)[TURNS // 2],
            "cpu_seconds_worst": max(cpu for _wall, cpu in took),
            "found": sum(native_id == largest.stem for native_id in found),
            "of": TURNS,
        }


def captured(transcript: Path, n: int, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds and processor seconds of the process that takes in one more turn."""
    append(transcript, n)
    words = [sys.executable, "-m", "memlane.surfaces.daemon.capture", "claude-code", str(transcript)]
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE)  # it ends when its standard input does
    child.wait()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.stdin is not None:
        child.stdin.close()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return round(wall, 3), round(cpu, 3)


def append(transcript: Path, n: int) -> int:
    data = b"".join(json.dumps(record).encode() + b"\n" for record in turn(n, transcript.stem))
    with transcript.open("ab") as file:
        return file.write(data)


def turn(n: int, session: str) -> list[dict[str, object]]:
    """A prompt, a call with its result, an answer."""
    call = {"type": "tool_use", "id": f"toolu_{n}", "name": "Bash", "input": {"command": f"ls {word(n)}"}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": "a.py\nb.py\n" * 40, "is_error": False}
    said = [
        ("user", "user", f"Please look for {word(n)} in the harbour."),
        ("assistant", "assistant", [call]),
        ("user", "user", [result]),
        ("assistant", "assistant", [{"type": "text", "text": f"There it is: {word(n)}, between two boats. " * 5}]),
    ]
    return [
        {
            "type": kind,
            "uuid": f"append-{n}-{place}",
            "sessionId": session,
            "timestamp": f"2026-11-16T10:{n:02d}:{place:02d}.000Z",
            "cwd": "/home/dev/harbour",
            "version": "2.1.300",
            "message": {"id": f"msg-{n}-{place}", "role": role, "model": "claude", "content": content},
        }
        for place, (kind, role, content) in enumerate(said)
    ]


def word(n: int) -> str:
    return f"quokkaboat{n}"


def table(report: dict[str, dict[str, float]]) -> None:
    for size, figures in report.items():
        for name, value in figures.items():
            print(f"{size:10} {name:20} {value}")


if __name__ == "__main__":
    main()
