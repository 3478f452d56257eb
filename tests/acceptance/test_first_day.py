"""What a person has after the first minutes without a reader, small: `python -m benchmarks.first_day` takes 60 runs."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.first_day import Newcomer, first_day, lay_out
from benchmarks.stage import Stage
from memlane.demo.home import write_home

RUNS = 2


def test_the_newest_runs_are_read_and_nothing_of_the_home_changes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_home(home, datetime.now(UTC))
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    stage = Stage(tmp_path / "copy")
    found = first_day(home, stage, RUNS, minutes=0.0)
    Newcomer(stage).lane("daemon", "stop")
    assert found["runs"] == RUNS
    assert found["reading"]["reader"] == "embedded"
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_the_oldest_runs_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".claude" / "projects" / "app"
    folder.mkdir(parents=True)
    for age in range(3):
        path = folder / f"{age}.jsonl"
        path.write_text("{}\n")
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    assert lay_out(tmp_path / "home", tmp_path / "person", RUNS) == RUNS
    kept = sorted(path.name for path in (tmp_path / "person").rglob("*.jsonl"))
    assert kept == ["0.jsonl", "1.jsonl"]
