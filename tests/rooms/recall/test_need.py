"""What a prompt asks for: a type by its word in any form, a time, or nothing at all."""

from __future__ import annotations

import pytest

from memlane.domain import Type
from memlane.recall import needed


@pytest.mark.parametrize(
    ("words", "within"),
    [
        ("what did we change last week", (1, 14)),
        ("the thing from yesterday", (0.5, 2)),
        ("what broke on Friday", (0, 8)),
        ("a couple of days ago it worked", (1, 7)),
        ("3 days ago", (2, 4)),
        ("two weeks ago", (7, 21)),
        ("Two Months Ago", (30, 90)),
        ("what was decided lately", (0, 31)),
        ("the last week of the sprint plan", (1, 14)),
        ("the week after next", None),
        ("a daily report", None),
    ],
)
def test_a_time_in_the_prompt_is_a_window_of_days(words: str, within: tuple[float, float] | None) -> None:
    assert needed(words).within == within


@pytest.mark.parametrize(
    ("words", "type"),
    [
        ("our decisions", Type.DECISION),
        ("we were choosing a queue", Type.DECISION),
        ("she preferred tea", Type.COMMITMENT),
        ("what does Amy like? I like it short", Type.COMMITMENT),
        ("as usual", Type.PATTERN_SEED),
        ("mistaken assumptions", Type.CORRECTION),
        ("which problems came up", Type.GAP),
        ("habits on Mondays", Type.PATTERN_SEED),
        ("what we realised", Type.INSIGHT),
        ("a discovery", Type.LEARNING),
    ],
)
def test_a_word_in_any_form_hints_at_its_types(words: str, type: Type) -> None:
    assert type in needed(words).boosted


@pytest.mark.parametrize("words", ["it looks like rain", "the wrongness-detector", "undecidable", "unlike the others"])
def test_a_word_inside_of_another_does_not(words: str) -> None:
    assert needed(words).boosted == frozenset()


@pytest.mark.parametrize(
    ("words", "routine"), [("yes", True), ("ok, go on", True), ("commit this", True), ("E4021", False), ("why?", False)]
)
def test_agreeing_needs_nothing(words: str, routine: bool) -> None:
    assert needed(words).routine is routine
