"""What `nearest` looks through: for each vector of one owner and model its Chunk, its row and what filters ask for.

Read from the index, kept up to date with it, and kept in a file beside it: a million are open in a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from memlane.storage.embedded.conditions import ChunkBounds
from memlane.storage.embedded.connection import SCHEMA, Connection
from memlane.storage.embedded.vector_files import Floats, VectorFiles, signs_of
from memlane.storage.vectors import hamming, likeness, smallest
from memlane.system.disk import Disk, private_folder

Numbers = NDArray[np.int64]
Ints = NDArray[np.int32]

HEADER = np.dtype([("schema", "<u4"), ("crc", "<u4"), ("seq", "<i8"), ("gone", "<i8"), ("count", "<i8")])
EVERY = -1  # in vectors_gone: all that was known, so it is read anew
COLUMNS = ("<i8", "<i4", "<i4", "<i4", "<i4")


@dataclass(frozen=True, slots=True)
class Scan:
    """Columns: one place for each Chunk that has a vector."""

    chunk: Numbers
    row: Ints
    run: Ints
    author: Ints
    tool: Ints
    seq: int  # of the last one in it
    gone: int  # of the last that left

    @property
    def columns(self) -> tuple[NDArray[np.signedinteger], ...]:
        return self.chunk, self.row, self.run, self.author, self.tool

    def only(self, which: ChunkBounds) -> tuple[Numbers, Ints]:
        """Chunks and rows of those that pass the filter."""
        if which.everything:
            return self.chunk, self.row
        stays = np.ones(len(self.chunk), np.bool_)
        for column, numbers in ((self.run, which.runs), (self.chunk, which.chunks)):
            if numbers is not None:
                stays &= np.isin(column, np.fromiter(numbers, column.dtype, len(numbers)))
        for column, number in ((self.author, which.author), (self.tool, which.tool)):
            if number is not None:
                stays &= column == number
        return self.chunk[stays], self.row[stays]


def _made(columns: list[NDArray[np.signedinteger]], seq: int, gone: int) -> Scan:
    chunk = columns[0].astype(np.int64, copy=False)
    row, run, author, tool = (column.astype(np.int32, copy=False) for column in columns[1:])
    return Scan(chunk, row, run, author, tool, seq, gone)


def empty() -> Scan:
    return _made([np.empty(0, np.int64) for _ in COLUMNS], 0, 0)


def brought_up_to_date(scan: Scan, db: Connection, owner: int, model: int) -> Scan:
    """With what was put since, without what was dropped since. One that is not of this index is read anew."""
    last, gone = (_last(db, table) for table in ("vectors", "vectors_gone"))
    if (last, gone) == (scan.seq, scan.gone):
        return scan
    left = db.rows("SELECT chunk FROM vectors_gone WHERE seq > ? AND seq <= ?", (scan.gone, gone))
    if scan.seq > last or len(left) != gone - scan.gone or (EVERY,) in left:
        scan, left = empty(), []
    found = db.rows(
        "SELECT vectors.chunk, row, run, author, tool FROM vectors JOIN chunks ON chunks.id = vectors.chunk"
        " WHERE vectors.seq > ? AND vectors.seq <= ? AND model = ? AND vectors.owner = ?",
        (scan.seq, last, model, owner),
    )
    new = np.array(cast("list[tuple[int, ...]]", found), np.int64).reshape(-1, len(COLUMNS))
    columns = [np.concatenate(pair) for pair in zip(scan.columns, new.T, strict=True)]
    if left:
        stays = ~np.isin(columns[0], np.array([cast(int, id) for (id,) in left], np.int64))
        columns = [column[stays] for column in columns]
    return _made(columns, last, gone)


def _last(db: Connection, table: str) -> int:
    return db.number("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))


# -- the file ----------------------------------------------------------------------------------------------------------


def saved(scan: Scan, path: Path) -> None:
    """Only what is durable in the index may be in the file: who calls has seen to that."""
    body = b"".join(column.tobytes() for column in scan.columns)
    header = np.array([(SCHEMA, crc32(body), scan.seq, scan.gone, len(scan.chunk))], HEADER)
    private_folder(path.parent)
    Disk().replace(path, header.tobytes() + body)


def loaded(path: Path) -> Scan:
    """Empty, unless every byte is as it was written: then it is read from the index."""
    try:
        data = np.fromfile(path, np.uint8)
    except FileNotFoundError:
        return empty()
    if len(data) < HEADER.itemsize:
        return empty()
    header, body = data[: HEADER.itemsize].view(HEADER)[0], data[HEADER.itemsize :]
    count = int(header["count"])
    sizes = [count * np.dtype(kind).itemsize for kind in COLUMNS]
    if int(header["schema"]) != SCHEMA or len(body) != sum(sizes) or crc32(body.tobytes()) != int(header["crc"]):
        return empty()
    parts = np.split(body, np.cumsum(sizes)[:-1])
    columns = [part.view(kind) for part, kind in zip(parts, COLUMNS, strict=True)]
    return _made(columns, int(header["seq"]), int(header["gone"]))


EXACT = 20_000  # rows that are all scored: at such sizes the answer is the exact one
# Rows that the bits choose at least. Of 62,000 vectors (wordllama, 256; 25,000 texts of real Runs and halves of them,
# asked by the first 12 words of 100 of these) 1,000 hold 95.5 % of the nearest 50, 2,000 97.7 %, 4,000 99.1 %. Taking
# the mean off first changes that by 0.2 % at most. At a million only generated clusters were tried (easy: all found).
GENEROUS = 4_000
TIES = 2_000  # as near as the last one: their keys decide


def distinct(rows: Ints, count: int) -> NDArray[np.intp]:
    """In order, of those that there are: the same text in many Chunks is one row, and takes no other's place."""
    there = np.zeros(count, np.bool_)
    there[rows if rows.max(initial=-1) < count else rows[rows < count]] = True
    return np.flatnonzero(there)


def nearest_rows(
    files: VectorFiles, rows: NDArray[np.intp], vector: Floats, limit: int, exact: int = EXACT
) -> tuple[NDArray[np.intp], Floats]:
    """Of these, which are all different: rows, and how near each is."""
    if len(rows) > exact:
        distance = hamming(files.bits(), signs_of(vector, files.sizes.words))
        theirs = distance if len(rows) == len(distance) else distance[rows]
        rows = rows[smallest(theirs, max(GENEROUS, 8 * limit))]
    return rows, likeness(files.rows(rows), vector)


def nearest_chunks(
    chunks: Numbers, rows: Ints, some: NDArray[np.intp], scores: Floats, limit: int
) -> list[tuple[int, int, float]]:
    """Chunk, row and likeness of the nearest; all that are as near as the last one: their keys say which it is."""
    chosen = np.zeros(1 + max(int(rows.max(initial=0)), int(some.max(initial=0))), np.bool_)
    chosen[some] = True
    places = np.flatnonzero(chosen[rows])
    theirs = scores[np.searchsorted(some, rows[places])]
    if len(places) > limit:
        stay = np.flatnonzero(theirs >= np.partition(theirs, -limit)[-limit])[: limit + TIES]
        places, theirs = places[stay], theirs[stay]
    return list(zip(chunks[places].tolist(), rows[places].tolist(), theirs.tolist(), strict=True))
