"""What may be the answer: Chunks the engines choose by words and by meaning, with everything `rank` wants to know."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memlane.domain import Chunk, Reader, RunFilter
from memlane.search.dates import DateRange, window
from memlane.search.rank import ChunkMatch
from memlane.storage import Key, Storage, TermMatch, VectorMatch

if TYPE_CHECKING:
    from memlane.storage import Vector

CHUNKS = 400  # looked at by their words, at least: with 600 one of 231 questions was answered better, at a third more
NEAR = 300  # looked at by their meaning, at least
GENEROUS = 6  # Chunks looked at for each Turn wanted
_QUOTED = re.compile(r"(?<!\w)[\"'“‘«「]([^\"'“”‘’«»「」]{3,80})[\"'”’»」](?!\w)")


class Mode(StrEnum):
    """What counts. `auto`: both, as far as there are vectors."""

    AUTO = "auto"
    WORDS = "words"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """The question as one model understands it."""

    model: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to look. `now` is what "last week" is counted from; without it time words are only words."""

    mode: Mode = Mode.AUTO
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    words: str
    terms: Sequence[str]
    asked: QuestionVector | None
    how: SearchOptions


def choices(
    question: SearchQuestion, which: RunFilter, limit: int, reader: Reader, storage: Storage
) -> Sequence[ChunkMatch]:
    asked = None if question.how.mode is Mode.WORDS else question.asked
    worded: Sequence[TermMatch] = ()
    if question.how.mode is not Mode.MEANING or asked is None:
        worded = storage.chunks.matching(question.terms, which, reader, max(CHUNKS, GENEROUS * limit))
    near: Sequence[VectorMatch] = ()
    if asked is not None:
        near = storage.vectors.nearest(asked.vector, asked.model, which, reader, max(NEAR, GENEROUS * limit))
    return _together(worded, near, question, lambda chunks: _likeness(chunks, asked, reader, storage))


def _likeness(
    chunks: Sequence[Chunk], asked: QuestionVector | None, reader: Reader, storage: Storage
) -> dict[Key, float]:
    if asked is None or not chunks:
        return {}
    return dict(storage.vectors.likeness(chunks, asked.vector, asked.model, reader))


def _together(
    worded: Sequence[TermMatch],
    near: Sequence[VectorMatch],
    question: SearchQuestion,
    likeness_of: Callable[[Sequence[Chunk]], dict[Key, float]],
) -> Sequence[ChunkMatch]:
    known = {one.chunk.key: one.likeness for one in near}
    known |= likeness_of([one.chunk for one in worded if one.chunk.key not in known])
    seen = {one.chunk.key for one in worded}
    found = [ChunkMatch(one.chunk, one.times, one.length, known.get(one.chunk.key)) for one in worded]
    found += [ChunkMatch(one.chunk, {}, 0, one.likeness) for one in near if one.chunk.key not in seen]
    return _told(found, question)


def _told(found: Sequence[ChunkMatch], question: SearchQuestion) -> Sequence[ChunkMatch]:
    """With what the question says besides its words: a time, a quotation."""
    when = window(question.words, question.how.now) if question.how.now else None
    quotes = [" ".join(quote.lower().split()) for quote in _QUOTED.findall(question.words)]
    if when is None and not quotes:
        return found
    return [_marked(one, when, quotes) for one in found]


def _marked(one: ChunkMatch, when: DateRange | None, quotes: Sequence[str]) -> ChunkMatch:
    timely = when is not None and when.holds(one.chunk.at)
    quoted = bool(quotes) and _holds(one.chunk.text, quotes)
    return replace(one, timely=timely, quoted=quoted) if timely or quoted else one


def _holds(text: str, quotes: Sequence[str]) -> bool:
    text = text.lower()
    likely = [quote for quote in quotes if quote.partition(" ")[0] in text]
    line = " ".join(text.split()) if likely else ""
    return any(quote in line for quote in likely)
