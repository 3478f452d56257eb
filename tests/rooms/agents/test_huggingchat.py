"""HuggingChat: branches by ancestors and children, and what its export leaves out."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.exports.huggingchat import HUGGINGCHAT
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

TREE = "huggingchat/branches.json"
FLAT = "huggingchat/legacy.json"


def test_the_way_that_was_followed_is_told_in_order() -> None:
    turns, facts = read(HUGGINGCHAT, fixture(TREE))
    assert [(turn.person, turn.agent) for turn in turns if turn.n] == [
        ("How long does sourdough rest?", "Twelve hours in the cold."),
        ("And rye?", "Six hours"),
    ]
    assert facts.title == "Sourdough"
    assert facts.models == ("example/loaf-7b", "example/rye-70b")


def test_the_answer_that_was_not_kept_is_shown_and_not_searched() -> None:
    turns, _ = read(HUGGINGCHAT, fixture(TREE))
    assert [step.kind for step in steps(turns) if step.text == "One hour."] == [Kind.META]


def test_the_system_prompt_was_typed_by_nobody() -> None:
    turns, _ = read(HUGGINGCHAT, fixture(TREE))
    assert (turns[0].n, turns[0].author, turns[0].person) == (0, Author.SYSTEM, "")


def test_reasoning_is_thinking_wherever_it_stands() -> None:
    turns, _ = read(HUGGINGCHAT, fixture(TREE))
    assert [s.text for s in steps(turns) if s.kind is Kind.THINKING] == ["Cold slows the yeast.", "Rye is quicker."]
    assert steps(turns)[-1].kind is Kind.INTERRUPT


def test_a_conversation_from_before_there_were_branches_is_a_list() -> None:
    turns, _ = read(HUGGINGCHAT, fixture(FLAT))
    assert [(t.person, t.agent) for t in turns] == [("How hot for rolls?", "230 degrees."), ("With steam?", "Yes.")]
    assert {str(turn.at) for turn in turns} == {"2023-06-01 08:00:00+00:00"}, "as old as the conversation"


def test_an_indented_export_is_taken_byte_for_byte(tmp_path: Path) -> None:
    path = export(tmp_path / "conversations.json", fixture(TREE), fixture(FLAT), indent=2)
    documents, unread = taken(HUGGINGCHAT, path)
    assert [document.transcript.native_id for document in documents] == [
        "650000000000000000000001",
        "650000000000000000000002",
    ]
    assert unread == []
    assert all(bytes_of(document) in path.read_bytes() for document in documents)
    assert typed(read(HUGGINGCHAT, bytes_of(documents[0]))[0]) == typed(read(HUGGINGCHAT, fixture(TREE))[0])


def test_assistants_and_files_in_the_zip_are_not_conversations(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.zip", conversations=[fixture(TREE)], assistants=[{"_id": "a", "name": "Baker"}])
    documents, unread = taken(HUGGINGCHAT, path)
    assert (len(documents), unread) == (1, [])


@pytest.mark.parametrize("name", [TREE, FLAT])
@settings(max_examples=examples(20), deadline=None)
@given(junk=JUNK, choose=st.randoms(use_true_random=False))
def test_mutated_conversations_never_raise(name: str, junk: Any, choose: random.Random) -> None:
    conversation = fixture(name)
    for _ in range(choose.randrange(1, 5)):
        conversation = changed(conversation, junk, choose)
    assert_in_order(*read(HUGGINGCHAT, conversation))
