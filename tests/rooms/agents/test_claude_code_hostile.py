"""Whatever stands in the file: reading goes on, numbers stay in order, and only the last Turn may still change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.agent import Line
from memlane.agents.claude_code.source import ClaudeCode
from tests.examples import examples
from tests.rooms.agents.claude_code_records import (
    MAIN,
    RECORDED,
    SUBAGENT,
    Told,
    agent,
    calls,
    lines_in,
    lines_of,
    read,
    read_lines,
    result,
    says,
    typed,
    user,
)

FILES = sorted(RECORDED.rglob("*.jsonl"))
LINES = [line for file in FILES for line in lines_in(file)]
WRONG: list[object] = [None, True, -1, 1.5, 10**30, "", "x", "\0\ud800", [], [[]], {}, {"type": None}, "<bash-input>"]


def check(told: Told) -> None:
    numbers = [turn.n for turn in told.turns]
    assert numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))
    for turn in told.turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
        assert all(step.text.encode() is not None for step in turn.steps)


@st.composite
def mutated(draw: Callable[[st.SearchStrategy[object]], object]) -> Line:
    """A line of a fixture with keys dropped, values of the wrong type, or its end cut off."""
    line = LINES[cast(int, draw(st.integers(0, len(LINES) - 1)))]
    if draw(st.integers(0, 9)) == 0:
        return Line(line.n, line.data[: cast(int, draw(st.integers(0, len(line.data))))])
    try:
        record = json.loads(line.data)
    except ValueError:
        return line
    for _ in range(cast(int, draw(st.integers(0, 3)))):
        _damage(record, draw)
    return Line(line.n, json.dumps(record).encode())


def _damage(value: object, draw: Callable[[st.SearchStrategy[object]], object]) -> None:
    """Somewhere below, by a walk that may stop at every level."""
    while isinstance(value, dict | list) and value:
        inside = cast(dict[object, object], value if isinstance(value, dict) else dict(enumerate(value)))
        key = draw(st.sampled_from(sorted(inside, key=str)))
        choice = draw(st.integers(0, 3))
        if choice == 0:
            del value[key]
            return
        if choice == 1:
            value[key] = deepcopy(draw(st.sampled_from(WRONG)))  # or the next damage would hit the list itself
            return
        value = inside[key]


def _places_in(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in pairs:
        yield (*path, key)
        yield from _places_in(inside, (*path, key))


def _kinds_of_lines() -> dict[tuple[object, ...], dict[str, object]]:
    """One record of every shape the fixtures hold."""
    whole = (json.loads(line.data) for line in LINES if line.data.endswith(b"}") and b"}{" not in line.data)
    return {(record["type"], record.get("subtype"), *record): record for record in whole}


@pytest.mark.parametrize("wrong", [None, -1, "x", [[]], {"type": 1}], ids=repr)
def test_no_field_of_any_record_is_trusted_to_have_its_type(wrong: object) -> None:
    before, after = (typed("go"), agent(calls("c1", "Bash", command="ls"))), agent(says("Done."), message="m2")
    for record in _kinds_of_lines().values():
        for place in _places_in(record):
            damaged = json.loads(json.dumps(record))
            inside = damaged
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = wrong
            check(read(*before, json.dumps(damaged), after))


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(mutated(), max_size=12), st.booleans())
def test_damaged_lines_never_stop_the_reading(lines: list[Line], subagent: bool) -> None:
    check(read_lines(lines, SUBAGENT if subagent else MAIN))
    ClaudeCode().peek(lines)


@settings(max_examples=examples(25), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_counted_as_broken(data: bytes) -> None:
    check(read(typed("hi"), data.replace(b"\n", b" ")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem[:14])
def test_as_a_file_grows_no_turn_but_the_last_changes(file: Path) -> None:
    lines = lines_in(file)
    whole = read_lines(lines).turns
    for end in range(1, len(lines)):
        part = read_lines(lines[:end]).turns
        assert part[:-1] == whole[: max(0, len(part) - 1)]


def test_turns_are_handed_out_while_the_file_is_still_being_read() -> None:
    written = (record for n in range(50) for record in (typed(f"prompt {n}"), agent(says("Yes."), message=f"m{n}")))
    taken: list[int] = []

    def watched() -> Iterator[Line]:
        for line in lines_of(written):
            taken.append(line.n)
            yield line

    turns = ClaudeCode().read(watched(), MAIN).turns()
    assert next(turns).person == "prompt 0"
    assert len(taken) == 3  # its own two lines and the prompt that ended it


def test_bad_text_is_made_safe_to_store() -> None:
    told = read(
        '{"type":"user","uuid":"u1","message":{"content":"a\\u0000b \\ud800 c"}}',
        '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"\\u0000"}}]}}',
    )
    (prompt,) = told.prompts
    assert prompt.startswith("a\ufffdb \ufffd")
    assert prompt.encode().endswith(b" c")
    call = told.turns[0].steps[1].call
    assert call
    assert call.input == {"command": "\ufffd"}


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"type":"user","n":NaN}',
        b'{"type":"user","n":' + b"9" * 5000 + b"}",
        b'"a string"',
        b"\xff\xfe{\x00}",
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_the_rest_is_used(line: bytes) -> None:
    told = read(typed("before"), line, typed("after"))
    assert [broken.line for broken in told.facts.broken] == [2]
    assert told.prompts == ["before", "after"]


def test_a_flood_of_nonsense_is_cut_short() -> None:
    told = read(*["nonsense"] * 3000, *({"type": f"kind-{n}"} for n in range(1000)))
    assert len(told.facts.broken) == 1000
    assert len(told.facts.unknown) <= 201
    assert sum(told.facts.unknown.values()) == 1000


@pytest.mark.parametrize(
    "flood", ["<system-reminder>" * 100_000, "<ide_x>" * 200_000, "<a-b" * 200_000, "<a-" + "b-" * 500_000]
)
def test_a_flood_of_tags_is_read_in_one_go(flood: str) -> None:
    assert read(user(flood)).prompts == [flood]


@pytest.mark.parametrize("flood", ["\n" * 1_000_000, "lane;" * 100_000, ";" * 1_000_000, "lane\n" * 100_000])
def test_a_flood_of_commands_is_read_in_one_go(flood: str) -> None:
    (step,) = (
        read(typed("go"), agent(calls("c", "Bash", command=flood)), result("c", {"not": "a list"})).turns[0].steps[1:]
    )
    assert not step.ours


def test_a_flood_of_blocks_of_one_message_is_one_step() -> None:
    told = read(typed("go"), *(agent(says("x" * 1000), uuid=f"a{n}", timestamp=None) for n in range(5000)))
    assert len(told.turns[0].steps) == 2
