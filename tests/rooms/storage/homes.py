"""A small index of the embedded engine to break."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.storage.embedded import EmbeddedEngine, EmbeddedStorage

NOOR = Reader("noor")
MODEL = "m@64"
WORDS = ("zebra", "lion", "tiger", "otter", "heron")


def engine_in(folder: Path) -> EmbeddedEngine:
    return EmbeddedEngine(folder / "index", folder / "vectors")


def fill(storage: EmbeddedStorage, run: str, *texts: str, owner: str = "noor") -> None:
    chunks = [Chunk(run, n, 1, 0, "person", None, text) for n, text in enumerate(texts, 1)]
    with storage.transaction():
        storage.chunks.replace(run, owner, 0, chunks)
        storage.runs.put(RunSummary(run, owner, "laptop", "plain", run, 1, "/x", 1))


def texts(run: int) -> list[str]:
    return [f"{WORDS[n % 5]} {WORDS[(n + run) % 5]} word{n}" for n in range(20)]


def give_vectors(storage: EmbeddedStorage) -> int:
    chunks = storage.vectors.waiting(MODEL, 10_000)
    rows = [np.random.default_rng(len(chunk.text) + chunk.turn).standard_normal(64) for chunk in chunks]
    if chunks:
        storage.vectors.put(MODEL, chunks, np.array(rows, np.float32))
    return len(chunks)


def everything(storage: EmbeddedStorage) -> list[object]:
    """What a search can be told."""
    return [
        storage.chunks.matching(WORDS, RunFilter(), NOOR, 1000),
        storage.chunks.matching(("zebra", "word3"), RunFilter(), NOOR, 3),
        storage.chunks.statistics((*WORDS, "word3"), NOOR),
        storage.chunks.near_terms("zebro", NOOR),
        storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, 1000),
        storage.vectors.share(MODEL, NOOR),
    ]


def files_in(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if path.is_file() and path.suffix != ".lock")
