"""Reading Runs for what is worth remembering: the Window that is read, its Triggers, the Draft an extractor wrote.

A Draft is a claim, not yet a Memory: it becomes one only when every check has passed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from memlane.domain.memory import Mention, Scope
from memlane.domain.memory_types import Type
from memlane.domain.run import Project, Step, Turn


class Signal(StrEnum):
    """What made us look. It moves a Window's borders and raises its priority; it decides nothing."""

    CORRECTION = "correction"  # "no, do Y instead", an interruption and a redirect, a rejected call, an undo
    RECOVERY = "recovery"  # failed, failed, then worked
    ENTHUSIASM = "enthusiasm"
    DISMAY = "dismay"  # "never do that again"
    REPEATED = "repeated"  # the same request again, in this Run or another
    REMEMBER = "remember"  # the person asked for it


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A Step by its Turn and number: `t3.1`."""

    turn: int
    step: int

    def __str__(self) -> str:
        return f"t{self.turn}.{self.step}"


@dataclass(frozen=True, slots=True)
class Trigger:
    """Where a Signal stands: the Steps that belong together."""

    signal: Signal
    first: Spot
    last: Spot


@dataclass(frozen=True, slots=True)
class Window:
    """A closed stretch of one Run, masked, without anything of ours. Read once by each extractor.

    `turns` begins with what stood before, for context; what may be caught begins at `first`.
    """

    run: str
    owner: str
    agent: str
    generation: int
    project: Project
    first: Spot
    last: Spot
    turns: tuple[Turn, ...]
    triggers: tuple[Trigger, ...] = ()
    headless: bool = False  # nobody typed in this Run
    beyond: tuple[Step, ...] = ()  # a glance at how its last Turn goes on in the next Window, where all of it is read

    @property
    def key(self) -> str:
        by_spot = dict(self.steps())
        return window_key((self.first, by_spot[self.first]), (self.last, by_spot[self.last]))

    def steps(self) -> list[tuple[Spot, Step]]:
        """All of them, context first."""
        return [(Spot(turn.n, step.n), step) for turn in self.turns for step in turn.steps]

    @property
    def formed_at(self) -> datetime | None:
        """When the last of it was said."""
        return next((s.at for _p, s in reversed(self.steps()) if s.at is not None), None)


def window_key(first: tuple[Spot, Step], last: tuple[Spot, Step]) -> str:
    """Where a Window begins and ends, and whether those are still the same Steps.

    The same after any split of the bytes, in a new generation, under other rules of the Gate, when a Step between was
    found to be ours or copied: it holds no text and names the two ends only. Another Step in an end's place, as after
    a rewrite, makes it another Window, and so does the result a call at an end was waiting for.
    """
    marks = "/".join(_mark(step) for _spot, step in (first, last))
    return f"{first[0]}-{last[0]}-{hashlib.blake2b(marks.encode(), digest_size=6).hexdigest()}"


_KEY = re.compile(r"t(\d+)\.(\d+)-t(\d+)\.(\d+)-\w+")


def window_ends(key: str) -> tuple[Spot, Spot] | None:
    """The first and the last Step of the Window that is known by this key; None: it is no such key."""
    found = _KEY.fullmatch(key)
    if found is None:
        return None
    first_turn, first_step, last_turn, last_step = map(int, found.groups())
    return Spot(first_turn, first_step), Spot(last_turn, last_step)


def _mark(step: Step) -> str:
    at = "" if step.at is None else step.at.astimezone(UTC).isoformat()
    known = f"{step.native_id}|{at}" if step.native_id or at else f"line {step.line}"
    waits = step.call is not None and not step.call.result and not step.call.error
    return f"{step.author}|{step.kind}|{known}|{'waits' if waits else ''}"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words as they stand in a Step of the Window."""

    spot: Spot
    words: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What an extractor would remember. The first quote is the heart of it."""

    type: Type
    title: str
    content: str
    quotes: tuple[Quote, ...]
    reasoning: str
    confidence: int  # 0 to 100: from 40 it is held, from 60 active
    category: str = ""
    scope: Scope = Scope.PROJECT
    mentions: tuple[Mention, ...] = ()
    target_agents: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    same_as: str = ""  # a Memory the extractor was shown, of which this is one more observation
    replaces: str = ""  # a Memory that this one makes wrong
    worth: int = 2  # 1: about what is being built now only; 2: about some later task; 3: about most
    when: str = ""
    always: bool = False
    cues: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()  # why a person has to look at it first, found by our checks
    taught: bool = False  # the person said it as a rule, in plain words: it needs no reader to be one


@dataclass(frozen=True, slots=True)
class WindowDrafts:
    """What reading one Window gave, and what it took."""

    drafts: tuple[Draft, ...]
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0  # dollars


@dataclass(frozen=True, slots=True)
class Repair:
    """Something failed, and was reached in the end: what was tried, what was said about it, what worked; masked."""

    failed: Spot
    worked: Spot
    tried: str
    error: str
    did: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Calls and failures by the name of the tool."""

    calls: Mapping[str, int]
    failures: Mapping[str, int]
    mended: tuple[Repair, ...]
