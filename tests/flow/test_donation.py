"""What a person gives away: masked, without their name, seen first, cut as they like, and written down."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.embed import EmbedderError
from memlane.errors import LaneError, UsageError
from memlane.gate import PersonalData
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write
from tests.rooms.embed import tiny_onnx

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


def test_one_person_has_one_number_everywhere(tmp_path: Path) -> None:
    second = "22222222-2222-4333-8444-555555555555"
    write(transcript(tmp_path), [prompt("ask ann@pier.example, then bob@pier.example", 1)])
    write(transcript(tmp_path, second), [prompt("Ann@pier.example again", 2, sessionId=second)])
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "sts", ())
    numbers = re.findall(r"\[masked: e-mail (\d+)\]", given(plan.folder))
    assert sorted(numbers.count(one) for one in set(numbers)) == [2, 4], "in prompts and titles"


def test_each_masked_place_is_shown_before_and_after_and_no_secret_is(lane: Lane) -> None:
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "sts", ())
    shown = plan.changes.read_text()
    (mail,) = (span for span in plan.spans if span.rule == "e-mail")
    assert "ann.lee@harbour.example" in mail.before
    assert "ann.lee" not in mail.around
    assert f"- {mail.before}\n+ {mail.around}\n" in shown
    assert TOKEN not in shown
    assert plan.changes not in plan.folder.rglob("*"), "it does not leave"


def test_runs_of_somebody_else_and_excluded_ones_stay(lane: Lane, tmp_path: Path) -> None:
    (run,) = lane.runs.select(RunFilter())
    lane.capture.exclude(["/home/annlee/*"])
    theirs = replace(run, id="r_aaaaaaaaaaaaa", owner="bob")
    plan = a_lane(tmp_path).donations.plan([run, theirs], "sts", ())
    assert plan.files == {}
    assert [why for _run, why in plan.kept_back] == ["/home/annlee/* is excluded", "it is bob's"]


def test_a_privacy_model_looks_once_more(tmp_path: Path) -> None:
    people = {"Maria": "B-private_person", "Silva": "I-private_person"}
    model = tiny_onnx.classifier(tmp_path / "filter", people)
    write(transcript(tmp_path), [prompt("ask Maria Silva about the pier, Maria knows", 1)])
    lane = a_lane(tmp_path, LANE_DONATE_MODEL=str(model))
    lane.capture.sweep()
    plan = lane.donations.plan(lane.runs.select(RunFilter()), "sts", ())
    text = given(plan.folder)
    assert "Silva" not in text
    assert "Maria" not in text
    assert "about the pier" in text
    assert plan.second_look == "filter"
    assert set(plan.rules) == {"private-person"}


def test_a_missing_privacy_model_stops_it(lane: Lane, tmp_path: Path) -> None:
    broken = a_lane(tmp_path, LANE_DONATE_MODEL=str(tmp_path / "nowhere"))
    with pytest.raises(EmbedderError, match="there is no model"):
        broken.donations.plan(lane.runs.select(RunFilter()), "sts", ())


@pytest.mark.parametrize(
    "text",
    [
        "version 1.2.3.4.5",
        "a@b",
        "git@github.com:acme/api",
        "by noreply@host.example",
        "3.11.2",
        "2026-05-01 10:00",
        "10 000 000 rows",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert PersonalData(("ann", "desk")).masked(text) == text
