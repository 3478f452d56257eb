"""Which Chunks have which terms: postings of our own in rows of PostgreSQL, chosen from with numpy.

What is written comes into `unwritten` first; `settle` turns it into a segment of postings, and many small segments into
one, each owner's on their own. A posting of a Chunk that is gone stays until its owner's are written anew: it is passed
over, and no statistic counts it.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.postgres.builds import Whose
from memlane.storage.postgres.connection import Connection
from memlane.storage.word_choice import ROUGH_DIGITS

AT_ONCE = 8_192  # Chunks of one segment
MERGE = 8  # segments of about the same size, that become one
LARGEST = 1 << 17  # Chunks of a segment that is left alone
PAGE = 1_024  # bytes of rare terms and their postings in one row
ALONE = 64 * 6  # bytes of postings that have a row of their own
SMALL = 4_096  # bytes of postings that come with their count
POSTING = np.dtype([("id", "<u4"), ("times", "u1"), ("length", "u1")])
LONGEST = 255  # times that a byte can tell
_ROWS = 256  # of postings that are read together when segments are merged
_MUCH = 4 << 20  # bytes that are written together

Floats = NDArray[np.float32]


def _lengths() -> list[int]:
    """The 256 lengths that a byte can tell, as the other engine's do: exact up to 40, then in eighths of a power."""
    above = [n & 7 if n < 8 else (n & 7 | 8) << (n >> 3) - 1 for n in range(232)]
    return [*range(24), *(24 + n for n in above)]


_LENGTHS = _lengths()
_NORMS = np.array(_LENGTHS, np.float64)


# -- writing -----------------------------------------------------------------------------------------------------------


def settle(db: Connection, whose: Whose, index: str) -> None:
    """Who comes second while another one settles for the same owner leaves it to them."""
    while _settle_some(db, whose, _lock(whose, index)):
        pass


def _settle_some(db: Connection, whose: Whose, lock: int) -> bool:
    with db.transaction():
        waits = "SELECT 1 FROM unwritten WHERE owner = %s AND build = %s LIMIT 1"
        if db.row(waits, whose) is None or not _alone(db, lock):
            return False
        found = db.rows(
            "SELECT chunk, terms FROM unwritten WHERE owner = %s AND build = %s ORDER BY chunk LIMIT %s"
            " FOR UPDATE SKIP LOCKED",
            (*whose, AT_ONCE),
        )
        if not found:
            return False
        rows = cast("list[tuple[int, str]]", found)
        _write_segment(db, whose, [(id, terms.split()) for id, terms in rows])
        gone = "DELETE FROM unwritten WHERE owner = %s AND build = %s AND chunk = ANY(%s::bigint[])"
        db.run(gone, (*whose, [id for id, _terms in rows]))
    with db.transaction():
        while _alone(db, lock) and _merge_some(db, whose):
            pass
    return True


