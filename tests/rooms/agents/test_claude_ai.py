"""Claude.ai: messages of blocks, pasted documents, and the prompts that were edited."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.exports.claude_ai import CLAUDE_AI
from memlane.domain import Author, Kind
from tests.examples import examples
from tests.rooms.agents.chats import (
    JUNK,
    assert_in_order,
    bytes_of,
    changed,
    export,
    fixture,
    read,
    steps,
    taken,
    typed,
    zipped,
)

TREE = "claude-ai/edited-with-tools.json"
FLAT = "claude-ai/flat-and-old.json"


def test_every_prompt_is_a_turn_and_the_edited_one_comes_first() -> None:
    turns, facts = read(CLAUDE_AI, fixture(TREE))
    assert typed(turns) == [
        "Which lamp fits a small lighthouse?",
        "Make a list of suppliers in Bremen.",
        "Make a list of suppliers in Hamburg.",
        "Call the second one.",
    ]
    assert [turn.n for turn in turns if any("left behind" in step.text for step in turn.steps)] == [2]
    assert (facts.title, facts.account) == ("Lighthouse lamp", "99999999-0000-4000-8000-000000000009")


def test_a_list_without_parents_is_read_from_top_to_bottom() -> None:
    turns, facts = read(CLAUDE_AI, fixture(FLAT))
    assert [(turn.person, turn.agent) for turn in turns] == [
        ("Is the tide in?", "I cannot see the sea."),
        ("Guess.", ""),
    ]
    assert facts.title == ""


def test_blocks_are_believed_before_the_flat_text() -> None:
    turns, _ = read(CLAUDE_AI, fixture(TREE))
    assert turns[0].agent == "An E40 lamp of 400 W."
    assert [s.text for s in steps(turns) if s.kind is Kind.THINKING] == ["E40 is a large socket."]
    assert not any("not supported" in step.text for step in steps(turns))


def test_each_result_belongs_to_the_call_of_its_name() -> None:
    turns, _ = read(CLAUDE_AI, fixture(TREE))
    calls = [step.call for step in steps(turns) if step.call]
    assert [(call.name, call.result, call.error) for call in calls] == [
        ("web_search", "Lamps", False),
        ("artifacts", "quota exceeded", True),
    ]
    assert calls[1].input == {"command": "create", "title": "Parts", "content": "- lamp"}


def test_a_pasted_document_is_found_but_is_not_the_persons_words() -> None:
    turns, _ = read(CLAUDE_AI, fixture(TREE))
    (pasted,) = [step for step in turns[0].steps if "E40, height" in step.text]
    assert (pasted.author, pasted.kind) == (Author.TOOL, Kind.TEXT)
    assert "attached: drawing.txt" in [step.text for step in turns[0].steps]


def test_a_kind_of_block_nobody_knows_is_counted() -> None:
    assert read(CLAUDE_AI, fixture(TREE))[1].unknown == {"hologram": 1}


def test_an_empty_conversation_is_a_run_without_turns(tmp_path: Path) -> None:
    empty = {"uuid": "e", "name": "", "chat_messages": [], "created_at": "2026-01-01T00:00:00Z"}
    (document,), unread = taken(CLAUDE_AI, export(tmp_path / "a.json", empty))
    assert unread == []
    assert read(CLAUDE_AI, bytes_of(document))[0] == []


def test_users_projects_and_memories_stay_where_they_are(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "data-2026-03-02-batch-0000.zip",
        conversations=[fixture(TREE), fixture(FLAT)],
        users=[{"uuid": "u", "full_name": "Some One", "email_address": "someone@example.org"}],
        projects=[{"uuid": "p", "name": "Lamps", "docs": []}],
        memories=[{"conversations_memory": "keeps a lighthouse"}],
    )
    documents, unread = taken(CLAUDE_AI, path)
    assert [document.transcript.native_id for document in documents] == [fixture(TREE)["uuid"], fixture(FLAT)["uuid"]]
    assert unread == []
    assert [json.loads(bytes_of(document)) for document in documents] == [fixture(TREE), fixture(FLAT)]


@pytest.mark.parametrize("name", [TREE, FLAT])
@settings(max_examples=examples(20), deadline=None)
@given(junk=JUNK, choose=st.randoms(use_true_random=False))
def test_mutated_conversations_never_raise(name: str, junk: Any, choose: random.Random) -> None:
    conversation = fixture(name)
    for _ in range(choose.randrange(1, 5)):
        conversation = changed(conversation, junk, choose)
    assert_in_order(*read(CLAUDE_AI, conversation))
