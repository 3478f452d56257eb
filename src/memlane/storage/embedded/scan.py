"""What `nearest` looks through: for each vector of one owner and model its Chunk, its row and what filters ask for.

Read from the index and kept up to date with it; hamming distances of the bits choose, whole rows score.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.storage.embedded.chosen import Chosen
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.vector_files import Floats, VectorFiles, Words, signs_of

EXACT = 20_000  # rows that are all scored: at such sizes the answer is the exact one
GENEROUS = 1_000  # rows that the bits choose at least
BLOCK = 1 << 16  # rows compared at once: what stays in the processor's cache

Numbers = NDArray[np.int64]


def _nothing() -> Numbers:
    return np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Scan:
    """Columns: one place for each Chunk that has a vector."""

    chunk: Numbers = field(default_factory=_nothing)
    row: Numbers = field(default_factory=_nothing)
    run: Numbers = field(default_factory=_nothing)
    author: Numbers = field(default_factory=_nothing)
    tool: Numbers = field(default_factory=_nothing)
    seq: int = 0  # of the last one in it
    gone: int = 0  # of the last that left


def brought_up_to_date(scan: Scan, db: Connection, owner: int, model: int) -> Scan:
    """With what was put since, without what was dropped since."""
    last, gone = (
        db.number(f"SELECT seq FROM sqlite_sequence WHERE name = '{name}'") for name in ("vectors", "vectors_gone")
    )
    if (last, gone) == (scan.seq, scan.gone):
        return scan
    found = db.rows(
        "SELECT vectors.chunk, row, run, author, tool FROM vectors JOIN chunks ON chunks.id = vectors.chunk"
        " WHERE vectors.seq > ? AND model = ? AND vectors.owner = ?",
        (scan.seq, model, owner),
    )
    new = np.array(cast("list[tuple[int, ...]]", found), np.int64).reshape(-1, 5)
    columns = [np.concatenate(pair) for pair in zip(_columns(scan), new.T, strict=True)]
    left = db.rows("SELECT chunk FROM vectors_gone WHERE seq > ?", (scan.gone,))
    if left:
        stays = ~np.isin(columns[0], np.array([cast(int, id) for (id,) in left], np.int64))
        columns = [column[stays] for column in columns]
    return Scan(*columns, seq=last, gone=gone)


def _columns(scan: Scan) -> tuple[Numbers, ...]:
    return scan.chunk, scan.row, scan.run, scan.author, scan.tool


def filtered(scan: Scan, which: Chosen) -> Scan:
    if which.everything:
        return scan
    stays = np.ones(len(scan.chunk), np.bool_)
    for column, numbers in ((scan.run, which.runs), (scan.chunk, which.chunks)):
        if numbers is not None:
            stays &= np.isin(column, np.fromiter(numbers, np.int64, len(numbers)))
    for column, number in ((scan.author, which.author), (scan.tool, which.tool)):
        if number is not None:
            stays &= column == number
    return replace(scan, chunk=scan.chunk[stays], row=scan.row[stays])


def nearest_rows(files: VectorFiles, rows: Numbers, vector: Floats, limit: int) -> tuple[Numbers, Floats]:
    """Rows, and how near each is. The same text in many Chunks is one row: it takes no other's place."""
    rows = np.unique(rows)
    if len(rows) > EXACT:
        distance = hamming(files.bits(), signs_of(vector, files.sizes.words))[rows]
        rows = rows[_smallest(distance, max(GENEROUS, 4 * limit))]
    return rows, files.rows(rows) @ vector


def hamming(bits: Words, wanted: Words) -> NDArray[np.uint16]:
    distance = np.empty(len(bits), np.uint16)
    for start in range(0, len(bits), BLOCK):
        block = np.bitwise_count(bits[start : start + BLOCK] ^ wanted)
        distance[start : start + BLOCK] = block.sum(axis=1, dtype=np.uint16)
    return distance


def _smallest(distance: NDArray[np.uint16], count: int) -> NDArray[np.intp]:
    """Places of the smallest, at least this many, and all that are as small as the last of them."""
    reached = np.cumsum(np.bincount(distance))
    furthest = int(np.searchsorted(reached, count))
    return np.flatnonzero(distance <= furthest)