def _lock(whose: Whose, index: str) -> int:
    digest = blake2b(f"settle {index} {whose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _alone(db: Connection, lock: int) -> bool:
    return bool(db.number("SELECT pg_try_advisory_xact_lock(%s)::int", (lock,)))


def _write_segment(db: Connection, whose: Whose, chunks: Sequence[tuple[int, Sequence[str]]]) -> None:
    postings: dict[str, bytearray] = defaultdict(bytearray)
    for id, terms in chunks:
        head, length = id.to_bytes(4, "little"), bytes((bisect_right(_LENGTHS, len(terms)) - 1,))
        for term, times in Counter(terms).items():
            postings[term] += head + min(LONGEST, times).to_bytes(1, "little") + length
    segment = _new_segment(db, whose, len(chunks))
    _copy(db, whose, segment, sorted(postings.items()))


def _new_segment(db: Connection, whose: Whose, chunks: int) -> int:
    return db.number(
        "INSERT INTO segments (owner, build, segment, chunks) SELECT %s, %s, coalesce(max(segment), 0) + 1, %s"
        " FROM segments WHERE owner = %s AND build = %s RETURNING segment",
        (*whose, chunks, *whose),
    )


def _copy(db: Connection, whose: Whose, segment: int, postings: Iterable[tuple[str, bytes | bytearray]]) -> None:
    db.copy(
        "COPY postings (owner, build, segment, term, terms, counts, body) FROM STDIN (FORMAT BINARY)",
        ((*whose, segment, *page) for page in _pages(postings)),
        ("int4", "int4", "int4", "text", "text", "bytea", "bytea"),
    )


def _pages(postings: Iterable[tuple[str, bytes | bytearray]]) -> Iterator[tuple[str, str, bytes, bytes]]:
    """In order: what many have alone, rare ones together."""
    some, size = list[tuple[str, bytes | bytearray]](), 0
    for term, body in postings:
        if some and (len(body) >= ALONE or size >= PAGE):
            yield _page(some)
            some, size = [], 0
        some.append((term, body))
        size += len(term) + 5 + len(body)
        if len(body) >= ALONE:
            yield _page(some)
            some, size = [], 0
    if some:
        yield _page(some)


def _page(some: Sequence[tuple[str, bytes | bytearray]]) -> tuple[str, str, bytes, bytes]:
    counts = np.array([len(body) // POSTING.itemsize for _term, body in some], "<u4")
    return some[0][0], " ".join(term for term, _ in some), counts.tobytes(), b"".join(body for _, body in some)


def _merge_some(db: Connection, whose: Whose) -> bool:
    """So many of one size become one: each posting is moved but a few times in its life."""
    asked = "SELECT segment, chunks FROM segments WHERE owner = %s AND build = %s AND chunks < %s ORDER BY segment"
    sizes = cast("list[tuple[int, int]]", db.rows(asked, (*whose, LARGEST)))
    levels: dict[int, list[int]] = defaultdict(list)
    for segment, chunks in sizes:
        levels[int(math.log(max(1, chunks), MERGE) + 1e-9)].append(segment)
    old = next((segments for _level, segments in sorted(levels.items()) if len(segments) >= MERGE), None)
    if old is None:
        return False
    new = _new_segment(db, whose, sum(chunks for segment, chunks in sizes if segment in old))
    some, size = list[tuple[str, bytes]](), 0
    for term, bodies in groupby(heapq.merge(*(_read(db, whose, one) for one in old)), key=lambda one: one[0]):
        some.append((term, b"".join(body for _term, _segment, body in bodies)))
        size += len(some[-1][1])
        if size >= _MUCH:
            _copy(db, whose, new, some)
            some, size = [], 0
    _copy(db, whose, new, some)
    for table in ("postings", "segments"):
        db.run(f"DELETE FROM {table} WHERE owner = %s AND build = %s AND segment = ANY(%s)", (*whose, old))
    return True


def _read(db: Connection, whose: Whose, segment: int) -> Iterator[tuple[str, int, bytes]]:
    """All terms of a segment in order, a few rows at a time."""
    asked = (
        "SELECT term, terms, counts, body FROM postings WHERE owner = %s AND build = %s AND segment = %s AND term > %s"
        f" ORDER BY term LIMIT {_ROWS}"
    )
    last = ""
    while found := cast("list[tuple[str, str, bytes, bytes]]", db.rows(asked, (*whose, segment, last))):
        for _first, terms, counts, body in found:
            yield from ((term, segment, body) for term, body in _split(terms, counts, body).items())
        last = found[-1][0]


def _split(terms: str, counts: bytes, body: bytes) -> dict[str, bytes]:
    ends = (np.frombuffer(counts, "<u4").cumsum() * POSTING.itemsize).tolist()
    return {term: body[start:end] for term, start, end in zip(terms.split(" "), (0, *ends), ends, strict=False)}


def forget_terms(db: Connection, whose: Whose, chunks: Iterable[Sequence[str]]) -> None:
    """These Chunks are gone: so many are to be taken from what the postings count."""
    less = Counter(term for terms in chunks for term in set(terms))
    if less:
        names = sorted(less)
        db.run(
            "INSERT INTO removed AS r (owner, build, term, n)"
            " SELECT %s, %s, term, less FROM unnest(%s::text[], %s::int[]) AS gone (term, less)"
            " ON CONFLICT (owner, build, term) DO UPDATE SET n = r.n + excluded.n",
            (*whose, names, [less[name] for name in names]),
        )


def write_anew(db: Connection, whose: Whose) -> None:
    """Terms of Chunks that are gone leave the postings: those of all others are written again, by who settles next."""
    of = "owner = %s AND build = %s"
    with db.transaction():
        if db.row(f"SELECT 1 FROM removed WHERE {of} LIMIT 1", whose) is None:
            return
        for table in ("postings", "segments", "removed", "unwritten"):
            db.run(f"DELETE FROM {table} WHERE {of}", whose)
        last, some = -1, f"SELECT id, text FROM chunks WHERE {of} AND id > %s ORDER BY id LIMIT {AT_ONCE}"
        while found := cast("list[tuple[int, str]]", db.rows(some, (*whose, last))):
            rows = [(*whose, id, " ".join(terms_of(text))) for id, text in found]
            db.copy("COPY unwritten (owner, build, chunk, terms) FROM STDIN", rows)
            last = found[-1][0]


# -- choosing ----------------------------------------------------------------------------------------------------------

# The row of each segment in which a term must be, if the segment has it.
_PAGES = """
SELECT asked.term, p.segment, p.terms, p.counts, {body} FROM segments AS s CROSS JOIN unnest(%s::text[]) AS asked (term)
CROSS JOIN LATERAL (SELECT * FROM postings AS p WHERE p.owner = %s AND p.build = %s AND p.segment = s.segment
  AND p.term <= asked.term COLLATE "C" ORDER BY p.term DESC LIMIT 1) AS p
WHERE s.owner = %s AND s.build = %s AND position(' ' || asked.term || ' ' IN ' ' || p.terms || ' ') > 0
ORDER BY p.segment
"""


class Postings:
    """What the postings say about a few terms: how many Chunks have each, and which."""

    def __init__(self, db: Connection, whose: Whose, terms: Iterable[str]) -> None:
        self._db, self._whose = db, whose
        self._bodies: dict[str, dict[int, bytes | None]] = defaultdict(dict)
        self.terms = frozenset(terms)
        self._newest = self._last_segment()
        counted, wanted = Counter[str](), sorted(self.terms)
        asked = _PAGES.format(body=f"CASE WHEN length(p.body) <= {SMALL} THEN p.body END")
        for row in db.rows(asked, (wanted, *whose, *whose)):
            term, segment, every, counts, body = cast("tuple[str, int, str, bytes, bytes | None]", row)
            place = every.split(" ").index(term)
            sizes = np.frombuffer(counts, "<u4")
            counted[term] += int(sizes[place])
            start = int(sizes[:place].sum()) * POSTING.itemsize
            part = None if body is None else body[start : start + int(sizes[place]) * POSTING.itemsize]
            self._bodies[term][segment] = part
        gone = "SELECT term, n FROM removed WHERE owner = %s AND build = %s AND term = ANY(%s::text[])"
        counted.subtract(dict(cast("list[tuple[str, int]]", db.rows(gone, (*whose, wanted)))))
        self.having = {term: n for term, n in counted.items() if n > 0}  # absent ones are left out

    def _last_segment(self) -> int:
        return self._db.number("SELECT max(segment) FROM segments WHERE owner = %s AND build = %s", self._whose)

    def is_of(self, whose: Whose, terms: frozenset[str]) -> bool:
        """Whether it still is what the postings say: whoever settles or merges makes a new segment."""
        return (self._whose, self.terms) == (whose, terms) and self._newest == self._last_segment()

    def of(self, terms: Iterable[str]) -> dict[str, NDArray[np.void]]:
        """Each term's, with those of Chunks that are gone."""
        wanted = [term for term in terms if term in self._bodies]
        large = [(term, n) for term in wanted for n, body in self._bodies[term].items() if body is None]
        if large:
            found = self._db.rows(
                "SELECT term, segment, body FROM unnest(%s::text[], %s::int[]) AS asked (term, segment)"
                " JOIN postings USING (term, segment) WHERE owner = %s AND build = %s",
                ([term for term, _n in large], [n for _term, n in large], *self._whose),
            )
            if len(found) < len(large):  # segments were merged meanwhile
                fresh = Postings(self._db, self._whose, self.terms)
                self._bodies, self.having = fresh._bodies, fresh.having
                return self.of(wanted)
            for term, segment, body in cast("list[tuple[str, int, bytes]]", found):
                self._bodies[term][segment] = body
        return {
            term: np.frombuffer(b"".join(body for body in self._bodies[term].values() if body), POSTING)
            for term in wanted
        }


def unwritten(db: Connection, whose: Whose, terms: Iterable[str]) -> dict[int, list[str]]:
    """Chunks that are not settled and have any of the terms → all their terms."""
    wanted = frozenset(terms)
    found = db.rows("SELECT chunk, terms FROM unwritten WHERE owner = %s AND build = %s", whose)
    split = ((id, terms.split()) for id, terms in cast("list[tuple[int, str]]", found))
    return {id: terms for id, terms in split if not wanted.isdisjoint(terms)}


def beginning(db: Connection, whose: Whose, start: str) -> Counter[str]:
    """Terms that begin like this, and how many settled Chunks have each."""
    found = db.rows(
        "SELECT p.terms, p.counts FROM segments AS s CROSS JOIN LATERAL (SELECT * FROM postings AS p"
        " WHERE p.owner = %s AND p.build = %s AND p.segment = s.segment AND p.term < %s AND p.term >= coalesce("
        "  (SELECT max(b.term) FROM postings AS b WHERE b.owner = %s AND b.build = %s AND b.segment = s.segment"
        "   AND b.term <= %s), '' COLLATE \"C\")) AS p WHERE s.owner = %s AND s.build = %s",
        (*whose, start + "\U0010ffff", *whose, start, *whose),
    )
    counted = Counter[str]()
    for terms, counts in cast("list[tuple[str, bytes]]", found):
        every = zip(terms.split(" "), np.frombuffer(counts, "<u4").tolist(), strict=True)
        for term, n in every:
            if term.startswith(start):
                counted[term] += n
    gone = "SELECT term, n FROM removed WHERE owner = %s AND build = %s AND term >= %s AND term < %s"
    counted.subtract(dict(cast("list[tuple[str, int]]", db.rows(gone, (*whose, start, start + "\U0010ffff")))))
    return +counted


class Scores:
    """What each Chunk is roughly worth, by its id: by the same formula and the same few lengths as the other engine."""

    def __init__(self, bodies: Mapping[str, NDArray[np.void]], weights: Mapping[str, float], usual: float) -> None:
        last = max((int(body["id"].max(initial=0)) for body in bodies.values()), default=0)
        self.of: Floats = np.zeros(last + 1, np.float32)
        norms = (1.2 * (0.25 + 0.75 * _NORMS / usual)).astype(np.float32)
        for term, body in bodies.items():
            times = body["times"].astype(np.float32)
            self.of[body["id"]] += np.float32(weights[term]) * times / (times + norms[body["length"]])  # once in each

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
        worth = np.round(self.of[ids], ROUGH_DIGITS)
        if len(ids) > count:
            among = worth >= np.partition(worth, -count)[-count]
            ids, worth = ids[among], worth[among]
        return ids[np.argsort(-worth, kind="stable")][:count]


def times(bodies: Mapping[str, NDArray[np.void]], ids: Iterable[int]) -> dict[int, dict[str, int]]:
    """How often each term stands in these; LONGEST says no more than: at least so often."""
    counts: dict[int, dict[str, int]] = {id: {} for id in ids}
    asked = np.zeros(1 + max(*counts, *(int(body["id"].max(initial=0)) for body in bodies.values())), np.bool_)
    asked[list(counts)] = True
    for term, body in bodies.items():
        theirs = body[asked[body["id"]]]
        for id, often in zip(theirs["id"].tolist(), theirs["times"].tolist(), strict=True):
            counts[id][term] = often
    return counts
