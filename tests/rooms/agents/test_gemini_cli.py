"""Gemini CLI: whole documents and patched records come out as the same Turns."""

from __future__ import annotations

import json
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.agents import LineStream, Transcript
from memlane.agents.gemini_cli.source import GeminiCli
from memlane.domain import Author, Facts, Kind, Relation, Step, Turn

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts" / "gemini-cli" / "proj" / "chats"
DOCUMENT = FIXTURES / "session-2026-01-05T09-00-0a1b2c3d.json"
RECORDED = FIXTURES / "session-2026-11-15T22-39-de8a2cf5.jsonl"
GEMINI = GeminiCli()


def read(data: bytes, transcript: Transcript | None = None) -> tuple[list[Turn], Facts]:
    reading = GEMINI.read(LineStream(iter([data])), transcript or Transcript("proj/x"))
    return list(reading.turns()), reading.facts()


def lines(*records: dict[str, object]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def message(name: str, kind: str, content: object, **more: object) -> dict[str, object]:
    return {"id": name, "timestamp": "2026-01-05T09:00:00.000Z", "type": kind, "content": content, **more}


def steps(turns: list[Turn]) -> list[Step]:
    return [step for turn in turns for step in turn.steps]


def test_a_document_becomes_turns() -> None:
    turns, facts = read(DOCUMENT.read_bytes())
    assert [turn.person for turn in turns] == ["why does the build fail?", "no, use ninja instead"]
    failed, changed = (step.call for step in steps(turns) if step.call)
    assert failed is not None
    assert (failed.name, failed.error, failed.result) == ("run_shell_command", True, "make: no rule")
    assert changed is not None
    assert (changed.files, changed.changes, changed.error) == (("/home/dev/app/Makefile",), True, False)
    assert [s.kind for s in steps(turns) if s.author is Author.PERSON] == [
        Kind.PROMPT,
        Kind.INTERRUPT,
        Kind.COMMAND,
        Kind.PROMPT,
    ]
    assert facts.models == ("gemini-3-pro",)
    assert facts.commands == ("/memory",)
    assert facts.unknown == {"hologram": 1}
    assert facts.tokens.input == 10


def test_a_step_of_a_document_names_the_line_its_message_stands_on() -> None:
    turns, _facts = read(DOCUMENT.read_bytes())
    text = DOCUMENT.read_text().split("\n")
    assert all(f'"id": "{step.native_id}"' in text[step.line - 1] for step in steps(turns))


def test_a_real_resumed_chat_is_two_turns_and_nothing_twice() -> None:
    turns, facts = read(RECORDED.read_bytes())
    assert [turn.person for turn in turns if turn.n] == ["list what is here", "and now say goodbye"]
    calls = [step.call for step in steps(turns) if step.call]
    assert [(call.input.get("command"), call.error) for call in calls] == [("echo hello", False), ("exit 3", True)]
    assert turns[-1].agent == "goodbye"
    assert facts.cwd == "/home/dev/proj"
    assert not facts.broken


def test_the_same_id_again_replaces_and_keeps_its_place() -> None:
    turns, _facts = read(
        lines(
            message("m1", "user", "go"),
            message("m2", "gemini", "half"),
            message("m3", "gemini", "after"),
            message("m2", "gemini", "whole"),
        )
    )
    assert [step.text for step in steps(turns)] == ["go", "whole", "after"]


def test_what_was_rewound_is_kept_as_taken_back_and_is_no_turn() -> None:
    turns, _facts = read(
        lines(
            message("m1", "user", "first"),
            message("m2", "user", "second"),
            message("m3", "gemini", "answer"),
            {"$rewindTo": "m2"},
            message("m4", "user", "third"),
        )
    )
    assert [turn.person for turn in turns] == ["first", "third"]
    assert [s.text for s in steps(turns) if s.kind is Kind.META] == ["taken back: second", "taken back: answer"]


def test_rewinding_to_an_unknown_message_takes_everything_back() -> None:
    turns, _facts = read(lines(message("m1", "user", "first"), {"$rewindTo": "?"}, message("m2", "user", "again")))
    assert [turn.person for turn in turns if turn.n] == ["again"]


def test_a_new_list_of_messages_stands_for_all() -> None:
    kept = message("m1", "user", "first")
    turns, _facts = read(lines(kept, message("m2", "gemini", "gone"), {"$set": {"messages": [kept], "summary": "T"}}))
    assert [s.text for s in steps(turns) if s.kind is not Kind.META] == ["first"]


def test_what_a_hook_put_before_a_prompt_is_not_what_the_person_typed() -> None:
    words = "<hook_context>remembered things</hook_context>\n\nfix the build"
    turns, _facts = read(lines(message("m1", "user", [{"text": words}])))
    assert turns[0].person == "fix the build"


def test_our_own_words_are_ours() -> None:
    call = {"name": "run_shell_command", "args": {"command": "lane search x"}, "status": "success"}
    turns, _facts = read(lines(message("m1", "user", "go"), message("m2", "gemini", "", toolCalls=[call])))
    assert steps(turns)[-1].ours


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            "p/chats/session-2026-01-05T09-00-0a1b2c3d.json",
            Transcript("p/0a1b2c3d.json", rewritten=True, apart="p/2026-01-05T09-00-0a1b2c3d.json"),
        ),
        (
            "p/chats/session-2026-01-05T09-00-0a1b2c3d.jsonl",
            Transcript("p/0a1b2c3d", apart="p/2026-01-05T09-00-0a1b2c3d"),
        ),
        ("p/chats/0a1b2c3d-1111/5e5e.jsonl", Transcript("p/0a1b2c3d/5e5e", "p/0a1b2c3d", Relation.SUBAGENT)),
        ("p/logs.json", None),
        ("p/chats/checkpoint-x.json", None),
    ],
)
def test_a_file_is_known_by_its_name(path: str, expected: Transcript | None) -> None:
    assert GEMINI.recognise(PurePath(path)) == expected


def test_a_subagent_has_no_person_in_it() -> None:
    turns, facts = read(lines(message("m1", "user", "look around")), Transcript("p/a/b", "p/a", Relation.SUBAGENT))
    assert (turns[0].author, turns[0].person, facts.headless) == (Author.PROGRAM, "", True)


@given(st.data())
def test_no_mutation_of_a_real_chat_is_more_than_it_can_take(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([DOCUMENT, RECORDED])).read_bytes()
    begin = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 200))
    put = data.draw(
        st.one_of(st.binary(max_size=20), st.sampled_from([b"null", b"[]", b"{}", b'"x"', b"1e999", b"\n"]))
    )
    turns, _facts = read(whole[:begin] + put + whole[begin + length :])
    for turn in turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
    assert [turn.n for turn in turns] == sorted({turn.n for turn in turns})
