"""What a person gives away: masked, without their name, seen first, cut as they like, and written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.errors import LaneError, UsageError
from memlane.gate import PersonalData
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
PRIVATE = "write to ann.lee@harbour.example or +44 20 7946 0958 about /home/annlee/app on 10.1.2.3"


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    records = [
        prompt(f"use {TOKEN} at desk; {PRIVATE}", 1, "/home/annlee/app"),
        answer([said("It listens on 127.0.0.1, Ann.")], 2),
        prompt("and this one is nobody's business", 3),
        answer([said("Done.")], 4),
    ]
    write(transcript(tmp_path), records)
    made = a_lane(tmp_path)
    made.capture.sweep()
    return made


def given(folder: Path) -> str:
    return "\n".join(file.read_text() for file in sorted(folder.rglob("*")) if file.is_file())


def test_nothing_that_names_a_person_leaves(lane: Lane, tmp_path: Path) -> None:
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "sts", ())
    lane.donations.give(plan, str(tmp_path / "give"), "CC0-1.0")
    text = given(tmp_path / "give")
    for word in (TOKEN, "ann.lee", "harbour.example", "7946", "annlee", "10.1.2.3", "desk"):
        assert word not in text
    assert "127.0.0.1" in text
    assert {"e-mail", "phone", "home-folder", "ip-address", "own-name"} <= set(plan.rules)
    assert all("[masked: " in span.around for span in plan.spans)


def test_what_is_shown_is_what_leaves(lane: Lane, tmp_path: Path) -> None:
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "neutral", ())
    shown = {name: (plan.folder / name).read_bytes() for name in plan.files}
    assert plan.folder.stat().st_mode & 0o077 == 0
    lane.donations.give(plan, str(tmp_path / "give"), "CC0-1.0")
    assert {name: (tmp_path / "give" / name).read_bytes() for name in shown} == shown
    lane.donations.drop(plan)
    assert not plan.folder.exists()


def test_a_turn_that_is_left_out_does_not_leave(lane: Lane, tmp_path: Path) -> None:
    (run,) = lane.runs.select(RunFilter())
    plan = lane.donations.plan([run], "sts", (f"{run.id}#t2",))
    lane.donations.give(plan, str(tmp_path / "give"), "CC0-1.0")
    assert plan.left_out == 1
    assert "nobody's business" not in given(tmp_path / "give")


def test_consent_is_in_the_journal_before_anything_leaves(lane: Lane, tmp_path: Path) -> None:
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "sts", ())
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(LaneError):
        lane.donations.give(plan, str(tmp_path / "file"), "CC-BY-4.0")
    donation = lane.donations.give(plan, str(tmp_path / "give"), "CC-BY-4.0")
    lines = [
        json.loads(line)
        for file in lane.config.archive_base.rglob("journal/*/*.jsonl")
        for line in file.read_text().splitlines()
    ]
    (line,) = [line for line in lines if line["kind"] == "donation"]
    assert line["data"]["licence"] == "CC-BY-4.0"
    assert line["data"]["files"] == dict(donation.files)
    assert json.loads((tmp_path / "give" / "donation.json").read_text())["licence"] == "CC-BY-4.0"


def test_nothing_chosen_gives_nothing(lane: Lane, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        lane.donations.give(lane.donations.plan((), "sts", ()), str(tmp_path / "give"), "CC0-1.0")
    assert not (tmp_path / "give").exists()


@pytest.mark.parametrize(
    "text", ["version 1.2.3.4.5", "a@b", "git@github.com:acme/api", "3.11.2", "2026-05-01 10:00", "10 000 000 rows"]
)
def test_ordinary_text_stays(text: str) -> None:
    assert PersonalData(("ann", "desk")).masked(text) == text
