"""PostgreSQL is restarted every few seconds while one thread indexes and others search; then nothing may be missing.

`python -m campaigns.restarts --seconds 120 --every 5`. It is stopped in order, crashed, killed, or one of its backends
is. Whoever writes does again what failed; whoever searches asks again. At the end the index is compared with an
embedded one that was given the same, once and undisturbed.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b

import numpy as np
import psycopg

from campaigns import report
from campaigns.postgres_server import Server
from campaigns.world import NOON, USER, scratch
from memlane.domain import Chunk, Memory, Reader, RunFilter, RunSummary, State, Touch, Type
from memlane.domain.tokenizer import terms
from memlane.errors import LaneError
from memlane.storage import IndexMark, Storage
from memlane.storage.embedded import EmbeddedEngine
from memlane.storage.postgres import PostgresEngine

FAULTS = ("lost", "twice", "different", "unclean")
WORDS = tuple(f"word{n}" for n in range(200))
MODEL, DIMENSION = "dice@32", 32
SEARCHERS = 2
FOUND = 100_000  # more Chunks than a home of this campaign has
PATIENCE = 60.0  # seconds that one piece of work may be tried again
READER = Reader(USER)
ENDS = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Piece:
    """What one pass of indexing writes: a Run from some Turn on, and a note."""

    n: int
    run: str
    from_turn: int
    texts: tuple[str, ...]


@dataclass(slots=True)
class Result:
    restarts: int = 0
    backends_killed: int = 0
    pieces: int = 0
    answers: int = 0
    errors: Counter[str] = field(default_factory=Counter[str])  # each was followed by another try
    longest_wait: float = 0.0
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in FAULTS})

    @property
    def clean(self) -> bool:
        return not any(self.faults.values())


def pieces(dice: random.Random) -> Iterator[Piece]:
    """Runs that begin, grow, and are sometimes indexed again from an earlier Turn; without end."""
    turns = Counter[str]()
    for n in itertools.count():
        run = f"r_{dice.randrange(60):013}"
        begin = max(0, turns[run] - dice.choice((0, 1, 1, 1, 5)))
        texts = tuple(" ".join(dice.choices(WORDS, k=dice.randint(3, 40))) for _ in range(dice.randint(1, 12)))
        turns[run] = begin + len(texts)
        yield Piece(n, run, begin, texts)


def write(piece: Piece, storage: Storage) -> None:
    """Once or again: the same comes of it."""
    at, last = NOON + timedelta(seconds=piece.n), piece.from_turn + len(piece.texts)
    places = list(enumerate(piece.texts, piece.from_turn))
    storage.work.archived(piece.run, 1, piece.n + 1)
    with storage.transaction():
        chunks = [Chunk(piece.run, turn, 1, 0, "agent", at, text, "Edit") for turn, text in places]
        storage.chunks.replace(piece.run, USER, piece.from_turn, chunks)
        touches = [
            Touch(piece.run, turn, 1, f"/shop/{text[:6]}.py", changed=True, tool="Edit", at=at) for turn, text in places
        ]
        storage.touches.replace(piece.run, USER, piece.from_turn, touches)
        prompts = [(f"{piece.run} {turn}", turn, 1) for turn, _text in places]
        storage.prompts.replace(piece.run, USER, piece.from_turn, prompts)
        summary = RunSummary(piece.run, USER, "laptop", "plain", piece.run, 1, "/x", piece.n, turns=last, ended=at)
        storage.runs.put(summary)
        storage.work.index_done(piece.run, IndexMark(1, piece.n + 1, last, "rules"))
    storage.settle()
    storage.memories.put(Memory(f"m_{piece.n % 50}", USER, Type.DECISION, f"note {piece.n}", "", at, at, at, at))


def embed(storage: Storage, limit: int) -> int:
    waiting = storage.vectors.waiting(MODEL, limit)
    if waiting:
        storage.vectors.put(MODEL, waiting, np.stack([vector_of(chunk.text) for chunk in waiting]))
    return len(waiting)


def vector_of(text: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)


class Trial:
    """One server, one index, and everybody at work in it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.result = Result()
        self.folder = scratch()
        self.server = Server()
        self.engine = PostgresEngine(self.server.url, owner=USER)
        fresh = self.engine.begin()
        self.engine.swap(fresh)
        fresh.close()
        self.storage = self.engine.open()
        self._done = threading.Event()
        self._seed = seed

    def close(self) -> None:
        self.storage.close()
        self.server.close()
        shutil.rmtree(self.folder)

    def run(self, seconds: float, every: float, restarts: int = 1_000_000) -> Result:
        working = [threading.Thread(target=self._index), *(self._searcher(n) for n in range(SEARCHERS))]
        for thread in working:
            thread.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.result.restarts < restarts:
            time.sleep(every)
            self._disturb()
        self._done.set()
        for thread in working:
            thread.join()
        self.compare()
        return self.result

    # -- everybody's work ----------------------------------------------------------------------------------------------

    def _index(self) -> None:
        for piece in pieces(random.Random(self._seed)):
            self._again_until_done("index", lambda piece=piece: write(piece, self.storage))
            self.result.pieces = piece.n + 1
            if piece.n % 3 == 0:
                self._again_until_done("embed", lambda: embed(self.storage, 40))
            if self._done.is_set():
                return

    def _searcher(self, n: int) -> threading.Thread:
        dice = random.Random(n)

        def search() -> None:
            words = dice.choices(WORDS, k=dice.choice((1, 3, 10)))
            found = self.storage.chunks.matching(words, RunFilter(), READER, FOUND)
            wrong = [one for one in found if not set(words) & set(terms(one.chunk.text))]
            self.storage.vectors.nearest(vector_of(words[0]), MODEL, RunFilter(), READER, FOUND)
            self.result.answers += 1
            if wrong:
                self.result.faults["different"].append(f"{words} found {wrong[0].chunk.text}")

        def searching() -> None:
            while not self._done.is_set():
                self._again_until_done("search", search)

        return threading.Thread(target=searching)

    def _again_until_done(self, what: str, work: Callable[[], object]) -> None:
        began = time.monotonic()
        while True:
            try:
                work()
            except LaneError as error:
                self.result.errors[f"{what}: {error.kind}"] += 1
                if not error.retryable or time.monotonic() > began + PATIENCE:
                    self.result.faults["unclean"].append(f"{what}: {error.message}")
                    return
                continue
            except (psycopg.Error, OSError) as error:
                self.result.faults["unclean"].append(f"{what}: {type(error).__name__}: {error}")
                return
            self.result.longest_wait = max(self.result.longest_wait, time.monotonic() - began)
            return

    def _disturb(self) -> None:
        if self.dice.random() < 0.25:
            self._kill_backend()
            return
        self.server.stop(self.dice.choice(ENDS))
        time.sleep(self.dice.random())
        self.server.start()
        self.result.restarts += 1

    def _kill_backend(self) -> None:
        with psycopg.connect(self.server.url, autocommit=True) as raw:
            found = raw.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'memlane'").fetchall()
        if found:
            os.kill(self.dice.choice(found)[0], signal.SIGKILL)
            self.result.backends_killed += 1
            time.sleep(0.2)
            self.server.start()  # it ends all others and begins again by itself: wait for that

    # -- the comparison ------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        undisturbed = EmbeddedEngine(self.folder / "index", self.folder / "vectors").begin()
        for piece in itertools.islice(pieces(random.Random(self._seed)), self.result.pieces):
            write(piece, undisturbed)
        for storage in (undisturbed, self.storage):
            while embed(storage, 1000):
                pass
        ours, theirs = (_all_chunks(storage) for storage in (self.storage, undisturbed))
        less, more = Counter(theirs) - Counter(ours), Counter(ours) - Counter(theirs)
        self.result.faults["lost"] += [str(chunk) for chunk in less]
        self.result.faults["twice"] += [str(chunk) for chunk in more]
        for name, (mine, right) in _answers(self.storage, undisturbed).items():
            if mine != right:
                self.result.faults["different"].append(f"{name}: {str(mine)[:200]} instead of {str(right)[:200]}")
        undisturbed.close()


