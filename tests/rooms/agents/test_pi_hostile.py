"""Whatever stands in a session, reading it raises nothing, its Turns stay in order, and memory stays bounded."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.agent import Transcript
from memlane.agents.pi.source import Pi
from tests.examples import examples
from tests.rooms.agents.mutations import JUNK, WRONG, all_lines, assert_in_order, lines_of, spoilt
from tests.rooms.agents.pi_sessions import ALL, PATHS, RECORDED, agent, call, message, read, session, steps, typed, user

LINES = all_lines(ALL)


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
@pytest.mark.parametrize("key", ["type", "id", "parentId", "timestamp", "message", "summary", "usage", "customType"])
def test_a_field_of_any_type_is_survived(key: str, wrong: object) -> None:
    entry = {"type": "compaction", "summary": "s", "message": {"role": "user"}, key: wrong}
    data = session(entry, {**entry, "type": "message"}, {**entry, "type": "custom"}, user("still here"))
    turns, facts = read(data)
    assert_in_order(turns, facts)
    assert typed(turns)[-1] == "still here"


@pytest.mark.parametrize("wrong", WRONG)
def test_contents_of_any_type_are_survived(wrong: object) -> None:
    roles = ("user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary")
    entries = [{"type": "message", "message": {"role": role, "content": wrong, "usage": wrong}} for role in roles]
    blocks = [agent({"type": kind, kind: wrong, "arguments": wrong}) for kind in ("text", "thinking", "toolCall", "x")]
    turns, facts = read(session(*entries, *blocks, user("still here")))
    assert_in_order(turns, facts)
    assert typed(turns)[-1] == "still here"


def test_a_broken_line_is_named_and_the_rest_is_read() -> None:
    lines = session(user("one"), user("two")).split(b"\n")
    lines[1] = lines[1][:20]
    turns, facts = read(b"\n".join(lines))
    assert [each.line for each in facts.broken] == [2]
    assert typed(turns) == ["two"]


def test_two_entries_glued_on_one_line_are_two() -> None:
    head, one, two, _ = session(user("one"), user("two")).split(b"\n")
    turns, facts = read(head + b"\n" + one + two + b"\n")
    assert (typed(turns), facts.broken) == (["one", "two"], ())


def test_a_line_written_twice_is_read_once() -> None:
    head, one, two, _ = session(user("one"), agent("two")).split(b"\n")
    turns, _ = read(b"\n".join([head, one, two, one, two, b"", b"", two]))
    assert [step.text for step in steps(turns)] == ["one", "two"]


def test_the_same_entry_with_other_words_is_kept_twice() -> None:
    turns, _ = read(session({**user("one"), "id": "a"}, {**user("other"), "id": "a"}))
    assert typed(turns) == ["one", "other"]


def test_what_cannot_be_stored_is_made_storable() -> None:
    bad = "half \ud83d and \0 nul"
    turns, facts = read(session(user(bad), *call(bad, {bad: [bad]}, bad), agent(bad), cwd=bad))
    assert_in_order(turns, facts)
    assert "\0" not in "".join(step.text for step in steps(turns)) + facts.cwd


def test_deep_and_wide_arguments_do_not_break_anything() -> None:
    deep: Any = 10**400
    for _ in range(200):
        deep = {"a": deep}
    turns, facts = read(session(user("go"), *call("t", deep, "ok")))
    assert_in_order(turns, facts)
    assert json.dumps(dict(steps(turns)[1].call.input)).count("{") < 70  # type: ignore[union-attr]


def test_absurd_counts_are_no_counts() -> None:
    usage = {"input": 10**30, "output": -5, "cacheRead": True, "cost": {"total": 1e300}}
    _, facts = read(session(user("go"), agent("x", usage=usage), agent("y", usage={"cost": {"total": True}})))
    assert (facts.tokens.input, facts.tokens.output, facts.tokens.cached, facts.cost) == (1 << 40, 0, 0, 0.0)


def test_millions_of_strange_names_do_not_grow_the_facts() -> None:
    strange = [{"type": f"new-{n}"} for n in range(2000)]
    models = [agent("x", model=f"model-{n}") for n in range(2000)]
    _, facts = read(session(*strange, *models) + b"{\n{ \n" * 2000)
    assert max(len(facts.unknown), len(facts.broken), len(facts.models)) <= 500


def test_turns_come_out_while_the_file_is_still_being_read() -> None:
    taken = 0

    def counted() -> Any:
        nonlocal taken
        for line in lines_of(PATHS[RECORDED].read_bytes()):
            taken += 1
            yield line

    turns = Pi().read(counted(), Transcript(RECORDED)).turns()
    assert [(next(turns).n, taken) for _ in range(4)] == [(1, 25), (2, 28), (3, 32), (4, 34)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem[:24])
def test_any_beginning_of_a_file_has_the_same_turns_but_the_last(path: Any) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    whole, _ = read(path.read_bytes())
    for end in range(len(lines)):
        turns, _ = read(b"".join(lines[:end]))
        assert turns[:-1] == whole[: max(len(turns) - 1, 0)]


def test_a_prompt_of_a_megabyte_of_skills_is_read_in_one_go() -> None:
    flood = '<skill name="x" location="y">\n' + "\n</skill>\n" * 100_000
    turns, _ = read(session(user(flood), message("user", [{"type": "text", "text": flood}] * 3)))
    assert len(turns) == 2
