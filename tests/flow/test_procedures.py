"""Corrections that touch a skill, a command or a rules file: a proposed diff, written only by a person, undoable."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.home.journal import memory_line
from memlane.domain import Evidence, Memory, Mention, Scope, State, Trust, Type
from memlane.dream.procedure_change import with_rule
from memlane.errors import NotFoundError, UsageError
from tests.flow.homes import a_lane, answer, prompt, transcript, write

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
RULE = "Release notes name the person who reported a bug"
SKILL = "---\nname: release-notes\n---\n# Release notes\n\n1. List merged changes.\n"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    """A run that used a skill of the person, in which they corrected the agent."""
    skill = {"type": "tool_use", "id": "t1", "name": "Skill", "input": {"skill": "release-notes"}}
    app = tmp_path / "app"
    app.mkdir()
    write(transcript(tmp_path), [prompt("write the release notes", 1, str(app)), answer([skill], 2)])
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        yield lane


def corrected(lane: Lane, *, trust: Trust = Trust.PERSON, about: str = "") -> None:
    (run,) = lane.runs.select()
    mentions = (Mention("file", about, about, resolved=True),) if about else ()
    memory = Memory(
        "m_0000000000001", "ann", Type.CORRECTION, RULE, RULE, AT, AT, AT, AT, scope=Scope.PROJECT, trust=trust,
        state=State.ACTIVE, related_entities=mentions,
        evidence=(Evidence(run.id, 1, 1, f"{run.id}#t1.1", "no, name who reported it"),),
    )  # fmt: skip
    lane.acts.writer.write([memory_line(memory)])


def skill(tmp_path: Path, text: str = SKILL) -> Path:
    path = tmp_path / "home" / ".claude" / "skills" / "release-notes" / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_correction_in_a_run_that_used_a_skill_is_proposed_written_by_a_person_and_undone(
    lane: Lane, tmp_path: Path
) -> None:
    path = skill(tmp_path)
    corrected(lane)
    (change,) = lane.procedures.changes()
    assert change.path == path
    assert f"+- {RULE}" in change.diff
    assert "release-notes" in change.because
    assert path.read_text() == SKILL
    lane.procedures.apply(lane.procedures.chosen("1"))
    assert path.read_text() == f"{SKILL}\n## Learned from corrections\n\n- {RULE}\n"
    assert lane.procedures.changes() == []
    assert [(one.id, one.path) for one in lane.procedures.written()] == [(change.id, path)]
    lane.procedures.undo(change.id)
    assert lane.procedures.written() == []
    assert path.read_text() == SKILL


def test_a_file_that_changed_since_is_left_alone(lane: Lane, tmp_path: Path) -> None:
    path = skill(tmp_path)
    corrected(lane)
    (change,) = lane.procedures.changes()
    path.write_text("other")
    with pytest.raises(UsageError):
        lane.procedures.apply(change)
    path.write_text(SKILL)
    lane.procedures.apply(change)
    path.write_text("mine")
    with pytest.raises(UsageError):
        lane.procedures.undo(change.id)
    assert path.read_text() == "mine"
    with pytest.raises(NotFoundError):
        lane.procedures.undo("i_nothing")


@pytest.mark.parametrize(
    "name",
    [
        "CLAUDE.md", "AGENTS.md", "site/GEMINI.md", ".github/copilot-instructions.md", ".claude/rules/style.md",
        ".cursor/rules/style.mdc", ".cursor/commands/release.md", ".codex/prompts/release.md", "skills/x/SKILL.md",
    ],
)  # fmt: skip
def test_what_an_agent_reads_by_itself_and_a_correction_names_is_proposed_too(
    lane: Lane, tmp_path: Path, name: str
) -> None:
    rules = tmp_path / "app" / name
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text("# Rules\n")
    corrected(lane, about=name)
    assert [change.path for change in lane.procedures.changes()] == [rules]


def test_a_correction_in_a_run_that_used_a_command_is_proposed_for_it(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    typed = "<command-message>review</command-message>\n<command-name>/review</command-name>"
    write(transcript(tmp_path), [prompt(typed, 1, str(app)), prompt("no, name who reported it", 2, str(app))])
    command = tmp_path / "home" / ".claude" / "commands" / "review.md"
    command.parent.mkdir(parents=True)
    command.write_text("Review the change.\n")
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        corrected(lane)
        assert [(one.path, one.because) for one in lane.procedures.changes()] == [
            (command, "said in a run that used the command /review")
        ]


def test_any_other_file_that_a_correction_names_is_left_alone(lane: Lane, tmp_path: Path) -> None:
    (tmp_path / "app" / "README.md").write_text("# App\n")
    corrected(lane, about="README.md")
    assert lane.procedures.changes() == []


def test_what_an_agent_said_and_what_the_file_says_already_is_not_proposed(lane: Lane, tmp_path: Path) -> None:
    skill(tmp_path)
    corrected(lane, trust=Trust.AGENT)
    assert lane.procedures.changes() == []
    skill(tmp_path, f"{SKILL}\n- {RULE.lower()}.\n")
    corrected(lane)
    assert lane.procedures.changes() == []


def test_rules_gather_under_one_heading_and_what_follows_it_stays_there() -> None:
    once = with_rule("# A\n\ntext", "Say who reported it")
    twice = with_rule(f"{once}\n## B\n\nmore\n", "Keep it below ten lines")
    ours = "## Learned from corrections\n\n- Say who reported it\n- Keep it below ten lines\n"
    assert twice == f"# A\n\ntext\n\n{ours}\n## B\n\nmore\n"
    assert with_rule(twice, "say who reported it.") == twice


def test_a_dream_lists_it_once_as_an_idea_and_writes_nothing(lane: Lane, tmp_path: Path) -> None:
    path = skill(tmp_path)
    corrected(lane)
    first = [idea for idea in lane.dream.run(steps_aside=False).ideas if idea.kind == "procedure"]
    assert [(idea.title, idea.memories) for idea in first] == [
        (f"release-notes/SKILL.md does not say: {RULE}", ("m_0000000000001",))
    ]
    assert path.read_text() == SKILL
    assert [idea for idea in lane.dream.run(steps_aside=False).ideas if idea.kind == "procedure"] == []