def _all_chunks(storage: Storage) -> list[Chunk]:
    runs = storage.runs.listed(RunFilter(), READER)
    return [chunk for run in runs for chunk in storage.chunks.of_run(run.id, READER)]


def _answers(*storages: Storage) -> dict[str, tuple[object, ...]]:
    """Whatever can be asked, each answer beside the other's."""
    asked: dict[str, Callable[[Storage], object]] = {
        "statistics": lambda s: s.chunks.statistics(WORDS, READER),
        "runs": lambda s: list(s.runs.listed(RunFilter(), READER)),
        "memories": lambda s: list(s.memories.listed(list(State), READER)),
        "touches": lambda s: list(s.touches.of("word1.py", RunFilter(), READER)),
        "pending": lambda s: list(s.work.pending()),
        "marks": lambda s: [s.work.indexed(f"r_{n:013}") for n in range(60)],
        "holders": lambda s: [list(s.prompts.holders(f"r_{n:013} 3", READER)) for n in range(60)],
        "share": lambda s: s.vectors.share(MODEL, READER),
    }
    for n in range(0, len(WORDS), 20):
        words, vector = WORDS[n : n + 3], vector_of(WORDS[n])
        asked[f"matching {words}"] = lambda s, words=words: [
            (one.chunk, dict(one.times), one.length) for one in s.chunks.matching(words, RunFilter(), READER, FOUND)
        ]
        asked[f"nearest {n}"] = lambda s, vector=vector: [
            (one.chunk.key, round(one.likeness, 5))
            for one in s.vectors.nearest(vector, MODEL, RunFilter(), READER, FOUND)
        ]
    return {name: tuple(ask(storage) for storage in storages) for name, ask in asked.items()}


def figures(result: Result) -> dict[str, object]:
    return {
        "restarts": result.restarts,
        "backends killed": result.backends_killed,
        "pieces indexed": result.pieces,
        "searches answered": result.answers,
        "errors, each followed by another try": dict(result.errors),
        "longest wait, seconds": round(result.longest_wait, 1),
        **{fault: len(found) for fault, found in result.faults.items()},
    }


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--every", type=float, default=5, help="seconds between two restarts")
    chosen = parser.parse_args()
    trial = Trial(chosen.seed)
    try:
        result = trial.run(chosen.seconds, chosen.every)
    finally:
        trial.close()
    command = f"python -m campaigns.restarts --seconds {chosen.seconds:g} --every {chosen.every:g}"
    report.tell(command, figures(result), result.faults, chosen)


if __name__ == "__main__":
    main()
