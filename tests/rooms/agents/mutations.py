"""Lines of real transcripts, spoilt: for tests that no Source raises, whatever stands in a file."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from memlane.agents.agent import Line
from memlane.domain import Facts, Turn

JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=6,
)
WRONG = [None, 0, 1.5, True, "", "text", [], [None], {}, {"type": 7}]


def lines_of(data: bytes) -> list[Line]:
    return [Line(n, line) for n, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1)]


def all_lines(paths: list[Path]) -> list[bytes]:
    return [line for path in paths for line in path.read_bytes().splitlines()]


def changed(value: Any, junk: Any, choose: random.Random) -> Any:
    """The same value with one part, somewhere, replaced or removed."""
    if not isinstance(value, dict | list) or not value or choose.random() < 0.15:
        return junk
    if isinstance(value, list):
        place = choose.randrange(len(value))
        return [changed(each, junk, choose) if n == place else each for n, each in enumerate(value)]
    key = choose.choice(sorted(value))
    if choose.random() < 0.1:
        return {name: each for name, each in value.items() if name != key}
    return {**value, key: changed(value[key], junk, choose)}


def spoilt(lines: list[bytes], junk: Any, choose: random.Random, noise: bytes) -> tuple[bytes, bytes]:
    """Every line changed somewhere; and the same with one of them cut and filled with noise."""
    mutated = [json.dumps(changed(json.loads(line), junk, choose)).encode() for line in lines]
    whole = b"\n".join(mutated) + b"\n"
    place = choose.randrange(len(mutated))
    cut = choose.randrange(len(mutated[place]) + 1)
    mutated[place] = mutated[place][:cut] + noise.replace(b"\n", b"") + mutated[place][cut:]
    return whole, b"\n".join(mutated) + b"\n"


def assert_in_order(turns: list[Turn], facts: Facts) -> None:
    """Turns and Steps are numbered as they stand, and everything in them can be stored."""
    first = turns[0].n if turns else 0
    assert first in (0, 1)
    assert [turn.n for turn in turns] == list(range(first, first + len(turns)))
    for turn in turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
        for step in turn.steps:
            (step.text + step.native_id + step.model).encode()
            if step.call:
                json.dumps([step.call.name, step.call.result, dict(step.call.input), step.call.files]).encode()
    json.dumps([facts.title, facts.cwd, facts.parent_native_id, facts.models, dict(facts.unknown)]).encode()
    assert min(facts.tokens.input, facts.tokens.output, facts.tokens.cached, facts.cost) >= 0
