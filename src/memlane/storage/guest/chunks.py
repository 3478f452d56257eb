"""Chunks for a guest. What a term is worth is counted over the granted Runs alone: the owner's other Runs change no
score and suggest no word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import Chunk, Reader, RunFilter
from memlane.domain.tokenizer import terms as terms_of
from memlane.storage.guest.view import GuestView
from memlane.storage.ports import Storage
from memlane.storage.values import Key, Statistics, TermMatch, VectorMatch
from memlane.storage.word_choice import best, nearest_terms

if TYPE_CHECKING:
    from memlane.storage.values import Vector

ALL = 1_000_000  # Chunks: an engine chooses nothing, since it would choose by what the owner has in all
BEGINNING = 2  # letters


@dataclass(frozen=True, slots=True)
class RunWordCount:
    """Of one Run's Chunks, as it was when it had grown so far."""

    bytes: int
    generation: int
    chunks: int
    length: int
    having: Mapping[str, int]


class GuestChunks(GuestView):
    def __init__(self, inner: Storage, reader: Reader) -> None:
        super().__init__(inner, reader)
        self._counted = dict[str, RunWordCount]()

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader, limit: int) -> Sequence[TermMatch]:
        found = self._inner.chunks.matching(terms, self._narrowed(which), self._owner(reader), ALL)
        if len(found) <= limit:
            return found
        every = {one.chunk.key: one for one in found}
        counted = {key: (one.times, one.length) for key, one in every.items()}
        chosen = best(counted, self.statistics(terms, reader), limit, _as_they_are)
        return [every[key] for key in sorted(chosen)]

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics:
        counts = self._counts(reader)
        having = {term: n for term in terms if (n := sum(one.having.get(term, 0) for one in counts))}
        return Statistics(sum(one.chunks for one in counts), sum(one.length for one in counts), having)

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        found, start = Counter[str](), term[:BEGINNING]
        for one in self._counts(reader):
            found.update({word: n for word, n in one.having.items() if word.startswith(start)})
        return nearest_terms(term, found)

    def spoken(self, run: str, from_turn: int, reader: Reader) -> Sequence[tuple[int, str]]:
        owner = self._owner(reader)
        return self._inner.chunks.spoken(run, from_turn, owner) if run in self._loan.runs else []

    def of_run(self, run: str, reader: Reader, limit: int | None = None) -> Sequence[Chunk]:
        owner = self._owner(reader)
        return self._inner.chunks.of_run(run, owner, limit) if run in self._loan.runs else []

    def last(self, run: str, reader: Reader, limit: int) -> Sequence[Chunk]:
        owner = self._owner(reader)
        return self._inner.chunks.last(run, owner, limit) if run in self._loan.runs else []

    def count(self, reader: Reader) -> int:
        return sum(one.chunks for one in self._counts(reader))

    def _counts(self, reader: Reader) -> Sequence[RunWordCount]:
        """Read once for as long as a Run does not grow."""
        owner = self._owner(reader)
        here = {run.id: run for run in self._inner.runs.listed(self._narrowed(RunFilter()), owner)}
        self._counted = {run: one for run, one in self._counted.items() if run in here}
        for run in here.values():
            known = self._counted.get(run.id)
            if known is None or (known.bytes, known.generation) != (run.bytes, run.generation):
                chunks = self._inner.chunks.of_run(run.id, owner)
                self._counted[run.id] = _word_count(run.bytes, run.generation, chunks)
        return list(self._counted.values())


class GuestVectors(GuestView):
    def nearest(
        self, vector: Vector, model: str, which: RunFilter, reader: Reader, limit: int
    ) -> Sequence[VectorMatch]:
        return self._inner.vectors.nearest(vector, model, self._narrowed(which), self._owner(reader), limit)

    def likeness(self, chunks: Sequence[Chunk], vector: Vector, model: str, reader: Reader) -> Mapping[Key, float]:
        theirs = [chunk for chunk in chunks if chunk.run in self._loan.runs]
        return self._inner.vectors.likeness(theirs, vector, model, self._owner(reader))


def _word_count(size: int, generation: int, chunks: Sequence[Chunk]) -> RunWordCount:
    length, having = 0, Counter[str]()
    for chunk in chunks:
        words = list(terms_of(chunk.text))
        length += len(words)
        having.update(set(words))
    return RunWordCount(size, generation, len(chunks), length, having)


def _as_they_are(keys: Sequence[Key]) -> Mapping[Key, Key]:
    return {key: key for key in keys}
