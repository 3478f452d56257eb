"""ChatGPT: who said what in a tree of messages, and which of it was kept."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.exports.chatgpt import CHATGPT
from memlane.domain import Author, Kind
from tests.examples import examples
from tests.rooms.agents.chats import (
    FIXTURES,
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

OLD = "chatgpt/2023-edited-and-regenerated.json"
NEW = "chatgpt/2026-tools-and-voice.json"


def test_every_prompt_is_a_turn_in_the_order_it_was_typed() -> None:
    turns, facts = read(CHATGPT, fixture(OLD))
    assert typed(turns) == [
        "How deep is a raised bed for tomatos?",
        "How deep is a raised bed for carrots?",
        "That cannot be right.",
        "Look up what the growers say.",
    ]
    assert facts.title == "Raised bed garden"
    assert facts.models == ("text-davinci-002-render-sha", "gpt-4-browsing")


def test_an_edited_prompt_says_that_it_was_left_behind() -> None:
    turns, _ = read(CHATGPT, fixture(OLD))
    left = [turn.n for turn in turns if any("left behind: the prompt" in step.text for step in turn.steps)]
    assert left == [1, 3]


def test_an_answer_that_was_asked_for_again_is_shown_and_not_searched() -> None:
    turns, _ = read(CHATGPT, fixture(OLD))
    (turn,) = [turn for turn in turns if turn.person.endswith("carrots?")]
    assert turn.agent == "At least 35 cm of loose soil."
    assert [step.kind for step in turn.steps if step.text == "A metre."] == [Kind.META]


def test_a_call_has_everything_its_tool_gave_back() -> None:
    turns, _ = read(CHATGPT, fixture(OLD))
    calls = [step.call for step in turns[-1].steps if step.call]
    assert [(call.name, call.input, call.error) for call in calls] == [
        ("browser", {"code": 'search("carrot bed depth")'}, False),
        ("browser", {"code": "click(9)"}, True),
    ]
    assert [call.result for call in calls] == ["# 0 Carrot beds\nCarrots want 40 cm.", "no such link"]


def test_stopping_an_answer_is_something_the_person_did() -> None:
    turns, _ = read(CHATGPT, fixture(OLD))
    assert [(s.author, s.kind) for s in turns[-1].steps][-1] == (Author.PERSON, Kind.INTERRUPT)


def test_nobody_typed_what_the_service_put_in_their_place() -> None:
    turns, _ = read(CHATGPT, fixture(NEW))
    assert typed(turns) == ["When is high water on this table?", "And low water?", "[image]"]
    assert [step.text for step in turns[0].steps] == [
        "I keep a harbour.\nBe brief.",
        "Original custom instructions no longer available",
        "Keeps a harbour in the north.",
    ]
    assert {(step.author, step.kind) for step in turns[0].steps} == {(Author.SYSTEM, Kind.META)}


def test_thoughts_are_thinking_and_code_that_failed_is_an_error() -> None:
    turns, facts = read(CHATGPT, fixture(NEW))
    assert [s.text for s in steps(turns) if s.kind is Kind.THINKING] == ["The third row is Tuesday."]
    calls = [step.call for step in steps(turns) if step.call]
    assert [(call.name, call.error) for call in calls] == [("python", True), ("bio", False)]
    assert calls[1].input == {"note": "keeps a harbour", "keep": True}
    assert turns[1].agent == "High water is at 14:20."
    assert facts.models == ("gpt-5-thinking",)


def test_a_kind_of_content_nobody_knows_is_counted() -> None:
    assert read(CHATGPT, fixture(NEW))[1].unknown == {"super_widget": 1}


def test_without_a_current_message_the_newest_way_counts() -> None:
    conversation = fixture(OLD)
    del conversation["current_node"]
    assert read(CHATGPT, conversation)[0] == read(CHATGPT, fixture(OLD))[0]


def test_a_conversation_stands_in_the_archive_exactly_as_in_the_export(tmp_path: Path) -> None:
    conversations = [json.loads((FIXTURES / name).read_bytes()) for name in (OLD, NEW)]
    for indent in (None, 2):
        path = export(tmp_path / "any name", *conversations, indent=indent)
        documents, unread = taken(CHATGPT, path)
        assert unread == []
        assert [json.loads(bytes_of(document)) for document in documents] == conversations
        assert all(bytes_of(document) in path.read_bytes() for document in documents)


def test_it_is_known_by_its_id_and_without_one_by_the_root_of_its_tree(tmp_path: Path) -> None:
    conversation = fixture(OLD)
    nameless = {key: value for key, value in conversation.items() if key != "id"}
    documents, _ = taken(CHATGPT, export(tmp_path / "a.json", fixture(NEW), conversation, nameless))
    assert [document.transcript.native_id for document in documents] == [fixture(NEW)["id"], conversation["id"], "root"]
    assert all(document.transcript.rewritten for document in documents)


def test_shards_in_a_zip_are_taken_and_who_the_person_is_stays_out(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "export.zip",
        **{
            "conversations-000": [fixture(OLD)],
            "deep/er/conversations-001": [fixture(NEW)],
            "user": {"email": "someone@example.org", "phone_number": "+1"},
            "shared_conversations": [{"id": "x", "conversation_id": "y", "title": "shared"}],
            "message_feedback": [],
            "export_manifest": {"export_files": [{"path": "conversations-000.json", "size_bytes": 1}]},
        },
    )
    documents, unread = taken(CHATGPT, path)
    assert [len(documents), unread] == [2, []]
    assert not any(b"someone@example.org" in bytes_of(document) for document in documents)


def test_what_is_no_conversation_among_them_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(b"[" + json.dumps(fixture(OLD)).encode() + b', null, {"a": 1}, {"mapping": {}}, {"mapping": {"k')
    documents, unread = taken(CHATGPT, path)
    assert len(documents) == 1
    assert [(one.where, one.reason) for one in unread] == [
        ("conversation 2", "not a conversation of the kind the others are"),
        ("conversation 3", "it has no id to know it again by"),
        ("conversation 4", "the file ends in the middle of it"),
    ]


def test_a_tree_that_is_a_ring_or_very_deep_is_read_all_the_same() -> None:
    def message(key: str, parent: str) -> dict[str, Any]:
        said = {"id": key, "author": {"role": "user"}, "content": {"content_type": "text", "parts": [key]}}
        return {"id": key, "parent": parent, "children": [], "message": said}

    ring = {"mapping": {"a": message("a", "b"), "b": message("b", "a"), "c": message("c", "c")}, "current_node": "a"}
    assert sorted(typed(read(CHATGPT, ring)[0])) == ["a", "b", "c"]
    deep = {"mapping": {f"{n}": message(f"{n}", f"{n - 1}") for n in range(5_000)}, "current_node": "4999"}
    assert typed(read(CHATGPT, deep)[0]) == [f"{n}" for n in range(5_000)]


@pytest.mark.parametrize("name", [OLD, NEW])
@settings(max_examples=examples(20), deadline=None)
@given(junk=JUNK, choose=st.randoms(use_true_random=False))
def test_mutated_conversations_never_raise(name: str, junk: Any, choose: random.Random) -> None:
    conversation = fixture(name)
    for _ in range(choose.randrange(1, 5)):
        conversation = changed(conversation, junk, choose)
    assert_in_order(*read(CHATGPT, conversation))


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("The lamp is red.\ue200cite\ue202turn0search1\ue202turn0search4\ue201", "The lamp is red."),
        ("See \ue200url\ue202the tide table\ue202https://example.org/tides\ue201.", "See the tide table."),
        ("High tide at noon【4†source】 and at six【12:0†tides.pdf】.", "High tide at noon and at six."),
        ("【注意】日本語の括弧は残る", "【注意】日本語の括弧は残る"),
        ("half a mark \ue200cite", "half a mark \ue200cite"),
    ],
)
def test_marks_of_sources_are_no_words_of_an_answer(written: str, read_as: str) -> None:
    asked = {
        "id": "a",
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["When is high tide?"]},
    }
    told = {"id": "b", "author": {"role": "assistant"}, "content": {"content_type": "text", "parts": [written]}}
    nodes = {
        "a": {"id": "a", "parent": None, "children": ["b"], "message": asked},
        "b": {"id": "b", "parent": "a", "children": [], "message": told},
    }
    turns, _facts = read(CHATGPT, {"mapping": nodes, "current_node": "b", "id": "c"})
    assert [turn.agent for turn in turns] == [read_as]
