"""Where was it said? A question in; Turns out, best first, each with its snippet and why it was found."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.domain.tokenizer import terms
from memlane.search.gather import Mode, QuestionVector, SearchOptions, SearchQuestion, choices
from memlane.search.rank import RankedTurn, ranked, worth
from memlane.storage import Statistics, Storage
from memlane.system.typo import slips

MOST_WORDS = 400  # of a question; what stands behind them changes nothing any more
EVERYWHERE = 5  # a word that more than one Chunk in so many has tells nothing
MOST_LETTERS = 40_000
# Meaning that a Turn must have to be an answer if it has none of the words. On the development home made-up words come
# up to 0.54, rare words are padded with Turns up to 0.55, and of 250 best Turns of paraphrases one has no word.
NEAR_ENOUGH, NEAR_TO_A_WORD = 0.5, 0.6
AS_USUAL = SearchOptions()

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A Turn that was found, by its best Step."""

    run: RunSummary
    chunk: Chunk
    score: float
    lexical: float
    semantic: float | None
    snippet: str
    hits: Sequence[Span] = ()  # where in the snippet the words are that were looked for

    @property
    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The snippet cut at its hits; each piece says whether it is one."""
        at = 0
        for start, end in self.hits:
            yield self.snippet[at:start], False
            yield self.snippet[start:end], True
            at = end
        yield self.snippet[at:], False


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
    if how.mode is Mode.AUTO and asked is not None:
        turns = _answers(turns, wanted)
    telling = _telling(wanted, known)
    those = RunFilter(only=frozenset(turn.chunk.run for turn in turns[:limit]))
    runs = {run.id: run for run in storage.runs.listed(those, reader)} if turns else {}
    best = [_found(turn, runs[turn.chunk.run], telling) for turn in turns[:limit] if turn.chunk.run in runs]
    unknown = [] if any(one.times for one in found) else [term for term in wanted if term not in known.having]
    other = meant(unknown, reader, storage)
    return Search(best, len(turns), len({turn.chunk.run for turn in turns}), other)


def _answers(turns: Sequence[RankedTurn], wanted: Sequence[str]) -> Sequence[RankedTurn]:
    """Something is always nearest: a Turn that has none of the words must be really near to be an answer."""
    spoken = any(term.isalpha() for term in wanted)  # the meaning of an error code is its letters
    enough = NEAR_ENOUGH if len(set(wanted)) > 1 else NEAR_TO_A_WORD
    return [turn for turn in turns if turn.lexical or (spoken and (turn.semantic or 0.0) >= enough)]


def _telling(wanted: Sequence[str], known: Statistics) -> frozenset[str]:
    """The words worth marking: not those that every fifth Chunk has, unless there are no others."""
    rare = frozenset(term for term in wanted if known.having.get(term, 0) * EVERYWHERE <= known.chunks)
    return rare if rare & set(known.having) else frozenset(wanted)


def _found(turn: RankedTurn, run: RunSummary, wanted: frozenset[str]) -> FoundTurn:
    semantic = None if turn.semantic is None else round(turn.semantic, 4)
    shown, hits = snippet(turn.chunk.text, wanted)
    return FoundTurn(run, turn.chunk, round(turn.score, 4), round(turn.lexical, 4), semantic, shown, hits)


WIDTH = 240
_WORD = re.compile(r"[^\s]+")
_COMPOUND = re.compile(r"[^\W_]+(?:[._/:@+-]+[^\W_]+|_+[^\W_]*)*")
_PART = re.compile(r"[^\W_]+")


def snippet(text: str, wanted: frozenset[str], width: int = WIDTH) -> tuple[str, Sequence[Span]]:
    """One line around the densest place, as it was written, and where the words that match are in it."""
    words = [(m.start(), m.end(), not wanted.isdisjoint(terms(m[0]))) for m in _WORD.finditer(text)]
    if not words:
        return "", ()
    start = _densest(words, width)
    shown = [(a, b, hit) for a, b, hit in words if a >= start and b <= start + width] or [words[0]]
    line, hits = "… " if shown[0][0] > words[0][0] else "", list[Span]()
    for a, b, hit in shown:
        word = text[a : min(b, a + 2 * width)]
        hits += [(len(line) + i, len(line) + j) for i, j in _matching(word, wanted)] if hit else []
        line += f"{word} "
    return line + "…" if shown[-1][1] < words[-1][1] else line[:-1], tuple(hits)


def _matching(word: str, wanted: frozenset[str]) -> Iterator[Span]:
    """`webpack` in `(webpack.config.js`; the whole `webpack.config.js` where that was asked for."""
    for compound in _COMPOUND.finditer(word):
        if compound[0].lower() in wanted:
            yield compound.span()
            continue
        for part in _PART.finditer(word, *compound.span()):
            if not wanted.isdisjoint(terms(part[0])):
                yield part.span()


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
    close = [(slips(term, near), -count, near) for near, count in choices]
    best = min((entry for entry in close if 0 < entry[0] <= 2), default=None)
    return best[2] if best else ""
