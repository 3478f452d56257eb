"""What an agent is to us: its name and its parts. One reads its transcripts; the others are there where it can more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from operator import attrgetter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from memlane.agents.headless import Headless
from memlane.agents.resume import Resume
from memlane.agents.traits import ToldAt, Variables
from memlane.domain import NO_PROJECT, Facts, Project, Relation, Turn

if TYPE_CHECKING:
    from memlane.domain import Finding
    from memlane.system.computer import Computer, InstalledHook
    from memlane.system.edits import FileEditor, SetupRecord
    from memlane.system.plan import AgentProgramChange, Change, Plan


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
    apart: str = ""  # its native id where another file of the same native id holds something else


@dataclass(frozen=True, slots=True)
class Peek:
    """What the first lines tell, before anything is parsed: enough to file a Run."""

    started: datetime | None = None
    cwd: str = ""
    remote: str = ""
    updated: datetime | None = (
        None  # when its agent last changed it, where it is kept whole: an older copy adds nothing
    )
    project: Project = NO_PROJECT  # one that belongs to no folder
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


@runtime_checkable
class Source(Protocol):
    """How its transcripts are found and read: the part of every agent but those that are only told."""

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
    COMMAND_RUN = "command-run"  # in a shell, the same
    RUN_STOPPED = "run-stopped"  # a turn ended, or a context is about to be compacted: new bytes to capture
    RUN_ENDED = "run-ended"
    RUN_JUDGED = "run-judged"  # it was said how it went


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call of a hook, in our words."""

    moment: HookMoment
    native_id: str
    cwd: str
    transcript_path: str = ""
    prompt: str = ""
    said: str = ""  # the agent's last words, where a turn ended
    file: str = ""
    command: str = ""
    parent_id: str = ""  # native id of the run whose subagent calls
    fresh_context: bool = False  # the agent has just forgotten what it was told: a new run, a clear, a compaction
    first: bool = False  # context of its run; its first prompt may have come before this call
    forgets: bool = False  # it is about to compact its context, and will not say when it has
    success: bool = False  # how it went, where that was said
    unheard: bool = False  # its agent may call no hook for a prompt; the transcript has it then
    remind_after: int = 0  # prompts, of an agent that does not even say so before


@runtime_checkable
class Hooks(Protocol):
    """An agent that calls hooks: what it tells us then, and how it wants to be answered."""

    @property
    def name(self) -> str: ...

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        """None for an event we do not know: the agent gets nothing."""
        ...

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        """What the agent wants printed: `context` for its model, `line` for the person."""
        ...


@runtime_checkable
class Install(Protocol):
    """How our hooks come into an agent, and out again."""

    @property
    def afterwards(self) -> str:
        """What a person does once it is set up; "": nothing."""
        ...

    def is_here(self, computer: Computer) -> bool: ...

    def folder(self, computer: Computer) -> Path:
        """A folder of ours with what its hooks call; it goes with the last agent that uses it."""
        ...

    def script(self, computer: Computer) -> Path:
        """The hook program in it, beside its `home.txt`."""
        ...

    def plan(self, computer: Computer, record: SetupRecord, *, recall: bool) -> Plan: ...

    def plan_plugin(self, computer: Computer, *, recall: bool) -> Plan:
        """What is in that folder."""
        ...

    def put_in(self, change: Change, hands: FileEditor, *, recall: bool) -> None: ...

    def plan_removal(self, computer: Computer, record: SetupRecord) -> Plan: ...

    def take_out(self, change: AgentProgramChange, hands: FileEditor) -> None: ...

    def forget(self, hands: FileEditor) -> None: ...

    def settings_files(self, computer: Computer) -> tuple[Path, ...]:
        """Files of a person that we edit: backups of them may stay."""
        ...

    def rivals(self, computer: Computer) -> tuple[str, ...]:
        """Other tools that add memories to this agent."""
        ...

    def cleanup_days(self, computer: Computer) -> int:
        """After how many days it deletes its own transcripts; 0: it keeps them."""
        ...

    def keep_longer(self) -> str:
        """What a person changes so that it keeps them longer."""
        ...

    def check(self, computer: Computer, record: SetupRecord) -> Iterator[Finding]:
        """For `lane doctor`."""
        ...

    def installed(self, computer: Computer) -> InstalledHook | None:
        """What it runs of ours, read from its own files; None: nothing."""
        ...


@runtime_checkable
class OwnNotes(Protocol):
    """Files with instructions that an agent reads by itself."""

    @property
    def in_checkout(self) -> tuple[str, ...]:
        """At the top of a checkout: `CLAUDE.md`."""
        ...

    @property
    def nested(self) -> tuple[str, ...]:
        """Also in the folders below."""
        ...

    @property
    def rules(self) -> tuple[str, ...]:
        """Folders of such files, in a checkout."""
        ...

    @property
    def skills(self) -> tuple[str, ...]:
        """Folders of Skills, below the person's home."""
        ...

    @property
    def commands(self) -> tuple[str, ...]:
        """Folders of commands that a person types, a Markdown file each, in a checkout or below the person's home."""
        ...

    def own_files(self, around: Surroundings) -> tuple[Path, ...]:
        """The person's own, for every project."""
        ...

    def own_pages(self, around: Surroundings) -> Iterator[Path]:
        """What the agent itself wrote down, in folders named after a project."""
        ...


@runtime_checkable
class MemoryFolder(Protocol):
    """An agent that keeps a folder of pages for each checkout and loads them itself: ours can be among them."""

    def of_checkout(self, around: Surroundings, root: str) -> Path | None:
        """None where it cannot be told."""
        ...

    def is_loaded(self, around: Surroundings) -> bool: ...


@dataclass(frozen=True)
class Agent:
    """One agent: text only. A part is loaded when somebody asks for it."""

    name: str  # as in `lane runs --agent NAME`: `claude-code`
    title: str  # as people write it: `Claude Code`
    parts: Mapping[str, str]  # which part, and where it is: {"source": "package.module:Class"}; a module may be one
    variables: Variables = field(default_factory=Variables)
    told: ToldAt | None = None  # None: it asks over MCP, or not at all
    client: str = ""  # what `tools.clients` calls the real one that the tests run
    also_called: tuple[str, ...] = ()  # other words for it, in `lane import --from`

    @cached_property
    def source(self) -> Source:
        return cast(Source, self._part("source"))

    @cached_property
    def hooks(self) -> Hooks | None:
        return cast("Hooks | None", self._part("hooks"))

    @cached_property
    def install(self) -> Install | None:
        return cast("Install | None", self._part("install"))

    @cached_property
    def resume(self) -> Resume | None:
        return cast("Resume | None", self._part("resume"))

    @cached_property
    def own_notes(self) -> OwnNotes | None:
        return cast("OwnNotes | None", self._part("own_notes"))

    @cached_property
    def headless(self) -> Headless | None:
        return cast("Headless | None", self._part("headless"))

    @cached_property
    def memory_folder(self) -> MemoryFolder | None:
        return cast("MemoryFolder | None", self._part("memory_folder"))

    def _part(self, which: str) -> object | None:
        if which not in self.parts:
            return None
        module, _, where = self.parts[which].partition(":")
        found = attrgetter(where)(import_module(module)) if where else import_module(module)
        return found() if isinstance(found, type) else found


PARTS: Mapping[str, type] = {
    "source": Source,
    "hooks": Hooks,
    "install": Install,
    "resume": Resume,
    "own_notes": OwnNotes,
    "headless": Headless,
    "memory_folder": MemoryFolder,
}
