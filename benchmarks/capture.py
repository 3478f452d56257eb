"""How quick is capture, and what does it cost? `python -m benchmarks.capture --home HOME [--repeat-home HOME10]`.

HOME is a folder laid out like a person's home, with their agents' transcripts in it; HOME10 one with ten times as many.
They are only read. Everything is timed in one run, beside the plain tools that do the least one could do: `cp -r` and
`sha256sum`, and `find`. `--save FILE` keeps the figures.
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
from collections.abc import Callable
from pathlib import Path

from campaigns.report import machine
from memlane.app import Lane
from memlane.app.capture import Progress
from memlane.config import load
from memlane.system.disk import Disk

TIMES = 7
COMMAND = "python -m benchmarks.capture --home HOME --repeat-home HOME10"


class CountingDisk(Disk):
    """The real disk, counting what is read of the agents' files."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home
        self.theirs = set[int]()
        self.bytes_read = 0

    def open_to_read(self, path: Path) -> int:
        descriptor = super().open_to_read(path)
        (self.theirs.add if path.is_relative_to(self.home) else self.theirs.discard)(descriptor)
        return descriptor

    def open_to_write(self, path: Path) -> int:
        descriptor = super().open_to_write(path)
        self.theirs.discard(descriptor)
        return descriptor

    def read(self, descriptor: int, length: int, offset: int) -> bytes:
        data = super().read(descriptor, length, offset)
        self.bytes_read += len(data) if descriptor in self.theirs else 0
        return data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--repeat-home", type=Path, help="a home with ten times as many runs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    parser.add_argument("--victim", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.victim:
        print(json.dumps(victim(asked.home, asked.victim)))
        return
    report = measure(asked.home)
    if asked.repeat_home:
        report["x10"] = cold(asked.repeat_home)
    kept = {"command": COMMAND, "benchmark": "capture", "machine": machine(), **report}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(report)
    print(json.dumps(kept))


def measure(home: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        places = [str(root) for root in roots(home)]
        plain = at_best(lambda: copied_and_hashed(places, Path(folder) / "plain"), 3)
        first = cold(home)
        lane = opened(home, Path(folder) / "lane")
        lane.capture.sweep()
        unchanged = at_best(lane.capture.sweep, TIMES)
        find = at_best(lambda: run(["find", *places, "-printf", "%s %T@\\n"]), TIMES)
        command = at_best(lambda: swept_as_a_command(home, Path(folder) / "lane"), TIMES)
        python = at_best(lambda: run([sys.executable, "-c", "pass"]), TIMES)
        return {
            **first,
            "cp_and_sha256sum_seconds": plain,
            "cold_ratio": ratio(first["archive_seconds"], plain),
            "unchanged_seconds": unchanged,
            "find_seconds": find,
            "unchanged_ratio": ratio(unchanged, find),
            "command_seconds": command,
            "bare_python_seconds": python,
            "command_ratio_without_start": ratio(command - python, find),
            **bytes_read(home, Path(folder) / "counted"),
        }


def cold(home: Path) -> dict[str, float]:
    """One whole first capture, in a process of its own, so that its memory can be told."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "benchmarks.capture", "--home", str(home), "--victim", folder]
        return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def victim(home: Path, folder: Path) -> dict[str, float]:
    lane = opened(home, folder)
    lane.home.gate  # noqa: B018 - its rules are loaded once per process: not what is measured
    seen: dict[str, float] = {"copied": 0.0, "rss": 0.0}
    began = time.perf_counter()

    def on(progress: Progress) -> None:
        if progress.stage == "copying":
            seen["copied"], seen["rss"] = time.perf_counter() - began, peak_mb()

    report = lane.capture.sweep(on=on)
    total = time.perf_counter() - began
    return {
        "runs": len(report.changes),
        "bytes": report.bytes,
        "archive_seconds": round(seen["copied"], 3),
        "archive_peak_mb": seen["rss"],
        "index_seconds": round(total - seen["copied"], 3),
        "peak_mb": peak_mb(),
    }


def bytes_read(home: Path, folder: Path) -> dict[str, float]:
    """Of the sources, in a sweep with nothing new, and after one more line in a copy of the largest transcript."""
    copy = folder / "home"
    shutil.copytree(home, copy, symlinks=True, ignore=lambda _at, names: [n for n in names if n == ".memlane"])
    disk = CountingDisk(copy)
    lane = Lane(load({"HOME": str(copy), "LANE_HOME": str(folder / "lane")}), disk=disk)
    lane.capture.sweep()
    disk.bytes_read = 0
    lane.capture.sweep()
    nothing = disk.bytes_read
    largest = max((copy / ".claude").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    size = largest.stat().st_size
    with largest.open("ab") as file:
        file.write(b'{"type":"last-prompt","lastPrompt":"x"}\n')
    disk.bytes_read = 0
    lane.capture.sweep()
    return {"bytes_read_unchanged": nothing, "bytes_read_after_one_line": disk.bytes_read, "of_a_file_of": size}


def opened(home: Path, folder: Path) -> Lane:
    return Lane(load({"HOME": str(home), "LANE_HOME": str(folder)}))


def roots(home: Path) -> list[Path]:
    lane = opened(home, home / ".nowhere")
    return [place.root for place in lane.capture.places() if place.root.is_dir()]


def copied_and_hashed(places: list[str], target: Path) -> None:
    target.mkdir()
    run(["cp", "-r", *places, str(target)])
    files = [str(path) for path in target.rglob("*") if path.is_file()]
    run(["sha256sum", *files])
    shutil.rmtree(target)


def swept_as_a_command(home: Path, folder: Path) -> None:
    environment = {**os.environ, "HOME": str(home), "LANE_HOME": str(folder)}
    run([sys.executable, "-m", "memlane", "capture", "--quiet"], environment)


def run(words: list[str], environment: dict[str, str] | None = None) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def at_best(work: Callable[[], object], times: int) -> float:
    took: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return round(min(took), 4)


def ratio(one: float, other: float) -> float:
    return round(one / other, 2)


def peak_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def table(report: dict[str, object]) -> None:
    for name, value in report.items():
        print(f"{name:32} {value}")


if __name__ == "__main__":
    main()
