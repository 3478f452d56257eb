"""Skills from requests that come again and again: found by meaning, in runs of any agent, drafted, never installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter, Type
from memlane.dream.skill_draft import problems
from memlane.errors import NotFoundError, UsageError
from tests.flow.folders import QUICK, caught
from tests.flow.homes import a_lane
from tests.flow.talks import Talk
from tests.rooms.app.memories import a_memory, evidence

SUMMER = datetime(2026, 7, 1, 12, tzinfo=UTC)
WISHES = (
    "write release notes from the merged changes since the last tag",
    "the release notes please, out of all changes merged since the tag",
    "make release notes of what changes were merged after our tag",
)


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path, **QUICK) as opened:
        opened.home.clock = lambda: SUMMER
        yield opened


def asked(folder: Path, number: int, wish: str) -> None:
    talk = Talk(folder, number, day=f"2026-05-{number:02d}").person(wish)
    talk.tool("Bash", {"command": f"git log --merges v{number}..HEAD"}, "three changes")
    talk.tool("Bash", {"command": f"make odd-{number}"}, "failed", error=True)
    talk.tool("Write", {"file_path": f"notes/v{number}.md", "content": "…"}, "written")
    talk.agent("Here they are.").person("fix the flaky test in the parser module").agent("Done.").kept()


def neutral(folder: Path, wish: str) -> Path:
    """The same, asked of another agent."""
    lines = (
        {"type": "run", "id": "n1", "agent": "pi", "started": "2026-06-01T10:00:00Z"},
        {"type": "turn", "at": "2026-06-01T10:00:00Z", "person": wish, "agent": "Here."},
    )
    path = folder / "other.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_e44_three_runs_that_ask_for_the_same_are_one_habit_with_its_evidence(tmp_path: Path, lane: Lane) -> None:
    for number, wish in enumerate(WISHES, 1):
        asked(tmp_path, number, wish)
    lane.capture.sweep()
    notes = next(habit for habit in lane.skills.habits() if "release" in habit.found.wish)
    assert (len(notes.found.requests), len(notes.found.runs), notes.kept) == (3, 3, False)
    assert {request.text for request in notes.found.requests} == set(WISHES)
    assert notes.found.name == "release-notes-changes-merged-tag"
    assert lane.skills.habits(4) == []


def test_e44_the_draft_cites_the_runs_has_their_steps_and_is_a_skill_nobody_installed(
    tmp_path: Path, lane: Lane
) -> None:
    for number, wish in enumerate(WISHES, 1):
        asked(tmp_path, number, wish)
    lane.capture.sweep()
    found = lane.skills.chosen("release-notes-changes-merged-tag")
    path = lane.skills.draft(found, tmp_path / "drafts")
    text = path.read_text()
    assert problems(path.read_bytes(), path.parent.name) == []
    assert all(f"{run}#t1" in text for run in found.runs)
    assert "1. Bash: `git log --merges v3..HEAD` (3 of 3 runs)" in text
    assert "2. Write: `notes/v3.md` (3 of 3 runs)" in text
    assert "odd-" not in text
    assert not (tmp_path / "home" / ".claude" / "skills").exists()
    assert lane.skills.draft(found, tmp_path / "drafts") == path
    path.write_text(f"{text}My own words.\n")
    with pytest.raises(UsageError, match="already exists"):
        lane.skills.draft(found, tmp_path / "drafts")


def test_what_nobody_has_asked_for_in_half_a_year_is_no_habit_any_more(tmp_path: Path, lane: Lane) -> None:
    for number, wish in enumerate(WISHES, 1):
        asked(tmp_path, number, wish)
    lane.capture.sweep()
    last = datetime(2026, 5, 3, 12, tzinfo=UTC)
    lane.home.clock = lambda: last + timedelta(days=179)
    assert lane.skills.habits() != []
    lane.home.clock = lambda: last + timedelta(days=182)
    assert lane.skills.habits() == []


def test_e78_runs_of_different_agents_and_machines_count_together(tmp_path: Path, lane: Lane) -> None:
    asked(tmp_path, 1, WISHES[0])
    lane.capture.sweep()
    elsewhere = tmp_path / "elsewhere"
    asked(elsewhere, 2, WISHES[1])
    lane.capture.sweep([elsewhere / "home"], machine="mini")
    lane.capture.imports.take([neutral(tmp_path, WISHES[2])])
    (habit,) = lane.skills.habits()
    assert habit.found.agents == ("claude-code", "pi")
    assert habit.found.machines == ("desk", "mini")
    assert "claude-code on mini" in lane.skills.draft(habit.found, tmp_path).read_text()


def test_a_habit_that_was_caught_as_one_is_one_in_whichever_words(tmp_path: Path, lane: Lane) -> None:
    wishes = (
        "tell the team what shipped this week",
        "post our weekly summary in the channel",
        "friday mail, as always",
    )
    for number, wish in enumerate(wishes, 1):
        asked(tmp_path, number, wish)
    lane.capture.sweep()
    assert [h for h in lane.skills.habits() if h.found.memories] == []
    runs = sorted(lane.runs.select(RunFilter()), key=lambda run: run.started)
    seen = tuple(replace(evidence(wish, run.id), step=f"{run.id}#t1.1") for wish, run in zip(wishes, runs, strict=True))
    caught(lane, a_memory(type=Type.PATTERN_SEED, title="Every week", evidence=seen, times_observed=3))
    (habit,) = [h for h in lane.skills.habits() if h.found.memories]
    assert set(habit.found.runs) == {run.id for run in runs}
    assert "Every week" in lane.skills.draft(habit.found, tmp_path).read_text()


def test_one_that_is_a_skill_already_says_so_and_an_unknown_number_is_told(tmp_path: Path, lane: Lane) -> None:
    for number, wish in enumerate(WISHES, 1):
        asked(tmp_path, number, wish)
    lane.capture.sweep()
    found = lane.skills.chosen("release-notes-changes-merged-tag")
    lane.skills.draft(found, tmp_path / "home" / ".claude" / "skills")
    assert [habit.kept for habit in lane.skills.habits() if habit.found.name == found.name] == [True]
    with pytest.raises(NotFoundError):
        lane.skills.chosen("17")
