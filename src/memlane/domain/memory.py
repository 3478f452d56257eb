"""A Memory: one claim worth carrying into later Runs, with what it stands on. A hint to verify, never a truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from memlane.domain.memory_types import Type


class State(StrEnum):
    """Where a Memory stands. Only `active` is ever recalled."""

    HELD = "held"
    ACTIVE = "active"
    PAUSED = "paused"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    FORGOTTEN = "forgotten"


class Maturity(StrEnum):
    """How an active Memory has served."""

    CANDIDATE = "candidate"
    PROVEN = "proven"


class Scope(StrEnum):
    """Where a Memory holds."""

    PROJECT = "project"
    PERSON = "person"
    TOOL = "tool"
    GLOBAL = "global"


class Trust(StrEnum):
    """Whose word it is, the lowest in its lineage; written from the most trusted down."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool output"
    OUTSIDE = "outside text"


LEAST_TRUSTED_LAST = tuple(Trust)
LONGEST_WHEN = 200  # characters: one phrase
LONGEST_CUE = 200
MOST_CUES = 8


@dataclass(frozen=True, slots=True)
class Evidence:
    """The verbatim words behind a Memory and where they stand: run, generation and line, so it never moves."""

    run: str
    generation: int
    line: int
    step: str
    quote: str


WITHHELD = Evidence("", 0, 0, "", "")  # stands for a quote that is not shared: that there is one is all it says


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity a Memory is about: as written, and which one was meant if that is known."""

    type: str
    raw: str
    slug: str = ""
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """When a Memory matters, as somebody said it. A Memory has these three as fields of its own."""

    when: str = ""  # the situation, in one phrase
    always: bool = False  # a standing rule of its project or person, whatever the task is
    cues: tuple[str, ...] = ()  # what a person may type then, without remembering it


ANY_OCCASION = Occasion()


@dataclass(frozen=True, slots=True)
class Memory:
    """One small typed lesson. Every field is journaled; nothing here is computed from the index."""

    id: str
    owner: str
    type: Type
    title: str
    content: str
    formed_at: datetime
    saved_at: datetime
    first_observed_at: datetime
    last_observed_at: datetime
    category: str = ""
    source_chunk: str = ""
    evidence: tuple[Evidence, ...] = ()
    related_entities: tuple[Mention, ...] = ()
    target_agents: tuple[str, ...] = ()
    scope: Scope = Scope.PROJECT
    project: str = ""
    project_key: str = ""
    confidence: int = 60
    reasoning: str = ""
    alternatives: tuple[str, ...] = ()
    times_observed: int = 1
    recall_count: int = 0  # runs it was told in, not as a title at the start: counted from recalls, never edited
    trust: Trust = Trust.PERSON
    maker: str = ""
    state: State = State.ACTIVE
    maturity: Maturity = Maturity.CANDIDATE
    superseded_by: str = ""
    pinned: bool = False
    when: str = ""
    always: bool = False
    cues: tuple[str, ...] = ()
    held_because: str = ""  # why it was held when it last was; it says nothing about one that is not held

    @property
    def occasion(self) -> Occasion:
        return Occasion(self.when, self.always, self.cues)

    @property
    def text(self) -> str:
        """What it says: what is embedded, and compared."""
        return f"{self.title}\n{self.content}"


@dataclass(frozen=True, slots=True)
class LentMemory:
    """A Memory of somebody else, as it goes to whoever they share it with. `until`: when that ends; "": it stays."""

    memory: Memory
    until: str = ""


def without_words(memory: Memory) -> Memory:
    """Of a lent Memory, what may stand in the journal of whoever it was told to: which it was, and whose."""
    kept = replace(memory, title="", content="", category="", source_chunk="", reasoning="", when="", held_because="")
    return replace(kept, evidence=(), related_entities=(), alternatives=(), cues=())


TAUGHT = "taught"  # its maker, where a person said it as a rule in plain words and nobody else read it
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
    entities: frozenset[str] = frozenset()  # type:slug: it names one of these
    skill: str = ""
    command: str = ""  # a slash command, with or without its slash
    account: str = ""
    kind: str = ""  # of work
    outcome: str = ""  # success, failure; none: nobody said
    since: datetime | None = None
    until: datetime | None = None
    only: frozenset[str] | None = None  # these Runs and no others
    limit: int | None = None  # of a list alone; without one it is whole
    file: str = ""  # that it touched (of a Chunk: its Step): a path, or the last parts of one
    # Of a Chunk: only `ChunkStore.matching` and `VectorStore.nearest` look at these.
    author: str = ""
    tool: str = ""


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
    always: bool | None = None  # a standing rule
    since: datetime | None = None  # formed then or later
    until: datetime | None = None  # formed before
    order: Order = Order.SEEN
    skip: int = 0
    limit: int | None = None  # without one the list is whole
    types: tuple[str, ...] = ()  # any of these
    about: frozenset[str] = frozenset()  # type:slug: any of these
    observed: int = 0  # so often at least
    embedded: bool | None = None  # has a vector for what it says now

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
    always: bool  # a standing rule


def cues_of(*several: Iterable[str]) -> tuple[str, ...]:
    """Each cue once, whatever its capitals and spaces, the first of them first; no more than a Memory may have."""
    found = dict[str, str]()
    for cue in (cue for cues in several for cue in cues):
        line = " ".join(cue.split())
        if line:
            found.setdefault(line.casefold(), line)
    return tuple(found.values())[:MOST_CUES]


PROVEN_BY = 2  # Runs that went well
WORTH = 5  # points of confidence


def successes_left(outcomes: Iterable[bool]) -> int:
    """Outcomes of the Runs it was recalled in, oldest first: a failure takes one success away."""
    left = 0
    for success in outcomes:
        left = left + 1 if success else max(0, left - 1)
    return left


def credited(memory: Memory, outcomes: Iterable[bool]) -> Memory:
    """The Memory as it stands after them; the same one if nothing changes."""
    proven = successes_left(outcomes) >= PROVEN_BY
    if proven and memory.maturity is Maturity.CANDIDATE:
        return replace(memory, maturity=Maturity.PROVEN, confidence=min(100, memory.confidence + WORTH))
    if not proven and memory.maturity is Maturity.PROVEN:
        return replace(memory, maturity=Maturity.CANDIDATE, confidence=max(0, memory.confidence - WORTH))
    return memory
