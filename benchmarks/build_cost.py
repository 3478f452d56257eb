"""What being able to search costs: the first build of a home, and one more turn at the end of a transcript.

`benchmarks.search` asks for both.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from memlane.app.search import Mode

from benchmarks import append
from benchmarks.stage import Stage, size, sizes
from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter
from memlane.gate import Gate
from memlane.system.process import seldom_collect

# The same transcripts, as measured for the issue. It keeps no raw bytes and drops most of what tools print.
PEER = {"name": "agentsview 0.46.1", "cpu_seconds": 5.5, "peak_mb": 220}
APPENDS = 5

T = TypeVar("T")


class CountingGate(Gate):
    """The real gate, and what it costs."""

    def __init__(self) -> None:
        self.cpu = 0.0
        with self._counted():
            super().__init__()

    def mask(self, text: str) -> str:
        with self._counted():
            return super().mask(text)

    def mask_values(self, value: T) -> T:
        with self._counted():
            return super().mask_values(value)

    @contextmanager
    def _counted(self) -> Generator[None, None, None]:
        began = time.process_time()
        yield
        self.cpu += time.process_time() - began


def cold(stage: Stage) -> dict[str, Any]:
    """`lane capture` on an empty lane home; what of it is the gate's; then meaning, by itself."""
    gate = gates_share(stage)
    whole = stage.run("-m", "memlane", "capture", "--quiet", LANE_EMBED_MODEL="none")
    without = round(whole["cpu_seconds"] - gate, 2)
    with stage.lane() as lane:
        chunks = lane.home.storage().chunks.count(lane.home.reader)
        runs = lane.home.storage().runs.count(lane.home.reader)
    meaning = stage.run("-m", "memlane", "tick", "--meaning", "--json")
    transcripts = size(stage.person)
    return {
        "runs": runs,
        "chunks": chunks,
        "transcripts_mb": transcripts,
        **whole,
        "gate_cpu_seconds": gate,
        "cpu_seconds_without_gate": without,
        "mb_per_cpu_second_without_gate": round(transcripts / without, 1),
        "peer": PEER,
        "cpu_ratio_without_gate": round(without / PEER["cpu_seconds"], 2),
        "memory_ratio": round(whole["peak_mb"] / PEER["peak_mb"], 2),
        "meaning": {**meaning, "texts_per_second": round(chunks / meaning["seconds"])},
        "disk_mb": sizes(stage),
    }


def gates_share(stage: Stage) -> float:
    """CPU seconds, from a capture of its own with a gate that counts."""
    words = ["-m", "benchmarks.build_cost", "--home", str(stage.person), "--gate", str(stage.folder / "counted")]
    done = subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True, env=stage.variables())
    shutil.rmtree(stage.folder / "counted")
    return float(done.stdout)


def counted_capture(home: Path, folder: Path) -> float:
    lane = Lane(load({"HOME": str(home), "LANE_HOME": str(folder), "LANE_EMBED_MODEL": "none"}))
    gate = CountingGate()
    lane.home.gate = gate
    seldom_collect()  # as a command does
    lane.capture.sweep()
    lane.close()
    return round(gate.cpu, 3)


def appended(stage: Stage, first: int) -> dict[str, Any]:
    """One more turn at the end of the largest transcript, taken in as the daemon would have it; and it is found."""
    path = max((stage.person / ".claude").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    took = [append.captured(path, first + n, stage.variables()) for n in range(APPENDS)]
    with stage.lane() as lane:
        for n in range(APPENDS):
            if not lane.search.find(append.word(first + n), RunFilter(), 3, Mode.WORDS).search.best:
                raise SystemExit("an appended turn was not found")
    middle = APPENDS // 2
    return {
        "of_a_file_of": path.stat().st_size,
        "seconds": sorted(wall for wall, _cpu in took)[middle],
        "cpu_seconds": sorted(cpu for _wall, cpu in took)[middle],
        "cpu_seconds_worst": max(cpu for _wall, cpu in took),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU seconds of the gate in one first capture")
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--gate", type=Path, required=True, help="a lane home for it")
    asked = parser.parse_args()
    print(counted_capture(asked.home, asked.gate))


if __name__ == "__main__":
    main()
