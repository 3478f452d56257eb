"""A Recall: one look for one Query in one Run. Silence, not looked and too slow are Recalls too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memlane.domain.memory import Memory
from memlane.domain.run import Project

RULE = "standing"  # source of a Match: a standing rule, given when a context began
GONE_ON = "answer"  # the same: what the agent said brought it up, and the prompt says "go on"
PROBE = "lane_probe"  # beside what an agent says: `lane doctor` asks, through the hook that the agent would call


class RecallMoment(StrEnum):
    """When in a Run we were asked."""

    START = "start"
    PROMPT = "prompt"
    FILE = "file"
    COMMAND = "command"  # one was run that shows what comes next
    ANSWER = "answer"  # the agent has said something: for the person to see, and for their next prompt
    ASKED = "asked"  # by a person or an agent, outside the hooks

    @property
    def tells_what_fits(self) -> bool:
        """What a start gives is given whatever the task is; what an answer brings up is seen by the person alone."""
        return self not in (RecallMoment.START, RecallMoment.ANSWER)


class Outcome(StrEnum):
    """What came of the look. The agent gets nothing in all but the first and the last."""

    SHOWN = "shown"
    SILENT = "silent"
    NOT_LOOKED = "not-looked"
    TOO_SLOW = "too-slow"
    QUESTION = "question"  # a name fits several: the agent is told to ask which


@dataclass(frozen=True, slots=True)
class Query:
    """What the agent is doing now."""

    words: str
    project: Project
    cwd: str
    agent: str
    native_id: str  # the agent's own id of the run it asks from
    run: str
    moment: RecallMoment = RecallMoment.PROMPT
    files: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()  # `type:slug` of what the words name
    activity: str = ""  # what it is about to do, where a command or a file shows it


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """A name that fits several, and which."""

    raw: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CueMatch:
    """The Cue of a Memory that a prompt is most like."""

    number: int  # in the Memory's `cues`, from 0
    likeness: float  # cosine; where words answer alone, likeness by words


@dataclass(frozen=True, slots=True)
class Match:
    """A Memory under consideration in one Recall, with the score that ranked it, part by part."""

    memory: Memory
    similarity: float
    score: float
    parts: Mapping[str, float]
    # entity, asked, meaning, words, file, activity, answer, standing, earlier run; not told: stale, loaded, stated
    source: str
    needed: float | None = None  # how likely it changes what the agent does; None: no second look was taken at it
    note: float | None = None  # how like the prompt is to what it says, as `similarity` was made from; None: not asked
    cue: CueMatch | None = None
    because: str = ""  # what decided beside its likeness, in words: votes, or that the prompt asks for such notes

    @property
    def best_cue(self) -> str:
        """Its words; "" where there is none, or where the Memory's words are gone."""
        return self.memory.cues[self.cue.number] if self.cue and self.cue.number < len(self.memory.cues) else ""

    @property
    def cued_by(self) -> str:
        """The same, where the prompt is more like this Cue than like the note."""
        return self.best_cue if self.cue and self.cue.likeness > (self.note or 0.0) else ""


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A Turn of an earlier Run that is offered where no Memory fits, and why we are sure that it is meant."""

    run: str
    turn: int
    agent: str
    machine: str
    at: datetime | None
    covered: float  # of what the prompt asks for, by how rare its words are
    likeness: float | None  # None: words alone
    words: str = ""  # the person's, while it is told; the journal keeps only where they stand


@dataclass(frozen=True, slots=True)
class Recall:
    """One look, stored for ever as it was: parts are never recomputed."""

    id: str
    owner: str
    at: datetime
    query: Query
    outcome: Outcome
    why: str
    shown: tuple[Match, ...] = ()
    near: tuple[Match, ...] = ()  # just missed
    nonce: str = ""
    tokens: int = 0
    milliseconds: float = 0.0
    holdout: bool = False
    asks: tuple[NameQuestion, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict[str, str])
    earlier: tuple[EarlierTurn, ...] = ()  # instead of Memories

    @property
    def begins(self) -> bool:
        """A context begins here, whether or not anything was said at its start."""
        return self.extra.get("context") == "new"

    @property
    def told(self) -> tuple[Match, ...]:
        """Notes that fitted and that the agent was given. A Run held out was told nothing."""
        return self.shown if self.query.moment.tells_what_fits and not self.holdout else ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """A verdict on one Memory in one Recall: the User's, or an agent's on their behalf."""

    id: str
    owner: str
    recall: str
    memory: str
    up: bool
    query: str
    at: datetime
    because: str = ""
    by: str = ""  # the agent that said so; "" is the User
