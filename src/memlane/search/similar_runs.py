"""Which Runs were about the same? What one Run says most tellingly is asked of all the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from memlane.domain import Author, Chunk, Reader, RunFilter, RunSummary
from memlane.domain.tokenizer import terms
from memlane.search.gather import QuestionVector, SearchOptions, SearchQuestion, choices
from memlane.search.rank import WEIGHTS, Worth, ranked, worth
from memlane.storage import Storage

TELLING = 40  # words of a Run that are looked for
COMMON = 400  # of its commonest words: the telling ones are among them
GIST = 4000  # characters of what was asked in it
BEGINNING = 1000  # Chunks of a Run that are read to know what it is about
LETTERS = 3  # of a word that tells anything


def gist(run: RunSummary, reader: Reader, storage: Storage) -> str:
    """What was asked in it, in a person's words where a person asked: what a model is told it was about."""
    said = storage.chunks.of_run(run.id, reader, BEGINNING)
    asked = [chunk.text for chunk in said if chunk.author in (Author.PERSON, Author.PROGRAM)]
    return "\n".join([run.title, *(asked or [chunk.text for chunk in said])])[:GIST]


def similar(
    run: RunSummary, which: RunFilter, limit: int, reader: Reader, storage: Storage, asked: QuestionVector | None
) -> Sequence[tuple[RunSummary, float]]:
    """Best first, with how like it they are, from 0 to 1; not itself, nor what it came from or what came from it."""
    others = _others(run, which, reader, storage)
    telling = _telling(storage.chunks.of_run(run.id, reader, BEGINNING), reader, storage)
    if not others or not telling.shares:
        return []
    question = SearchQuestion("", list(telling.shares), asked, SearchOptions())
    among = replace(which, only=frozenset(others))
    best: dict[str, float] = {}
    for turn in ranked(choices(question, among, limit, reader, storage), telling):
        best.setdefault(turn.chunk.run, min(1.0, turn.score / WEIGHTS.whole))
    return [(others[run], round(score, 4)) for run, score in list(best.items())[:limit]]


def _others(run: RunSummary, which: RunFilter, reader: Reader, storage: Storage) -> dict[str, RunSummary]:
    family = _family(run, reader, storage)
    every = storage.runs.listed(replace(which, limit=None), reader)
    return {other.id: other for other in every if other.id not in family}


def _family(run: RunSummary, reader: Reader, storage: Storage) -> set[str]:
    """It, what it came from, and all that came from those: they say the same because they are the same."""
    top: RunSummary | None = run
    family = {run.id}
    while top is not None and top.parent and top.parent not in family:
        family.add(top.parent)
        top = storage.runs.get(top.parent, reader)
    waiting = list(family)
    while waiting:
        for child in storage.runs.children(waiting.pop(), reader):
            if child.id not in family:
                family.add(child.id)
                waiting.append(child.id)
    return family


def _telling(chunks: Sequence[Chunk], reader: Reader, storage: Storage) -> Worth:
    """Its own words, worth more the oftener it says them and the fewer others do."""
    said = Counter(term for chunk in chunks for term in terms(chunk.text) if len(term) >= LETTERS)
    common = [term for term, _n in sorted(said.items(), key=lambda item: (-item[1], item[0]))[:COMMON]]
    known = storage.chunks.statistics(common, reader)
    shared = [term for term in common if known.having.get(term, 0) > 1]
    every = worth(shared, known)
    worths = {term: share * (1 + said[term]) ** 0.5 for term, share in every.shares.items()}
    best = sorted(worths, key=lambda term: (-worths[term], term))[:TELLING]
    whole = sum(worths[term] for term in best)
    return Worth({term: worths[term] / whole for term in best}, every.typical)
