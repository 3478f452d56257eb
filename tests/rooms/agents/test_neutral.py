"""Neutral runs: lines any program can write, and what becomes of those that break the rules."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.exports import neutral, objects
from memlane.agents.exports.neutral import Neutral
from memlane.domain import Author, Kind, Relation
from tests.examples import examples
from tests.rooms.agents.chats import (
    FIXTURES,
    JUNK,
    assert_in_order,
    bytes_of,
    changed,
    fixture_lines,
    read,
    taken,
    typed,
)

NEUTRAL = Neutral()
EVERY_FIELD = "neutral/every-field.jsonl"


def write(path: Path, *lines: dict[str, Any] | str) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def turn(person: str, **more: Any) -> dict[str, Any]:
    return {"type": "turn", "person": person, **more}


def run(id: str, **more: Any) -> dict[str, Any]:
    return {"type": "run", "id": id, **more}


def test_each_turn_line_is_one_turn_in_order() -> None:
    turns, facts = read(NEUTRAL, (FIXTURES / EVERY_FIELD).read_bytes())
    assert [(each.n, each.author, each.person) for each in turns] == [
        (1, Author.PERSON, "Calibrate the crane."),
        (2, Author.PROGRAM, ""),
        (3, Author.PERSON, "Which rope is the oldest?"),
        (4, Author.AGENT, ""),
        (5, Author.PERSON, "And now?"),
    ]
    assert turns[0].agent == "Done: it was off by two degrees."
    assert (facts.title, facts.cwd, facts.branch, facts.account) == (
        "Crane calibration",
        "/home/dev/harbour",
        "main",
        "mira",
    )
    assert facts.models == ("dock-2", "dock-1")


def test_tool_calls_stand_between_the_prompt_and_the_answer() -> None:
    turns, _ = read(NEUTRAL, (FIXTURES / EVERY_FIELD).read_bytes())
    assert [step.kind for step in turns[0].steps] == [Kind.PROMPT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TEXT]
    call = turns[0].steps[2].call
    assert call is not None
    assert (call.name, call.input, call.error, call.changes) == ("write_config", {"z": 0}, True, True)
    assert call.files == ("/home/dev/harbour/crane.toml",)


def test_steps_say_all_of_it_where_they_are_given() -> None:
    turns, _ = read(NEUTRAL, (FIXTURES / EVERY_FIELD).read_bytes())
    assert [(step.author, step.kind) for step in turns[2].steps] == [
        (Author.PERSON, Kind.PROMPT),
        (Author.AGENT, Kind.THINKING),
        (Author.AGENT, Kind.TOOL_CALL),
        (Author.AGENT, Kind.TEXT),
        (Author.PERSON, Kind.INTERRUPT),
    ]


def test_a_turn_without_a_time_is_as_old_as_its_run() -> None:
    turns, _ = read(NEUTRAL, (FIXTURES / EVERY_FIELD).read_bytes())
    assert [str(each.at) for each in turns][3:] == ["2026-05-01 09:00:00+00:00"] * 2


def test_lines_that_break_the_rules_are_named_and_the_others_used() -> None:
    _, facts = read(NEUTRAL, (FIXTURES / EVERY_FIELD).read_bytes())
    assert [(one.line, one.reason[:25]) for one in facts.broken] == [
        (7, "`at` is not an ISO 8601 t"),
        (8, "not JSON: Expecting value"),
    ]
    assert facts.unknown == {"weather": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "run"}, "a run needs an `id`"),
        ({"type": "run", "id": " "}, "a run needs an `id`"),
        ({"type": "run", "id": 7}, "`id` is not text"),
        ({"type": "run", "id": "x", "started": "yesterday"}, "`started` is not an ISO 8601 time"),
        ({"type": "run", "id": "x", "relation": "cousin"}, "`relation` is one of: subagent, fork"),
        ({"type": "turn"}, "a turn in which nothing is said"),
        ({"type": "turn", "person": ["a"]}, "`person` is not text"),
        ({"type": "turn", "person": "a", "steps": {}}, "`steps` is not a list"),
        ({"type": "turn", "person": "a", "tool_calls": [{"input": {}}]}, "a tool call needs a `name`"),
        ({"type": "turn", "person": "a", "tool_calls": [{"name": "n", "input": []}]}, "a tool call's `input` is not"),
        ({"type": "turn", "steps": [{"author": "ghost", "text": ""}]}, "a step's `author` is one of: person"),
        ({"type": "turn", "steps": [{"author": "agent", "kind": "shout", "text": ""}]}, "a step's `kind` is one of"),
        ({"type": "turn", "steps": [{"author": "agent"}]}, "a step has neither `text` nor"),
        ("{", "not JSON"),
        ("[1]", "a list, not an object"),
        ('{"type":"turn","person":"a"}{"type":"turn","person":"b"}', "more than one object on a line"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_by_its_number(
    tmp_path: Path, line: dict[str, Any] | str, reason: str
) -> None:
    path = write(tmp_path / "runs.jsonl", run("first"), turn("one"), line, run("last"), turn("two"))
    documents, unread = taken(NEUTRAL, path)
    assert [document.transcript.native_id for document in documents] == ["first", "last"]
    assert [(one.where, one.reason[: len(reason)]) for one in unread] == [("line 3", reason)]


def test_a_file_may_hold_many_runs_and_each_keeps_its_lines_exactly(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(
        b'{ "type":"run", "id":"a", "agent":"dockhand", "started":"2026-01-02T03:04:05+01:00", "cwd":"/srv/quay"}\n'
        b'{"type":"turn", "person":"caf\xc3\xa9" }\n\n'
        b'{"type":"run","id":"b","parent":"a","relation":"subagent"}\n'
        b'{"type":"turn","agent":"alone"}'
    )
    (a, b), unread = taken(NEUTRAL, path)
    assert unread == []
    assert bytes_of(a) in path.read_bytes()
    assert bytes_of(b) in path.read_bytes()
    assert (a.agent, b.agent) == ("dockhand", "")
    assert (str(a.peek.started), a.peek.cwd) == ("2026-01-02 03:04:05+01:00", "/srv/quay")
    assert (b.transcript.parent_native_id, b.transcript.relation) == ("a", Relation.SUBAGENT)


def test_turns_behind_a_run_that_cannot_be_read_are_not_given_to_the_one_before(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", turn("early"), run("a"), turn("one"), '{"type":"run","id":', turn("lost"))
    (document,), unread = taken(NEUTRAL, path)
    assert typed(read(NEUTRAL, bytes_of(document))[0]) == ["one"]
    assert [one.where for one in unread] == ["line 1", "line 4", "line 5"]


def test_a_run_that_stands_twice_is_taken_once(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", run("a"), turn("one"), run("a"), turn("two"), run("a", agent="other"))
    documents, unread = taken(NEUTRAL, path)
    assert [(document.transcript.native_id, document.agent) for document in documents] == [("a", ""), ("a", "other")]
    assert [one.where for one in unread] == ["line 3"]


def test_a_run_larger_than_we_take_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neutral, "LARGEST", 1000)
    path = write(tmp_path / "r.jsonl", run("a"), turn("x" * 2000), run("b"), turn("small"))
    documents, unread = taken(NEUTRAL, path)
    assert [document.transcript.native_id for document in documents] == ["b"]
    assert len(unread) == 1
    assert objects.LARGEST > 1000


def test_hundreds_of_turns_are_told_one_by_one() -> None:
    lines = [json.dumps(run("long"))] + [json.dumps(turn(f"question {n}", agent=f"answer {n}")) for n in range(700)]
    turns, _ = read(NEUTRAL, "\n".join(lines).encode() + b"\n")
    assert [each.n for each in turns] == list(range(1, 701))
    assert turns[-1].agent == "answer 699"


@settings(max_examples=examples(30), deadline=None)
@given(junk=JUNK, choose=st.randoms(use_true_random=False), noise=st.binary(max_size=20))
def test_mutated_lines_never_raise(junk: Any, choose: random.Random, noise: bytes) -> None:
    lines = [line for line in fixture_lines(EVERY_FIELD) if line.endswith(b"}")]
    mutated = [json.dumps(changed(json.loads(line), junk, choose)).encode() for line in lines]
    assert_in_order(*read(NEUTRAL, b"\n".join(mutated) + b"\n"))
    spoilt, cut = choose.randrange(len(mutated)), choose.randrange(20)
    mutated[spoilt] = mutated[spoilt][:cut] + noise + mutated[spoilt][cut:]
    assert_in_order(*read(NEUTRAL, b"\n".join(mutated) + b"\n"))
