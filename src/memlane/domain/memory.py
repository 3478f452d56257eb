"""A Memory: one claim worth carrying into later Runs, with what it stands on. A hint to verify, never a truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Type(StrEnum):
    """What sort of Memory, in the order of their weight."""

    CORRECTION = "correction"
    DECISION = "decision"
    COMMITMENT = "commitment"
    INSIGHT = "insight"
    LEARNING = "learning"
    CONFIDENCE = "confidence"
    PATTERN_SEED = "pattern_seed"
    CROSS_AGENT = "cross_agent"
    WORKFLOW_NOTE = "workflow_note"
    GAP = "gap"


HIGH = frozenset({Type.CORRECTION, Type.DECISION, Type.COMMITMENT})


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """The verbatim words behind a Memory and where they stand: run, generation and line, so it never moves."""

    run: str
    generation: int
    line: int
    step: str
    quote: str


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity a Memory is about: as written, and which one was meant if that is known."""

    type: str
    raw: str
    slug: str = ""
    resolved: bool = False


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

    @property
    def text(self) -> str:
        """What it says: what is embedded, and compared."""
        return f"{self.title}\n{self.content}"
