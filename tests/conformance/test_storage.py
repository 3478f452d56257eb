"""What the storage ports mean, for every engine there is. A second one joins by one line in ENGINES."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    Type,
)
from memlane.domain import journal as kinds
from memlane.domain.words import terms
from memlane.storage import EVERYTHING, Engine, Mark, RunFilter, Storage, apply, memory_data, recall_data
from memlane.storage.embedded import EmbeddedEngine


def embedded(folder: Path) -> Engine:
    return EmbeddedEngine(folder / "index", folder / "vectors")


ENGINES: dict[str, Callable[[Path], Engine]] = {"embedded": embedded}  # each: an Engine of its own for that folder

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


def test_a_reader_with_nothing_is_told_nothing(storage: Storage) -> None:
    fill_everything(storage, "noor", "1")
    told = everything_of(storage, Reader("noo"))
    assert not any(value for answer in told for value in (answer if isinstance(answer, list) else [answer]))


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
    fill(storage, "noor", "r_1", "xylophone " * 50)
    fill(storage, "noor", "r_2", "zebra")
    storage.runs.drop("r_1")
    storage.scrub()
    assert found(storage, "zebra") == ["zebra"]
    assert [path for path in folder.rglob("*") if path.is_file() and b"xylophone" in path.read_bytes()] == []


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
