"""What does an export cost beside reading? `python -m benchmarks.export --home HOME [--json] [--save FILE]`.

HOME is a folder laid out like a person's home; it is only read. Every run leaves in every format. Beside it what one
could do least: read every byte of the archive, and read every run as turns, masked, without writing anything.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.capture import opened, ratio
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import RunFilter, RunSummary

FORMATS = ("neutral", "sts", "atif", "markdown", "html", "parquet", "native")
COMMAND = "python -m benchmarks.export --home HOME"
PIECE = 1 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    kept = {"command": COMMAND, "benchmark": "export", "machine": machine(), **measure(asked.home)}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        for name, value in kept.items():
            print(f"{name:24} {value}")
    print(json.dumps(kept))


def measure(home: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder, opened(home, Path(folder) / "lane") as lane:
        lane.capture.sweep()
        runs = lane.exports.choose((), RunFilter())
        lane.home.gate  # noqa: B018 - its rules are loaded once per process: not what is measured
        files = [file for file in lane.config.archive_base.rglob("*.raw") if file.is_file()]
        bytes_read = took(lambda: read_bytes(files))
        turns_read = took(lambda: read_turns(lane, runs))
        formats = {form: exported(lane, runs, form, Path(folder) / form) for form in FORMATS}
    return {
        "runs": len(runs),
        "archive_mb": round(sum(run.bytes for run in runs) / 1e6, 1),
        "read_bytes_seconds": bytes_read,
        "read_turns_seconds": turns_read,
        "formats": {
            form: {
                **seen,
                "to_bytes": ratio(seen["seconds"], bytes_read),
                "to_turns": ratio(seen["seconds"], turns_read),
            }
            for form, seen in formats.items()
        },
    }


def read_bytes(files: list[Path]) -> None:
    for file in files:
        with file.open("rb") as data:
            while data.read(PIECE):
                pass


def read_turns(lane: Lane, runs: Sequence[RunSummary]) -> None:
    for run in runs:
        for _turn in lane.runs.show(run.id).turns:
            pass


def exported(lane: Lane, runs: Sequence[RunSummary], form: str, folder: Path) -> dict[str, float]:
    seconds = took(lambda: lane.exports.write(runs, form, folder, quietly))
    return {"seconds": seconds, "mb": round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 1e6, 1)}


def quietly(_done: int, _total: int, _run: RunSummary) -> None:
    """Nobody watches."""


def took(work: Callable[[], object]) -> float:
    began = time.process_time()  # others may use this machine too
    work()
    return round(time.process_time() - began, 3)


if __name__ == "__main__":
    main()
