"""Chunks in PostgreSQL. Our tokenizer writes their terms; nobody weighs them here but to say which are the best few."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast
from uuid import UUID

from memlane.domain import Chunk, Reader, RunFilter
from memlane.domain.tokenizer import counted
from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.postgres import chunk_rows, terms
from memlane.storage.postgres.chunk_rows import NewChunk
from memlane.storage.postgres.conditions import Condition, about_runs, chunk_condition, run_condition
from memlane.storage.postgres.connection import Connection, clean, digest, seconds
from memlane.storage.postgres.names import Names
from memlane.storage.values import Statistics, TermMatch

MOST_TERMS = 64  # of a query; a longer one keeps its rarest
BUDGET = 500_000  # postings that one query looks at: the rarest terms' come first
AT_ONCE = 2_000  # Chunks that are held in memory before they are written
MOST_AHEAD = 4_096  # Chunks without postings: each is looked at by every search
NEAR_ENOUGH = 2  # letters that a meant word may be longer or shorter
MOST_NEAR = 4_000

Place = tuple[int, int, int]
Old = tuple[int, str, str, float | None, UUID]  # id, author, tool, at, hash


class PostgresChunks:
    def __init__(self, connection: Connection, names: Names, lock: int) -> None:
        self._db = connection
        self._names = names
        self._lock = lock
        self._ahead = 0  # Chunks written and not settled, roughly

    # -- writing ------------------------------------------------------------------------------------------------------

    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        """A Chunk that says what it said before stays as it is, with its number."""
        with self._db.transaction():
            whose, old, batch = self._names.give(owner), self._old(run, from_turn), list[NewChunk]()
            for new in _changed(chunks, old):
                batch.append(new)
                if len(batch) == AT_ONCE:
                    self._write(whose, run, batch, old)
                    batch = []
            self._write(whose, run, batch, old)
            chunk_rows.remove(self._db, run, [row[0] for row in old.values()])

    def _write(self, owner: int, run: str, new: Sequence[NewChunk], old: dict[Place, Old]) -> None:
        chunk_rows.remove(self._db, run, [old.pop(c.place)[0] for c in new if c.place in old])
        chunk_rows.insert(self._db, owner, run, new)
        self._ahead += len(new)
        if self._ahead >= MOST_AHEAD:  # in bulk work nobody settles for long
            self.settle()

    def settle(self) -> None:
        self._ahead = 0
        terms.settle(self._db, self._lock)

    def _old(self, run: str, from_turn: int) -> dict[Place, Old]:
        found = self._db.rows(
            "SELECT turn, step, part, id, author, tool, at, hash FROM chunks WHERE run = %s AND turn >= %s",
            (run, from_turn),
        )
        rows = cast("list[tuple[int, int, int, int, str, str, float | None, UUID]]", found)
        return {(turn, step, part): (id, *rest) for turn, step, part, id, *rest in rows}  # type: ignore[misc]

    # -- words --------------------------------------------------------------------------------------------------------

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader, limit: int) -> Sequence[TermMatch]:
        owner, wanted = self._names.find(reader.user), frozenset(terms)
        if owner is None or not wanted or limit <= 0:
            return []
        passing = chunk_condition(which, reader, owner)
        found = [*self._settled(wanted, which, reader, owner, passing, limit), *self._fresh(wanted, owner, passing)]
        if len(found) > limit:
            found = self._best(found, wanted, limit, reader)
        return sorted(found, key=lambda one: one.chunk.key)

    def _fresh(self, wanted: frozenset[str], owner: int, passing: Condition) -> list[TermMatch]:
        words = terms.unwritten(self._db, owner, wanted)
        rows = chunk_rows.by_id(self._db, words, passing.sql, passing.values) if words else {}
        return [TermMatch(chunk, _times(words[id], wanted), length) for id, (chunk, length) in rows.items()]

    def _settled(
        self, wanted: frozenset[str], which: RunFilter, reader: Reader, owner: int, passing: Condition, limit: int
    ) -> list[TermMatch]:
        known = terms.having(self._db, owner, wanted)
        weights, usual = self._weights(known, limit, owner)
        if not weights:
            return []
        scores = terms.Scores(self._db, owner, weights, usual)
        if about_runs(which):
            scores.only(self._spans(which, reader, owner))
        found, looked, wide = dict[int, tuple[Chunk, int]](), 0, limit
        while len(found) < limit and len(best := scores.best(wide)) > looked:
            some = [int(id) for id in best[looked:]]
            found |= chunk_rows.by_id(self._db, some, passing.sql, passing.values)
            looked, wide = len(best), wide * 4
        counts = scores.times(found) if len(weights) == len(known) else {}
        return [_worded(chunk, length, counts.get(id), wanted) for id, (chunk, length) in found.items()]

    def _weights(self, known: Mapping[str, int], limit: int, owner: int) -> tuple[dict[str, float], float]:
        """The rarest terms, as long as the budget lasts. It always lasts for all there is, where the limit does."""
        chunks, length = self._total(owner)
        weights, spent = dict[str, float](), 0
        for term in sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]:
            spent += known[term]
            if weights and spent > max(BUDGET, MOST_TERMS * limit):
                break
            weights[term] = rarity(known[term], chunks)
        return weights, max(1.0, length / max(1, chunks))

    def _spans(self, which: RunFilter, reader: Reader, owner: int) -> list[tuple[int, int]]:
        runs = run_condition(which, reader)
        found = self._db.rows(
            f"SELECT first, last FROM spans WHERE owner = %s AND run IN (SELECT runs.id FROM runs WHERE {runs.sql})",
            (owner, *runs.values),
        )
        return cast("list[tuple[int, int]]", found)

    def _best(self, found: Sequence[TermMatch], wanted: Iterable[str], limit: int, reader: Reader) -> list[TermMatch]:
        every = self.statistics(sorted(wanted), reader)
        usual = max(1.0, every.length / max(1, every.chunks))
        weights = {term: rarity(n, every.chunks) for term, n in every.having.items()}

        def worth(one: TermMatch) -> float:
            norm = 1.2 * (0.25 + 0.75 * one.length / usual)
            return sum(weights.get(term, 0.0) * n / (n + norm) for term, n in one.times.items())

        return sorted(found, key=lambda one: (-worth(one), one.chunk.key))[:limit]

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics:
        owner = self._names.find(reader.user)
        if owner is None:
            return Statistics(0, 0, {})
        return Statistics(*self._total(owner), self._having(frozenset(terms), owner))

    def _having(self, wanted: frozenset[str], owner: int) -> Mapping[str, int]:
        having = Counter(terms.having(self._db, owner, wanted))
        for words in terms.unwritten(self._db, owner, wanted).values():
            having.update(wanted.intersection(words))
        return dict(having)

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        owner, start = self._names.find(reader.user), term[:2]
        if owner is None:
            return []
        rows = self._db.rows(
            "SELECT term, sum(n)::int FROM postings WHERE owner = %s AND term >= %s AND term < %s"
            " AND length(term) BETWEEN %s AND %s GROUP BY term HAVING sum(n) > 0",
            (owner, start, start + "\U0010ffff", len(term) - NEAR_ENOUGH, len(term) + NEAR_ENOUGH),
        )
        found = Counter(dict(cast("list[tuple[str, int]]", rows)))
        for (words,) in self._db.rows("SELECT terms FROM unwritten WHERE owner = %s", (owner,)):
            theirs = set(cast(str, words).split())
            found.update(w for w in theirs if w.startswith(start) and abs(len(w) - len(term)) <= NEAR_ENOUGH)
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:MOST_NEAR]

    # -- all of them --------------------------------------------------------------------------------------------------

    def of_run(self, run: str, reader: Reader, limit: int | None = None) -> Sequence[Chunk]:
        found = self._db.rows(
            f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE run = %s AND owner = %s ORDER BY turn, step, part LIMIT %s",
            (run, self._names.find(reader.user), limit),
        )
        return [chunk_rows.chunk_of(row) for row in found]

    def last(self, run: str, reader: Reader, limit: int) -> Sequence[Chunk]:
        found = self._db.rows(
            f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE run = %s AND owner = %s"
            " ORDER BY turn DESC, step DESC, part DESC LIMIT %s",
            (run, self._names.find(reader.user), limit),
        )
        return [chunk_rows.chunk_of(row) for row in reversed(found)]

    def count(self, reader: Reader) -> int:
        owner = self._names.find(reader.user)
        return 0 if owner is None else self._total(owner)[0]

    def _total(self, owner: int) -> tuple[int, int]:
        row = self._db.row(
            "SELECT coalesce(sum(chunks), 0)::int, coalesce(sum(length), 0)::bigint FROM totals WHERE owner = %s",
            (owner,),
        )
        return cast("tuple[int, int]", row)


def _changed(chunks: Iterable[Chunk], old: dict[Place, Old]) -> Iterator[NewChunk]:
    """Those that are not among the old ones, which are taken from there."""
    for chunk in chunks:
        place, at, text = (chunk.turn, chunk.step, chunk.part), seconds(chunk.at), clean(chunk.text)
        author, tool, hash = clean(chunk.author), clean(chunk.tool), digest(text)
        before = old.get(place)
        if before is not None and before[1:] == (author, tool, at, hash):
            del old[place]
        else:
            yield NewChunk(place, author, tool, at, hash, text, " ".join(terms_of(text)))


def _times(words: Iterable[str], wanted: frozenset[str]) -> dict[str, int]:
    return dict(Counter(word for word in words if word in wanted))


def _worded(chunk: Chunk, length: int, counts: Mapping[str, int] | None, wanted: frozenset[str]) -> TermMatch:
    """Counted again from its text where the postings cannot tell."""
    if counts is None or max(counts.values(), default=0) >= terms.LONGEST:
        return TermMatch(chunk, *counted(chunk.text, wanted))
    return TermMatch(chunk, counts, length)


def rarity(having: int, of: int) -> float:
    return math.log(1 + (max(of, having) - having + 0.5) / (having + 0.5))
