"""Chunks in SQLite, their terms in tantivy. Our tokenizer writes the terms, tantivy finds them, nobody weighs them here
but to say which are the best few."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import chain
from typing import cast

from memlane.domain import Author, Chunk, Reader, RunFilter
from memlane.domain.tokenizer import terms as terms_of
from memlane.errors import BusyError, IndexDamagedError
from memlane.storage.embedded import chunk_rows
from memlane.storage.embedded.chunk_rows import ChunkNumbers, ChunkTerms, NewChunk
from memlane.storage.embedded.conditions import ChunkBounds, chosen, most
from memlane.storage.embedded.connection import REBUILD, Connection, seconds
from memlane.storage.embedded.names import Names
from memlane.storage.embedded.terms import TermBacklog, TermFolders
from memlane.storage.values import Key, Statistics, TermMatch
from memlane.storage.word_choice import best, nearest_terms, wider

MOST_TERMS = 64  # of a query; a longer one keeps its rarest
COMMON, ENOUGH = 0.1, 8  # so many terms that fewer than a tenth have choose alone: the others cost most, tell little
FEW_OF = 10  # a log that is less than a tenth of all there is
AT_ONCE = 2_000  # Chunks that are held in memory before they are written

Old = tuple[int, int, int, float | None, bytes]  # id, author, tool, at, hash


class EmbeddedChunks:
    def __init__(self, connection: Connection, names: Names, terms: TermFolders, places: ChunkNumbers) -> None:
        self._db = connection
        self._names = names
        self._terms = terms
        self._places = places

    # -- writing ------------------------------------------------------------------------------------------------------

    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        """A Chunk that says what it said before stays as it is, with its number and its vectors."""
        with self._db.transaction():
            number, whose = self._names.give(run), self._names.give(owner)
            old = self._old(number, from_turn)
            batch: list[NewChunk] = []
            for new in self._changed(number, chunks, old):
                batch.append(new)
                if len(batch) == AT_ONCE:
                    self._write(whose, number, batch, old)
                    batch = []
            self._write(whose, number, batch, old)
            chunk_rows.remove(self._db, whose, number, [row[0] for row in old.values()])
            self._db.run(
                "INSERT INTO unnamed (run, turn) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET turn = min(turn, excluded.turn)",
                (run, from_turn),
            )

    def _old(self, run: int, from_turn: int) -> dict[tuple[int, int, int], Old]:
        found = self._db.rows(
            "SELECT turn, step, part, id, author, tool, at, hash FROM chunks WHERE run = ? AND turn >= ?",
            (run, from_turn),
        )
        rows = cast("list[tuple[int, int, int, int, int, int, float | None, bytes]]", found)
        return {(turn, step, part): rest for turn, step, part, *rest in rows}  # type: ignore[misc]

    def _changed(self, run: int, chunks: Iterable[Chunk], old: dict[tuple[int, int, int], Old]) -> Iterator[NewChunk]:
        id = chunk_rows.next_id(self._db)
        for chunk in chunks:
            place = (chunk.turn, chunk.step, chunk.part)
            author, tool = self._names.give(chunk.author), self._names.give(chunk.tool)
            at, hash = seconds(chunk.at), chunk_rows.content_hash(chunk.text)
            before = old.get(place)
            if before is not None and tuple(before[1:]) == (author, tool, at, hash):
                del old[place]
                continue
            yield NewChunk(id, run, place, author, tool, at, hash, chunk.text, " ".join(terms_of(chunk.text)))
            id += 1

    def _write(self, owner: int, run: int, new: Sequence[NewChunk], old: dict[tuple[int, int, int], Old]) -> None:
        chunk_rows.remove(self._db, owner, run, [old.pop(c.place)[0] for c in new if c.place in old])
        chunk_rows.insert(self._db, owner, new)

    # -- words --------------------------------------------------------------------------------------------------------

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader, limit: int) -> Sequence[TermMatch]:
        wanted = frozenset(terms)
        meant = chosen(which, reader, self._db, self._names)
        if not wanted or meant is None or limit <= 0:
            return []
        ahead = self._terms.ahead(meant.owner)
        candidates = self._candidates(wanted, meant, wider(limit), ahead)
        counted = {id: _counted(words, wanted) for id, words in candidates.items()}
        known = self.statistics(sorted(wanted), reader) if len(counted) > limit else Statistics(0, 0, {})

        def keys_of(ids: Sequence[int]) -> dict[int, Key]:
            found = chunk_rows.by_id(self._db, self._names, meant.owner, ids)
            return {id: chunk.key for id, chunk in found.items()}

        chosen_ids = best(counted, known, limit, keys_of)
        rows = chunk_rows.by_id(self._db, self._names, meant.owner, chosen_ids)
        self._places.remember(rows)
        return sorted(
            (TermMatch(rows[id], *counted[id]) for id in chosen_ids if id in rows), key=lambda one: one.chunk.key
        )

    def _candidates(self, wanted: frozenset[str], which: ChunkBounds, limit: int, ahead: TermBacklog) -> dict[int, str]:
        """Id → terms. What the log names is looked at here and not believed from tantivy."""
        found = {id: ahead.docs[id].terms for id in self._logged(wanted, which, limit, ahead)}
        if self._in_tantivy(which.owner, ahead):
            best = self._best_of_tantivy(wanted, which, limit, ahead)
            found |= {id: words for id, words in best.items() if id not in ahead.docs and id not in ahead.gone}
        return found

    def _logged(self, wanted: frozenset[str], which: ChunkBounds, limit: int, ahead: TermBacklog) -> Iterable[int]:
        """While a bulk is written the log has thousands: then those with the rarest terms, no more than their share."""
        said = {id: wanted & said for id, said in ahead.said.items() if not wanted.isdisjoint(said)}
        said = {id: terms for id, terms in said.items() if _passes(ahead.docs[id], which)}
        most = limit if len(ahead.docs) * FEW_OF > self._total(which.owner)[0] else limit // 4
        if len(said) <= most:
            return said
        having = Counter(chain.from_iterable(said.values()))
        worth = {term: math.log(1 + len(ahead.docs) / n) for term, n in having.items()}
        return nsmallest(most, said, key=lambda id: (-sum(worth[term] for term in said[id]), id))

    def _best_of_tantivy(
        self, wanted: frozenset[str], which: ChunkBounds, limit: int, ahead: TermBacklog
    ) -> dict[int, str]:
        """Enough of them that so many are left without those the log names."""
        folder = self._terms.of(which.owner)
        known = folder.roughly(wanted)
        rarest = sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]
        common = COMMON * self._total(which.owner)[0]
        telling = [term for term in rarest if known[term] < common]
        best = folder.best(telling, which, limit + len(ahead.stale)) if len(telling) >= ENOUGH else {}
        if len(best) < limit:
            best = folder.best(rarest, which, limit + len(ahead.stale)) if rarest else {}
        logged = ahead.logged
        if len(logged.intersection(best)) > len(ahead.stale):  # they were carried over just now
            return folder.best(rarest, which, limit + len(logged))
        return best

    def _in_tantivy(self, owner: int, ahead: TermBacklog) -> bool:
        """Whether anything should be there: then a folder that is missing is damage, not silence."""
        if any(self._terms.of(owner).is_there() for _ in ("now", "or in a new folder")):
            if not self._terms.is_current(owner):
                raise IndexDamagedError("the terms of the index are older than its chunks", hint=REBUILD)
            return True
        if self._total(owner)[0] > len(ahead.docs) and not self._db.path.exists():
            raise BusyError("the index was just replaced", hint="try again")
        return self._total(owner)[0] > len(ahead.docs)

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics:
        owner = self._names.find(reader.user)
        if owner is None:
            return Statistics(0, 0, {})
        wanted = frozenset(terms)
        ahead = self._terms.ahead(owner)
        having = Counter[str]()
        if self._in_tantivy(owner, ahead):
            folder = self._terms.of(owner)
            having.update(folder.having(wanted))
            for words in ahead.stale.values():
                having.subtract(wanted.intersection(words.split()))
        having.update(chain.from_iterable(map(wanted.intersection, ahead.said.values())))
        return Statistics(*self._total(owner), {term: n for term, n in having.items() if n > 0})

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        owner = self._names.find(reader.user)
        if owner is None:
            return []
        start, ahead, found = term[:2], self._terms.ahead(owner), Counter[str]()
        if self._in_tantivy(owner, ahead):
            found.update(dict(self._terms.of(owner).beginning(start)))
            for words in ahead.stale.values():
                found.subtract(set(words.split()))
        found.update(word for said in ahead.said.values() for word in said if word.startswith(start))
        return nearest_terms(term, found)

    # -- all of them --------------------------------------------------------------------------------------------------

    def spoken(self, run: str, from_turn: int, reader: Reader) -> Sequence[tuple[int, str]]:
        number, owner = self._names.find(run), self._names.find(reader.user)
        found = self._db.rows(
            "SELECT turn, text FROM chunks WHERE run = ? AND owner = ? AND turn >= ? AND author IN (?, ?)"
            " ORDER BY turn, step, part",
            (number, owner, from_turn, self._names.find(Author.PERSON), self._names.find(Author.AGENT)),
        )
        return [(int(str(turn)), str(text)) for turn, text in found]

    def of_run(self, run: str, reader: Reader, limit: int | None = None) -> Sequence[Chunk]:
        number, owner = self._names.find(run), self._names.find(reader.user)
        found = self._db.rows(
            f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE run = ? AND owner = ? ORDER BY turn, step, part LIMIT ?",
            (number, owner, most(limit)),
        )
        return [chunk_rows.chunk_of(row, self._names) for row in found]

    def last(self, run: str, reader: Reader, limit: int) -> Sequence[Chunk]:
        number, owner = self._names.find(run), self._names.find(reader.user)
        found = self._db.rows(
            f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE run = ? AND owner = ?"
            " ORDER BY turn DESC, step DESC, part DESC LIMIT ?",
            (number, owner, limit),
        )
        return [chunk_rows.chunk_of(row, self._names) for row in reversed(found)]

    def count(self, reader: Reader) -> int:
        owner = self._names.find(reader.user)
        return 0 if owner is None else self._total(owner)[0]

    def _total(self, owner: int) -> tuple[int, int]:
        row = self._db.row("SELECT chunks, length FROM totals WHERE owner = ?", (owner,))
        return cast("tuple[int, int]", row) if row else (0, 0)


def _counted(words: str, wanted: frozenset[str]) -> tuple[dict[str, int], int]:
    every, times = words.split(), dict[str, int]()
    for word in filter(wanted.__contains__, every):
        times[word] = times.get(word, 0) + 1
    return times, len(every)


def _passes(doc: ChunkTerms, which: ChunkBounds) -> bool:
    return (
        (which.runs is None or doc.run in which.runs)
        and (which.author is None or doc.author == which.author)
        and (which.tool is None or doc.tool == which.tool)
        and (which.chunks is None or doc.id in which.chunks)
    )
