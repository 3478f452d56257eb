"""A Run and what it is made of: the one neutral form every Source is turned into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Author(StrEnum):
    """Who wrote a Step. `program`: a prompt nobody typed (another agent, a script, an SDK)."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"
    PROGRAM = "program"


class Kind(StrEnum):
    """What a Step is."""

    PROMPT = "prompt"  # starts a Turn
    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"  # with its result
    ANSWER = "answer"  # a person's words inside a tool result: a rejection's reason, an answer to a question
    INTERRUPT = "interrupt"
    SUMMARY = "summary"  # of a compaction; never something a person said
    COMMAND = "command"  # a slash command or a shell line the person ran
    ERROR = "error"
    META = "meta"  # harness text worth showing, not worth searching


class Relation(StrEnum):
    """How a Run came out of its parent."""

    SUBAGENT = "subagent"
    FORK = "fork"
    RESUME = "resume"
    CONTINUATION = "continuation"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call with its result. `input` is what the agent passed, as JSON values."""

    name: str
    input: Mapping[str, object]
    result: str = ""
    error: bool = False
    files: tuple[str, ...] = ()
    changes: bool = False  # it writes those files


@dataclass(frozen=True, slots=True)
class Step:
    """One message or one tool call with its result, numbered inside its Turn."""

    n: int
    author: Author
    kind: Kind
    line: int  # 1-based physical line in its generation, so evidence never moves
    text: str = ""
    call: ToolCall | None = None
    at: datetime | None = None
    native_id: str = ""  # the agent's own id of this record: what a fork repeats
    model: str = ""
    ours: bool = False  # Memory Lane put this into the transcript: never a source of anything


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person (or a program in their place) typed, and everything until the next time.

    Turn 0 holds what stands before the first prompt, if anything does.
    """

    n: int
    author: Author
    steps: tuple[Step, ...]
    at: datetime | None = None

    @property
    def person(self) -> str:
        """What they typed, "" if nobody did."""
        if self.author is not Author.PERSON:
            return ""
        return "\n".join(s.text for s in self.steps if s.kind is Kind.PROMPT and s.author is Author.PERSON)

    @property
    def agent(self) -> str:
        return "\n\n".join(s.text for s in self.steps if s.author is Author.AGENT and s.kind is Kind.TEXT)


BESIDE = 999_999  # the Turn of what stands beside a transcript: plans, task lists, todos, summaries


@dataclass(frozen=True, slots=True)
class Tokens:
    """As the agent counted them, summed over its messages."""

    input: int = 0
    output: int = 0
    cached: int = 0


NO_TOKENS = Tokens()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a transcript says about itself as a whole."""

    title: str = ""
    cwd: str = ""
    branch: str = ""
    remote: str = ""  # git remote, where the transcript records one
    account: str = ""
    version: str = ""  # of the agent
    models: tuple[str, ...] = ()
    tokens: Tokens = NO_TOKENS
    cost: float = 0.0
    parent_native_id: str = ""
    relation: Relation | None = None
    skills: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    headless: bool = False  # driven by a program: nobody typed
    unknown: Mapping[str, int] = field(default_factory=dict[str, int])  # record types we do not know, counted
    broken: tuple[BrokenLine, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that could not be read. Its bytes are in the archive; everything around it is used."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Project:
    """Which project a folder belongs to: its remote if it has one, else its path."""

    name: str  # what people call it: `owner/repo` or the folder's name
    key: str  # what tells two apart: the normalised remote, or the path


NO_PROJECT = Project("", "")
ANY_PROJECT = Project("any project", "*")  # for whoever asks what is known wherever an agent may work


@dataclass(frozen=True, slots=True)
class Run:
    """One transcript as its Source keeps it, as the archive knows it."""

    id: str
    user: str
    machine: str
    agent: str
    native_id: str


@dataclass(frozen=True, slots=True)
class TimedText:
    """Words and when they were said."""

    text: str = ""
    at: datetime | None = None


NOTHING_SAID = TimedText()


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Everything a list shows about a Run, masked, without opening its transcript."""

    id: str
    owner: str
    machine: str
    agent: str
    native_id: str
    generation: int
    source_path: str
    bytes: int
    account: str = ""
    project: Project = NO_PROJECT
    cwd: str = ""
    branch: str = ""
    title: str = ""
    turns: int = 0  # a person's, or a program's in their place
    person_turns: int = 0
    steps: int = 0
    tool_calls: int = 0
    errors: int = 0
    started: datetime | None = None
    ended: datetime | None = None
    first: TimedText = NOTHING_SAID
    last: TimedText = NOTHING_SAID
    parent: str = ""
    parent_native_id: str = ""  # what its Source calls the parent
    relation: str = ""
    files: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    kind: str = ""
    models: tuple[str, ...] = ()
    tokens: Tokens = NO_TOKENS
    version: str = ""
    headless: bool = False
    unknown: Mapping[str, int] = field(default_factory=dict[str, int])
    broken: tuple[BrokenLine, ...] = ()
    withheld: int = 0  # bytes behind the last newline: archived, not read yet
    pinned: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A findable, masked piece of one Step."""

    run: str
    turn: int
    step: int
    part: int
    author: str
    at: datetime | None
    text: str
    tool: str = ""  # whose call and result it is

    @property
    def key(self) -> tuple[str, int, int, int]:
        """The same piece of the same Step, in every engine and after every rebuild."""
        return (self.run, self.turn, self.step, self.part)


@dataclass(frozen=True, slots=True)
class Touch:
    """A file that a Step looked at or changed."""

    run: str
    turn: int
    step: int
    path: str
    changed: bool
    tool: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Address:
    """`r_…`, `r_…#t41` or `r_…#t41.7`: the same everywhere."""

    run: str
    turn: int | None = None
    step: int | None = None

    def __str__(self) -> str:
        turn = "" if self.turn is None else f"#t{self.turn}"
        step = "" if self.step is None else f".{self.step}"
        return f"{self.run}{turn}{step}"
