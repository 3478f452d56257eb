"""Chunks and the words in them, in every engine."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.domain import (
    Chunk,
    Project,
    RunFilter,
)
from memlane.domain.tokenizer import terms
from memlane.storage import Engine, Statistics, Storage
from tests.conformance.rows import (
    NOON,
    NOOR,
    a_chunk,
    a_run,
    a_touch,
    fill,
    found,
    give_vectors,
    having,
    near,
)


def test_chunks_are_replaced_from_a_turn_on(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one", "zebra two", "zebra three")
    storage.chunks.replace("r_1", "noor", 2, [a_chunk("r_1", 2, "lion two"), a_chunk("r_1", 3, "lion three")])
    assert found(storage, "zebra") == ["zebra one"]
    assert sorted(found(storage, "lion")) == ["lion three", "lion two"]
    assert storage.chunks.count(NOOR) == 3
    storage.chunks.replace("r_1", "noor", 0, [])
    assert storage.chunks.count(NOOR) == 0
    assert having(storage, "zebra", "lion") == {}


def test_any_of_the_words_is_enough_and_the_rarer_counts_more(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "common one", "common two", "common and rare", "nothing of it")
    assert found(storage, "common rare missing") == ["common one", "common two", "common and rare"], "as they stand"
    assert found(storage, "common rare missing", limit=1) == ["common and rare"]
    assert found(storage, "missing") == []
    assert storage.chunks.matching([], RunFilter(), NOOR, 1000) == []


def test_equal_matches_stand_in_the_order_of_the_text(storage: Storage) -> None:
    for run in ("r_b", "r_a"):
        storage.runs.put(a_run(run))
        chunks = [a_chunk(run, turn, "zebra", step, part) for turn in (2, 1) for step in (2, 1) for part in (1, 0)]
        storage.chunks.replace(run, "noor", 0, chunks)
    places = [
        (one.chunk.run, one.chunk.turn, one.chunk.step, one.chunk.part)
        for one in storage.chunks.matching(["zebra"], RunFilter(), NOOR, 1000)
    ]
    assert places == sorted(places)
    assert len(places) == 16


def test_chunks_are_filtered_by_run_and_author(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", agent="codex"))
    storage.runs.put(a_run("r_2"))
    storage.chunks.replace("r_1", "noor", 0, [a_chunk("r_1", 1, "zebra one", author="agent")])
    storage.chunks.replace("r_2", "noor", 0, [a_chunk("r_2", 1, "zebra two")])
    assert found(storage, "zebra", which=RunFilter(agent="codex")) == ["zebra one"]
    assert found(storage, "zebra", which=RunFilter(author="person")) == ["zebra two"]
    assert len(found(storage, "zebra", limit=1)) == 1


def test_a_match_says_how_often_each_term_stands_in_it_and_how_many_it_has(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra lion zebra", "nothing here", "lion readFile")
    for _ in ("before", "after"):
        one, two = storage.chunks.matching(["zebra", "lion", "file", "absent"], RunFilter(), NOOR, 1000)
        assert (dict(one.times), one.length) == ({"zebra": 2, "lion": 1}, 3)
        assert (dict(two.times), two.length) == ({"lion": 1, "file": 1}, 4)
        assert storage.chunks.statistics(["zebra", "lion", "absent"], NOOR) == Statistics(3, 9, {"zebra": 1, "lion": 2})
        storage.settle()


def test_what_was_settled_and_what_was_not_is_one_answer(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one", "zebra two")
    storage.settle()
    fill(storage, "noor", "r_2", "zebra three", "lion")
    storage.chunks.replace("r_1", "noor", 2, [a_chunk("r_1", 2, "tiger zebra")])
    before = found(storage, "zebra"), having(storage, "zebra", "two", "tiger"), storage.chunks.near_terms("zebro", NOOR)
    assert before == (["zebra one", "tiger zebra", "zebra three"], {"zebra": 3, "tiger": 1}, [("zebra", 3)])
    storage.settle()
    assert before == (
        found(storage, "zebra"),
        having(storage, "zebra", "two", "tiger"),
        storage.chunks.near_terms("zebro", NOOR),
    )
    storage.runs.drop("r_2")
    assert (found(storage, "zebra lion"), having(storage, "zebra", "lion")) == (
        ["zebra one", "tiger zebra"],
        {"zebra": 2},
    )


def test_a_reader_opened_elsewhere_sees_what_was_written_settled_or_not(engine: Engine) -> None:
    writer = engine.begin()
    engine.swap(writer)
    reader = engine.open()
    try:
        for n in range(3):
            fill(writer, "noor", f"r_{n}", f"zebra {n}")
            assert found(reader, "zebra") == [f"zebra {n}" for n in range(n + 1)]
            if n == 1:
                writer.settle()
                assert found(reader, "zebra") == ["zebra 0", "zebra 1"]
        writer.runs.drop("r_1")
        assert found(reader, "zebra") == ["zebra 0", "zebra 2"]
    finally:
        reader.close()
        writer.close()


def test_the_best_few_are_chosen_wherever_they_stand(storage: Storage) -> None:
    fill(storage, "noor", "r_1", *(f"common padding number {n}" for n in range(50)), "common rare")
    storage.settle()
    fill(storage, "noor", "r_2", *(f"common padding digit {n}" for n in range(50)), "common rare")
    assert found(storage, "common rare", limit=2) == ["common rare", "common rare"]
    storage.settle()
    assert found(storage, "common rare", limit=2) == ["common rare", "common rare"]
    assert storage.chunks.matching(["common"], RunFilter(), NOOR, 0) == []


def test_chunks_of_a_run_come_in_order(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three")
    fill(storage, "mira", "r_m", "other")
    assert [chunk.text for chunk in storage.chunks.of_run("r_1", NOOR)] == ["one", "two", "three"]
    assert [chunk.text for chunk in storage.chunks.of_run("r_1", NOOR, 2)] == ["one", "two"]
    assert list(storage.chunks.of_run("r_m", NOOR)) == []
    assert list(storage.chunks.of_run("r_none", NOOR)) == []


def test_a_chunk_comes_back_as_it_was(storage: Storage) -> None:
    storage.runs.put(a_run("r_1"))
    chunk = Chunk("r_1", 3, 2, 1, "tool", NOON + timedelta(microseconds=250_000), "zebra\n\tline", "Bash")
    bare = Chunk("r_1", 3, 2, 2, "agent", None, "zebra")
    storage.chunks.replace("r_1", "noor", 0, [chunk, bare])
    assert [one.chunk for one in storage.chunks.matching(["zebra"], RunFilter(), NOOR, 1000)] == [chunk, bare]
    assert list(storage.chunks.of_run("r_1", NOOR)) == [chunk, bare]


def with_filters(storage: Storage) -> None:
    """Three Runs, one Chunk each, that differ in everything one can ask for."""
    project = Project("acme/shop", "host/acme/shop")
    storage.runs.put(a_run("r_1", agent="codex", project=project, ended=1))
    storage.runs.put(a_run("r_2", machine="desk", ended=2))
    storage.runs.put(a_run("r_3", ended=3))
    storage.runs.label("r_3", "noor", "", ["keep", "it's"], pinned=False)
    rows = [("r_1", "person", ""), ("r_2", "tool", "Bash"), ("r_3", "agent", "")]
    for run, author, tool in rows:
        storage.chunks.replace(run, "noor", 0, [Chunk(run, 1, 1, 0, author, NOON, f"zebra {run}", tool)])
    storage.touches.replace("r_2", "noor", 0, [a_touch("r_2", "/home/noor/shop/src/app.py")])


FILTERS = [
    (RunFilter(agent="codex"), "1"),
    (RunFilter(project="acme/shop"), "1"),
    (RunFilter(machine="desk"), "2"),
    (RunFilter(since=NOON + timedelta(minutes=2)), "23"),
    (RunFilter(until=NOON + timedelta(minutes=2)), "12"),
    (RunFilter(only=frozenset({"r_1", "r_3", "r_none"})), "13"),
    (RunFilter(only=frozenset()), ""),
    (RunFilter(tag="keep"), "3"),
    (RunFilter(tag="it's"), "3"),
    (RunFilter(tag="kee"), ""),
    (RunFilter(author="person"), "1"),
    (RunFilter(author="nobody"), ""),
    (RunFilter(tool="Bash"), "2"),
    (RunFilter(tool="bash"), ""),
    (RunFilter(file="app.py"), "2"),
    (RunFilter(file="src/app.py"), "2"),
    (RunFilter(file="/home/noor/shop/src/app.py"), "2"),
    (RunFilter(file="pp.py"), ""),
    (RunFilter(file="%"), ""),
    (RunFilter(tool="Bash", file="app.py", machine="desk"), "2"),
    (RunFilter(tool="Bash", agent="codex"), ""),
    (RunFilter(), "123"),
]


@pytest.mark.parametrize("settled", [False, True])
def test_every_filter_chooses_the_same_chunks_by_words_and_by_meaning(storage: Storage, settled: bool) -> None:
    with_filters(storage)
    give_vectors(storage)
    if settled:
        storage.settle()
    for which, runs in FILTERS:
        expected = [f"zebra r_{n}" for n in runs]
        assert found(storage, "zebra", which=which) == expected, which
        assert sorted(near(storage, "zebra", which)) == expected, which


HOSTILE = [
    '"',
    "AND",
    "OR NOT",
    "NEAR(zebra)",
    "zebra*",
    "-zebra",
    "^zebra",
    "zebra:",
    "col : zebra",
    "(",
    "'; --",
    "%",
]


@pytest.mark.fault("E11")
@pytest.mark.parametrize("word", HOSTILE)
def test_no_word_is_an_operator(storage: Storage, word: str) -> None:
    fill(storage, "noor", "r_1", "zebra and or not near", f"with {word} in it")
    storage.chunks.matching([word, "zebra"], RunFilter(), NOOR, 1000)
    storage.chunks.statistics([word], NOOR)
    storage.chunks.near_terms(word, NOOR)
    assert found(storage, "zebra")[0].find("zebra") >= 0


def test_a_question_of_a_thousand_words_is_answered(storage: Storage) -> None:
    fill(storage, "noor", "r_1", " ".join(f"word{n}" for n in range(1000)), "rare")
    assert "rare" in found(storage, " ".join(f"word{n}" for n in range(1000)) + " rare")


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1, max_size=40))
def test_whatever_was_written_is_found_by_its_own_words(storage: Storage, text: str) -> None:
    text = text.replace("\0", " ")
    if any(0xD800 <= ord(character) < 0xE000 for character in text):
        return
    fill(storage, "noor", "r_1", text)
    words = list(terms(text))
    if words:
        assert found(storage, text) == [text]
        assert set(having(storage, *words)) == set(words)
