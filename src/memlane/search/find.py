"""Where was it said? A question in; Turns out, best first, each with its snippet and why it was found."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.domain.tokenizer import terms
from memlane.search.gather import Mode, QuestionVector, SearchOptions, SearchQuestion, choices
from memlane.search.rank import RankedTurn, ranked, worth
from memlane.storage import Statistics, Storage

MOST_WORDS = 400  # of a question; what stands behind them changes nothing any more
EVERYWHERE = 5  # a word that more than one Chunk in so many has tells nothing
MOST_LETTERS = 40_000
NEAR_ENOUGH = 0.5  # meaning a Turn must have to be an answer to words that stand nowhere: misspelt, or made up
AS_USUAL = SearchOptions()


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


def find(
    words: str,
    which: RunFilter,
    limit: int,
    reader: Reader,
    storage: Storage,
    asked: QuestionVector | None = None,
    how: SearchOptions = AS_USUAL,
) -> Search:
    wanted = list(terms(words[:MOST_LETTERS]))[:MOST_WORDS]
    if not wanted:
        return Search([], 0, 0, {})
    known = storage.chunks.statistics(wanted, reader)
    question = SearchQuestion(words[:MOST_LETTERS], wanted, asked, how)
    found = choices(question, which, limit, reader, storage)
    turns = ranked(found, worth(wanted, known))
    telling = _telling(wanted, known)
    best = [one for turn in turns[:limit] if (one := _found(turn, telling, reader, storage))]
    unknown = [] if any(one.times for one in found) else [term for term in wanted if term not in known.having]
    other = meant(unknown, reader, storage)
    if how.mode is Mode.AUTO and asked is not None and not any(one.lexical for one in best):
        near = _near_enough(best, wanted)
        return Search(near, len(near), len({one.run.id for one in near}), other)
    return Search(best, len(turns), len({turn.chunk.run for turn in turns}), other)


def _near_enough(best: Sequence[FoundTurn], wanted: Sequence[str]) -> Sequence[FoundTurn]:
    """Something is always nearest: to words that nothing has, only what is really near is an answer."""
    spoken = any(term.isalpha() for term in wanted)  # the meaning of an error code is its letters
    return [one for one in best if spoken and (one.semantic or 0.0) >= NEAR_ENOUGH]


def _telling(wanted: Sequence[str], known: Statistics) -> frozenset[str]:
    """The words worth marking: not those that every fifth Chunk has, unless there are no others."""
    rare = frozenset(term for term in wanted if known.having.get(term, 0) * EVERYWHERE <= known.chunks)
    return rare if rare & set(known.having) else frozenset(wanted)


def _found(turn: RankedTurn, wanted: frozenset[str], reader: Reader, storage: Storage) -> FoundTurn | None:
    run = storage.runs.get(turn.chunk.run, reader)
    if run is None:
        return None
    semantic = None if turn.semantic is None else round(turn.semantic, 4)
    shown = snippet(turn.chunk.text, wanted)
    return FoundTurn(run, turn.chunk, round(turn.score, 4), round(turn.lexical, 4), semantic, shown)


WIDTH = 240
OPEN, CLOSE = "[", "]"
_WORD = re.compile(r"[^\s]+")


def snippet(text: str, wanted: frozenset[str], width: int = WIDTH) -> str:
    """One line around the densest place; words that match stand in brackets."""
    words = [(m.start(), m.end(), not wanted.isdisjoint(terms(m[0]))) for m in _WORD.finditer(text)]
    if not words:
        return ""
    start = _densest(words, width)
    shown = [(a, b, hit) for a, b, hit in words if a >= start and b <= start + width] or [words[0]]
    line = " ".join(f"{OPEN}{text[a:b]}{CLOSE}" if hit else text[a:b] for a, b, hit in shown)
    before = "… " if shown[0][0] > words[0][0] else ""
    after = " …" if shown[-1][1] < words[-1][1] else ""
    return f"{before}{line[: 2 * width]}{after}"


def _densest(words: list[tuple[int, int, bool]], width: int) -> int:
    hits = [start for start, _end, hit in words if hit]
    if not hits:
        return words[0][0]
    best = max(enumerate(hits), key=lambda hit: (bisect_left(hits, hit[1] + width) - hit[0], -hit[1]))[1]
    lead = width // 5
    return next(start for start, _end, _hit in words if start >= best - lead)


SHORTEST = 4  # letters: shorter words are near to too many
MOST_UNKNOWN = 8


def meant(unknown: Sequence[str], reader: Reader, storage: Storage) -> Mapping[str, str]:
    asked = [term for term in dict.fromkeys(unknown) if len(term) >= SHORTEST][:MOST_UNKNOWN]
    nearest = ((term, _nearest(term, storage.chunks.near_terms(term, reader))) for term in asked)
    return {term: near for term, near in nearest if near}


def _nearest(term: str, choices: Sequence[tuple[str, int]]) -> str:
    """The commonest term at most two letters away."""
    close = [(distance(term, near), -count, near) for near, count in choices]
    best = min((entry for entry in close if 0 < entry[0] <= 2), default=None)
    return best[2] if best else ""


def distance(a: str, b: str) -> int:
    """Letters added, dropped or changed to make one the other."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1]
