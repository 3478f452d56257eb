"""What does an export cost beside reading? `python -m benchmarks.export --home HOME [--harbor] [--json] [--save FILE]`.

HOME is a folder laid out like a person's home; it is only read. Every run leaves in every format. Beside it what one
could do least: read every byte of the archive, and read every run as turns, masked, without writing anything. What was
written is then checked: STS by the rules of its page, the tables against the index, neutral lines by importing them
elsewhere, and with --harbor ATIF by Harbor's own models, which are fetched for it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyarrow import parquet

from benchmarks.capture import opened, ratio
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import BESIDE, RunFilter, RunSummary
from tools.atif import HARBOR
from tools.atif import main as atif
from tools.sts import problems

FORMATS = ("neutral", "sts", "atif", "markdown", "html", "parquet", "native")
COMMAND = "python -m benchmarks.export --home HOME"
PIECE = 1 << 20
COUNTED = ("runs", "turns", "steps", "tool_calls")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--harbor", action="store_true", help="have ATIF checked by Harbor's models, from PyPI")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    command = f"{COMMAND}{' --harbor' if asked.harbor else ''}"
    kept = {"command": command, "benchmark": "export", "machine": machine(), **measure(asked.home, harbor=asked.harbor)}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        for name, value in kept.items():
            print(f"{name:24} {value}")
    print(json.dumps(kept))


def measure(home: Path, *, harbor: bool) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder, opened(home, Path(folder) / "lane") as lane:
        lane.capture.sweep()
        runs = lane.exports.choose((), RunFilter())
        lane.home.gate  # noqa: B018 - its rules are loaded once per process: not what is measured
        files = [file for file in lane.config.archive_base.rglob("*.raw") if file.is_file()]
        bytes_read = took(lambda: read_bytes(files))
        turns_read = took(lambda: read_turns(lane, runs))
        formats = {form: exported(lane, runs, form, Path(folder) / form) for form in FORMATS}
        right = checked(runs, Path(folder), harbor=harbor)
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
        "checked": right,
    }


def checked(runs: Sequence[RunSummary], folder: Path, *, harbor: bool) -> dict[str, object]:
    """How many of what was written are not what they should be."""
    sessions = list((folder / "sts").glob("*/*.jsonl"))
    return {
        "sts": {"sessions": len(sessions), "refused": sum(any(problems(lines_of(file))) for file in sessions)},
        "parquet": unequal_tables(runs, folder / "parquet"),
        "neutral": unlike_elsewhere(runs, folder / "neutral", folder / "elsewhere"),
        "atif": {"by": HARBOR, "accepted": atif([str(folder / "atif")]) == 0} if harbor else "not asked for",
    }


def lines_of(file: Path) -> Sequence[str]:
    return file.read_text().split("\n")[:-1]


def unequal_tables(runs: Sequence[RunSummary], folder: Path) -> dict[str, dict[str, int]]:
    """Rows beside what the index counts; what is beside the transcript is no turn of it."""
    rows: dict[str, Any] = {name: parquet.read_table(folder / f"{name}.parquet") for name in COUNTED}
    counted = {name: table.num_rows for name, table in rows.items()}
    counted["turns"] = sum(0 < n < BESIDE for n in rows["turns"].column("turn").to_pylist())
    index = {"runs": len(runs), **{name: sum(getattr(run, name) for run in runs) for name in COUNTED[1:]}}
    return {name: {"rows": counted[name], "index": index[name]} for name in COUNTED}


def unlike_elsewhere(runs: Sequence[RunSummary], folder: Path, home: Path) -> dict[str, int]:
    """Imported into an empty home: all that is known of a run, but not where its bytes lie and which are unreadable."""
    home.mkdir()
    with opened(home, home / "lane") as other:
        other.capture.imports.take([folder])
        there = {run.id: run for run in other.runs.select(RunFilter())}
    here = {run.id: run for run in runs}
    same = sum(run.id in there and known(there[run.id]) == known(run) for run in here.values())
    return {"runs": len(here), "imported": len(there), "same": same}


def known(run: RunSummary) -> RunSummary:
    return replace(run, source_path="", bytes=0, generation=1, broken=())


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
