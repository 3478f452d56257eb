"""A history grown beyond its home: more Chunks, written straight through the storage port, and prompts to ask with.

Nothing it makes is kept: the texts are those of the home it is given, whole or cut up and put together anew.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import numpy as np

from memlane import embed
from memlane.app import Lane
from memlane.domain import Chunk, RunFilter, RunSummary, derived_id

SEED = 7
PER_RUN = 160  # Chunks of a grown Run
PER_TURN = 8
RUNS_AT_ONCE = 25  # in one transaction
SETTLED_EVERY = 25  # transactions
SPAN = (4, 14)  # words that stay together
NEW_WORD_EVERY = 60  # words: names and numbers nobody used before
BATCH = 8_192  # vectors written together
NOISE = 0.35  # how far a made-up vector stands from the real one it was made from
FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)
AGENT = "grown"

Texts = Callable[[], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Home:
    """What the home says: every Chunk's text, who said it."""

    chunks: Sequence[Chunk]

    @property
    def texts(self) -> list[str]:
        return [chunk.text for chunk in self.chunks]


def read(lane: Lane) -> Home:
    storage, reader = lane.home.storage(), lane.home.reader
    runs = storage.runs.listed(RunFilter(), reader)
    return Home([chunk for run in runs for chunk in storage.chunks.of_run(run.id, reader)])


# -- prompts ----------------------------------------------------------------------------------------------------------


def prompts(home: Home, words: int, count: int) -> list[str]:
    """Two words that stand in one text; or so many in a row, as somebody said them."""
    dice = random.Random(SEED + words)
    long = [chunk.text.split() for chunk in home.chunks if len(chunk.text) > 10 * words]
    found = list[str]()
    while len(found) < count:
        said = dice.choice(long)
        if words == 2:
            plain = sorted({word.lower() for word in said if word.isalpha() and len(word) > 3})
            found += [" ".join(dice.sample(plain, 2))] if len(plain) > 1 else []
        elif len(said) >= words:
            start = dice.randrange(len(said) - words + 1)
            found.append(" ".join(said[start : start + words]))
    return found


# -- growing ----------------------------------------------------------------------------------------------------------


def recombined(home: Home, seed: int = SEED) -> Iterator[str]:
    """Texts as long as the home's, of pieces of them, with a name in each that nothing else has."""
    dice = random.Random(seed)
    pool = [sys.intern(word) for text in home.texts for word in text.split()]
    lengths = [len(text.split()) for text in home.texts]
    number = seed << 24
    while True:
        left, said = dice.choice(lengths), list[str]()
        while left > 0:
            span, at = dice.randint(*SPAN), dice.randrange(len(pool))
            said += pool[at : at + min(span, left)]
            left -= span
            if dice.random() < span / NEW_WORD_EVERY:
                number += 1
                said.append(f"{dice.choice(('task', 'build', 'req', 'node'))}_{number:x}")
        yield " ".join(said)


def again(home: Home) -> Iterator[str]:
    while True:
        yield from home.texts


def grow(lane: Lane, texts: Iterator[str], until: int, name: str) -> int:
    """So many Chunks in all. How many were added."""
    storage, lock = lane.home.storage(), lane.home.lock
    missing, rounds = until - storage.chunks.count(lane.home.reader), 0
    added = 0
    while added < missing:
        with lock.held(), storage.transaction():
            for n in range(RUNS_AT_ONCE):
                some = list(islice(texts, min(PER_RUN, missing - added)))
                if some:
                    _put(lane, derived_id("r", name, str(rounds), str(n)), some, added)
                added += len(some)
        rounds += 1
        if rounds % SETTLED_EVERY == 0:
            settle(lane)
    settle(lane)
    return added


def settle(lane: Lane) -> None:
    with lane.home.lock.held():
        lane.home.storage().settle()


def _put(lane: Lane, run: str, texts: Sequence[str], number: int) -> None:
    storage, owner = lane.home.storage(), lane.home.reader.user
    at = FIRST_DAY + timedelta(minutes=number // 10)
    summary = RunSummary(run, owner, "bench", AGENT, run, 1, f"grown/{run}", sum(map(len, texts)))
    storage.runs.put(replace(summary, title=texts[0][:60], started=at, ended=at, turns=1 + len(texts) // PER_TURN))
    authors = ("person", *("agent", "tool") * PER_TURN)
    chunks = (
        Chunk(run, 1 + n // PER_TURN, 1 + n % PER_TURN, 0, authors[n % PER_TURN], at, text)
        for n, text in enumerate(texts)
    )
    storage.chunks.replace(run, owner, 0, chunks)


# -- meaning ----------------------------------------------------------------------------------------------------------


def give_vectors(lane: Lane, home: Home) -> int:
    """Made-up vectors for the made-up texts, clustered as the home's are: what they say changes no time."""
    storage, tag = lane.home.storage(), lane.vectors.answering()
    dice = np.random.default_rng(SEED)
    real = _real_vectors(lane, random.Random(SEED).sample(home.texts, min(4_096, len(home.texts))))
    given = 0
    while True:
        with lane.home.lock.held():
            waiting = storage.vectors.waiting(tag, BATCH)
            if not waiting:
                return given
            made = real[dice.integers(0, len(real), len(waiting))]
            noise = dice.standard_normal(made.shape, np.float32) * (NOISE / made.shape[1] ** 0.5)
            made = made + noise
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            storage.vectors.put(tag, waiting, made)
            given += len(waiting)


def _real_vectors(lane: Lane, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    model = embed.embedder(embed.EmbedderSpec(), lane.config.variables)
    try:
        return np.asarray(model.passages(texts), np.float32)
    finally:
        model.close()


# -- what a bulk ingest reads -----------------------------------------------------------------------------------------


def neutral_runs(home: Home, path: Path, runs: int, seed: int) -> None:
    """Runs nobody has seen, as `lane import` takes them."""
    texts = recombined(home, seed)
    with path.open("w") as file:
        for number in range(runs):
            at = (FIRST_DAY + timedelta(minutes=number)).isoformat()
            name = f"bulk-{seed}-{number}"
            file.write(json.dumps({"type": "run", "id": name, "agent": AGENT, "started": at, "cwd": "/bulk"}) + "\n")
            for turn in range(PER_RUN // PER_TURN):
                said = islice(texts, 2)
                told = {"type": "turn", "at": at, "person": next(said), "agent": next(said), "id": f"{name}-{turn}"}
                told["tool_calls"] = [{"name": "Bash", "input": {}, "result": text} for text in islice(texts, 6)]
                file.write(json.dumps(told) + "\n")
