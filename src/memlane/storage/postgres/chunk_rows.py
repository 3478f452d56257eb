"""Rows of Chunks: written, removed and read with everything that hangs on them; which wait for a vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from memlane.domain import Chunk
from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.postgres.connection import Connection, Row, moment
from memlane.storage.postgres.terms import forget_terms

BLOCK = 64  # ids that are given out together
COLUMNS = "chunks.run, chunks.turn, chunks.step, chunks.part, chunks.author, chunks.at, chunks.text, chunks.tool"


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A Chunk about to be written."""

    place: tuple[int, int, int]
    author: str
    tool: str
    at: float | None
    hash: UUID
    text: str
    terms: str  # with spaces between

    @property
    def length(self) -> int:
        return self.terms.count(" ") + 1 if self.terms else 0


def insert(db: Connection, owner: int, run: str, new: Sequence[NewChunk]) -> None:
    if not new:
        return
    ids = _ids(db, owner, run, len(new))
    db.copy(
        "COPY chunks (id, owner, run, turn, step, part, author, tool, at, length, hash, text) FROM STDIN",
        (
            (id, owner, run, *c.place, c.author, c.tool, c.at, c.length, c.hash, c.text)
            for id, c in zip(ids, new, strict=True)
        ),
    )
    db.copy(
        "COPY unwritten (chunk, owner, terms) FROM STDIN",
        ((id, owner, c.terms) for id, c in zip(ids, new, strict=True)),
    )
    begin_waiting(db, owner, run, ids)
    _add(db, owner, run, len(new), sum(c.length for c in new))


def remove_run(db: Connection, run: str) -> None:
    remove(db, run, [cast(int, id) for (id,) in db.rows("SELECT id FROM chunks WHERE run = %s", (run,))])


def remove(db: Connection, run: str, which: Sequence[int]) -> None:
    if not which:
        return
    found = db.rows("DELETE FROM chunks WHERE id = ANY(%s::bigint[]) RETURNING id, owner, text", (list(which),))
    if not found:
        return
    rows = cast("list[tuple[int, int, str]]", found)
    ids, owner = [id for id, _owner, _text in rows], rows[0][1]
    terms = {id: list(terms_of(text)) for id, _owner, text in rows}
    _add(db, owner, run, -len(ids), -sum(map(len, terms.values())))
    never = db.rows("DELETE FROM unwritten WHERE chunk = ANY(%s::bigint[]) RETURNING chunk", (ids,))
    forget_terms(db, owner, (terms[id] for id in set(ids) - {cast(int, id) for (id,) in never}))
    end_waiting(db, "chunk = ANY(%s::bigint[])", (ids,))
    db.run(
        "DELETE FROM spans WHERE run = %s AND NOT EXISTS (SELECT FROM chunks WHERE id BETWEEN first AND last)", (run,)
    )


def _add(db: Connection, owner: int, run: str, chunks: int, length: int) -> None:
    db.run(
        "INSERT INTO totals AS t (run, owner, chunks, length) VALUES (%s, %s, %s, %s) ON CONFLICT (run)"
        " DO UPDATE SET chunks = t.chunks + excluded.chunks, length = t.length + excluded.length",
        (run, owner, chunks, length),
    )


def _ids(db: Connection, owner: int, run: str, count: int) -> list[int]:
    """Fresh ones, never used before, in as few spans as may be."""
    found = db.rows("SELECT nextval('blocks') FROM generate_series(1, %s)", (-(-count // BLOCK),))
    ids = [block * BLOCK + n for block in sorted(int(str(row[0])) for row in found) for n in range(BLOCK)][:count]
    db.run_many(
        "INSERT INTO spans (owner, run, first, last) VALUES (%s, %s, %s, %s)",
        ((owner, run, first, last) for first, last in _spans(ids)),
    )
    return ids


def _spans(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = ids[0]
    for before, id in zip(ids, [*ids[1:], None], strict=True):
        if id != before + 1:
            yield first, before
            first = id or 0


def by_id(db: Connection, ids: Iterable[int], condition: str, values: Sequence[object]) -> dict[int, tuple[Chunk, int]]:
    """Those that are there and pass, each with its length."""
    found = db.rows(
        f"SELECT chunks.id, chunks.length, {COLUMNS} FROM chunks WHERE chunks.id = ANY(%s::bigint[]) AND {condition}",
        (list(ids), *values),
    )
    return {cast(int, id): (chunk_of(rest), cast(int, length)) for id, length, *rest in found}


def chunk_of(row: Row | Sequence[object]) -> Chunk:
    run, turn, step, part, author, at, text, tool = cast("tuple[str, int, int, int, str, object, str, str]", row)
    return Chunk(run, turn, step, part, author, moment(at), text, tool)


def add_waiting(db: Connection, select: str, values: Sequence[object]) -> None:
    """What the query finds: model, owner, Run and Chunk."""
    db.run(
        f"WITH new AS (INSERT INTO waiting (model, owner, run, chunk) {select} ON CONFLICT DO NOTHING"
        " RETURNING model, owner)"
        " INSERT INTO shares AS s (model, owner, waiting) SELECT model, owner, count(*) FROM new GROUP BY model, owner"
        " ON CONFLICT (model, owner) DO UPDATE SET waiting = s.waiting + excluded.waiting",
        values,
    )


def end_waiting(db: Connection, condition: str, values: Sequence[object]) -> None:
    """Those wait no longer."""
    db.run(
        f"WITH gone AS (DELETE FROM waiting WHERE {condition} RETURNING model, owner),"
        " less AS (SELECT model, owner, count(*) AS n FROM gone GROUP BY model, owner)"
        " UPDATE shares SET waiting = waiting - less.n FROM less"
        " WHERE shares.model = less.model AND shares.owner = less.owner",
        values,
    )


def begin_waiting(db: Connection, owner: int, run: str, chunks: Sequence[int]) -> None:
    """New Chunks wait for every model, unless it knows what they say."""
    known = db.rows("SELECT model, vector_tables.model IS NOT NULL FROM models LEFT JOIN vector_tables USING (model)")
    for model, has_vectors in known:
        select = "SELECT %s::int, %s::int, %s, id FROM chunks WHERE id = ANY(%s::bigint[])"
        if has_vectors:
            select += (
                f" AND NOT EXISTS (SELECT FROM wholes_{model} AS v WHERE v.owner = chunks.owner"
                " AND v.hash = chunks.hash)"
            )
        add_waiting(db, select, (model, owner, run, list(chunks)))
