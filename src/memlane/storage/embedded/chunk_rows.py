"""Rows of Chunks: written, removed and read together with everything that hangs on them. Knows no tantivy, no numpy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import cast

from memlane.domain import Chunk
from memlane.storage.embedded.connection import Connection, Row, moment
from memlane.storage.embedded.names import Names
from memlane.storage.values import Key

COLUMNS = (
    "(SELECT name FROM names WHERE n = chunks.run), chunks.turn, chunks.step, chunks.part, chunks.author, chunks.at,"
    " chunks.text, chunks.tool"
)

MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A Chunk about to be written."""

    id: int
    run: int
    place: tuple[int, int, int]
    author: int
    tool: int
    at: float | None
    hash: bytes
    text: str
    terms: str  # with spaces between

    @property
    def length(self) -> int:
        return self.terms.count(" ") + 1 if self.terms else 0


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """What tantivy is told of a Chunk."""

    id: int
    run: int
    author: int
    tool: int
    terms: str  # with spaces between


def content_hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def insert(db: Connection, owner: int, new: Sequence[NewChunk]) -> None:
    if not new:
        return
    db.run_many(
        "INSERT INTO chunks (id, owner, run, turn, step, part, author, tool, at, length, hash, text)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        ((c.id, owner, c.run, *c.place, c.author, c.tool, c.at, c.length, c.hash, c.text) for c in new),
    )
    db.run_many("INSERT INTO unwritten (owner, chunk, terms) VALUES (?,?,?)", ((owner, c.id, c.terms) for c in new))
    for (model,) in db.rows("SELECT model FROM models"):
        db.run_many("INSERT INTO waiting (run, model, chunk) VALUES (?,?,?)", ((c.run, model, c.id) for c in new))
    _add(db, owner, len(new), sum(c.length for c in new))


def remove(db: Connection, owner: int, run: int, ids: Sequence[int]) -> None:
    if not ids:
        return
    listed = json.dumps(ids)
    those = "IN (SELECT value FROM json_each(?))"
    length = db.number(f"SELECT sum(length) FROM chunks WHERE id {those}", (listed,))
    _add(db, owner, -len(ids), -length)
    db.run_many("INSERT INTO unwritten (owner, chunk) VALUES (?, ?)", ((owner, id) for id in ids))
    db.run(f"DELETE FROM chunks WHERE id {those}", (listed,))
    db.run(f"DELETE FROM waiting WHERE run = ? AND chunk {those}", (run, listed))
    counts = db.rows(f"SELECT model, count(*) FROM vectors WHERE chunk {those} GROUP BY model", (listed,))
    for model, count in counts:
        db.run("UPDATE shares SET chunks = chunks - ? WHERE owner = ? AND model = ?", (count, owner, model))
    if counts:
        db.run_many("INSERT INTO vectors_gone (chunk) VALUES (?)", ((id,) for id in ids))
        db.run(f"DELETE FROM vectors WHERE chunk {those}", (listed,))


def remove_run(db: Connection, run: int) -> None:
    found = db.rows("SELECT owner, id FROM chunks WHERE run = ?", (run,))
    if found:
        remove(db, cast(int, found[0][0]), run, [cast(int, id) for _owner, id in found])


def _add(db: Connection, owner: int, chunks: int, length: int) -> None:
    db.run(
        "INSERT INTO totals (owner, chunks, length) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (owner) DO UPDATE SET chunks = chunks + ?2, length = length + ?3",
        (owner, chunks, length),
    )


def next_id(db: Connection) -> int:
    return db.number("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'") + 1


class ChunkNumbers:
    """The numbers of Chunks that were handed out last: whoever asks about one of them again need not look for it."""

    def __init__(self, connection: Connection) -> None:
        self._ids = connection.remembered(dict[Key, int]())

    def remember(self, chunks: Mapping[int, Chunk]) -> None:
        if len(self._ids) > MOST_REMEMBERED:
            self._ids.clear()
        self._ids.update((chunk.key, id) for id, chunk in chunks.items())

    def find(self, chunks: Iterable[Chunk]) -> tuple[dict[int, Key], list[Chunk]]:
        """By number, those that are known; and the others."""
        keyed = [(chunk, self._ids.get(chunk.key)) for chunk in chunks]
        return {id: c.key for c, id in keyed if id is not None}, [c for c, id in keyed if id is None]


def by_id(db: Connection, names: Names, owner: int, ids: Iterable[int]) -> dict[int, Chunk]:
    """Those that are there, and this owner's."""
    found = db.rows(
        f"SELECT chunks.id, {COLUMNS} FROM json_each(?) AS wanted JOIN chunks ON chunks.id = wanted.value"
        " WHERE chunks.owner = ?",
        (json.dumps(list(ids)), owner),
    )
    return {cast(int, id): chunk_of(rest, names) for id, *rest in found}


def chunk_of(row: Row | Sequence[object], names: Names) -> Chunk:
    run, turn, step, part, author, at, text, tool = cast("tuple[str, int, int, int, int, object, str, int]", row)
    return Chunk(run, turn, step, part, names.name(author), moment(at), text, names.name(tool))
