"""The order is the formula's, the parts add up, and what is not good enough is not said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.domain import Memory, Project, Query, Scope, Type
from memlane.recall import BUDGET, WEIGHTS, Chooser, LikelyMemory, RecallChoice, Shortlist, needed, said_before

NOW = datetime(2026, 6, 1, tzinfo=UTC)
QUERY = Query("deploy the worker", Project("app", "app"), "/app", "claude-code", "s", "r_x")
NOTHING_SAID = said_before((), 0)
NO_CAP = replace(BUDGET, per_prompt=99, per_run=99, tokens_per_run=99999)


def a_memory(name: str, **more: object) -> Memory:
    then = NOW - timedelta(days=3)
    made = Memory(name, "ann", Type.LEARNING, name, name, then, then, then, then, scope=Scope.PERSON, confidence=80)
    return replace(made, **more)


def chosen(*pairs: tuple[Memory, float], words: str = QUERY.words, **more: object) -> RecallChoice:
    found = [replace(LikelyMemory(memory, similarity, "meaning"), **more) for memory, similarity in pairs]
    chooser = Chooser(replace(QUERY, words=words), needed(words), NOW, WEIGHTS, NO_CAP)
    return chooser.choose(Shortlist(near=found), NOTHING_SAID)


def order(*pairs: tuple[Memory, float], words: str = QUERY.words) -> list[str]:
    return [match.memory.id for match in chosen(*pairs, words=words).shown]


def test_the_newer_of_two_equals_is_first_and_the_old_one_never_counts_for_nothing() -> None:
    new, old = (a_memory(name, last_observed_at=NOW - timedelta(days=days)) for name, days in (("new", 1), ("old", 60)))
    assert order((old, 0.6), (new, 0.6)) == ["new", "old"]
    assert order((old, 0.78), (new, 0.6)) == ["old", "new"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [({"confidence": 95}, {"confidence": 60}), ({"times_observed": 5}, {}), ({"type": Type.CORRECTION}, {})],
)
def test_each_other_term_decides_between_equals(better: dict[str, object], worse: dict[str, object]) -> None:
    assert order((a_memory("worse", **worse), 0.6), (a_memory("better", **better), 0.6)) == ["better", "worse"]


@pytest.mark.parametrize(
    ("words", "similarity", "shown"),
    [
        ("when does the newsletter go out", 0.50, True),
        ("when does the newsletter go out", 0.49, False),
        ("why does pytest raise ImportError here?", 0.55, True),
        ("why does pytest raise ImportError here?", 0.54, False),
        ("I was up all night", 0.75, True),
        ("I was up all night", 0.74, False),
    ],
)
def test_the_floor_is_higher_for_technical_prompts_and_for_talk_about_us(
    words: str, similarity: float, shown: bool
) -> None:
    found = chosen((a_memory("one"), similarity), words=words)
    assert bool(found.shown) is shown
    assert bool(found.near) is not shown


def test_below_sixty_nothing_is_recalled() -> None:
    assert order((a_memory("unsure", confidence=59), 0.9)) == []


TWINS = "Delete the staging bucket before every release", "Remove the staging bucket before every release"


def test_of_two_that_say_the_same_only_the_better_is_told() -> None:
    better, worse = (a_memory(name, title=title) for name, title in zip(("better", "worse"), TWINS, strict=True))
    choice = chosen((worse, 0.8), (better, 0.9), (a_memory("other"), 0.7))
    assert [match.memory.id for match in choice.shown] == ["better", "other"]
    assert [match.memory.id for match in choice.near] == ["worse"]


def test_what_says_the_opposite_is_told_beside_it() -> None:
    one, other = a_memory("one", title=TWINS[0]), a_memory("other", title=TWINS[0].replace("Delete", "Never delete"))
    assert order((one, 0.9), (other, 0.8)) == ["one", "other"]


def test_what_says_the_same_as_a_told_one_is_not_told_later() -> None:
    told, twin = (a_memory(name, title=title) for name, title in zip(("told", "twin"), TWINS, strict=True))
    found = Shortlist(near=[LikelyMemory(told, 0.6, "meaning"), LikelyMemory(twin, 0.9, "meaning")])
    choice = Chooser(QUERY, needed(QUERY.words), NOW, WEIGHTS, NO_CAP).choose(found, said_before({"told"}, 0))
    assert choice.shown == ()
    assert choice.why == "already shown in this run"


@pytest.mark.parametrize(
    ("downs", "factor"), [(-1, 1.1), (-0.5, 1), (0, 1), (1, 0.9), (2, 0.9), (3, 0.7), (4, 0.7), (5, 0.5), (9, 0.5)]
)
def test_votes_are_a_factor_and_its_effect_is_a_part_of_its_own(downs: float, factor: float) -> None:
    (without,) = chosen((a_memory("one"), 0.8)).shown
    (judged,) = chosen((a_memory("one"), 0.8), downs=downs).shown
    assert judged.score == pytest.approx(factor * without.score, abs=1e-3)
    assert judged.parts.get("votes", 0.0) == pytest.approx((factor - 1) * without.score, abs=1e-3)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1), st.floats(-3, 9)), max_size=8), st.randoms())
def test_ranking_is_total_and_does_not_depend_on_the_order_of_what_it_is_given(
    drawn: list[tuple[int, float, float]], chance: object
) -> None:
    pairs = [(a_memory(f"m{n}", times_observed=seen + 1), similarity) for n, (seen, similarity, _) in enumerate(drawn)]
    shuffled = list(pairs)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert order(*pairs) == order(*shuffled)
    found = chosen(*pairs, downs=drawn[0][2] if drawn else 0.0)
    for match in (*found.shown, *found.near):
        assert match.score == pytest.approx(sum(match.parts.values()))
