"""How Memories are chosen for a list, and what they are counted by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memlane.domain.memory import Scope, State, Type

MOST_WORDS = 50
STANDING = (State.HELD, State.ACTIVE, State.PAUSED)  # the others are over: superseded, retired, forgotten


class Order(StrEnum):
    """Of a list of Memories; the newest formed first where they are equal."""

    SEEN = "seen"  # last
    TOLD = "told"  # in most Runs
    SURE = "sure"
    OLD = "old"  # formed first
    YOUNG = "young"  # formed last


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which Runs. Empty fields do not filter."""

    agent: str = ""
    machine: str = ""
    project: str = ""  # name or key
    tag: str = ""
    since: datetime | None = None
    until: datetime | None = None
    only: frozenset[str] | None = None  # these Runs and no others
    limit: int = 1000
    # Of a Chunk: only `Chunks.matching` and `Vectors.nearest` look at these.
    author: str = ""
    tool: str = ""
    file: str = ""  # that its Step touched: a path, or the last parts of one


@dataclass(frozen=True, slots=True)
class Selection:
    """Which Memories. None and empty do not filter; `order`, `skip` and `limit` are of a list alone."""

    words: str = ""  # each of the first MOST_WORDS stands in its title, its content or its id
    states: tuple[State, ...] = tuple(State)
    type: str = ""
    scope: str = ""
    project: str = ""  # its name
    category: str = ""
    names: str = ""  # a slug, or words nobody was sure of
    level: int | None = None
    again: bool | None = None
    told: bool | None = None
    since: datetime | None = None  # formed then or later
    until: datetime | None = None  # formed before
    order: Order = Order.SEEN
    skip: int = 0
    limit: int = 50

    @property
    def terms(self) -> list[str]:
        """What is looked for: a whole page may be given, and an engine's question only grows so deep."""
        return list(dict.fromkeys(self.words.casefold().split()))[:MOST_WORDS]


@dataclass(frozen=True, slots=True)
class Traits:
    """What Memories are counted by."""

    state: State
    type: Type
    scope: Scope
    project: str
    category: str
    level: int  # as sure as this at least: 90, 60 or 0
    again: bool  # seen more than once
    told: bool  # at least once
