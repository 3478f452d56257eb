"""Transcripts out of their agent's folder and back: only what the archive has byte for byte, and nothing by itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter, RunSummary
from memlane.errors import NotFoundError
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write

DAY = 86_400


def an_old_run(folder: Path) -> tuple[Lane, Path]:
    lane, path = a_lane(folder), transcript(folder)
    write(path, [prompt("count the boats"), answer([said("three")])])
    beside = path.with_suffix("") / "tool-results" / "one.txt"
    beside.parent.mkdir(parents=True)
    beside.write_text("a long result")
    for file in (path, beside):
        aged(file, 40)
    lane.capture.sweep()
    return lane, path


def aged(path: Path, days: int) -> None:
    at = path.stat().st_mtime - days * DAY
    os.utime(path, (at, at))


def only_run(lane: Lane) -> RunSummary:
    (run,) = lane.runs.select()
    return run


def test_a_run_goes_out_and_comes_back_as_it_was(tmp_path: Path) -> None:
    lane, path = an_old_run(tmp_path)
    before, at = path.read_bytes(), path.stat().st_mtime_ns
    beside = path.with_suffix("") / "tool-results" / "one.txt"
    (planned,) = lane.offloads.plan(RunFilter())
    assert path.exists(), "a plan changes nothing"
    assert [one.run.id for one in lane.offloads.take_out([planned])] == [only_run(lane).id]
    assert not path.exists()
    assert not beside.exists()
    lane.capture.sweep()
    assert [turn.person for turn in lane.runs.show(only_run(lane).id).turns] == ["count the boats"]
    assert lane.offloads.put_back() == [path, beside]
    assert (path.read_bytes(), path.stat().st_mtime_ns, beside.read_text()) == (before, at, "a long result")
    assert lane.capture.sweep().changes == []
    with pytest.raises(NotFoundError):
        lane.offloads.put_back()


def test_resume_brings_back_what_was_taken_out(tmp_path: Path) -> None:
    lane, path = an_old_run(tmp_path)
    before = path.read_bytes()
    lane.offloads.take_out(lane.offloads.plan(RunFilter()))
    plan = lane.resume.plan(only_run(lane).id, tmp_path, tmp_path)
    written = [file.path for file in lane.resume.put_back(plan).files if file.path.suffix == ".jsonl"]
    assert before.count(b"\n") == written[0].read_bytes().count(b"\n")


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("grown", "not what the archive holds"),
        ("fresh", "in the last day"),
        ("pinned", "pinned"),
        ("damaged", "damaged"),
    ],
)
def test_what_is_not_safe_stays(tmp_path: Path, how: str, why: str) -> None:
    lane, path = an_old_run(tmp_path)
    run = only_run(lane)
    if how == "grown":
        write(path, [prompt("and the ducks", 5)])
        aged(path, 40)
    elif how == "fresh":
        path.touch()
    elif how == "pinned":
        lane.runs.labels.pin(run.id, on=True)
    else:
        folder = lane.home.layout.find(run.id)
        assert folder is not None
        (folder / "g1.raw").write_bytes(b"x" + (folder / "g1.raw").read_bytes()[1:])
    (planned,) = lane.offloads.plan(RunFilter())
    assert why in planned.stays
    assert lane.offloads.take_out([planned]) == []
    assert path.exists()


def test_a_file_that_grew_after_the_plan_stays_with_every_byte(tmp_path: Path) -> None:
    lane, path = an_old_run(tmp_path)
    planned = lane.offloads.plan(RunFilter())
    write(path, [prompt("and the ducks", 5)])
    grown = path.read_bytes()
    assert lane.offloads.take_out(planned) == []
    assert path.read_bytes() == grown
    assert (path.with_suffix("") / "tool-results" / "one.txt").read_text() == "a long result"
    assert list(lane.offloads.out()) == []


def test_with_a_sync_target_only_what_is_synced_goes(tmp_path: Path) -> None:
    lane, path = an_old_run(tmp_path)
    other = a_lane(tmp_path, LANE_SYNC_TARGET=str(tmp_path / "nas"))
    (planned,) = other.offloads.plan(RunFilter())
    assert "not synced" in planned.stays
    other.syncs.sync(str(tmp_path / "nas"))
    (planned,) = other.offloads.plan(RunFilter())
    assert not planned.stays
    other.offloads.take_out([planned])
    assert not path.exists()
    lane.close()
