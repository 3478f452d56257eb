"""Words in, Turns out: any word is enough, the best Chunk stands for its Turn, the order is total and stable."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, scratch
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.domain import RunFilter
from memlane.search.find import NEAR_ENOUGH, snippet
from tests.examples import examples


@pytest.fixture
def world() -> Iterator[World]:
    folder = scratch()
    yield World(folder).prepare()
    shutil.rmtree(folder)


def found(lane: Lane, words: str, limit: int = 100) -> list[str]:
    return [one.chunk.text for one in lane.search.find(words, RunFilter(), limit, Mode.WORDS).search.best]


def lane_with(world: World, *texts: str, name: str = "a") -> Lane:
    world.path(name).write_bytes(b"".join(line(text) for text in texts))
    lane = world.lane(WatchedDisk())
    lane.capture.sweep()
    return lane


def test_one_word_of_many_is_enough(world: World) -> None:
    with lane_with(world, "the zebra runs", "nothing at all") as lane:
        assert found(lane, "which zebra was it that broke the deployment?") == ["the zebra runs"]


def test_the_turn_with_more_of_the_words_comes_first(world: World) -> None:
    with lane_with(world, "zebra", "zebra and lion", "lion", "nothing") as lane:
        assert found(lane, "zebra lion")[0] == "zebra and lion"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("see src/shop/cart.py for it", "src/shop/cart.py"),
        ("see src/shop/cart.py for it", "cart.py"),
        ("it failed with E0425 there", "e0425"),
        ("error[E0277]: the trait bound is not satisfied", "E0277"),
        ("it ended with 0x80070005 (access denied)", "0x80070005"),
        ("call read_all_rows() twice", "read_all_rows"),
        ("call read_all_rows() twice", "rows"),
        ("see src/shop/cart.py:41 for it", "src/shop/cart.py:41"),
        ("fix: @acme/ui-kit@2.1.0 is gone", "@acme/ui-kit"),
        ("std::vector<int> overflows", "std::vector"),
        ("it says ECONNREFUSED 127.0.0.1:5432", "127.0.0.1:5432"),
        ("parseConfigFile is wrong", "config"),
        ("set LANE_HOME first", "LANE_HOME"),
        ("the packages are broken", "package"),
        ("東京タワーに行く", "タワー"),
        ("配置文件在哪里", "配置文件"),
        ("설정 파일을 찾았다", "파일을"),
        ("файл не найден", "найден"),
        ("naïve café", "café"),
    ],
)
def test_identifiers_paths_codes_and_other_scripts_are_found(world: World, text: str, query: str) -> None:
    with lane_with(world, text, "something else entirely") as lane:
        assert found(lane, query) == [text]


def test_what_stands_in_quotes_comes_first_where_it_stands_as_typed(world: World) -> None:
    texts = ["broken pipe", "the pipe is broken and the broken one is a pipe", "it said: Broken   Pipe (32)"]
    with lane_with(world, *texts, *(f"filler {n}" for n in range(20))) as lane:
        assert found(lane, 'where was "broken pipe"')[-1] == texts[1]
        assert found(lane, "“broken pipe (32)”")[0] == texts[2]


def test_a_time_word_prefers_what_was_said_then(world: World) -> None:
    world.path("a").write_bytes(
        line("the build broke", at="2026-11-13T10:00:00Z") + line("the build broke", at="2026-09-01T10:00:00Z")
    )
    with world.lane(WatchedDisk()) as lane:
        lane.capture.sweep()
        best = lane.search.find("why did the build break last friday", RunFilter(), 10, Mode.WORDS).search.best
        assert [one.chunk.turn for one in best] == [1, 2]
        assert best[0].score > best[1].score


def test_words_alone_meaning_alone_and_both_answer(world: World) -> None:
    with lane_with(world, "the car would not start this morning", "bake the bread at noon") as lane:
        assert found(lane, "vehicle") == []
        best = lane.search.find("vehicle engine trouble", RunFilter(), 10, Mode.MEANING).search.best
        assert best[0].chunk.text == "the car would not start this morning"
        assert best[0].semantic is not None
        both = lane.search.find("bread", RunFilter(), 10).search.best[0]
        assert both.lexical > 0
        assert both.semantic is not None


def test_to_words_that_stand_nowhere_only_what_is_really_near_is_an_answer(world: World) -> None:
    with lane_with(world, "the car would not start this morning", "bake the bread at noon") as lane:
        near = lane.search.find("cars wouldnt start mornings vehicle", RunFilter(), 10).search
        assert near.best[0].chunk.text == "the car would not start this morning"
        for words in ("photosynthesis", "zzyzx quux", "0x80070057"):
            assert lane.search.find(words, RunFilter(), 10, Mode.MEANING).search.best
            far = lane.search.find(words, RunFilter(), 10).search
            assert (list(far.best), far.turns, far.runs) == ([], 0, 0)
        alone = lane.search.find("automobile", RunFilter(), 10).search
        assert [one.lexical for one in alone.best] == [0.0] * alone.turns
        assert all((one.semantic or 0) >= NEAR_ENOUGH for one in alone.best)


ODD = st.text() | st.sampled_from(
    [
        '"', "'\"", '"unclosed', "AND OR NOT", "a AND (b", "NEAR/3", "title:x^2~", "*", "?", "\\", "\x00\x01\x1b[31m",
        "🙂🙃", "‮", "\ud800", "%s%n", "'; DROP TABLE chunks; --", "[[[", "x" * 5000, "zebra " * 10_000, "- -- ---",
        "+zebra -lion", "zebra*", "/zebra/", "zebra~2", "in 0000-00-00", "999 years ago", "‘zebra’ «lion» 「東京」",
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def standing() -> Iterator[Lane]:
    folder = scratch()
    with lane_with(World(folder).prepare(), "the zebra runs", "and a lion", "東京タワーに行く") as lane:
        yield lane
    shutil.rmtree(folder)


@pytest.mark.fault("E11")
@settings(max_examples=examples(15), deadline=None)
@given(words=ODD, mode=st.sampled_from(Mode), limit=st.integers(1, 50))
def test_every_malformed_question_is_an_answer(standing: Lane, words: str, mode: Mode, limit: int) -> None:
    answer = standing.search.find(words, RunFilter(), limit, mode).search
    assert len(answer.best) <= limit
    assert answer.turns <= 3
    assert answer == standing.search.find(words, RunFilter(), limit, mode).search


def test_the_same_question_has_the_same_answer_whatever_was_captured_first(world: World) -> None:
    names = [f"run{n}" for n in range(12)]
    answers = set[tuple[str, ...]]()
    for seed in range(3):
        other = World(world.folder / str(seed)).prepare()
        random.Random(seed).shuffle(names)
        for name in names:
            other.path(name).write_bytes(line(f"zebra {name}") + line("the same words in all of them"))
            with other.lane(WatchedDisk()) as lane:
                lane.capture.sweep()
        with other.lane(WatchedDisk()) as lane:
            places = [
                (one.run.native_id, one.chunk.turn)
                for one in lane.search.find("same words", RunFilter(), 100).search.best
            ]
            answers.add(tuple(map(str, places)))
    assert len(answers) == 1


def test_a_rare_word_is_not_padded_with_turns_that_only_sound_alike(world: World) -> None:
    texts = ("the zebra runs over the plain", "a horse gallops over the plain", "donkeys graze in the meadow")
    with lane_with(world, *texts) as lane:
        assert [one.chunk.text for one in lane.search.find("zebra", RunFilter(), 10).search.best] == [texts[0]]


def test_a_limit_cuts_the_same_list(world: World) -> None:
    with lane_with(world, *(f"zebra {n}" for n in range(30))) as lane:
        everything = found(lane, "zebra")
        assert len(everything) == 30
        for limit in (1, 7, 29):
            assert found(lane, "zebra", limit) == everything[:limit]


def test_a_misspelt_word_brings_the_one_that_may_have_been_meant(world: World) -> None:
    with lane_with(world, "the deployment failed", "another deployment") as lane:
        search = lane.search.find("deploiment", RunFilter(), 10, Mode.WORDS).search
        assert search.best == []
        assert search.meant == {"deploiment": "deployment"}


def test_an_empty_question_finds_nothing(world: World) -> None:
    with lane_with(world, "the zebra") as lane:
        for words in ("", "   ", "?!", '"'):
            assert found(lane, words) == []


def test_a_snippet_shows_the_place_and_marks_the_words() -> None:
    text = "filler " * 200 + "here the zebra stands" + " more" * 200
    shown, hits = snippet(text, frozenset({"zebra"}))
    assert [shown[start:end] for start, end in hits] == ["zebra"]
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) < 600
    assert snippet("one\ntwo\nzebra", frozenset({"zebra"})) == ("one two zebra", ((8, 13),))
    assert snippet("", frozenset({"x"})) == ("", ())


@pytest.mark.parametrize(
    ("text", "wanted", "hits"),
    [
        ("[INFO] webpack [SUCCESS] ^> [webpack]", {"webpack"}, ["webpack", "webpack"]),
        ("see ./webpack.config.js, webpackConfig and unwebpacked", {"webpack"}, ["webpack", "webpackConfig"]),
        ("see ./webpack.config.js", {"webpack.config.js", "webpack", "config", "js"}, ["webpack.config.js"]),
        ("[x] done", {"zebra"}, []),
        ("x" * 9_000, {"x"}, []),
    ],
)
def test_a_snippet_keeps_its_brackets_and_only_what_matches_is_a_hit(
    text: str, wanted: set[str], hits: list[str]
) -> None:
    shown, found = snippet(text, frozenset(wanted))
    assert [shown[start:end] for start, end in found] == hits
    assert shown.removesuffix(" …") in text


def test_the_pieces_of_a_snippet_are_the_snippet(world: World) -> None:
    with lane_with(world, "[ok] the zebra stands, [zebra] and zebras") as lane:
        (hit,) = lane.search.find("zebra").search.best
        assert (
            "".join(text for text, _found in hit.pieces) == hit.snippet == "[ok] the zebra stands, [zebra] and zebras"
        )
        assert [text for text, found in hit.pieces if found] == ["zebra", "zebra", "zebras"]
