"""Claude Code's prompt history: what is left of a run when only one side of it is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.claude_code.history import ClaudeHistory
from memlane.domain import Kind
from tests.examples import examples
from tests.rooms.agents.chats import (
    FIXTURES,
    JUNK,
    assert_in_order,
    bytes_of,
    changed,
    fixture_lines,
    read,
    steps,
    taken,
    typed,
)

HISTORY = ClaudeHistory()
ONE = "claude-history/one-session.jsonl"
HOUR = 3_600_000  # as the client counts: in milliseconds
BEGAN = 1_777_626_000_000


def line(display: str, at: int = 0, project: str = "/home/dev/quay", **more: Any) -> str:
    return json.dumps({"display": display, "pastedContents": {}, "timestamp": BEGAN + at, "project": project, **more})


def write(folder: Path, *lines: str) -> Path:
    path = folder / "history.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_every_prompt_is_a_turn_and_a_command_is_none() -> None:
    turns, facts = read(HISTORY, (FIXTURES / ONE).read_bytes())
    assert typed(turns) == [
        "Paint the buoy red.",
        "Use this list: red\ngreen and [Pasted text #2 +9 lines]",
        "!ls buoys",
        "/home/dev/harbour/buoy.txt is the file",
        "no, green on the left",
    ]
    assert facts.commands == ("/model", "/compact", "/exit")
    assert [step.text for step in steps(turns) if step.kind is Kind.COMMAND][1] == "/compact keep the colours"


def test_it_says_that_there_are_only_prompts() -> None:
    turns, facts = read(HISTORY, (FIXTURES / ONE).read_bytes())
    assert facts.title == "Prompts only: Paint the buoy red."
    assert facts.cwd == "/home/dev/harbour"
    assert turns[0].n == 0
    assert "has deleted this run's transcript" in turns[0].steps[0].text


def test_the_lines_of_a_session_are_gathered_from_among_the_others(tmp_path: Path) -> None:
    lines = [line("a1", 1, sessionId="a"), line("b1", 2, sessionId="b"), line("a2", 3, sessionId="a")]
    (a, b), unread = taken(HISTORY, write(tmp_path, *lines))
    assert (a.transcript.native_id, a.lines) == ("a", (lines[0].encode(), lines[2].encode()))
    assert (b.transcript.native_id, b.lines) == ("b", (lines[1].encode(),))
    assert (a.agent, a.transcript.rewritten, unread) == ("claude-code", False, [])


def test_a_session_of_commands_alone_is_not_worth_a_run(tmp_path: Path) -> None:
    path = write(tmp_path, line("/exit", sessionId="a"), line("hello", sessionId="b"), line("/exit", sessionId="b"))
    assert [document.transcript.native_id for document in taken(HISTORY, path)[0]] == ["b"]


def test_lines_that_name_no_session_are_told_apart_by_project_and_by_a_long_pause(tmp_path: Path) -> None:
    lines = [line("one"), line("elsewhere", 5, "/srv"), line("two", HOUR - 1), line("three", 3 * HOUR)]
    documents, _ = taken(HISTORY, write(tmp_path, *lines))
    told = [typed(read(HISTORY, bytes_of(document) + b"\n")[0]) for document in documents]
    assert told == [["one", "two"], ["elsewhere"], ["three"]]
    grown, _ = taken(HISTORY, write(tmp_path, *lines, line("four", 3 * HOUR + 9)))
    assert [d.transcript.native_id for d in grown] == [d.transcript.native_id for d in documents]


def test_broken_lines_are_named_and_a_half_written_last_one_is_waited_for(tmp_path: Path) -> None:
    path = write(tmp_path, line("one", sessionId="a"), "{nonsense", '{"display": 4}', '{"display":"half')
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    documents, unread = taken(HISTORY, path)
    assert len(documents) == 1
    assert [(one.where, one.reason[:9]) for one in unread] == [("line 2", "not JSON:"), ("line 3", "no `displ")]


def test_what_was_pasted_is_put_in_once() -> None:
    pasted = {"1": {"id": 1, "type": "text", "content": "x" * 1000}}
    turns, _ = read(HISTORY, line("[Pasted text #1]" * 50, pastedContents=pasted).encode() + b"\n")
    assert len(turns[1].person) < 3000


@settings(max_examples=examples(30), deadline=None)
@given(junk=JUNK, choose=st.randoms(use_true_random=False), noise=st.binary(max_size=20))
def test_mutated_lines_never_raise(junk: Any, choose: random.Random, noise: bytes) -> None:
    mutated = [json.dumps(changed(json.loads(line), junk, choose)).encode() for line in fixture_lines(ONE)]
    assert_in_order(*read(HISTORY, b"\n".join(mutated) + b"\n"))
    spoilt, cut = choose.randrange(len(mutated)), choose.randrange(20)
    mutated[spoilt] = mutated[spoilt][:cut] + noise + mutated[spoilt][cut:]
    assert_in_order(*read(HISTORY, b"\n".join(mutated) + b"\n"))
