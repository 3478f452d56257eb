"""What an agent is to us: its transcripts, where they are and how to read them; what its hooks tell and take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Protocol, runtime_checkable

from memlane.domain import Facts, Relation, Turn


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a Source may ask about this computer: the home folder and the agents' own variables."""

    home: Path
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A file that is one Run's transcript, told by its name alone."""

    native_id: str
    parent_native_id: str = ""
    relation: Relation | None = None
    rewritten: bool = False  # its agent writes the whole document anew each time: kept as changes


@dataclass(frozen=True, slots=True)
class Peek:
    """What the first lines tell, before anything is parsed: enough to file a Run."""

    started: datetime | None = None
    cwd: str = ""
    remote: str = ""
    updated: datetime | None = (
        None  # when its agent last changed it, where it is kept whole: an older copy adds nothing
    )
    may_be: tuple[Transcript, ...] = ()  # by what these lines say: how a copy without its name is known again


@dataclass(frozen=True, slots=True)
class Container:
    """A file that holds many Runs: a database, an export. Its Source is a Collection."""


@dataclass(frozen=True, slots=True)
class Document:
    """One Run taken out of a Container, as JSON lines.

    Rows (`rewritten` false): one line per row, in an order that does not change; a line the archive does not have yet
    is added, so a changed row appears twice and its last version counts. Whole documents (`rewritten` true): the
    lines are all of it, and replace what was there.
    """

    transcript: Transcript
    lines: tuple[bytes, ...]
    peek: Peek
    agent: str = ""  # as people call it, where the file itself says; else the Source's name


@dataclass(frozen=True, slots=True)
class UnreadPart:
    """A part of a Container that could not be read: which one, and why. The others go on."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class SideFile:
    """A file a transcript points to: kept in the `files/` folder of its Run."""

    native_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line without its newline; `n` counts from 1, as editors do."""

    n: int
    data: bytes


class Parser(Protocol):
    """One pass over one generation. `facts` is complete once `turns` is exhausted."""

    @property
    def append_only(self) -> bool:
        """Whether a Turn stays as it was read when the file grows: all but the last one do, or any may change."""
        ...

    def turns(self) -> Iterator[Turn]: ...

    def facts(self) -> Facts: ...


@runtime_checkable
class ResumableParser(Parser, Protocol):
    """A Reading that can be put down behind a whole line and taken up again, by another process, when the file grew.

    Everything it knows is in `state`, a dataclass of plain values: strings, numbers, enums, times, lists, tuples,
    dictionaries, and other such dataclasses. It is written down as those and read by their annotations, so no value
    is held in two places, nothing is in the frame of a generator, and nothing is the `hash` of a text, which is
    another in every process. The caller that takes it up sets `state` before it asks for `turns`.
    """

    state: object

    @property
    def resumable(self) -> bool:
        """Whether it can be put down where it stands."""
        ...


class Source(Protocol):
    """One agent. Adding an agent is writing one of these and one folder of tiny transcripts."""

    @property
    def name(self) -> str:
        """As in `lane runs --agent NAME`: `claude-code`."""
        ...

    @property
    def title(self) -> str:
        """As people write it: `Claude Code`."""
        ...

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        """The folders its transcripts are in on this computer, whether they exist or not."""
        ...

    def recognise(self, path: PurePath) -> Transcript | SideFile | Container | None:
        """What a file under one of the places is, by its path relative to that place."""
        ...

    def peek(self, lines: Iterable[Line]) -> Peek: ...

    def read(self, lines: Iterable[Line], transcript: Transcript) -> Parser: ...


@runtime_checkable
class Collection(Protocol):
    """A Source that keeps many Runs in one file, and opens that file itself, read-only."""

    def documents(self, path: Path) -> Iterator[Document | UnreadPart]: ...


@runtime_checkable
class ImportSource(Source, Collection, Protocol):
    """A Collection a person hands over (`lane import`): known by what is in it, whatever it is called."""

    def accepts(self, record: Mapping[str, object]) -> bool:
        """Whether this JSON object is one of its conversations, or begins one."""
        ...


class HookMoment(StrEnum):
    """When an agent calls us, whatever it calls the event itself."""

    RUN_STARTED = "run-started"
    PROMPT_SUBMITTED = "prompt-submitted"
    FILE_TOUCHED = "file-touched"  # read or changed, and the model has not gone on yet
    RUN_STOPPED = "run-stopped"  # a turn ended, or a context is about to be compacted: new bytes to capture
    RUN_ENDED = "run-ended"


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call of a hook, in our words."""

    moment: HookMoment
    native_id: str
    cwd: str
    transcript_path: str = ""
    prompt: str = ""
    file: str = ""
    parent_id: str = ""  # native id of the run whose subagent calls
    fresh_context: bool = False  # the agent has just forgotten what it was told: a new run, a clear, a compaction


@runtime_checkable
class Hooks(Protocol):
    """A Source whose agent calls hooks."""

    @property
    def name(self) -> str: ...

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        """None for an event we do not know: the agent gets nothing."""
        ...

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        """What the agent wants printed: `context` for its model, `line` for the person."""
        ...
