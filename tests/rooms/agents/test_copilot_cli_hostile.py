"""Whatever stands in a session, reading it raises nothing, its Turns stay in order, and memory stays bounded."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.agent import Transcript
from memlane.agents.copilot_cli.source import Copilot
from tests.examples import examples
from tests.rooms.agents.copilot_cli_events import (
    ALL,
    PATHS,
    RECORDED,
    call,
    done,
    event,
    read,
    request,
    says,
    session,
    steps,
    typed,
    user,
)
from tests.rooms.agents.mutations import JUNK, WRONG, all_lines, assert_in_order, lines_of, spoilt

LINES = all_lines(ALL)
KINDS = sorted({json.loads(line)["type"] for line in LINES})


@settings(max_examples=examples(37), deadline=None)
@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=25),
    JUNK,
    st.randoms(use_true_random=False),
    st.binary(max_size=20),
)
def test_mutated_lines_never_raise(lines: list[bytes], junk: Any, choose: random.Random, noise: bytes) -> None:
    for data in spoilt(lines, junk, choose, noise):
        assert_in_order(*read(data))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", [*KINDS, "session.handoff", "session.truncation", "assistant.reasoning", 9])
def test_data_of_any_type_is_survived(kind: object, wrong: object) -> None:
    odd = {"type": kind, "data": wrong, "id": wrong, "timestamp": wrong, "agentId": wrong, "parentId": wrong}
    keys = ("content", "toolRequests", "arguments", "result", "error", "usage", "modelMetrics", "context", "message",
            "response", "attachments", "fileEdits", "toolCallId", "source", "summaryContent", "agentName")  # fmt: skip
    full = {"type": kind, "data": dict.fromkeys(keys, wrong)}
    turns, facts = read(session(odd, full, user("still here")))
    assert_in_order(turns, facts)
    assert typed(turns)[-1] == "still here"


def test_a_broken_line_is_named_and_the_rest_is_read() -> None:
    lines = session(user("one"), user("two")).split(b"\n")
    lines[1] = lines[1][:20]
    turns, facts = read(b"\n".join(lines))
    assert ([each.line for each in facts.broken], typed(turns)) == ([2], ["two"])


def test_two_events_glued_on_one_line_are_two() -> None:
    head, one, two, _ = session(user("one"), user("two")).split(b"\n")
    turns, facts = read(head + b"\n" + one + two + b"\n")
    assert (typed(turns), facts.broken) == (["one", "two"], ())


def test_a_line_written_twice_is_read_once() -> None:
    head, one, two, _ = session(user("one"), says("two")).split(b"\n")
    turns, _ = read(b"\n".join([head, one, two, one, two]))
    assert [step.text for step in steps(turns)] == ["one", "two"]


def test_what_cannot_be_stored_is_made_storable() -> None:
    bad = "half \ud83d and \0 nul"
    turns, facts = read(
        session(user(bad), *call(bad, {bad: [bad]}, bad), says(bad), context={"cwd": bad, "branch": bad})
    )
    assert_in_order(turns, facts)
    assert "\0" not in "".join(step.text for step in steps(turns)) + facts.cwd + facts.branch


def test_deep_and_wide_arguments_do_not_break_anything() -> None:
    deep: Any = 10**400
    for _ in range(200):
        deep = {"a": deep}
    turns, facts = read(session(user("go"), *call("t", deep, "ok"), *call("t", json.dumps(deep), "ok")))
    assert_in_order(turns, facts)


def test_absurd_counts_are_no_counts() -> None:
    usage = {"inputTokens": 10**30, "outputTokens": -5, "cacheReadTokens": True}
    _, facts = read(session(event("session.shutdown", modelMetrics={"m": {"usage": usage}})))
    assert (facts.tokens.input, facts.tokens.output, facts.tokens.cached) == (1 << 40, 0, 0)


def test_millions_of_strange_names_do_not_grow_the_facts() -> None:
    strange = [event(f"new.{n}") for n in range(2000)]
    models = [says("x", model=f"model-{n}") for n in range(2000)]
    agents = [event("subagent.started", f"agent-{n}", agentName="x") for n in range(2000)]
    _, facts = read(session(*strange, *models, *agents) + b"{\n{ \n" * 2000)
    assert max(len(facts.unknown), len(facts.broken), len(facts.models)) <= 500


def test_calls_nobody_answers_are_not_carried_along_for_ever() -> None:
    """A subagent that never ends: its calls go on from Turn to Turn, but only so many."""
    calls = [says("", request("bash", {}, f"c{n}"), agent="a") for n in range(3000)]
    prompts = [user(f"prompt {n}") for n in range(5)]
    turns, facts = read(session(user("go"), *calls, *prompts))
    assert_in_order(turns, facts)
    assert sum(1 for step in steps(turns) if step.call) == 3000
    assert len(turns[-1].steps) <= 1001


def test_turns_come_out_while_the_file_is_still_being_read() -> None:
    taken = 0

    def counted() -> Any:
        nonlocal taken
        for line in lines_of(PATHS[RECORDED].read_bytes()):
            taken += 1
            yield line

    turns = Copilot().read(counted(), Transcript(RECORDED)).turns()
    assert [(next(turns).n, taken) for _ in range(3)] == [(1, 65), (2, 83), (3, 128)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.parent.name[:8])
def test_any_beginning_of_a_file_has_the_same_turns_but_the_last(path: Any) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    whole, _ = read(path.read_bytes())
    for end in range(len(lines)):
        turns, _ = read(b"".join(lines[:end]))
        assert turns[:-1] == whole[: max(len(turns) - 1, 0)]


def test_a_flood_of_endings_and_patches_is_read_in_one_go() -> None:
    endings = "<shellId: 0 completed with exit code 1>" * 20_000
    patch = "*** Update File: " * 50_000
    turns, _ = read(
        session(user("go"), *call("bash", {}, endings), *call("apply_patch", patch, "x"), done(endings, "z"))
    )
    assert len(steps(turns)) == 4
