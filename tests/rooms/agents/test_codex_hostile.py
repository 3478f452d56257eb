"""Whatever stands in a rollout, reading it raises nothing and its Turns and Steps stay in order."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.agent import Line, Transcript
from memlane.agents.codex.envelopes import LARGEST_DOCUMENT
from memlane.agents.codex.source import Codex
from memlane.domain import Kind
from tests.examples import examples
from tests.rooms.agents.codex_rollouts import (
    LEGACY,
    PLAIN,
    call,
    lines_of,
    message,
    meta,
    path_of,
    prompt,
    read,
    rollout,
    steps,
    typed,
)
from tests.rooms.agents.mutations import JUNK, WRONG, all_lines, assert_in_order, spoilt

ALL_LINES = all_lines([path for path in PLAIN if path.suffix == ".jsonl"])


@settings(max_examples=examples(37), deadline=None)
@given(
    st.lists(st.sampled_from(ALL_LINES), min_size=1, max_size=25),
    JUNK,
    st.randoms(use_true_random=False),
    st.binary(max_size=20),
)
def test_mutated_lines_never_raise(lines: list[bytes], junk: Any, choose: random.Random, noise: bytes) -> None:
    for data in spoilt(lines, junk, choose, noise):
        assert_in_order(*read(data))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(
    "kind", ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "other", 9]
)
def test_a_payload_of_any_type_is_survived(kind: object, wrong: object) -> None:
    data = rollout({"timestamp": wrong, "type": kind, "payload": wrong, "ordinal": wrong}, *prompt("still here"))
    assert typed(read(data)[0]) == ["still here"]


def test_a_broken_line_is_named_and_the_rest_is_read() -> None:
    lines = rollout(meta(), *prompt("one"), *prompt("two")).split(b"\n")
    lines[3] = lines[3][:20]
    turns, facts = read(b"\n".join(lines))
    assert [each.line for each in facts.broken] == [4]
    assert typed(turns) == ["one", "two"]


def test_two_records_glued_on_one_line_are_two() -> None:
    one, two = (json.dumps(each).encode() for each in prompt("glued"))
    turns, facts = read(rollout(meta()) + one + two + b"\n")
    assert typed(turns) == ["glued"]
    assert facts.broken == ()


def test_what_cannot_be_stored_is_made_storable() -> None:
    bad = "half \ud83d and \0 nul"
    turns, _ = read(rollout(meta(), *prompt(bad), *call("t", {bad: [bad]}, bad), message("assistant", bad)))
    for step in steps(turns):
        whole = step.text + json.dumps([dict(step.call.input), step.call.result] if step.call else [])
        assert "\0" not in whole
        assert "\\u0000" not in whole
        whole.encode()
        assert "\ud83d" not in whole
        assert "\\ud83d" not in whole


def test_deep_and_wide_arguments_do_not_break_anything() -> None:
    deep: Any = 10**400
    for _ in range(200):
        deep = {"a": deep}
    turns, _ = read(rollout(meta(), *prompt("go"), *call("t", deep, "ok")))
    assert json.dumps(dict(steps(turns)[1].call.input)).count("{") < 70  # type: ignore[union-attr]


def test_a_document_too_large_to_hold_is_set_aside() -> None:
    block = Line(2, b" " * (1 << 20))
    lines = [Line(1, b"{"), *[block] * (LARGEST_DOCUMENT >> 20)]
    reading = Codex().read(lines, Transcript("any"))
    assert list(reading.turns()) == []
    assert [each.line for each in reading.facts().broken] == [1]


def test_a_lone_brace_later_in_a_file_swallows_nothing() -> None:
    turns, facts = read(rollout(meta()) + b"{\n" + rollout(*prompt("hello")))
    assert typed(turns) == ["hello"]
    assert len(facts.broken) == 1


def test_millions_of_strange_names_do_not_grow_the_facts() -> None:
    strange = rollout(*({"type": f"new-{n}", "payload": {}} for n in range(2000)))
    _, facts = read(rollout(meta()) + strange + b"{\n" * 2000)
    assert len(facts.unknown) <= 500
    assert len(facts.broken) <= 500


def test_prompts_nobody_answered_are_not_held_back_for_ever() -> None:
    lines = lines_of(rollout(*(message("user", f"prompt {n}") for n in range(1000))))
    taken = iter(lines)
    first = next(Codex().read(taken, Transcript("any")).turns())
    assert first.person == "prompt 0"
    assert sum(1 for _ in taken) > 800
    assert len(typed(read(rollout(*(message("user", f"prompt {n}") for n in range(1000))))[0])) == 1000


def test_turns_come_out_while_the_file_is_still_being_read() -> None:
    taken = 0

    def counted() -> Any:
        nonlocal taken
        for line in lines_of(path_of(LEGACY).read_bytes()):
            taken += 1
            yield line

    turns = Codex().read(counted(), Transcript("any")).turns()
    seen = [(next(turns).n, taken) for _ in range(3)]
    assert seen == [(0, 7), (1, 22), (2, 30)]  # each as soon as the next prompt stands there


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name[8:38])
def test_any_beginning_of_a_file_has_the_same_turns_but_the_last(path: Any) -> None:
    if path.suffix == ".json":
        return
    whole, _ = read(path.read_bytes())
    lines = path.read_bytes().splitlines(keepends=True)
    for end in range(len(lines)):
        turns, _ = read(b"".join(lines[:end]))
        assert turns[:-1] == whole[: max(len(turns) - 1, 0)]


def test_an_output_of_nothing_but_headers_is_read_once() -> None:
    turns, _ = read(rollout(meta(), *prompt("go"), *call("t", {}, "Wall time\nOutput:\nExit code:" * 5000)))
    assert steps(turns)[1].call is not None


def test_a_prompt_of_a_megabyte_of_headings_is_read_in_one_go() -> None:
    flood = "## My request for Codex:\n" * 40_000 + "<user_shell_command><command>" * 1000
    turns, _ = read(rollout(meta(), *prompt(flood + " end"), message("user", flood)))
    assert steps(turns)[0].kind is Kind.PROMPT
