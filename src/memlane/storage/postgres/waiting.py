"""Which Chunks have no vector of a model yet: a row for each, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.storage.postgres.connection import Connection


def add(db: Connection, select: str, values: Sequence[object]) -> None:
    """What the query finds: model, owner, Run and Chunk."""
    db.run(
        f"WITH new AS (INSERT INTO waiting (model, owner, run, chunk) {select} ON CONFLICT DO NOTHING"
        " RETURNING model, owner)"
        " INSERT INTO shares AS s (model, owner, waiting) SELECT model, owner, count(*) FROM new GROUP BY model, owner"
        " ON CONFLICT (model, owner) DO UPDATE SET waiting = s.waiting + excluded.waiting",
        values,
    )


def take(db: Connection, condition: str, values: Sequence[object]) -> None:
    """Those wait no longer."""
    db.run(
        f"WITH gone AS (DELETE FROM waiting WHERE {condition} RETURNING model, owner),"
        " less AS (SELECT model, owner, count(*) AS n FROM gone GROUP BY model, owner)"
        " UPDATE shares SET waiting = waiting - less.n FROM less"
        " WHERE shares.model = less.model AND shares.owner = less.owner",
        values,
    )


def begin(db: Connection, owner: int, run: str, chunks: Sequence[int]) -> None:
    """New Chunks wait for every model, unless it knows what they say."""
    known = db.rows("SELECT model, vector_tables.model IS NOT NULL FROM models LEFT JOIN vector_tables USING (model)")
    for model, has_vectors in known:
        select = "SELECT %s::int, %s::int, %s, id FROM chunks WHERE id = ANY(%s::bigint[])"
        if has_vectors:
            select += (
                f" AND NOT EXISTS (SELECT FROM wholes_{model} AS v WHERE v.owner = chunks.owner"
                " AND v.hash = chunks.hash)"
            )
        add(db, select, (model, owner, run, list(chunks)))
