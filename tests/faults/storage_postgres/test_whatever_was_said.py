"""PostgreSQL takes neither NUL, nor half a surrogate pair, nor a long key: what people wrote is kept all the same."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.domain import Chunk, Project, Reader, RunFilter, RunSummary, Touch
from memlane.storage.postgres import PostgresStorage
from memlane.storage.postgres import terms as postings

NOOR = Reader("noor")
ODD = "be\0fore \ud83d after"
CLEAN = "be\u2400fore \ufffd after"


def words_of(storage: PostgresStorage, *words: str) -> Sequence[str]:
    return [one.chunk.text for one in storage.chunks.matching(words, RunFilter(), NOOR, 1000)]


@pytest.mark.fault("D7")
def test_nul_and_lone_surrogates_are_shown_and_lose_nothing(calm: PostgresStorage) -> None:
    run = RunSummary("r_1", "noor", ODD, ODD, ODD, 1, ODD, 1, title=ODD, project=Project(ODD, ODD), tags=(ODD,))
    calm.runs.put(run)
    calm.runs.label("r_1", "noor", ODD, [ODD], pinned=True)
    calm.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, ODD, None, ODD, ODD)])
    calm.touches.replace("r_1", "noor", 0, [Touch("r_1", 1, 1, ODD, changed=True, tool=ODD, at=None)])
    calm.prompts.replace("r_1", "noor", 0, [(ODD, 1, 1)])
    calm.notes.put(ODD, ODD)
    calm.checkpoints.save(ODD, ODD)
    calm.settle()
    assert words_of(calm, "after") == words_of(calm, "fore") == [CLEAN]
    (listed,) = calm.runs.listed(RunFilter(project=ODD, tag=ODD, agent=ODD, machine=ODD), NOOR)
    assert (listed.id, listed.title, listed.tags) == ("r_1", CLEAN, (CLEAN,))
    assert calm.runs.by_native_id(ODD, NOOR) is not None
    assert list(calm.prompts.holders(ODD, NOOR)) == [("r_1", 1, 1)]
    assert [touch.path for touch in calm.touches.of(ODD, RunFilter(), NOOR)] == [CLEAN]
    assert calm.notes.get(ODD) == calm.checkpoints.get(ODD) == CLEAN
    (waits,) = calm.vectors.waiting("m@2", 10)
    calm.vectors.put("m@2", [waits], np.ones((1, 2), np.float32))
    assert calm.vectors.share("m@2", NOOR) == (1, 1)


@pytest.mark.fault("D7")
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=60))
def test_no_text_is_refused(calm: PostgresStorage, text: str) -> None:
    calm.runs.put(RunSummary("r_1", "noor", "laptop", "plain", text, 1, text, 1, title=text))
    calm.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "person", None, text)])
    assert calm.runs.count(NOOR) == calm.chunks.count(NOOR) == 1
    calm.chunks.matching([text, "zebra"], RunFilter(), NOOR, 1000)
    calm.chunks.near_terms(text, NOOR)


def test_names_and_paths_may_be_longer_than_an_index_takes(calm: PostgresStorage) -> None:
    dice = random.Random(1)
    long = "".join(dice.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=9000))
    calm.runs.put(RunSummary("r_1", "noor", "laptop", "plain", long, 1, long, 1))
    calm.prompts.replace("r_1", "noor", 0, [(long, 1, 1)])
    calm.checkpoints.save(long, "1")
    calm.touches.replace("r_1", "noor", 0, [Touch("r_1", 1, 1, f"/{long}/{long}", changed=True, tool="Edit", at=None)])
    assert calm.runs.by_native_id(long, NOOR) is not None
    assert list(calm.prompts.holders(long, NOOR)) == [("r_1", 1, 1)]
    assert calm.checkpoints.get(long) == "1"
    assert len(calm.touches.of(long, RunFilter(), NOOR)) == 1


@pytest.mark.fault("C17")
def test_a_model_may_have_more_numbers_than_an_approximate_index_takes(calm: PostgresStorage) -> None:
    calm.runs.put(RunSummary("r_1", "noor", "laptop", "plain", "n", 1, "/x", 1))
    calm.chunks.replace("r_1", "noor", 0, [Chunk("r_1", n, 1, 0, "person", None, f"text {n}") for n in range(3)])
    vectors = np.random.default_rng(1).standard_normal((3, 4096)).astype(np.float32)
    waiting = calm.vectors.waiting("large@4096", 10)
    calm.vectors.put("large@4096", waiting, vectors)
    nearest = calm.vectors.nearest(vectors[1], "large@4096", RunFilter(), NOOR, 1000)
    assert nearest[0].chunk.key == waiting[1].key
    assert abs(nearest[0].likeness - 1) < 1e-3


def test_a_term_said_more_often_than_a_byte_can_tell_is_counted_all_the_same(calm: PostgresStorage) -> None:
    calm.chunks.replace("r_1", "noor", 0, [Chunk("r_1", 1, 1, 0, "person", None, "zebra " * 1000 + "lion")])
    calm.settle()
    (one,) = calm.chunks.matching(["zebra", "lion"], RunFilter(), NOOR, 1000)
    assert (one.times, one.length) == ({"zebra": 1000, "lion": 1}, 1001)


def test_many_small_pieces_of_work_become_few_segments_and_every_count_stays_exact(calm: PostgresStorage) -> None:
    for n in range(40):
        calm.chunks.replace(f"r_{n}", "noor", 0, [Chunk(f"r_{n}", 1, 1, 0, "person", None, f"zebra n{n}")])
        calm.settle()
        if n % 3 == 0:
            calm.runs.drop(f"r_{n}")
    known = calm.chunks.statistics(["zebra", "n1", "n3"], NOOR)
    assert (known.chunks, dict(known.having)) == (26, {"zebra": 26, "n1": 1})
    assert len(words_of(calm, "zebra")) == 26
    kept = calm._db.number("SELECT count(*) FROM segments WHERE owner = %s AND build = %s", calm.whose)
    assert kept < 2 * postings.MERGE
