"""What was taken over from a file an agent reads by itself is told to the others, and not to that one twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall.own_files import OwnFiles
from memlane.domain import Memory, Occasion, Outcome, Recall, State
from tests.flow.homes import a_lane
from tests.flow.test_recall import ask, context

RULE = "Never write migrations with raw SQL, the alembic autogenerate command writes them"
PROMPT = "write the migrations for the new column: raw SQL or alembic autogenerate?"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    own = tmp_path / "home" / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True)
    own.write_text(f"# Mine\n\n- {RULE}\n")
    with a_lane(tmp_path) as opened:
        books = opened.memories.notes.plan([own])
        opened.memories.notes.take([(book, State.ACTIVE) for book in books])
        assert [memory.evidence[0].step for memory in opened.memories.all()] == ["~/.claude/CLAUDE.md"]
        yield opened


def asked_by(lane: Lane, agent: str) -> Recall:
    return lane.recall.asked(PROMPT, lane.config.person_home, agent)


def the_note(lane: Lane) -> Memory:
    (memory,) = lane.memories.all()
    return memory


def test_the_agent_whose_file_it_is_gets_nothing_and_why_says_so(lane: Lane) -> None:
    answer = ask(lane, PROMPT)
    assert answer.output == {}
    assert answer.recall is not None
    assert (answer.recall.outcome, "already in CLAUDE.md" in answer.recall.why) == (Outcome.SILENT, True)
    assert [(match.memory.id, match.source) for match in answer.recall.near] == [(the_note(lane).id, "loaded")]


def test_other_agents_are_told_it(lane: Lane) -> None:
    for agent in ("codex", "gemini-cli", ""):
        assert [match.memory.id for match in asked_by(lane, agent).shown] == [the_note(lane).id]


def test_it_is_told_again_when_the_file_does_not_say_it_any_more(lane: Lane) -> None:
    (lane.config.person_home / ".claude" / "CLAUDE.md").write_text("# Mine\n")
    assert RULE in context(ask(lane, PROMPT))


def test_as_a_standing_rule_it_is_not_given_at_the_start_either(lane: Lane) -> None:
    lane.memories.make_standing([the_note(lane).id], on=True)
    assert context(ask(lane, "", event="SessionStart", source="startup")) == ""
    lane.memories.remember("Alembic runs in CI", lane.config.person_home, occasion=Occasion(always=True))
    told = context(ask(lane, "", event="SessionStart", source="startup"))
    assert ("Alembic runs in CI" in told, RULE[:30] in told) == (True, False)


def test_a_file_of_the_checkout_counts_for_the_agent_that_reads_it(lane: Lane) -> None:
    """The same words, copied: however it was taken over."""
    (lane.config.person_home / "AGENTS.md").write_text(f"* {RULE}\n")
    assert asked_by(lane, "codex").shown == ()
    assert asked_by(lane, "gemini-cli").shown != ()


def test_what_a_person_said_in_a_run_is_told_whatever_stands_in_files(lane: Lane) -> None:
    note, query = the_note(lane), asked_by(lane, "claude-code").query
    said = replace(note, evidence=(replace(note.evidence[0], run="r_1", step="r_1#t1.1"),))
    assert [OwnFiles(lane.home).by(one, query) for one in (note, said)] == ["CLAUDE.md", ""]
