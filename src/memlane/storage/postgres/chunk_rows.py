"""Rows of Chunks: written, removed and read with everything that hangs on them; which wait for a vector."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from memlane.domain import Chunk
from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.postgres.builds import Whose
from memlane.storage.postgres.connection import Connection, Row, moment
from memlane.storage.postgres.terms import forget_terms

COLUMNS = "chunks.run, chunks.turn, chunks.step, chunks.part, chunks.author, chunks.at, chunks.text, chunks.tool"
_NUMBERS = """
INSERT INTO chunk_numbers AS n (owner, build, next) VALUES (%s, %s, %s)
ON CONFLICT (owner, build) DO UPDATE SET next = n.next + excluded.next RETURNING next
"""


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


def insert(db: Connection, whose: Whose, run: str, new: Sequence[NewChunk]) -> None:
    if not new:
        return
    ids = _ids(db, whose, run, len(new))
    db.copy(
        "COPY chunks (owner, build, id, run, turn, step, part, author, tool, at, length, hash, text) FROM STDIN",
        (
            (*whose, id, run, *c.place, c.author, c.tool, c.at, c.length, c.hash, c.text)
            for id, c in zip(ids, new, strict=True)
        ),
    )
    db.copy(
        "COPY unwritten (owner, build, chunk, terms) FROM STDIN",
        ((*whose, id, c.terms) for id, c in zip(ids, new, strict=True)),
    )
    begin_waiting(db, whose, run, ids)
    _add(db, whose, run, len(new), sum(c.length for c in new))


def remove_run(db: Connection, whose: Whose, run: str) -> None:
    those = db.rows("SELECT id FROM chunks WHERE owner = %s AND build = %s AND run = %s", (*whose, run))
    remove(db, whose, run, [cast(int, id) for (id,) in those])


def remove(db: Connection, whose: Whose, run: str, which: Sequence[int]) -> None:
    if not which:
        return
    gone = "DELETE FROM chunks WHERE owner = %s AND build = %s AND id = ANY(%s::bigint[]) RETURNING id, text"
    rows = cast("list[tuple[int, str]]", db.rows(gone, (*whose, list(which))))
    if not rows:
        return
    ids = [id for id, _text in rows]
    terms = {id: list(terms_of(text)) for id, text in rows}
    _add(db, whose, run, -len(ids), -sum(map(len, terms.values())))
    never = db.rows(
        "DELETE FROM unwritten WHERE owner = %s AND build = %s AND chunk = ANY(%s::bigint[]) RETURNING chunk",
        (*whose, ids),
    )
    forget_terms(db, whose, (terms[id] for id in set(ids) - {cast(int, id) for (id,) in never}))
    end_waiting(db, whose, "chunk = ANY(%s::bigint[])", (ids,))
    db.run(
        "DELETE FROM spans WHERE owner = %s AND build = %s AND run = %s AND NOT EXISTS (SELECT FROM chunks"
        " WHERE chunks.owner = %s AND chunks.build = %s AND id BETWEEN first AND last)",
        (*whose, run, *whose),
    )


def _add(db: Connection, whose: Whose, run: str, chunks: int, length: int) -> None:
    db.run(
        "INSERT INTO totals AS t (owner, build, run, chunks, length) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (owner, build, run)"
        " DO UPDATE SET chunks = t.chunks + excluded.chunks, length = t.length + excluded.length",
        (*whose, run, chunks, length),
    )


def _ids(db: Connection, whose: Whose, run: str, count: int) -> range:
    """Fresh ones of this owner, never used before, one after the other."""
    last = db.number_aside(_NUMBERS, (*whose, count))
    ids = range(last - count + 1, last + 1)
    insert = "INSERT INTO spans (owner, build, run, first, last) VALUES (%s, %s, %s, %s, %s)"
    db.run(insert, (*whose, run, ids[0], ids[-1]))
    return ids


def by_id(
    db: Connection, whose: Whose, ids: Iterable[int], condition: str, values: Sequence[object]
) -> dict[int, tuple[Chunk, int]]:
    """Those that are there and pass, each with its length."""
    found = db.rows(
        f"SELECT chunks.id, chunks.length, {COLUMNS} FROM chunks"
        f" WHERE chunks.owner = %s AND chunks.build = %s AND chunks.id = ANY(%s::bigint[]) AND {condition}",
        (*whose, list(ids), *values),
    )
    return {cast(int, id): (chunk_of(rest), cast(int, length)) for id, length, *rest in found}


def chunk_of(row: Row | Sequence[object]) -> Chunk:
    run, turn, step, part, author, at, text, tool = cast("tuple[str, int, int, int, str, object, str, str]", row)
    return Chunk(run, turn, step, part, author, moment(at), text, tool)


def add_waiting(db: Connection, whose: Whose, model: int, select: str, values: Sequence[object]) -> None:
    """What the query finds: Run and Chunk."""
    db.run(
        "WITH new AS (INSERT INTO waiting (owner, build, model, run, chunk)"
        f" SELECT %s::int, %s::int, %s::int, found.* FROM ({select}) AS found ON CONFLICT DO NOTHING RETURNING model)"
        " UPDATE models SET waiting = waiting + (SELECT count(*) FROM new)"
        " WHERE owner = %s AND build = %s AND model = %s",
        (*whose, model, *values, *whose, model),
    )


def end_waiting(db: Connection, whose: Whose, condition: str, values: Sequence[object]) -> None:
    """Those wait no longer."""
    db.run(
        f"WITH gone AS (DELETE FROM waiting WHERE owner = %s AND build = %s AND {condition} RETURNING model),"
        " less AS (SELECT model, count(*) AS n FROM gone GROUP BY model)"
        " UPDATE models SET waiting = waiting - less.n FROM less"
        " WHERE models.owner = %s AND models.build = %s AND models.model = less.model",
        (*whose, *values, *whose),
    )


def begin_waiting(db: Connection, whose: Whose, run: str, chunks: Sequence[int]) -> None:
    """New Chunks wait for every model, unless it knows what they say."""
    known = db.rows(
        "SELECT model, vector_sizes.model IS NOT NULL FROM models LEFT JOIN vector_sizes USING (model)"
        " WHERE owner = %s AND build = %s",
        whose,
    )
    for model, has_vectors in cast("list[tuple[int, bool]]", known):
        select = "SELECT %s::text, id FROM chunks WHERE owner = %s AND build = %s AND id = ANY(%s::bigint[])"
        values: tuple[object, ...] = (run, *whose, list(chunks))
        if has_vectors:
            select += (
                f" AND hash NOT IN (SELECT hash FROM vectors_{model} AS v WHERE v.owner = %s AND v.hash = chunks.hash)"
            )
            values += (whose[0],)
        add_waiting(db, whose, model, select, values)
