"""Which Windows are read first when not all can be: the most promising for their length, each Run oldest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.catch.moment import Moment
from memlane.catch.promise import HALF, PromiseWeights, by_promise, features, promise, run_promise
from memlane.domain import Author, Kind, Project, RunSummary, Spot, Step, Turn, Window
from tests.examples import examples

NOW = datetime(2026, 6, 1, tzinfo=UTC)
TEACHES = "no, that is wrong: always use pnpm here, never npm, because the lockfile is pnpm's"
GOES_ON = "go on"


def window(run: str, n: int, *said: str, work: int = 0, at: datetime = NOW, author: Author = Author.PERSON) -> Window:
    """Of turn `n` on, one for each text; `work`: characters that the agent answers."""
    turns = [Turn(0, author, (Step(1, Author.AGENT, Kind.TEXT, 1, "what next?"),))]
    for number, text in enumerate(said):
        reply = Step(2, Author.AGENT, Kind.TEXT, 2, "y" * work, at=at)
        turns.append(Turn(n + number, author, (Step(1, author, Kind.PROMPT, 1, text, at=at), reply)))
    last = Spot(n + len(said) - 1, 2)
    return Window(run, "u", "claude-code", 1, Project("p", "p"), Spot(n, 1), last, tuple(turns))


def names(windows: Sequence[Window]) -> list[str]:
    return [f"{each.run} {each.first}" for each in windows]


def test_the_weights_are_those_of_the_features() -> None:
    learned = {"base", *features(Moment("hello"))}
    assert learned == set(PromiseWeights.__dataclass_fields__)


def test_a_correction_promises_more_than_an_order_and_that_more_than_a_program() -> None:
    corrects, orders = window("r", 1, TEACHES), window("r", 1, GOES_ON)
    program = window("r", 1, TEACHES, author=Author.PROGRAM)
    assert promise(corrects) > 3 * promise(orders) > 3 * promise(program)


def test_two_prompts_promise_more_than_one() -> None:
    assert promise(window("r", 1, TEACHES, TEACHES)) > promise(window("r", 1, TEACHES))


def test_the_run_that_promises_most_for_its_length_is_first() -> None:
    poor, rich, long = window("poor", 1, GOES_ON), window("rich", 1, TEACHES), window("long", 1, TEACHES, work=2400)
    assert names(by_promise([[poor], [long], [rich]], NOW)) == ["rich t1.1", "long t1.1", "poor t1.1"]


def test_a_poor_window_is_read_first_where_a_rich_one_follows_it_in_its_run() -> None:
    poor, rich, middling = window("a", 1, GOES_ON), window("a", 2, *[TEACHES] * 6), window("b", 1, TEACHES)
    assert names(by_promise([[poor, rich], [middling]], NOW)) == ["a t1.1", "a t2.1", "b t1.1"]


def test_what_is_long_ago_promises_less() -> None:
    lately, once = window("lately", 1, TEACHES), window("once", 1, TEACHES, at=NOW - 2 * HALF)
    assert names(by_promise([[once], [lately]], NOW)) == ["lately t1.1", "once t1.1"]


SAID = st.sampled_from([TEACHES, GOES_ON, "why did that fail?", "add a button to the page"])
RUNS = st.lists(st.lists(st.lists(SAID, min_size=1, max_size=4), min_size=1, max_size=5), max_size=5)


@given(RUNS)
@settings(max_examples=examples(30), deadline=None)
def test_every_window_once_and_those_of_a_run_in_their_order(said: list[list[list[str]]]) -> None:
    runs = [[window(f"r{n}", 10 * k + 1, *texts) for k, texts in enumerate(run)] for n, run in enumerate(said)]
    ordered = by_promise(runs, NOW)
    assert len(ordered) == sum(map(len, runs))
    for n, run in enumerate(runs):
        assert [each.key for each in ordered if each.run == f"r{n}"] == [each.key for each in run]


def test_a_run_in_which_somebody_typed_often_and_lately_comes_first() -> None:
    busy = RunSummary("r", "u", "m", "a", "n", 1, "", 1, person_turns=9, steps=60, ended=NOW)
    alone, old = replace(busy, person_turns=0), replace(busy, ended=NOW - timedelta(days=400))
    untimed = replace(busy, ended=None)
    assert run_promise(busy, NOW) == run_promise(untimed, NOW) > run_promise(old, NOW) > run_promise(alone, NOW) == 0
