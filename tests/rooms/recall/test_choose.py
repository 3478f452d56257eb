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
    choice = chosen((a_memory("one"), 0.8), downs=downs)
    (judged,) = (*choice.shown, *choice.near)
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


@pytest.mark.parametrize(
    ("similarity", "downs", "shown"),
    [
        (0.54, 1, False),
        (0.60, 1, True),
        (0.60, 3, False),
        (0.75, 3, True),
        (0.99, 5, False),
        (0.40, -1, True),
        (0.25, -1, False),
        (0.25, -2, True),
        (0.05, -9, False),
    ],
)
def test_votes_count_before_the_floor(similarity: float, downs: float, shown: bool) -> None:
    assert bool(chosen((a_memory("one"), similarity), downs=downs).shown) is shown


def test_votes_that_decide_are_named_in_words() -> None:
    down = chosen((a_memory("one"), 0.54), downs=1)
    assert down.why == "the match has thumbs down on prompts like this"
    assert down.near[0].because == "thumbs down on prompts like this: 54% counts as 49%"
    (up,) = chosen((a_memory("one"), 0.40), downs=-1).shown
    assert up.because == "a thumb up on prompts like this: 40% counts as 64%"
    assert chosen((a_memory("one"), 0.9), downs=5).near[0].because.endswith("not recalled there")


def test_what_is_far_behind_the_best_about_the_named_is_not_told() -> None:
    about = [LikelyMemory(a_memory(name), how, "entity", covers=1) for name, how in (("one", 0.8), ("two", 0.5))]
    chooser = Chooser(QUERY, needed(QUERY.words), NOW, WEIGHTS, NO_CAP)
    assert [match.memory.id for match in chooser.choose(Shortlist(about=about), NOTHING_SAID).shown] == ["one"]


def test_what_is_asked_for_is_told_where_nothing_else_is() -> None:
    asked = [LikelyMemory(a_memory("old"), 0.01, "asked", asked="the prompt asks for notes of this time")]
    near = [LikelyMemory(a_memory("near"), 0.9, "meaning")]
    chooser = Chooser(QUERY, needed(QUERY.words), NOW, WEIGHTS, NO_CAP)
    (told,) = chooser.choose(Shortlist(asked=asked), NOTHING_SAID).shown
    assert (told.memory.id, told.because) == ("old", "the prompt asks for notes of this time")
    assert [m.memory.id for m in chooser.choose(Shortlist(near=near, asked=asked), NOTHING_SAID).shown] == ["near"]
