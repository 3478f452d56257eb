"""Thousands of Chunks, many questions, common words among them: both engines give the same turns in the same order."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import numpy as np
import pytest

from campaigns.postgres_server import shared
from campaigns.world import scratch
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.search import Mode, QuestionVector, SearchOptions, find
from memlane.storage import Storage
from memlane.storage.embedded import EmbeddedEngine
from memlane.storage.postgres import PostgresEngine

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
NOOR = Reader("noor")
MODEL = "dice@64"
RUNS, CHUNKS = 40, 100  # of each Run
WORDS = [f"{'kstpbdgm'[n % 8]}{'aeiou'[n % 5]}{'rnlvz'[n % 7 % 5]}{n}" for n in range(2_000)]
OFTEN = [1 / (n + 1) for n in range(len(WORDS))]  # a few words are everywhere, most are rare


def a_vector(text: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(64).astype(np.float32)


def fill(storage: Storage) -> None:
    dice = random.Random(4)
    for run in (f"r_{n:03}" for n in range(RUNS)):
        texts = [" ".join(dice.choices(WORDS, OFTEN, k=dice.randint(5, 90))) for _ in range(CHUNKS)]
        at = NOON + timedelta(minutes=dice.randrange(9_999))
        with storage.transaction():
            storage.runs.put(RunSummary(run, "noor", "laptop", "plain", run, 1, "/x", 1, started=at, ended=at))
            chunks = [Chunk(run, 1 + n // 4, 1 + n % 4, 0, "person", at, text) for n, text in enumerate(texts)]
            storage.chunks.replace(run, "noor", 0, chunks)
        storage.settle()
    while waiting := storage.vectors.waiting(MODEL, 1_000):
        storage.vectors.put(MODEL, waiting, np.stack([a_vector(chunk.text) for chunk in waiting]))


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Storage, Storage]]:
    folder = scratch()
    embedded = EmbeddedEngine(folder / "index", folder / "vectors").begin()
    postgres = PostgresEngine(shared().url, owner="noor", place="same order").begin()
    for storage in (embedded, postgres):
        fill(storage)
    yield embedded, postgres
    for storage in (embedded, postgres):
        storage.close()
    shutil.rmtree(folder)


def questions(words: int) -> Sequence[str]:
    dice = random.Random(words)
    return [" ".join(dice.choices(WORDS, OFTEN, k=words)) for _ in range(20)]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("words", [2, 10, 40])
def test_the_first_ten_turns_are_the_same_in_the_same_order(
    both: tuple[Storage, Storage], words: int, mode: Mode
) -> None:
    different = list[str]()
    for question in questions(words):
        asked, how = QuestionVector(MODEL, a_vector(question)), SearchOptions(mode)
        found = (find(question, RunFilter(), 10, NOOR, storage, asked, how) for storage in both)
        ours, theirs = ([(turn.chunk.key, turn.lexical) for turn in search.best] for search in found)
        if ours != theirs:
            different.append(question)
    assert different == []


def test_the_same_few_are_chosen_of_many(both: tuple[Storage, Storage]) -> None:
    for question in questions(2) + questions(40):
        ours, theirs = (storage.chunks.matching(question.split(), RunFilter(), NOOR, 50) for storage in both)
        assert [one.chunk.key for one in ours] == [one.chunk.key for one in theirs]
