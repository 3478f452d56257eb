"""What storage is asked with and what it answers in, beside the words of the domain. Nothing here is the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memlane.domain import Chunk, CueMatch, Memory, Project, Scope, State, Traits, Type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # of unit length; a matrix of them has one in each row

Key = tuple[str, int, int, int]  # of a Chunk


@dataclass(frozen=True, slots=True)
class MemoryBounds:
    """Which Memories. None and empty do not filter."""

    here: str | None = None  # only what holds in the project of this key: its own, and all of a wider scope
    about: tuple[str, ...] = ()  # only those about any of these Entities, by `type:slug`
    ids: tuple[str, ...] = ()  # and these


EVERYWHERE = MemoryBounds()


def level_of(memory: Memory) -> int:
    return 90 if memory.confidence >= 90 else 60 if memory.confidence >= 60 else 0


def said_by(memory: Memory) -> str:
    """Where words are looked for."""
    return f"{memory.title}\n{memory.content}\n{memory.id}".casefold()


@dataclass(frozen=True, slots=True)
class NameCount:
    """Whom or what so many Memories of a project and a state name: by its slug, or by words nobody was sure of."""

    known: bool
    type: str
    name: str
    project: Project
    state: State
    memories: int
    seen: datetime  # last


def names_in(memory: Memory) -> set[tuple[bool, str, str]]:
    """Known or not, type, and slug or words."""
    every = ((one.resolved, one.type, one.slug if one.resolved else one.raw) for one in memory.related_entities)
    return {each for each in every if each[2]}


def named(memory: Memory) -> set[str]:
    """What it is found by: the words it was written with, and `type:slug` of what they are known to mean."""
    words = {mention.raw.casefold() for mention in memory.related_entities}
    return words | {f"{one.type}:{one.slug}".casefold() for one in memory.related_entities if one.resolved}


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A Chunk that has some of the terms: how often each, and how many terms it has in all."""

    chunk: Chunk
    times: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class VectorMatch:
    """A Chunk whose meaning is near: the cosine of the two vectors, worked out exactly."""

    chunk: Chunk
    likeness: float


@dataclass(frozen=True, slots=True)
class MemoryMatch:
    """A Memory near a prompt: the cosine of what it says, and its nearest Cue; None: it has none."""

    memory: Memory
    note: float
    cue: CueMatch | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What one Reader's Chunks have in all, so that a term's weight is theirs alone."""

    chunks: int
    length: int  # terms of all of them
    having: Mapping[str, int]  # Chunks that have each term; absent ones are left out


@dataclass(frozen=True, slots=True)
class IndexMark:
    """How far a Run has been indexed: which bytes of which generation, and with which rules."""

    generation: int
    size: int
    turn: int  # the last turn; it may still grow, so it is done again
    rules: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where reading a Run's bytes stopped, and all that was in mind there: what is appended is read on from it."""

    generation: int
    offset: int  # behind the last whole line
    state: bytes  # checks itself; one that does not fit costs a whole reading, nothing else


@dataclass(frozen=True, slots=True)
class CatchMark:
    """How far a Run had been indexed when its Windows were last looked for, and whether all of them were closed."""

    generation: int
    size: int
    turn: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How a Run went, said by a person or an agent; it counts for the Memories recalled in it."""

    run: str
    success: bool
    at: datetime
    memories: tuple[str, ...]


def traits_of(row: Sequence[object]) -> Traits:
    """As both engines select them, in the order of their fields."""
    state, type_, scope, project, category, level, again, told, always = row[:9]
    return Traits(
        State(state),
        Type(type_),
        Scope(scope),
        str(project),
        str(category),
        int(str(level)),
        bool(again),
        bool(told),
        bool(always),
    )
