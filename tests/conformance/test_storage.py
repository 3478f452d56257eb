"""What the storage ports mean, for every engine there is. A second one joins by one line in ENGINES."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.postgres_server import shared
from campaigns.world import scratch
from memlane.domain import (
    NO_PROJECT,
    Chunk,
    Entry,
    Match,
    Memory,
    Moment,
    Outcome,
    Project,
    Query,
    Reader,
    Recall,
    RunSummary,
    State,
    Touch,
    Type,
)
from memlane.domain import journal as kinds
from memlane.domain.words import terms
from memlane.errors import LaneError
from memlane.storage import EVERYTHING, Engine, Mark, RunFilter, Statistics, Storage, apply, memory_data, recall_data
from memlane.storage.embedded import EmbeddedEngine
from memlane.storage.postgres import PostgresEngine


def embedded(folder: Path) -> Engine:
    return EmbeddedEngine(folder / "index", folder / "vectors")


def postgres(folder: Path) -> Engine:
    return PostgresEngine(shared().url, schema=folder.name.replace("-", "_"))


# Each makes an Engine of its own for that folder.
ENGINES: dict[str, Callable[[Path], Engine]] = {"embedded": embedded, "postgres": postgres}

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
NOOR, MIRA = Reader("noor"), Reader("mira")


@pytest.fixture(params=ENGINES, scope="module")
def make(request: pytest.FixtureRequest) -> Callable[[Path], Engine]:
    return ENGINES[request.param]


@pytest.fixture
def folder() -> Iterator[Path]:
    made = scratch()
    yield made
    shutil.rmtree(made)


@pytest.fixture
def engine(make: Callable[[Path], Engine], folder: Path) -> Engine:
    return make(folder)


@pytest.fixture
def storage(engine: Engine) -> Iterator[Storage]:
    opened = engine.begin()
    yield opened
    opened.close()


def a_run(id: str, owner: str = "noor", ended: int | None = 0, **more: object) -> RunSummary:
    at = None if ended is None else NOON + timedelta(minutes=ended)
    run = RunSummary(id, owner, "laptop", "plain", f"native-{id}", 1, f"/home/{id}.jsonl", 10, started=at, ended=at)
    return replace(run, **more)  # type: ignore[arg-type]


def a_chunk(run: str, turn: int, text: str, step: int = 1, part: int = 0, author: str = "person") -> Chunk:
    return Chunk(run, turn, step, part, author, NOON, text)


def a_touch(run: str, path: str, turn: int = 1, minute: int | None = 0, changed: bool = False) -> Touch:
    at = None if minute is None else NOON + timedelta(minutes=minute)
    return Touch(run, turn, 1, path, changed, "Edit" if changed else "Read", at)


def a_memory(id: str, owner: str = "noor", minute: int = 0, **more: object) -> Memory:
    at = NOON + timedelta(minutes=minute)
    memory = Memory(id, owner, Type.DECISION, f"title {id}", f"content {id}", at, at, at, at)
    return replace(memory, **more)  # type: ignore[arg-type]


def a_recall(id: str, owner: str = "noor", minute: int = 0, run: str = "r_1", *shown: Memory) -> Recall:
    query = Query("where is it", NO_PROJECT, "/home/shop", "plain", "n", run, Moment.PROMPT, ("a.py",))
    outcome = Outcome.SHOWN if shown else Outcome.SILENT
    matches = tuple(Match(memory, 0.5, 0.5, {"words": 0.5}, "words") for memory in shown)
    return Recall(id, owner, NOON + timedelta(minutes=minute), query, outcome, "", matches)


def fill(storage: Storage, owner: str, run: str, *texts: str) -> None:
    storage.runs.put(a_run(run, owner))
    storage.chunks.replace(run, owner, 0, [a_chunk(run, n, text) for n, text in enumerate(texts, 1)])


def a_vector(text: str, dimension: int = 64) -> np.ndarray:
    """Texts that share words are near each other."""
    made = np.zeros(dimension, np.float32)
    for word in terms(text):
        made += np.random.default_rng(crc32(word.encode())).standard_normal(dimension).astype(np.float32)
    return made / np.linalg.norm(made)


def give_vectors(storage: Storage, model: str = "m@64", most: int = 1000) -> list[str]:
    waiting = storage.vectors.waiting(model, most)
    if waiting:
        storage.vectors.put(model, waiting, np.stack([a_vector(chunk.text) for chunk in waiting]))
    return [chunk.text for chunk in waiting]


def near(
    storage: Storage, text: str, which: RunFilter = EVERYTHING, reader: Reader = NOOR, model: str = "m@64"
) -> list[str]:
    return [one.chunk.text for one in storage.vectors.nearest(a_vector(text), model, which, reader)]


def having(storage: Storage, *words: str, reader: Reader = NOOR) -> dict[str, int]:
    return dict(storage.chunks.statistics(words, reader).having)


def found(storage: Storage, words: str, reader: Reader = NOOR, which: RunFilter = EVERYTHING) -> list[str]:
    return [one.chunk.text for one in storage.chunks.matching(list(terms(words)), which, reader)]


# -- runs --------------------------------------------------------------------------------------------------------------


def test_a_run_is_put_and_put_again(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", title="first"))
    storage.runs.put(a_run("r_1", title="second"))
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="second")
    assert storage.runs.count(NOOR) == 1


def test_runs_are_listed_newest_first_those_without_a_time_last_and_always_alike(storage: Storage) -> None:
    for id, ended in (("r_b", 5), ("r_x", None), ("r_a", 5), ("r_new", 9), ("r_old", -9)):
        storage.runs.put(a_run(id, ended=ended))
    assert [run.id for run in storage.runs.listed(EVERYTHING, NOOR)] == ["r_new", "r_a", "r_b", "r_old", "r_x"]
    assert [run.id for run in storage.runs.listed(RunFilter(limit=2), NOOR)] == ["r_new", "r_a"]


def test_runs_are_filtered(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", agent="codex", project=Project("acme/shop", "host/acme/shop"), ended=1))
    storage.runs.put(a_run("r_2", machine="desk", ended=2))

    def ids(**which: object) -> list[str]:
        return [run.id for run in storage.runs.listed(RunFilter(**which), NOOR)]  # type: ignore[arg-type]

    assert ids(agent="codex") == ids(project="acme/shop") == ids(project="host/acme/shop") == ["r_1"]
    assert ids(machine="desk") == ids(since=NOON + timedelta(minutes=2)) == ["r_2"]
    assert ids(until=NOON + timedelta(minutes=1)) == ["r_1"]
    assert ids(agent="codex", machine="desk") == []


def test_ids_are_found_by_their_beginning_and_nothing_in_it_is_special(storage: Storage) -> None:
    for id in ("r_abc", "r_abd", "r_b%_", "r_xyz"):
        storage.runs.put(a_run(id))
    assert list(storage.runs.starting_with("r_ab", NOOR)) == ["r_abc", "r_abd"]
    assert list(storage.runs.starting_with("r_%", NOOR)) == []
    assert list(storage.runs.starting_with("r_b%", NOOR)) == ["r_b%_"]
    for n in range(20):
        storage.runs.put(a_run(f"r_many{n:02}"))
    assert len(storage.runs.starting_with("r_many", NOOR)) == 10


def test_children_come_oldest_first(storage: Storage) -> None:
    storage.runs.put(a_run("r_p"))
    storage.runs.put(a_run("r_2", ended=2, parent="r_p"))
    storage.runs.put(a_run("r_1", ended=1, parent="r_p"))
    assert [run.id for run in storage.runs.children("r_p", NOOR)] == ["r_1", "r_2"]


def test_of_two_runs_with_one_native_id_the_newer_is_meant(storage: Storage) -> None:
    storage.runs.put(a_run("r_1", native_id="same", ended=1))
    storage.runs.put(a_run("r_2", native_id="same", ended=2))
    run = storage.runs.by_native_id("same", NOOR)
    assert run is not None
    assert run.id == "r_2"


def test_what_a_person_calls_a_run_is_said_before_after_and_again(storage: Storage) -> None:
    storage.runs.label("r_1", "noor", "my title", ["b", "a"], pinned=True)
    assert storage.runs.get("r_1", NOOR) is None
    storage.runs.put(a_run("r_1", title="first words"))
    called = a_run("r_1", title="my title", tags=("b", "a"), pinned=True)
    assert storage.runs.get("r_1", NOOR) == storage.runs.by_native_id("native-r_1", NOOR) == called
    assert list(storage.runs.listed(RunFilter(tag="a"), NOOR)) == [called]
    storage.runs.put(a_run("r_1", title="other words"))
    assert storage.runs.get("r_1", NOOR) == called, "indexed again, it is called the same"
    storage.runs.label("r_1", "mira", "hers", ["x"], pinned=False)
    assert storage.runs.get("r_1", NOOR) == called, "another's words for it are not its owner's"
    storage.runs.label("r_1", "noor", "", [], pinned=False)
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="other words")
    assert list(storage.runs.listed(RunFilter(tag="a"), NOOR)) == []
    storage.runs.label("r_1", "noor", "kept", [], pinned=False)
    storage.runs.drop("r_1")
    storage.runs.put(a_run("r_1"))
    assert storage.runs.get("r_1", NOOR) == a_run("r_1", title="kept"), "dropped and there again"


def test_a_dropped_run_is_as_if_it_had_never_been_indexed(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one")
    fill(storage, "noor", "r_2", "zebra two")
    storage.prompts.replace("r_1", "noor", 0, [("u1", 1, 1)])
    storage.prompts.replace("r_2", "noor", 0, [("u1", 1, 1)])
    for run in ("r_1", "r_2"):
        storage.work.index_done(run, Mark(1, 10, 1, "rules"))
    storage.runs.drop("r_1")
    assert storage.runs.get("r_1", NOOR) is None
    assert storage.work.indexed("r_1") is None
    assert found(storage, "zebra") == ["zebra two"]
    assert having(storage, "zebra", "one") == {"zebra": 1}
    assert list(storage.prompts.holders("u1", NOOR)) == [("r_2", 1, 1)]


def test_who_holds_a_prompt_that_another_run_lets_go_of_is_indexed_again(storage: Storage) -> None:
    work, prompts = storage.work, storage.prompts
    for run in ("r_1", "r_2", "r_3"):
        storage.runs.put(a_run(run))
        work.index_done(run, Mark(1, 10, 1, "rules"))
    prompts.replace("r_1", "noor", 0, [("u1", 1, 1), ("u2", 2, 1)])
    prompts.replace("r_2", "noor", 0, [("u1", 1, 1)])
    prompts.replace("r_3", "noor", 0, [("u3", 1, 1)])
    prompts.replace("r_1", "noor", 2, [("u2", 2, 3), ("u4", 3, 1)])
    assert list(work.pending()) == [], "it has not let go of anything"
    prompts.replace("r_1", "noor", 0, [("u2", 1, 1)])
    assert list(work.pending()) == ["r_2"]
    work.index_done("r_2", Mark(1, 10, 1, "rules"))
    prompts.replace("r_1", "noor", 0, [("u1", 1, 1)])
    storage.runs.drop("r_1")
    assert list(work.pending()) == ["r_2"]


# -- chunks ------------------------------------------------------------------------------------------------------------


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
    assert found(storage, "common rare missing", which=RunFilter(limit=1)) == ["common and rare"]
    assert found(storage, "missing") == []
    assert storage.chunks.matching([], EVERYTHING, NOOR) == []


def test_equal_matches_stand_in_the_order_of_the_text(storage: Storage) -> None:
    for run in ("r_b", "r_a"):
        storage.runs.put(a_run(run))
        chunks = [a_chunk(run, turn, "zebra", step, part) for turn in (2, 1) for step in (2, 1) for part in (1, 0)]
        storage.chunks.replace(run, "noor", 0, chunks)
    places = [
        (one.chunk.run, one.chunk.turn, one.chunk.step, one.chunk.part)
        for one in storage.chunks.matching(["zebra"], EVERYTHING, NOOR)
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
    assert len(found(storage, "zebra", which=RunFilter(limit=1))) == 1


def test_a_match_says_how_often_each_term_stands_in_it_and_how_many_it_has(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra lion zebra", "nothing here", "lion readFile")
    for _ in ("before", "after"):
        one, two = storage.chunks.matching(["zebra", "lion", "file", "absent"], EVERYTHING, NOOR)
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
    few = RunFilter(limit=2)
    assert found(storage, "common rare", which=few) == ["common rare", "common rare"]
    storage.settle()
    assert found(storage, "common rare", which=few) == ["common rare", "common rare"]
    assert storage.chunks.matching(["common"], RunFilter(limit=0), NOOR) == []


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
    assert [one.chunk for one in storage.chunks.matching(["zebra"], EVERYTHING, NOOR)] == [chunk, bare]
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
    (EVERYTHING, "123"),
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


@pytest.mark.parametrize("word", HOSTILE)
def test_no_word_is_an_operator(storage: Storage, word: str) -> None:
    fill(storage, "noor", "r_1", "zebra and or not near", f"with {word} in it")
    storage.chunks.matching([word, "zebra"], EVERYTHING, NOOR)
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


# -- meaning -----------------------------------------------------------------------------------------------------------


def test_chunks_wait_for_a_vector_newest_runs_first(storage: Storage) -> None:
    for run, ended in (("r_old", 1), ("r_none", None), ("r_new", 9)):
        storage.runs.put(a_run(run, ended=ended))
        storage.chunks.replace(run, "noor", 0, [a_chunk(run, n, f"{run} {n}") for n in (1, 2)])
    assert [chunk.text for chunk in storage.vectors.waiting("m@64", 3)] == ["r_new 1", "r_new 2", "r_old 1"]
    assert storage.vectors.share("m@64", NOOR) == (0, 6)
    assert give_vectors(storage, most=4) == ["r_new 1", "r_new 2", "r_old 1", "r_old 2"]
    assert storage.vectors.share("m@64", NOOR) == (4, 6)
    assert give_vectors(storage) == ["r_none 1", "r_none 2"]
    assert list(storage.vectors.waiting("m@64", 10)) == []
    fill(storage, "noor", "r_later", "later")
    assert give_vectors(storage) == ["later"]


def test_the_nearest_come_first_with_their_cosine(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra lion", "zebra tiger", "wholly other words", "zebra lion")
    give_vectors(storage)
    asked = a_vector("zebra lion")
    answer = storage.vectors.nearest(asked * 7, "m@64", RunFilter(limit=3), NOOR)
    assert [one.chunk.turn for one in answer] == [1, 4, 2], "the same text is equally near, in order of key"
    for one in answer:
        assert one.likeness == pytest.approx(float(asked @ a_vector(one.chunk.text)), abs=2e-3)
    assert near(storage, "zebra lion", RunFilter(limit=1)) == ["zebra lion"]
    assert len(near(storage, "anything")) == 4
    assert near(storage, "zebra", RunFilter(limit=0)) == []


def test_likeness_is_told_of_those_that_have_a_vector_and_are_the_readers(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra", "lion")
    fill(storage, "mira", "r_m", "zebra")
    give_vectors(storage)
    fill(storage, "noor", "r_2", "later")
    all_of_them = [*storage.chunks.of_run("r_1", NOOR), *storage.chunks.of_run("r_2", NOOR), a_chunk("r_m", 1, "zebra")]
    told = storage.vectors.likeness(all_of_them, a_vector("zebra"), "m@64", NOOR)
    assert set(told) == {("r_1", 1, 1, 0), ("r_1", 2, 1, 0)}
    assert told[("r_1", 1, 1, 0)] == pytest.approx(1, abs=2e-3)
    assert dict(storage.vectors.likeness([], a_vector("zebra"), "m@64", NOOR)) == {}


def test_a_chunk_that_stays_keeps_its_vector_and_one_that_changed_waits(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three")
    give_vectors(storage)
    changed = [
        a_chunk("r_1", 1, "one"),
        a_chunk("r_1", 2, "two!"),
        a_chunk("r_1", 3, "three"),
        a_chunk("r_1", 4, "new"),
    ]
    storage.chunks.replace("r_1", "noor", 0, changed)
    assert storage.vectors.share("m@64", NOOR) == (2, 4)
    assert sorted(near(storage, "one")) == ["one", "three"]
    assert give_vectors(storage) == ["two!", "new"]
    storage.chunks.replace("r_1", "noor", 2, [replace(changed[1], author="agent"), *changed[2:]])
    assert list(storage.vectors.waiting("m@64", 10)) == [], "the words are the same, so is what they mean"
    assert len(near(storage, "one")) == 4
    storage.runs.drop("r_1")
    assert storage.vectors.share("m@64", NOOR) == (0, 0)
    assert near(storage, "one") == []


def test_a_vector_for_a_chunk_that_is_gone_or_says_something_else_is_passed_over(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two", "three")
    chunks = list(storage.vectors.waiting("m@64", 10))
    storage.chunks.replace("r_1", "noor", 2, [a_chunk("r_1", 2, "changed")])
    storage.vectors.put("m@64", chunks, np.stack([a_vector(chunk.text) for chunk in chunks]))
    assert near(storage, "two") == ["one"]
    assert [chunk.text for chunk in storage.vectors.waiting("m@64", 10)] == ["changed"]
    storage.vectors.put("m@64", chunks[:1], a_vector("one").reshape(1, -1))
    assert storage.vectors.share("m@64", NOOR) == (1, 2), "said twice, it is there once"
    storage.vectors.put("m@64", [], np.zeros((0, 64), np.float32))


BAD = {
    "nan": np.full((1, 64), np.nan, np.float32),
    "one nan": np.eye(1, 64, dtype=np.float32) + np.where(np.arange(64) == 9, np.nan, 0).astype(np.float32),
    "infinite": np.full((1, 64), np.inf, np.float32),
    "zero": np.zeros((1, 64), np.float32),
    "another dimension": np.ones((1, 32), np.float32),
    "two rows": np.ones((2, 64), np.float32),
    "no rows": np.ones((0, 64), np.float32),
    "flat": np.ones(64, np.float32),
    "empty": np.ones((1, 0), np.float32),
}


@pytest.mark.parametrize("which", BAD)
def test_what_is_not_a_vector_is_refused_and_nothing_has_changed(storage: Storage, which: str) -> None:
    fill(storage, "noor", "r_1", "one")
    give_vectors(storage)
    fill(storage, "noor", "r_2", "two")
    chunks = storage.vectors.waiting("m@64", 10)
    with pytest.raises(LaneError):
        storage.vectors.put("m@64", chunks, BAD[which])
    assert storage.vectors.share("m@64", NOOR) == (1, 2)
    assert near(storage, "one") == ["one"]
    assert give_vectors(storage) == ["two"]


def test_a_question_that_is_not_a_vector_is_refused(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one")
    give_vectors(storage)
    for bad in (np.full(64, np.nan), np.zeros(64), np.ones(32)):
        with pytest.raises(LaneError):
            storage.vectors.nearest(bad.astype(np.float32), "m@64", EVERYTHING, NOOR)


def test_vectors_of_two_models_never_meet(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two")
    give_vectors(storage, "m@64")
    assert near(storage, "one", model="m@128") == []
    assert storage.vectors.share("m@128", NOOR) == (0, 2)
    assert len(storage.vectors.waiting("m@128", 10)) == 2
    first = storage.vectors.waiting("m@128", 1)
    storage.vectors.put("m@128", first, np.ones((1, 128), np.float32))
    assert len(near(storage, "one", model="m@64")) == 2, "the old one serves on"
    assert len(storage.vectors.nearest(np.ones(128, np.float32), "m@128", EVERYTHING, NOOR)) == 1
    storage.vectors.drop("m@64")
    assert near(storage, "one", model="m@64") == []
    assert storage.vectors.share("m@64", NOOR) == (0, 2)
    assert storage.vectors.share("m@128", NOOR) == (1, 2)
    assert len(storage.vectors.waiting("m@64", 10)) == 2, "dropped, it must be made again"
    storage.vectors.drop("never heard of")


def test_a_rebuilt_index_has_every_vector_without_asking_a_model(engine: Engine) -> None:
    old = engine.begin()
    fill(old, "noor", "r_1", "one", "two")
    fill(old, "mira", "r_m", "two")
    give_vectors(old)
    engine.swap(old)
    fresh = engine.begin()
    fill(fresh, "noor", "r_9", "two", "three", "one")
    assert [chunk.text for chunk in fresh.vectors.waiting("m@64", 1)] == ["three"]
    assert fresh.vectors.share("m@64", NOOR) == (2, 3)
    fill(fresh, "noor", "r_10", "two")
    assert [chunk.text for chunk in fresh.vectors.waiting("m@64", 9)] == ["three"], "also what comes after"
    assert near(old, "one") == ["one", "two"]
    engine.swap(fresh)
    assert sorted(near(fresh, "one")) == ["one", "two", "two"]
    old.close()
    fresh.close()


def test_a_rebuilt_index_refuses_another_dimension_too(engine: Engine) -> None:
    old = engine.begin()
    fill(old, "noor", "r_1", "one")
    give_vectors(old)
    engine.swap(old)
    fresh = engine.begin()
    fill(fresh, "noor", "r_1", "one", "two")
    (waits,) = fresh.vectors.waiting("m@64", 9)
    with pytest.raises(LaneError):
        fresh.vectors.put("m@64", [waits], np.ones((1, 32), np.float32))
    assert near(fresh, "one") == ["one"]
    assert give_vectors(fresh) == ["two"]
    old.close()
    fresh.close()


def test_one_owners_texts_have_no_vector_because_another_had_one(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "the same words")
    give_vectors(storage)
    fill(storage, "mira", "r_m", "the same words")
    assert give_vectors(storage) == ["the same words"], "or one could learn what another has said"


def test_a_transaction_that_fails_leaves_the_vectors(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "one", "two")
    give_vectors(storage)
    before = near(storage, "one"), storage.vectors.share("m@64", NOOR)

    def change() -> None:
        with storage.transaction():
            fill(storage, "noor", "r_2", "three")
            give_vectors(storage)
            storage.runs.drop("r_1")
            assert near(storage, "one") == ["three"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert (near(storage, "one"), storage.vectors.share("m@64", NOOR)) == before
    fill(storage, "noor", "r_3", "four")
    give_vectors(storage)
    assert sorted(near(storage, "one")) == ["four", "one", "two"]
    assert near(storage, "four")[0] == "four"


# -- touched files -----------------------------------------------------------------------------------------------------


def test_touches_of_a_path_come_newest_first(storage: Storage) -> None:
    for run in ("r_1", "r_2"):
        storage.runs.put(a_run(run, agent="codex" if run == "r_1" else "plain"))
    one = [a_touch("r_1", "/shop/src/app.py", 1, 1, changed=True), a_touch("r_1", "/shop/src/app.py", 2, 5)]
    two = [a_touch("r_2", "src/app.py", 1, 3, changed=True), a_touch("r_2", "/shop/src/snapp.py", 1, 9)]
    timeless = a_touch("r_2", "app.py", 4, None)
    storage.touches.replace("r_1", "noor", 0, one)
    storage.touches.replace("r_2", "noor", 0, [*two, timeless])

    def of(path: str, which: RunFilter = EVERYTHING, changed: bool = False) -> list[Touch]:
        return list(storage.touches.of(path, which, NOOR, changed=changed))

    assert of("app.py") == [one[1], two[0], one[0], timeless]
    assert of("src/app.py") == [one[1], two[0], one[0]]
    assert of("/shop/src/app.py") == [one[1], one[0]]
    assert of("src/app.py", changed=True) == [two[0], one[0]]
    assert of("app.py", RunFilter(agent="codex")) == [one[1], one[0]]
    assert of("app.py", RunFilter(limit=1)) == [one[1]]
    assert of("p.py") == of("%") == of("") == []
    assert list(storage.touches.of("app.py", EVERYTHING, MIRA)) == []


def test_touches_are_replaced_from_a_turn_on_and_dropped_with_their_run(storage: Storage) -> None:
    storage.runs.put(a_run("r_1"))
    first, second = a_touch("r_1", "/a.py", 1, 1), a_touch("r_1", "/a.py", 2, 2)
    storage.touches.replace("r_1", "noor", 0, [first, second])
    other = a_touch("r_1", "/b.py", 2, 2)
    storage.touches.replace("r_1", "noor", 2, [other])
    assert list(storage.touches.of("a.py", EVERYTHING, NOOR)) == [first]
    assert list(storage.touches.of("b.py", EVERYTHING, NOOR)) == [other]
    storage.runs.drop("r_1")
    storage.runs.put(a_run("r_1"))
    assert list(storage.touches.of("a.py", EVERYTHING, NOOR)) == []


# -- whose -------------------------------------------------------------------------------------------------------------


def everything_of(storage: Storage, reader: Reader) -> list[object]:
    """All that this Reader can be told."""
    runs = storage.runs
    return [
        runs.listed(EVERYTHING, reader),
        runs.count(reader),
        [runs.get(id, reader) for id in ("r_1", "r_2", "r_m")],
        [runs.by_native_id(f"native-{id}", reader) for id in ("r_1", "r_m")],
        runs.starting_with("r_", reader),
        runs.children("r_1", reader),
        sorted(found(storage, "zebra lion", reader)),
        storage.chunks.count(reader),
        storage.chunks.near_terms("zebro", reader),
        storage.chunks.statistics(["zebra", "lion"], reader),
        storage.chunks.matching(["zebra", "lion"], EVERYTHING, reader),
        [storage.chunks.of_run(id, reader) for id in ("r_1", "r_m")],
        storage.vectors.nearest(a_vector("zebra"), "m@64", EVERYTHING, reader),
        storage.vectors.likeness([a_chunk("r_1", 1, ""), a_chunk("r_m", 1, "")], a_vector("zebra"), "m@64", reader),
        storage.vectors.share("m@64", reader),
        storage.touches.of("a.py", EVERYTHING, reader),
        storage.prompts.holders("u1", reader),
        storage.memories.listed(list(State), reader),
        storage.memories.count(list(State), reader),
        storage.memories.starting_with("m_", reader),
        [storage.memories.get(id, reader) for id in ("m_1", "m_m")],
        storage.recalls.newest(10, reader),
        [storage.recalls.get(id, reader) for id in ("l_1", "l_m")],
        storage.recalls.shown_in("r_1", reader),
        storage.bars.barred(reader),
    ]


def fill_everything(storage: Storage, owner: str, letter: str) -> None:
    run = f"r_{letter}"
    fill(storage, owner, run, "zebra one", "lion two")
    give_vectors(storage)
    storage.touches.replace(run, owner, 0, [a_touch(run, "/home/a.py")])
    storage.runs.label(run, owner, f"called {letter}", ["tag"], pinned=True)
    storage.runs.put(a_run(f"{run}child", owner, parent=run))
    storage.prompts.replace(run, owner, 0, [("u1", 1, 1)])
    storage.memories.put(a_memory(f"m_{letter}", owner))
    storage.recalls.record(a_recall(f"l_{letter}", owner, 0, run, a_memory(f"m_{letter}", owner)))
    storage.bars.put(f"r_{letter}barred", owner, "tombstone")


def test_another_owners_rows_are_invisible_and_change_nothing(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    before = everything_of(storage, NOOR)
    fill_everything(storage, "mira", "m")
    assert everything_of(storage, NOOR) == before
    assert everything_of(storage, Reader("nobody")) != before
    storage.memories.set_state("m_1", "mira", State.FORGOTTEN, "")
    storage.memories.drop("m_1", "mira")
    storage.recalls.drop_words("r_1", "mira")
    storage.bars.lift("r_1barred", "mira")
    assert everything_of(storage, NOOR) == before, "nor does what another owner asks for"


def test_a_thousand_rows_of_others_change_no_match_no_statistic_and_no_nearness(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one", "zebra lion two", "lion three")
    give_vectors(storage)
    which = RunFilter(limit=2)

    def told() -> list[object]:
        return [
            storage.chunks.matching(["zebra", "lion"], which, NOOR),
            storage.chunks.statistics(["zebra", "lion"], NOOR),
            storage.vectors.nearest(a_vector("zebra lion"), "m@64", which, NOOR),
            storage.vectors.share("m@64", NOOR),
        ]

    before = told()
    fill(storage, "mira", "r_m", *(f"zebra lion {n}" for n in range(1000)))
    give_vectors(storage)
    assert told() == before
    storage.settle()
    assert told() == before


def test_a_reader_with_nothing_is_told_nothing(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    told = everything_of(storage, Reader("noo"))
    nothing = (Statistics(0, 0, {}), (0, 0))
    values = (value for answer in told for value in (answer if isinstance(answer, list) else [answer]))
    assert [value for value in values if value and value not in nothing] == []


# -- memories and recalls ----------------------------------------------------------------------------------------------


def test_memories_are_listed_newest_first_by_state(storage: Storage) -> None:
    for id, minute in (("m_b", 1), ("m_a", 1), ("m_new", 5)):
        storage.memories.put(a_memory(id, minute=minute))
    storage.memories.set_state("m_a", "noor", State.SUPERSEDED, "m_b")
    assert [memory.id for memory in storage.memories.listed([State.ACTIVE], NOOR)] == ["m_new", "m_b"]
    (superseded,) = storage.memories.listed([State.SUPERSEDED], NOOR)
    assert (superseded.id, superseded.superseded_by) == ("m_a", "m_b")
    assert storage.memories.count([State.ACTIVE, State.SUPERSEDED], NOOR) == 3
    assert storage.memories.listed([], NOOR) == []
    storage.memories.drop("m_b", "noor")
    assert storage.memories.get("m_b", NOOR) is None


def test_a_memory_counts_the_runs_it_was_shown_in_not_the_times(storage: Storage) -> None:
    memory = a_memory("m_1", recall_count=99)
    storage.memories.put(memory)
    for id, run in (("l_1", "r_1"), ("l_2", "r_1"), ("l_3", "r_2")):
        storage.recalls.record(a_recall(id, "noor", 0, run, memory))
    kept = storage.memories.get("m_1", NOOR)
    assert kept is not None
    assert kept.recall_count == 2


def test_recalls_are_kept_as_they_were_and_listed_newest_first(storage: Storage) -> None:
    memory = a_memory("m_1")
    recalls = [a_recall("l_1", "noor", 1, "r_1", memory), a_recall("l_2", "noor", 2), a_recall("l_3", "noor", 3, "r_2")]
    for recall in (*recalls, recalls[0]):
        storage.recalls.record(recall)
    assert list(storage.recalls.newest(10, NOOR)) == recalls[::-1]
    assert list(storage.recalls.newest(10, NOOR, run="r_2")) == [recalls[2]]
    assert list(storage.recalls.newest(2, NOOR)) == [recalls[2], recalls[1]]
    assert list(storage.recalls.newest(10, NOOR, cwd="/elsewhere")) == []
    assert list(storage.recalls.shown_in("r_1", NOOR)) == [recalls[0]]
    assert storage.recalls.get("l_1", NOOR) == recalls[0]


def test_a_forgotten_runs_words_leave_its_recalls(storage: Storage) -> None:
    for id, run in (("l_1", "r_1"), ("l_2", "r_2")):
        storage.recalls.record(a_recall(id, "noor", 0, run))
    storage.recalls.drop_words("r_1", "noor")
    first, second = storage.recalls.get("l_1", NOOR), storage.recalls.get("l_2", NOOR)
    assert first is not None
    assert second is not None
    assert (first.query.words, first.query.files) == ("", ())
    assert second.query.words == "where is it"


# -- work --------------------------------------------------------------------------------------------------------------


def test_what_is_archived_ahead_of_indexed_is_pending(storage: Storage) -> None:
    work = storage.work
    work.archived("r_1", 1, 100)
    work.archived("r_2", 1, 100)
    assert list(work.pending()) == ["r_1", "r_2"], "in the order they were archived"
    assert work.indexed("r_1") is None
    work.index_done("r_1", Mark(1, 100, 3, "rules"))
    assert list(work.pending()) == ["r_2"]
    work.archived("r_1", 1, 100)
    assert list(work.pending()) == ["r_2"], "said again, nothing is new"
    work.archived("r_1", 1, 150)
    assert set(work.pending()) == {"r_1", "r_2"}
    work.index_done("r_1", Mark(1, 150, 4, "rules"))
    work.archived("r_1", 2, 150)
    assert "r_1" in work.pending(), "a generation of the same size is new all the same"
    work.index_done("r_1", Mark(2, 150, 4, "rules"))
    work.index_again("r_1")
    assert "r_1" in work.pending()
    assert work.indexed("r_1") is None, "from its beginning"


def test_where_the_journal_was_read_to_is_remembered_by_file(storage: Storage) -> None:
    storage.work.journal_done({"2026-11/laptop.jsonl": 10})
    storage.work.journal_done({"2026-11/laptop.jsonl": 20, "2026-12/laptop.jsonl": 5})
    assert dict(storage.work.journal_read()) == {"2026-11/laptop.jsonl": 20, "2026-12/laptop.jsonl": 5}


def test_checkpoints_and_notes_are_what_was_saved_last(storage: Storage) -> None:
    storage.checkpoints.save("/a", "1")
    storage.checkpoints.save("/a", "2")
    storage.checkpoints.save("/b\n\\xff", "3")
    assert dict(storage.checkpoints.all()) == {"/a": "2", "/b\n\\xff": "3"}
    assert (storage.checkpoints.get("/a"), storage.checkpoints.get("/c")) == ("2", "")
    storage.checkpoints.forget(["/a"])
    assert dict(storage.checkpoints.all()) == {"/b\n\\xff": "3"}
    storage.notes.put("ticked", "now")
    assert (storage.notes.get("ticked"), storage.notes.get("else")) == ("now", "")


# -- transactions ------------------------------------------------------------------------------------------------------


def test_a_transaction_is_all_or_none_also_when_it_is_inside_another(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    before = everything_of(storage, NOOR)

    def change() -> None:
        with storage.transaction():
            storage.runs.drop("r_1")
            with storage.transaction():
                storage.memories.put(a_memory("m_2"))
                storage.chunks.replace("r_1child", "noor", 0, [a_chunk("r_1child", 1, "zebra")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change()
    assert everything_of(storage, NOOR) == before
    with storage.transaction():
        storage.memories.put(a_memory("m_2"))
    assert storage.memories.get("m_2", NOOR) is not None


def test_chunks_that_fail_on_their_way_leave_the_old_ones(storage: Storage) -> None:
    fill(storage, "noor", "r_1", "zebra one")

    def broken() -> Iterator[Chunk]:
        yield a_chunk("r_1", 1, "lion")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), storage.transaction():
        storage.chunks.replace("r_1", "noor", 0, broken())
    assert found(storage, "zebra lion") == ["zebra one"]


def test_after_a_scrub_no_dropped_word_is_in_any_file(storage: Storage, folder: Path) -> None:
    fill(storage, "noor", "r_2", "zebra")
    give_vectors(storage)
    fill(storage, "noor", "r_1", "xylophone " * 50)
    give_vectors(storage)
    storage.settle()
    storage.runs.drop("r_1")
    storage.scrub()
    assert found(storage, "zebra") == near(storage, "zebra") == ["zebra"]
    fill(storage, "noor", "r_1", "xylophone " * 50)
    assert give_vectors(storage) == ["xylophone " * 50], "its vector was forgotten too"
    storage.runs.drop("r_1")
    storage.scrub()
    assert [path for path in folder.rglob("*") if path.is_file() and b"xylophone" in path.read_bytes()] == []


# -- indexes -----------------------------------------------------------------------------------------------------------


def test_one_index_serves_until_another_takes_its_place(engine: Engine) -> None:
    assert engine.serving() is None
    with pytest.raises(LaneError):
        engine.open()
    first = engine.begin()
    assert engine.serving() is None, "begun is not serving"
    fill(first, "noor", "r_1", "zebra old")
    engine.swap(first)
    assert engine.serving() == first.name
    second = engine.begin()
    fill(second, "noor", "r_1", "zebra new")
    reader = engine.open()
    assert found(reader, "zebra") == ["zebra old"]
    engine.swap(second)
    assert engine.serving() == second.name != first.name
    assert found(reader, "zebra") == ["zebra old"], "who reads the old one finishes with it"
    newer = engine.open()
    assert found(newer, "zebra") == ["zebra new"]
    for opened in (first, second, reader, newer):
        opened.close()


def test_an_index_that_was_begun_and_left_is_in_nobodys_way(engine: Engine) -> None:
    left = engine.begin()
    fill(left, "noor", "r_1", "zebra half")
    left.close()
    again = engine.begin()
    assert found(again, "zebra") == []
    fill(again, "noor", "r_1", "zebra whole")
    engine.swap(again)
    assert found(again, "zebra") == ["zebra whole"]
    again.close()


# -- the journal, applied ----------------------------------------------------------------------------------------------


def entries() -> st.SearchStrategy[Entry]:
    ids = st.sampled_from(["m_1", "m_2", "m_3"])
    memory = ids.map(lambda id: (kinds.MEMORY, id, memory_data(a_memory(id))))
    state = st.builds(
        lambda id, state: (kinds.STATE, id, {"memory": id, "state": state.value}), ids, st.sampled_from(State)
    )
    recall = st.builds(
        lambda n, id: (kinds.RECALL, f"l_{n}", recall_data(a_recall(f"l_{n}", "noor", n, f"r_{n % 2}", a_memory(id)))),
        st.integers(0, 5),
        ids,
    )
    bar = st.builds(
        lambda run, restored: (kinds.TOMBSTONE, run, {"run": run, "restored": restored}),
        st.sampled_from(["r_0", "r_1"]),
        st.booleans(),
    )
    unknown = st.just(("feedback", "f_1", {"feedback": {}}))
    made = st.one_of(memory, state, recall, bar, unknown)
    return made.map(lambda one: Entry(one[0], one[1], NOON, "noor", "laptop", "person", one[2]))


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(entries(), max_size=12))
def test_applying_a_journal_twice_changes_nothing(
    make: Callable[[Path], Engine], folder: Path, history: list[Entry]
) -> None:
    storage = make(Path(tempfile.mkdtemp(dir=folder))).begin()
    try:
        for entry in history:
            apply(entry, storage)
        once = everything_of(storage, NOOR)
        for entry in history:
            apply(entry, storage)
        assert everything_of(storage, NOOR) == once
    finally:
        storage.close()
