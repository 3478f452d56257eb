"""Both engines, given the same, answer the same: what they choose, what they count, how near it is, in which order."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.postgres_server import shared
from campaigns.world import scratch
from memlane.domain import Chunk, Project, Reader, RunFilter, RunSummary, Touch
from memlane.domain.tokenizer import terms
from memlane.search import QuestionVector, find
from memlane.storage import Storage
from memlane.storage.embedded import EmbeddedEngine
from memlane.storage.postgres import PostgresEngine

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
NOOR, MIRA = Reader("noor"), Reader("mira")
MODEL = "dice@16"
WORDS = ["zebra", "lion", "src/app.py", "E0425", "getUserName", "日本語", "tigers", "tiger", "ok", "_x_", "naïve", "a"]
PATHS = ["/shop/src/app.py", "/shop/lib/app.py", "/shop/readme", "app.py"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=20
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens to an index."""

    owner: str
    run: int
    from_turn: int
    texts: tuple[str, ...]
    dropped: bool
    settled: bool
    embedded: bool


STEPS = st.builds(
    Step,
    st.sampled_from(["noor", "noor", "mira"]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.lists(TEXTS, max_size=5).map(tuple),
    st.sampled_from([False, False, False, True]),
    st.booleans(),
    st.booleans(),
)
FILTERS = st.builds(
    RunFilter,
    agent=st.sampled_from(["", "", "plain", "codex"]),
    project=st.sampled_from(["", "", "acme/shop"]),
    tag=st.sampled_from(["", "", "", "release"]),
    since=st.sampled_from([None, None, NOON + timedelta(minutes=1)]),
    only=st.sampled_from([None, None, frozenset({"r_noor1", "r_noor2"}), frozenset[str]()]),
    author=st.sampled_from(["", "", "person"]),
    tool=st.sampled_from(["", "", "Edit"]),
    file=st.sampled_from(["", "", "app.py", "src/app.py"]),
    limit=st.sampled_from([None, None, 2]),
)


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[EmbeddedEngine, itertools.count[int]]]:
    folder = scratch()
    yield EmbeddedEngine(folder / "index", folder / "vectors"), itertools.count()
    shutil.rmtree(folder)


def apply(step: Step, storage: Storage) -> None:
    run, owner = f"r_{step.owner}{step.run}", step.owner
    if step.dropped:
        storage.runs.drop(run)
    else:
        authors, tools = itertools.cycle(["person", "agent"]), itertools.cycle(["", "Edit", "Bash"])
        places = list(zip(itertools.count(step.from_turn), step.texts, authors, tools, strict=False))
        with storage.transaction():
            chunks = [Chunk(run, turn, 1, 0, author, NOON, text, tool) for turn, text, author, tool in places]
            storage.chunks.replace(run, owner, step.from_turn, chunks)
            touches = [Touch(run, turn, 1, PATHS[turn % 4], turn % 2 == 0, tool, NOON) for turn, _, _, tool in places]
            storage.touches.replace(run, owner, step.from_turn, touches)
            at, agent = NOON + timedelta(minutes=step.run), ("plain", "codex")[step.run % 2]
            summary = RunSummary(run, owner, "laptop", agent, run, 1, "/x", 1, started=at, ended=at)
            storage.runs.put(replace(summary, project=Project("acme/shop", "key") if step.run < 2 else Project("", "")))
            storage.runs.label(run, owner, "", ["release"] if step.run == 1 else [], pinned=False)
    if step.settled:
        storage.settle()
    if step.embedded:
        waiting = [chunk for chunk in storage.vectors.waiting(MODEL, 99) if chunk.run.startswith(f"r_{owner}")][:5]
        storage.vectors.put(
            MODEL, waiting, np.stack([vector_of(c.text) for c in waiting]) if waiting else np.empty((0, 16))
        )


def vector_of(text: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(16).astype(np.float32)


def answers(storage: Storage, words: str, which: RunFilter) -> list[object]:
    """Near numbers are compared apart: their last digits are the processor's."""
    wanted, vector = list(terms(words)), vector_of(words)
    told = list[object]()
    for reader in (NOOR, MIRA):
        matching = storage.chunks.matching(wanted, which, reader, 1000)
        told += [
            [(one.chunk, dict(one.times), one.length) for one in matching],
            storage.chunks.statistics([*wanted, *WORDS], reader),
            [storage.chunks.near_terms(word, reader) for word in WORDS],
            storage.vectors.share(MODEL, reader),
            list(storage.touches.of("app.py", which, reader)),
            list(storage.runs.listed(which, reader)),
            {one.chunk.key for one in storage.vectors.nearest(vector, MODEL, which, reader, 1000)},
            storage.chunks.count(reader),
        ]
    return told


def nearness(storage: Storage, words: str, which: RunFilter) -> list[float]:
    nearest = storage.vectors.nearest(vector_of(words), MODEL, which, NOOR, 1000)
    chunks = [one.chunk for one in storage.chunks.matching(list(terms(words)), which, NOOR, 1000)]
    likeness = storage.vectors.likeness(chunks, vector_of(words), MODEL, NOOR)
    return [*(one.likeness for one in nearest), *(likeness.get(chunk.key, -2.0) for chunk in chunks)]


def turns(storage: Storage, words: str) -> list[tuple[object, ...]]:
    search = find(words, RunFilter(), 10, NOOR, storage, QuestionVector(MODEL, vector_of(words)))
    rounded = ((round(one.score, 3), one.lexical, one.chunk.key, one.snippet) for one in search.best)
    return sorted(rounded, key=lambda one: (-one[0], one[2]))


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, min_size=1, max_size=10), words=TEXTS, which=FILTERS)
def test_the_same_history_has_the_same_answers(
    engines: tuple[EmbeddedEngine, itertools.count[int]], steps: list[Step], words: str, which: RunFilter
) -> None:
    folder, number = engines[0], next(engines[1])
    ours = EmbeddedEngine(folder._folder / str(number), folder._folder / f"v{number}").begin()
    theirs = {owner: opened(owner, f"same {number}") for owner in ("noor", "mira")}
    try:
        for step in steps:
            for storage in (ours, theirs[step.owner]):
                apply(step, storage)
        for storage in (ours, *theirs.values()):
            storage.vectors.waiting(MODEL, 1)  # texts that had a vector before have it again
        both = ours, theirs["noor"]
        for asked in (which, RunFilter()):
            one, other = (answers(storage, words, asked) for storage in both)
            assert one == other
            assert nearness(both[0], words, asked) == pytest.approx(nearness(both[1], words, asked), abs=1e-6)
        assert turns(both[0], words) == turns(both[1], words)
    finally:
        for storage in (ours, *theirs.values()):
            storage.close()


def opened(owner: str, place: str) -> Storage:
    engine = PostgresEngine(shared().url, owner=owner, place=place)
    fresh = engine.begin()
    engine.swap(fresh)
    return fresh
