"""Our pages in Claude Code's own folder and our lines in AGENTS.md: beside theirs, byte for byte, and out again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.folder.places import FolderPlaces
from memlane.domain import Scope, State, Trust
from tests.flow.folders import (
    QUICK,
    caught,
    changed,
    folder,
    index,
    named,
    snapshot,
    some,
    topics,
    written,
)
from tests.flow.homes import a_lane

THEIRS = "# Memory\n- [Theirs](theirs.md) — what it found out\nno newline"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    path = tmp_path / "code" / "app.js"
    (path / ".git").mkdir(parents=True)
    return path


def claudes(tmp_path: Path, checkout: Path) -> Path:
    return tmp_path / "home" / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(checkout)) / "memory"


def both(tmp_path: Path, checkout: Path) -> Lane:
    """A home where Claude Code has a memory of its own and the person said yes to ours in it."""
    path = claudes(tmp_path, checkout)
    path.mkdir(parents=True)
    (path / "MEMORY.md").write_text(THEIRS)
    (path / "theirs.md").write_text("---\nname: theirs\n---\nIts own.")
    lane = a_lane(tmp_path, **QUICK, LANE_MEMORY_CLAUDE_CODE=str(checkout))
    caught(lane, *some(2, project_key=str(checkout)), replace(some(3)[2], scope=Scope.PERSON))
    return lane


def test_ours_stand_beside_claudes_own_and_leave_them_byte_for_byte(tmp_path: Path, checkout: Path) -> None:
    path = claudes(tmp_path, checkout)
    with both(tmp_path, checkout) as lane:
        before = snapshot(path)
        written(lane)
        assert (path / "MEMORY.md").read_text().startswith(f"{THEIRS}\n<!-- lane:begin, joined -->\n")
        assert index(path)[1:] == ["lesson-0-aaaa.md", "lesson-1-aaba.md", "lesson-2-aaca.md"]
        assert (path / "theirs.md").read_bytes() == before["theirs.md"]
        assert [note.title for book in lane.memories.notes.plan() for note in book.new] == ["theirs"]
        lane.folder.without_claude(str(checkout / "src"))
        assert snapshot(path) == before
        assert written(lane).wrote > 0


def test_nothing_goes_to_claude_code_unless_a_person_said_so(tmp_path: Path, checkout: Path) -> None:
    with a_lane(tmp_path, **QUICK) as lane:
        caught(lane, *some(2, project_key=str(checkout)))
        written(lane)
    assert not (tmp_path / "home" / ".claude").exists()


def test_its_own_lines_count_and_only_what_people_and_agents_said_is_loaded(tmp_path: Path, checkout: Path) -> None:
    path = claudes(tmp_path, checkout)
    with both(tmp_path, checkout) as lane:
        (path / "MEMORY.md").write_text("".join(f"- [it {n}](theirs.md)\n" for n in range(196)))
        caught(lane, replace(some(2, project_key=str(checkout))[1], trust=Trust.TOOL, times_observed=9))
        written(lane)
        assert len((path / "MEMORY.md").read_text().splitlines()) == 200
        assert len(topics(path)) == 3
        assert index(path)[196:] == ["lesson-0-aaaa.md"] or index(path)[196:] == ["lesson-2-aaca.md"]


def test_a_change_in_claudes_folder_is_taken_but_nobodys_word_grows_by_it(tmp_path: Path, checkout: Path) -> None:
    path = claudes(tmp_path, checkout)
    with both(tmp_path, checkout) as lane:
        written(lane)
        changed(path / "lesson-0-aaaa.md", "What lesson 0 says.", "What an agent may have written.")
        (path / "lesson-1-aaba.md").unlink()
        found = written(lane)
        assert [edit.memory.trust for edit in found.edits] == [Trust.AGENT]
        assert found.left_out == [path / "lesson-1-aaba.md"]
        assert lane.memories.get(named(1)).state is State.ACTIVE
        written(lane)
        assert index(path)[1:] == ["lesson-0-aaaa.md", "lesson-2-aaca.md"]
        assert "What an agent may have written." in topics(folder(lane))["lesson-0-aaaa.md"]


@pytest.mark.parametrize("how", ["enabled", "off_in", "narrowed", "narrowed as the setting is called"])
def test_where_agents_are_told_nothing_nothing_of_ours_is_loaded_either(
    tmp_path: Path, checkout: Path, how: str
) -> None:
    path = claudes(tmp_path, checkout)
    with both(tmp_path, checkout) as lane:
        before = snapshot(path)
        written(lane)
        assert snapshot(path) != before
    settings = {"enabled": {"LANE_RECALL_ENABLED": "false"}, "off_in": {"LANE_RECALL_OFF_IN": str(checkout)}}
    if how.startswith("narrowed"):
        (checkout / ".lane.toml").write_text("recall = false\n" if how == "narrowed" else "[recall]\nenabled = false\n")
    with a_lane(tmp_path, **QUICK, **settings.get(how, {}), LANE_MEMORY_CLAUDE_CODE=str(checkout)) as lane:
        written(lane)
        assert snapshot(path) == before


def test_a_run_that_loads_our_lines_by_itself_is_known(tmp_path: Path, checkout: Path) -> None:
    with both(tmp_path, checkout) as lane:
        assert not FolderPlaces(lane.home).loaded_by("claude-code", str(checkout / "src"))
        written(lane)
        assert FolderPlaces(lane.home).loaded_by("claude-code", str(checkout / "src"))
        assert not FolderPlaces(lane.home).loaded_by("codex", str(checkout))
        assert not FolderPlaces(lane.home).loaded_by("claude-code", str(tmp_path))
        (tmp_path / "home" / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
        assert not FolderPlaces(lane.home).loaded_by("claude-code", str(checkout))


def test_nothing_is_said_at_the_start_of_a_run_that_loads_it_by_itself(tmp_path: Path, checkout: Path) -> None:
    with both(tmp_path, checkout) as lane:
        given = {"session_id": "s", "cwd": str(checkout), "source": "startup", "hook_event_name": "SessionStart"}
        lane.memories.make_standing([lane.memories.all()[0].id], on=True)
        before = lane.recall.hooked("claude-code", "SessionStart", given)
        written(lane)
        after = lane.recall.hooked("claude-code", "SessionStart", given)
    assert (bool(before.output), bool(after.output)) == (True, False)
    assert after.recall is not None
    assert after.recall.why == "its own MEMORY.md already has Lane's lines"


# -- AGENTS.md ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["# Rules\n\n- be kind\n", "no newline", "", None])
def test_lines_go_into_agents_md_and_out_again_byte_for_byte(
    tmp_path: Path, checkout: Path, before: str | None
) -> None:
    path = checkout / "AGENTS.md"
    if before is not None:
        path.write_text(before)
    with both(tmp_path, checkout) as lane:
        caught(lane, replace(some(2, project_key=str(checkout))[1], target_agents=("codex",)))
        put = lane.folder.agents_file.write(checkout)
        assert list(put.lines) == ["- Lesson 0 (m_aaaaaaaaaaaaa)"]
        assert (before or "") in path.read_text()
        assert not lane.folder.agents_file.write(checkout).changed
        assert [note.title for book in lane.memories.notes.plan([path]) for note in book.new] == []
        lane.folder.agents_file.take_out_everywhere()
    assert (path.read_text() if path.exists() else None) == before


def test_what_agents_md_takes_is_bounded(tmp_path: Path, checkout: Path) -> None:
    with a_lane(tmp_path, **QUICK) as lane:
        caught(lane, *(replace(m, title="wörd " * 90) for m in some(60, project_key=str(checkout))))
        lines = lane.folder.agents_file.write(checkout).lines
    assert len("\n".join(lines)) <= 2000
    assert len(lines) > 10
    assert max(map(len, lines)) <= 150
