"""Numbers in, order out: the order is total and stable, and each part of a score does what it says."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.domain import Author, Chunk
from memlane.search.rank import ChunkMatch, Worth, faded, ranked, worth
from memlane.storage import Statistics
from tests.examples import examples

KNOWN = Statistics(chunks=1000, length=100_000, having={"the": 900, "zebra": 3, "lion": 3})
WORTH = worth(["the", "zebra", "lion"], KNOWN)
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def candidate(
    run: str = "r_a",
    turn: int = 1,
    step: int = 1,
    author: Author = Author.AGENT,
    likeness: float | None = None,
    length: int = 100,
    **times: int,
) -> ChunkMatch:
    return ChunkMatch(Chunk(run, turn, step, 0, author.value, NOON, ""), times, length, likeness)


def order(*choices: ChunkMatch) -> list[str]:
    return [one.chunk.run for one in ranked(choices, WORTH)]


def test_a_rare_word_is_worth_more_than_a_common_one() -> None:
    assert order(candidate("r_common", the=5), candidate("r_rare", zebra=1)) == ["r_rare", "r_common"]


def test_two_words_are_worth_more_than_one_said_often() -> None:
    assert order(candidate("r_often", zebra=9), candidate("r_both", zebra=1, lion=1)) == ["r_both", "r_often"]


def test_a_short_text_that_says_it_comes_before_a_long_one() -> None:
    assert order(candidate("r_long", length=900, zebra=1), candidate("r_short", length=20, zebra=1))[0] == "r_short"


def test_meaning_finds_what_has_none_of_the_words() -> None:
    assert order(candidate("r_far", likeness=0.1), candidate("r_near", likeness=0.6)) == ["r_near", "r_far"]


def test_words_and_meaning_together_beat_either_alone() -> None:
    found = order(
        candidate("r_words", likeness=0.1, zebra=1, lion=1),
        candidate("r_meaning", likeness=0.6),
        candidate("r_both", likeness=0.6, zebra=1, lion=1),
    )
    assert found[0] == "r_both"


def test_what_a_person_asked_counts_more_than_an_answer_that_is_as_near() -> None:
    asked, answered = candidate("r_p", author=Author.PERSON, likeness=0.5), candidate("r_a", likeness=0.5)
    assert order(answered, asked) == ["r_p", "r_a"]


def test_a_run_that_speaks_of_it_again_and_again_comes_first() -> None:
    once = [candidate("r_a", zebra=1), candidate("r_a", turn=2)]
    again = [candidate("r_b", zebra=1), candidate("r_b", turn=2, zebra=1)]
    assert order(*once, *again)[0] == "r_b"


def test_a_chunk_without_a_vector_yet_is_neither_first_nor_last_for_it() -> None:
    found = order(
        candidate("r_near", likeness=0.6, zebra=1),
        candidate("r_waiting", likeness=None, zebra=1),
        candidate("r_middle", likeness=0.3),
        candidate("r_far", likeness=0.05, zebra=1),
    )
    assert found.index("r_near") < found.index("r_waiting") < found.index("r_far")


def test_the_chunk_that_says_it_stands_for_its_turn_and_both_scores_are_told() -> None:
    (turn,) = ranked([candidate(step=1, likeness=0.2), candidate(step=2, likeness=0.3, zebra=2)], WORTH)
    assert turn.chunk.step == 2
    assert turn.semantic == 0.3
    assert 0 < turn.lexical < 1
    assert ranked([candidate(zebra=1)], WORTH)[0].semantic is None


def test_of_equal_ones_the_first_by_key_comes_first() -> None:
    assert order(*(candidate(run, zebra=1) for run in ("r_c", "r_a", "r_b"))) == ["r_a", "r_b", "r_c"]


def test_the_order_in_which_an_engine_names_the_terms_changes_nothing() -> None:
    some = {"the": 3, "zebra": 1, "lion": 7}
    a, b = candidate("r_a", **some), candidate("r_a", **dict(reversed(some.items())))
    assert ranked([a], WORTH)[0].score == ranked([b], WORTH)[0].score


def test_words_reach_at_most_one_and_unknown_statistics_are_no_error() -> None:
    assert WORTH.of({"the": 10**6, "zebra": 10**6, "lion": 10**6}, 1.0) == pytest.approx(1.0, abs=1e-3)
    nothing = worth(["zebra"], Statistics(0, 0, {}))
    assert nothing.of({"zebra": 3}, 1.0) == 0.0
    assert Worth({}, 1.0).of({"zebra": 3}, 1.0) == 0.0


def test_many_poor_ones_never_make_a_good_one() -> None:
    assert faded([0.9]) < faded([0.9, 0.5]) < faded([0.9, 0.9])
    assert faded([0.2] * 1000) <= 0.2
    assert faded([]) == 0.0


CANDIDATES = st.lists(
    st.builds(
        candidate,
        run=st.sampled_from(["r_a", "r_b", "r_c"]),
        turn=st.integers(1, 4),
        step=st.integers(1, 3),
        author=st.sampled_from(Author),
        likeness=st.none() | st.floats(-1, 1),
        length=st.integers(1, 500),
        zebra=st.integers(0, 9),
        the=st.integers(0, 9),
    ),
    max_size=30,
    unique_by=lambda one: one.chunk.key,
)


@settings(max_examples=examples(15), deadline=None)
@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_is_total_and_stable_whatever_order_engines_answer_in(
    found: list[ChunkMatch], chance: Random
) -> None:
    before = ranked(found, WORTH)
    chance.shuffle(found)
    assert ranked(found, WORTH) == before
    assert len({(one.chunk.run, one.chunk.turn) for one in before}) == len(before)
    assert [one.score for one in before] == sorted((one.score for one in before), reverse=True)
