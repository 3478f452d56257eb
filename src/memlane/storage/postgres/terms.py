"""Which Chunks have which terms: postings of our own in rows of PostgreSQL, chosen from with numpy.

What is written comes into `unwritten` first; `settle` turns it into a segment of postings, and many small segments into
one. A posting of a Chunk that is gone stays until a rebuild: it is passed over, and no statistic counts it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.storage.postgres.connection import Connection

AT_ONCE = 8_192  # Chunks of one segment
MERGE = 16  # segments of about the same size, that become one
LARGEST = 1 << 20  # Chunks of a segment that is left alone
POSTING = np.dtype([("id", "<u4"), ("times", "u1"), ("length", "u1")])
LONGEST = 255  # times and lengths that a byte can tell; lengths in steps of 8
STEP = 8

Floats = NDArray[np.float32]


# -- writing -----------------------------------------------------------------------------------------------------------


def settle(db: Connection, lock: int) -> None:
    """Whoever comes second while another one settles leaves it to them."""
    while _settle_some(db, lock):
        pass


def _settle_some(db: Connection, lock: int) -> bool:
    with db.transaction():
        if db.row("SELECT 1 FROM unwritten LIMIT 1") is None or not _alone(db, lock):
            return False
        found = db.rows(
            "SELECT chunk, owner, terms FROM unwritten"
            " WHERE owner = (SELECT owner FROM unwritten LIMIT 1) ORDER BY chunk LIMIT %s FOR UPDATE SKIP LOCKED",
            (AT_ONCE,),
        )
        if not found:
            return False
        rows = cast("list[tuple[int, int, str]]", found)
        owner = rows[0][1]
        _write_segment(db, owner, [(id, terms.split()) for id, _owner, terms in rows])
        db.run("DELETE FROM unwritten WHERE chunk = ANY(%s::bigint[])", ([id for id, _owner, _terms in rows],))
    with db.transaction():
        while _alone(db, lock) and _merge_some(db, owner):
            pass
    return True


def _alone(db: Connection, lock: int) -> bool:
    return bool(db.number("SELECT pg_try_advisory_xact_lock(%s)::int", (lock,)))


def _write_segment(db: Connection, owner: int, chunks: Sequence[tuple[int, Sequence[str]]]) -> None:
    postings: dict[str, bytearray] = defaultdict(bytearray)
    for id, terms in chunks:
        head, length = id.to_bytes(4, "little"), min(LONGEST, -(-len(terms) // STEP)).to_bytes(1, "little")
        for term, times in Counter(terms).items():
            postings[term] += head + min(LONGEST, times).to_bytes(1, "little") + length
    segment = db.number(
        "INSERT INTO segments (segment, owner, chunks) VALUES (nextval('segment_numbers'), %s, %s) RETURNING segment",
        (owner, len(chunks)),
    )
    size = POSTING.itemsize
    db.copy(
        "COPY postings (owner, segment, n, term, body) FROM STDIN (FORMAT BINARY)",
        ((owner, segment, len(body) // size, term, body) for term, body in sorted(postings.items())),
        ("int4", "int4", "int4", "text", "bytea"),
    )


def _merge_some(db: Connection, owner: int) -> bool:
    """So many of one size become one: each posting is moved but a few times in its life."""
    sizes = db.rows("SELECT segment, chunks FROM segments WHERE owner = %s AND chunks < %s", (owner, LARGEST))
    levels: dict[int, list[int]] = defaultdict(list)
    for segment, chunks in cast("list[tuple[int, int]]", sizes):
        levels[int(math.log(max(1, chunks), MERGE) + 1e-9)].append(segment)
    old = next((segments for _level, segments in sorted(levels.items()) if len(segments) >= MERGE), None)
    if old is None:
        return False
    new = db.number(
        "INSERT INTO segments (segment, owner, chunks) SELECT nextval('segment_numbers'), %s, sum(chunks)"
        " FROM segments WHERE segment = ANY(%s) RETURNING segment",
        (owner, old),
    )
    db.run(
        "WITH old AS (DELETE FROM postings WHERE segment = ANY(%s) RETURNING term, n, body)"
        " INSERT INTO postings (owner, segment, n, term, body)"
        " SELECT %s, %s, sum(n), term, string_agg(body, ''::bytea) FROM old GROUP BY term ORDER BY term",
        (old, owner, new),
    )
    db.run("DELETE FROM segments WHERE segment = ANY(%s)", (old,))
    return True


def forget_terms(db: Connection, owner: int, chunks: Iterable[Sequence[str]]) -> None:
    """These Chunks are gone: segment 0 says how many to take from what the others count."""
    less = Counter(term for terms in chunks for term in set(terms))
    if less:
        names = sorted(less)
        db.run(
            "INSERT INTO postings AS p (owner, segment, n, term, body)"
            " SELECT %s, 0, -less, term, '' FROM unnest(%s::text[], %s::int[]) AS gone (term, less)"
            " ON CONFLICT (owner, term, segment) DO UPDATE SET n = p.n + excluded.n",
            (owner, names, [less[name] for name in names]),
        )


def drop_unused(db: Connection) -> None:
    """Terms that no Chunk has any more."""
    db.run(
        "DELETE FROM postings USING (SELECT owner, term FROM postings GROUP BY owner, term HAVING sum(n) = 0) AS gone"
        " WHERE postings.owner = gone.owner AND postings.term = gone.term"
    )


# -- choosing ----------------------------------------------------------------------------------------------------------


def having(db: Connection, owner: int, terms: Iterable[str]) -> dict[str, int]:
    """How many settled Chunks have each term; absent ones are left out."""
    found = db.rows(
        "SELECT asked.term, counted.n FROM unnest(%s::text[]) AS asked (term) CROSS JOIN LATERAL"
        " (SELECT sum(n)::int AS n FROM postings WHERE owner = %s AND postings.term = asked.term) AS counted"
        " WHERE counted.n > 0",
        (sorted(set(terms)), owner),
    )
    return dict(cast("list[tuple[str, int]]", found))


def unwritten(db: Connection, owner: int, terms: Iterable[str]) -> dict[int, list[str]]:
    """Chunks that are not settled and have any of the terms → all their terms."""
    wanted = frozenset(terms)
    found = db.rows("SELECT chunk, terms FROM unwritten WHERE owner = %s", (owner,))
    split = ((id, terms.split()) for id, terms in cast("list[tuple[int, str]]", found))
    return {id: terms for id, terms in split if not wanted.isdisjoint(terms)}


class Scores:
    """What each Chunk is roughly worth, by its id."""

    def __init__(self, db: Connection, owner: int, weights: Mapping[str, float], usual: float) -> None:
        found = db.rows(
            "SELECT asked.term, theirs.body FROM unnest(%s::text[]) AS asked (term) CROSS JOIN LATERAL"
            " (SELECT string_agg(body, ''::bytea) AS body FROM postings"
            "  WHERE owner = %s AND postings.term = asked.term AND segment > 0) AS theirs"
            " WHERE theirs.body IS NOT NULL",
            (list(weights), owner),
        )
        self._bodies = {term: np.frombuffer(b, POSTING) for term, b in cast("list[tuple[str, bytes]]", found)}
        last = max((int(body["id"].max()) for body in self._bodies.values()), default=0)
        self.of: Floats = np.zeros(last + 1, np.float32)
        for term, body in self._bodies.items():
            times = body["times"].astype(np.float32)
            norm = 1.2 * (0.25 + 0.75 * STEP / usual * body["length"].astype(np.float32))
            self.of[body["id"]] += np.float32(weights[term]) * times / (times + norm)  # a Chunk has a term but once

    def only(self, spans: Sequence[tuple[int, int]]) -> None:
        """Nothing outside of these."""
        steps = np.zeros(len(self.of) + 1, np.int32)
        for first, last in spans:
            if first < len(self.of):
                steps[first] += 1
                steps[min(last + 1, len(self.of))] -= 1
        self.of[np.cumsum(steps[:-1]) == 0] = 0

    def best(self, count: int) -> NDArray[np.intp]:
        """So many ids, best first; of equal ones the older."""
        ids = np.flatnonzero(self.of)
        worth = self.of[ids]
        if len(ids) > count:
            among = worth >= np.partition(worth, -count)[-count]
            ids, worth = ids[among], worth[among]
        return ids[np.argsort(-worth, kind="stable")][:count]

    def times(self, ids: Iterable[int]) -> dict[int, dict[str, int]]:
        """How often each term stands in these; LONGEST says no more than: at least so often."""
        asked = np.zeros(len(self.of), np.bool_)
        counts: dict[int, dict[str, int]] = {id: {} for id in ids}
        asked[list(counts)] = True
        for term, body in self._bodies.items():
            theirs = body[asked[body["id"]]]
            for id, times in zip(theirs["id"].tolist(), theirs["times"].tolist(), strict=True):
                counts[id][term] = times
        return counts
