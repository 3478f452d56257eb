"""Chunks in PostgreSQL. Our tokenizer writes their terms; nobody weighs them here but to say which are the best few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import local
from typing import cast
from uuid import UUID

from memlane.domain import Author, Chunk, Reader, RunFilter
from memlane.domain.tokenizer import counted
from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.postgres import chunk_rows, terms
from memlane.storage.postgres.builds import NOBODY, Builds, Whose
from memlane.storage.postgres.chunk_rows import NewChunk
from memlane.storage.postgres.conditions import Condition, about_runs, chunk_condition, run_condition
from memlane.storage.postgres.connection import Connection, clean, digest, seconds
from memlane.storage.values import Statistics, TermMatch
from memlane.storage.word_choice import best, nearest_terms, rarity, wider

MOST_TERMS = 64  # of a query; a longer one keeps its rarest
COMMON, ENOUGH = 0.1, 8  # so many terms that fewer than a tenth have choose alone, as in the other engine
COUNTED = 500_000  # postings that tell how often a term stands in a Chunk; of more, the text is quicker to ask
AT_ONCE = 2_000  # Chunks that are held in memory before they are written
MOST_AHEAD = 4_096  # Chunks without postings: each is looked at by every search

Place = tuple[int, int, int]
Old = tuple[int, str, str, float | None, UUID]  # id, author, tool, at, hash


class PostgresChunks:
    def __init__(self, connection: Connection, builds: Builds, index: str) -> None:
        self._db = connection
        self._builds = builds
        self._index = index
        self._ahead = Counter[Whose]()  # Chunks written and not settled, roughly
        self._asked = local()  # the postings a search was told statistics of: its next question is about the same terms

    # -- writing ------------------------------------------------------------------------------------------------------

    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        """A Chunk that says what it said before stays as it is, with its number."""
        with self._db.transaction():
            whose = self._builds.made_for(owner)
            old, batch = self._old(whose, run, from_turn), list[NewChunk]()
            for new in _changed(chunks, old):
                batch.append(new)
                if len(batch) == AT_ONCE:
                    self._write(whose, run, batch, old)
                    batch = []
            self._write(whose, run, batch, old)
            chunk_rows.remove(self._db, whose, run, [row[0] for row in old.values()])
            self._db.run(
                "INSERT INTO unnamed (owner, build, run, turn) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (owner, build, run) DO UPDATE SET turn = least(unnamed.turn, excluded.turn)",
                (*whose, run, from_turn),
            )

    def _write(self, whose: Whose, run: str, new: Sequence[NewChunk], old: dict[Place, Old]) -> None:
        chunk_rows.remove(self._db, whose, run, [old.pop(c.place)[0] for c in new if c.place in old])
        chunk_rows.insert(self._db, whose, run, new)
        self._ahead[whose] += len(new)
        if self._ahead[whose] >= MOST_AHEAD:  # in bulk work nobody settles for long
            self.settle()

    def settle(self) -> None:
        """For whom anything was written here, and what others left of this index."""
        theirs = {self._builds.mine, *self._ahead}
        self._ahead.clear()
        for whose in sorted(theirs):
            terms.settle(self._db, whose, self._index)

    def scrub(self) -> None:
        terms.write_anew(self._db, self._builds.mine)
        self.settle()

    def _old(self, whose: Whose, run: str, from_turn: int) -> dict[Place, Old]:
        found = self._db.rows(
            "SELECT turn, step, part, id, author, tool, at, hash FROM chunks"
            " WHERE owner = %s AND build = %s AND run = %s AND turn >= %s",
            (*whose, run, from_turn),
        )
        rows = cast("list[tuple[int, int, int, int, str, str, float | None, UUID]]", found)
        return {(turn, step, part): (id, *rest) for turn, step, part, id, *rest in rows}  # type: ignore[misc]

    # -- words --------------------------------------------------------------------------------------------------------

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader, limit: int) -> Sequence[TermMatch]:
        whose, wanted = self._builds.of(reader.user), frozenset(terms)
        if whose == NOBODY or not wanted or limit <= 0:
            return []
        passing = chunk_condition(which, whose)
        fresh = self._fresh(wanted, whose, passing)  # first: what is settled meanwhile is found twice, not never
        settled = self._settled(wanted, which, whose, passing, wider(limit))
        found = {one.chunk.key: one for one in (*settled, *fresh)}
        if len(found) > limit:
            counted = {key: (one.times, one.length) for key, one in found.items()}
            having = Counter[str](self._asked.having)
            having.update(term for one in fresh for term in one.times)
            known = Statistics(*self._total(whose), having)
            chosen = best(counted, known, limit, lambda keys: {key: key for key in keys})
            found = {key: found[key] for key in chosen}
        return sorted(found.values(), key=lambda one: one.chunk.key)

    def _fresh(self, wanted: frozenset[str], whose: Whose, passing: Condition) -> list[TermMatch]:
        words = terms.unwritten(self._db, whose, wanted)
        rows = chunk_rows.by_id(self._db, whose, words, passing.sql, passing.values) if words else {}
        return [TermMatch(chunk, _times(words[id], wanted), length) for id, (chunk, length) in rows.items()]

    def _settled(
        self, wanted: frozenset[str], which: RunFilter, whose: Whose, passing: Condition, limit: int
    ) -> list[TermMatch]:
        """Chosen by the terms that tell most; where these do not find enough, by all of them."""
        last: terms.Postings | None = self._asked.__dict__.pop("postings", None)
        postings = last if last and last.is_of(whose, wanted) else terms.Postings(self._db, whose, wanted)
        self._asked.having = postings.having
        known, (chunks, length) = postings.having, self._total(whose)
        rarest = sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]
        telling = [term for term in rarest if known[term] < COMMON * chunks]
        spans = self._spans(which, whose) if about_runs(which) else None
        found = dict[int, tuple[Chunk, int]]()
        for some in ([telling] if len(telling) >= ENOUGH else []) + [rarest]:
            if len(found) < limit and some:
                weights = {term: rarity(known[term], chunks) for term in some}
                scores = terms.Scores(postings.of(some), weights, max(1.0, length / max(1, chunks)))
                if spans is not None:
                    scores.only(spans)
                found = self._passing(scores, whose, passing, limit)
        few = sum(known.values()) <= COUNTED
        counts = terms.times(postings.of(known), found) if few and found else {}
        return [_worded(chunk, length, counts.get(id), wanted) for id, (chunk, length) in found.items()]

    def _passing(
        self, scores: terms.Scores, whose: Whose, passing: Condition, limit: int
    ) -> dict[int, tuple[Chunk, int]]:
        """The best that are there and pass."""
        found, looked, wide = dict[int, tuple[Chunk, int]](), 0, limit
        while len(found) < limit and len(best := scores.best(wide)) > looked:
            some = [int(id) for id in best[looked:]]
            rows = chunk_rows.by_id(self._db, whose, some, passing.sql, passing.values)
            found |= {id: rows[id] for id in some if id in rows}
            looked, wide = len(best), wide * 4
        return dict(list(found.items())[:limit])

    def _spans(self, which: RunFilter, whose: Whose) -> list[tuple[int, int]]:
        runs = run_condition(which, whose)
        found = self._db.rows(
            "SELECT first, last FROM spans WHERE owner = %s AND build = %s"
            f" AND run IN (SELECT runs.id FROM runs WHERE {runs.sql})",
            (*whose, *runs.values),
        )
        return cast("list[tuple[int, int]]", found)

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics:
        whose = self._builds.of(reader.user)
        if whose == NOBODY:
            return Statistics(0, 0, {})
        return Statistics(*self._total(whose), self._having(frozenset(terms), whose))

    def _having(self, wanted: frozenset[str], whose: Whose) -> Mapping[str, int]:
        self._asked.postings = terms.Postings(self._db, whose, wanted)
        having = Counter[str](self._asked.postings.having)
        for words in terms.unwritten(self._db, whose, wanted).values():
            having.update(wanted.intersection(words))
        return dict(having)

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        whose, start = self._builds.of(reader.user), term[:2]
        if whose == NOBODY:
            return []
        every = terms.beginning(self._db, whose, start)
        for (words,) in self._db.rows("SELECT terms FROM unwritten WHERE owner = %s AND build = %s", whose):
            every.update(word for word in set(cast(str, words).split()) if word.startswith(start))
        return nearest_terms(term, every)

    # -- all of them --------------------------------------------------------------------------------------------------

    def spoken(self, run: str, from_turn: int, reader: Reader) -> Sequence[tuple[int, str]]:
        found = self._db.rows(
            "SELECT turn, text FROM chunks WHERE owner = %s AND build = %s AND run = %s AND turn >= %s"
            " AND author = ANY(%s) ORDER BY turn, step, part",
            (*self._builds.of(reader.user), run, from_turn, [Author.PERSON.value, Author.AGENT.value]),
        )
        return [(int(str(turn)), str(text)) for turn, text in found]

    def of_run(self, run: str, reader: Reader, limit: int | None = None) -> Sequence[Chunk]:
        return self._in_order(run, reader, limit, "turn, step, part")

    def last(self, run: str, reader: Reader, limit: int) -> Sequence[Chunk]:
        return self._in_order(run, reader, limit, "turn DESC, step DESC, part DESC")[::-1]

    def _in_order(self, run: str, reader: Reader, limit: int | None, order: str) -> list[Chunk]:
        found = self._db.rows(
            f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE owner = %s AND build = %s AND run = %s"
            f" ORDER BY {order} LIMIT %s",
            (*self._builds.of(reader.user), run, limit),
        )
        return [chunk_rows.chunk_of(row) for row in found]

    def count(self, reader: Reader) -> int:
        return self._total(self._builds.of(reader.user))[0]

    def _total(self, whose: Whose) -> tuple[int, int]:
        row = self._db.row(
            "SELECT coalesce(sum(chunks), 0)::int, coalesce(sum(length), 0)::bigint FROM totals"
            " WHERE owner = %s AND build = %s",
            whose,
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
