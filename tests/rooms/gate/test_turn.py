"""Every string of a Turn goes through the gate, also what only two strings together give away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.gate import DRESSES
from memlane.domain import Author, BrokenLine, Facts, Kind, Step, ToolCall, Turn
from memlane.gate import Gate

SECRET = dict(Gate().samples(4))["github-token"].secret
OTHER = dict(Gate().samples(4))["stripe-key"].secret
ENV = "environment-secret"
AT = datetime(2026, 1, 2, tzinfo=UTC)
CALL = ToolCall(name="Bash", input={"command": "ls"}, result="fine", files=("a.py",))
STEP = Step(n=1, author=Author.AGENT, kind=Kind.TOOL_CALL, line=7, text="hello there", call=CALL, at=AT, model="m-1")


def turn(*steps: Step) -> Turn:
    return Turn(n=3, author=Author.PERSON, steps=steps, at=AT)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (*strings(key), *strings(item))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


PLANTED: dict[str, Step] = {
    "text": replace(STEP, text=f"it is {SECRET}"),
    "model": replace(STEP, model=SECRET),
    "native id": replace(STEP, native_id=SECRET),
    "call name": replace(STEP, call=replace(CALL, name=SECRET)),
    "input value": replace(STEP, call=replace(CALL, input={"command": f"echo {SECRET}"})),
    "input key": replace(STEP, call=replace(CALL, input={SECRET: 1})),
    "nested list": replace(STEP, call=replace(CALL, input={"a": [{"b": ["x", [SECRET]]}]})),
    "nested key": replace(STEP, call=replace(CALL, input={"a": [{"b": {f"k {SECRET}": None}}]})),
    "result": replace(STEP, call=replace(CALL, result=f"out\n{SECRET}\n")),
    "files": replace(STEP, call=replace(CALL, files=("ok.py", f"/home/me/{SECRET}/x"))),
}


@pytest.mark.fault("H1")
@pytest.mark.parametrize("field", PLANTED)
def test_a_secret_is_masked_in_every_field(gate: Gate, field: str) -> None:
    masked = gate.mask_turn(turn(STEP, PLANTED[field], STEP))
    assert not any(SECRET in text for text in strings(masked))
    assert any("[masked: github-token]" in text for text in strings(masked))
    assert (masked.n, masked.author, masked.at, len(masked.steps)) == (3, Author.PERSON, AT, 3)
    assert masked.steps[0] == STEP


def test_every_string_field_of_a_step_is_planted() -> None:
    """A new field wants its line above."""
    words = {field.name for field in fields(Step) if field.type == "str"}
    words |= {field.name for field in fields(ToolCall) if field.type in ("str", "tuple[str, ...]")}
    assert words == {"text", "native_id", "model", "name", "result", "files"}


def test_a_clean_turn_is_the_same_turn(gate: Gate) -> None:
    clean = turn(STEP, STEP)
    assert gate.mask_turn(clean) is clean


@pytest.mark.fault("H2")
@pytest.mark.parametrize("cut", [6, 20, 34])
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_secret_cut_by_the_border_of_two_steps_is_masked(gate: Gate, cut: int, end: str) -> None:
    first, second = f"it starts {SECRET[:cut]}{end}", f"{SECRET[cut:]} and ends"
    for pair in (
        (replace(STEP, text=first), replace(STEP, text=second)),
        (replace(STEP, call=replace(CALL, result=first)), replace(STEP, call=replace(CALL, result=second))),
        (replace(STEP, call=replace(CALL, result=first)), replace(STEP, text=second)),
    ):
        masked = list(strings(gate.mask_turn(turn(*pair))))
        assert not any(SECRET[:cut] in text or SECRET[cut:] in text for text in masked)
        assert any(text.startswith("it starts [masked: github-token]") for text in masked)
        assert any(text.endswith("[masked: github-token] and ends") for text in masked)


def test_a_secret_cut_into_two_strings_of_one_call_is_masked(gate: Gate) -> None:
    value = {"content": [{"type": "text", "text": SECRET[:15]}, {"type": "text", "text": SECRET[15:]}]}
    masked = gate.mask_values(value)
    assert not any(SECRET[:15] in text or SECRET[15:] in text for text in strings(masked))


@pytest.mark.fault("H3")
def test_a_key_block_over_three_steps_is_masked(gate: Gate) -> None:
    lines = dict(gate.samples(4))["private-key"].secret.split("\n")
    pieces = ("\n".join(lines[:3]), "\n".join(lines[3:5]), "\n".join(lines[5:]))
    masked = list(strings(gate.mask_turn(turn(*(replace(STEP, text=piece) for piece in pieces)))))
    assert not any(line in text for line in lines[1:-1] for text in masked)


def test_neighbours_that_only_touch_stay_as_they_are(gate: Gate) -> None:
    steps = turn(replace(STEP, text="see commit 3f2a"), replace(STEP, text="91bd and the token count 12"))
    assert gate.mask_turn(steps) is steps


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ({"password": "hunter2"}, {"password": "[masked: password]"}),
        ({"env": {"DB_PASSWORD": "opensesame"}}, {"env": {"DB_PASSWORD": "[masked: environment-password]"}}),
        ([{"name": "A_TOKEN", "value": "a8Kx92LmQp31Zt"}], [{"name": "A_TOKEN", "value": f"[masked: {ENV}]"}]),
        ({"headers": {"x-api-key": "a8Kx92LmQp31Zt"}}, {"headers": {"x-api-key": "[masked: key-header]"}}),
        ({"password": "your-password"}, {"password": "your-password"}),
        ({"n": 1, "x": None, "y": [True, 2.5]}, {"n": 1, "x": None, "y": [True, 2.5]}),
        ("plain words", "plain words"),
    ],
)  # fmt: skip
def test_the_key_gives_its_value_away(gate: Gate, value: object, masked: object) -> None:
    assert gate.mask_values(value) == masked


def test_two_keys_of_one_kind_stay_two(gate: Gate) -> None:
    again = dict(gate.samples(9))["github-token"].secret
    masked = gate.mask_values({SECRET: 1, again: 2})
    assert sorted(masked.values()) == [1, 2]
    assert not any(secret in key for secret in (SECRET, again) for key in masked)


def test_what_nests_too_deep_to_look_into_is_masked_whole(gate: Gate) -> None:
    value: Any = SECRET
    for _ in range(400):
        value = [value]
    assert SECRET not in repr(gate.mask_values({"x": value}))
    assert "[masked: too-deep]" in repr(gate.mask_values({"x": value}))


@pytest.mark.parametrize("field", ["title", "cwd", "branch", "remote", "account", "version", "parent_native_id"])
def test_a_secret_is_masked_in_every_fact(gate: Gate, field: str) -> None:
    facts = gate.mask_facts(replace(Facts(), **{field: f"x {SECRET}"}))
    assert getattr(facts, field) == "x [masked: github-token]"


def test_a_secret_is_masked_in_lists_of_facts(gate: Gate) -> None:
    facts = Facts(
        models=(SECRET,), skills=(f"a {SECRET}",), commands=(SECRET, "ls"), unknown={SECRET: 2},
        broken=(BrokenLine(3, f"not JSON: {SECRET}"),), remote=f"https://me:{OTHER}@git.test/x.git",
    )  # fmt: skip
    masked = gate.mask_facts(facts)
    assert not any(SECRET in text or OTHER in text for text in strings(masked))
    assert masked.commands[1] == "ls"
    assert (masked.tokens, masked.broken[0].line) == (facts.tokens, 3)


@pytest.mark.parametrize("dress", DRESSES)
def test_a_secret_among_many_strings_is_found_as_if_it_were_alone(gate: Gate, dress: str) -> None:
    """They are looked through as one first; that look must miss nothing the look at each would find."""
    texts = [DRESSES[dress](sample)[0] for _, sample in gate.samples(6)]
    together = gate.mask_values([piece for text in texts for piece in (text, "—")])
    assert together[::2] == [gate.mask(text) for text in texts]


def test_private_words_in_one_string_end_with_it(gate: Gate) -> None:
    given = ["a <private>x", "—", "b </private> c", "—", "d <private>y</private> e", "—", "f <private>z", "—", "g"]
    rest = "[masked: private, never closed]"
    masked = [f"a {rest}", "—", "b </private> c", "—", "d [masked: private] e", "—", f"f {rest}", "—", "g"]
    assert gate.mask_values(given) == masked
