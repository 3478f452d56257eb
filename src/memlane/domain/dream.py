"""What a Dream proposes and what came of it. A Proposal is only words until the writer has checked and applied it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memlane.domain.memory import Evidence, Memory


class Change(StrEnum):
    """What a Dream may do to Memories, in the order in which it is reported."""

    MERGED = "merged"  # said twice in other words
    SUPERSEDED = "superseded"  # newer or better evidence says otherwise
    GRADUATED = "graduated"  # a pattern that was seen often enough is a commitment
    EXACT = "made exact"  # "yesterday" became a day
    SHORTER = "shortened"
    RETIRED = "retired"  # the checkout says it, or its file was deleted
    RESTORED = "restored"  # the file is back, or never was deleted
    FADED = "faded"  # unused: confidence lowered


@dataclass(frozen=True, slots=True)
class Proposal:
    """Memories as they were read and as they would be. `after` has the ids of `before`, and at most one new one."""

    change: Change
    before: tuple[Memory, ...]
    after: tuple[Memory, ...]
    because: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """Both could be true: a person decides."""

    memories: tuple[str, ...]
    because: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A Memory that an earlier Dream retired by a rule we gave up: today's rule would retire it too."""

    memory: str


@dataclass(frozen=True, slots=True)
class Idea:
    """Something that could be made: what a gap names, a Skill out of a request that came again and again, a procedure
    that does not say yet what corrected it."""

    kind: str  # gap, skill, procedure
    title: str
    memories: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """All that a Dream says before anything is checked. A later Proposal stands on what an earlier one would leave."""

    proposals: tuple[Proposal, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    ideas: tuple[Idea, ...] = ()
    confirmed: tuple[str, ...] = ()  # Memories, see Confirmation


@dataclass(frozen=True, slots=True)
class Refusal:
    """A Proposal that was not applied, and which rule said no."""

    change: str
    memories: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """One change of a Dream as its report tells it; the lines of the journal hold the rest."""

    change: Change
    memories: tuple[str, ...]  # those it took in
    result: tuple[str, ...]  # those that stand for them now
    because: str


@dataclass(frozen=True, slots=True)
class Dream:
    """The report of one Dream: what was read, done, refused, left to a person. `failed` says why nothing was done."""

    id: str
    owner: str
    began: datetime
    ended: datetime
    reader: str  # who worded it: rules, or the model
    new: int
    older: int
    done: tuple[AppliedChange, ...] = ()
    refused: tuple[Refusal, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    ideas: tuple[Idea, ...] = ()
    untouched: Mapping[str, int] = field(default_factory=dict[str, int])  # pinned, edited, used: how many
    failed: str = ""
    tokens: int = 0
    confirmed: tuple[str, ...] = ()  # retired by a rule we gave up, looked at once more, and rightly retired
