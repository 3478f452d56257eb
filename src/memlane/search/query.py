"""Where was it said? Words joined by OR; the best Chunk of each Turn stands for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.domain import Chunk, Reader, RunSummary
from memlane.domain.words import terms
from memlane.search.snippet import snippet
from memlane.storage import RunFilter, Storage

MOST_WORDS = 400  # of a query; what stands behind them changes nothing any more
GENEROUS = 20  # Chunks looked at for each Turn wanted
MORE_CHUNKS = 0.15  # what each further matching Chunk of a Turn adds, as a share of its own score


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A Turn that was found, by its best Step."""

    run: RunSummary
    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None
    snippet: str


@dataclass(frozen=True, slots=True)
class Search:
    """What was found, and what a person should know about the looking."""

    best: Sequence[FoundTurn]
    turns: int
    runs: int
    meant: Mapping[str, str]  # words nothing has, with the nearest that something has


def find(words: str, which: RunFilter, limit: int, reader: Reader, storage: Storage) -> Search:
    wanted = list(terms(words))[:MOST_WORDS]
    found = storage.chunks.matching(wanted, replace(which, limit=max(limit * GENEROUS, 200)), reader)
    turns: dict[tuple[str, int], list[tuple[Chunk, float]]] = {}
    for match in found:
        turns.setdefault((match.chunk.run, match.chunk.turn), []).append((match.chunk, match.score))
    ranked = sorted(turns.values(), key=_rank)
    best = [one for group in ranked[:limit] if (one := _found(group, frozenset(wanted), reader, storage))]
    meant: Mapping[str, str] = {} if found else _meant(wanted, reader, storage)
    return Search(best, len(turns), len({run for run, _turn in turns}), meant)


def _score(group: Sequence[tuple[Chunk, float]]) -> float:
    best, *others = sorted((score for _chunk, score in group), reverse=True)
    return best + MORE_CHUNKS * sum(others[:4])


def _rank(group: Sequence[tuple[Chunk, float]]) -> tuple[float, str, int]:
    chunk = group[0][0]
    return (-_score(group), chunk.run, chunk.turn)


def _found(
    group: Sequence[tuple[Chunk, float]], wanted: frozenset[str], reader: Reader, storage: Storage
) -> FoundTurn | None:
    chunk, best = max(group, key=lambda pair: pair[1])
    run = storage.runs.get(chunk.run, reader)
    if run is None:
        return None
    return FoundTurn(run, chunk, round(_score(group), 4), round(best, 4), None, snippet(chunk.text, wanted))


def _meant(wanted: Sequence[str], reader: Reader, storage: Storage) -> Mapping[str, str]:
    unknown = [term for term in dict.fromkeys(wanted) if len(term) > 3][:8]
    nearest = ((term, _nearest(term, storage.chunks.near_terms(term, reader))) for term in unknown)
    return {term: near for term, near in nearest if near}


def _nearest(term: str, candidates: Sequence[tuple[str, int]]) -> str:
    """The commonest term at most two letters away."""
    close = [(_distance(term, near), -count, near) for near, count in candidates]
    best = min((entry for entry in close if 0 < entry[0] <= 2), default=None)
    return best[2] if best else ""


def _distance(a: str, b: str) -> int:
    """Letters added, dropped or changed to make one the other."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1]
