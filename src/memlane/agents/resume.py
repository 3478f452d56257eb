"""How an agent goes on with a Run out of the archive: where its files belong, and what starts it.

Most agents keep a file for each Run below a folder that they look into; `behind` and `placed` are for those.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from memlane.agents.agent import Surroundings

Recognise = Callable[[PurePath], object]


@dataclass(frozen=True, slots=True)
class FileCopy:
    """A file of a Run: where it was or belongs, and its bytes, read when they are asked for."""

    path: PurePath
    data: Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class RunCopy:
    """A Run out of the archive that is to be gone on with in a folder of this computer."""

    native_id: str
    started: datetime
    folder: str
    transcript: FileCopy
    others: tuple[FileCopy, ...] = ()  # what its agent keeps beside it, transcripts of subagents too


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the files of a Run belong, and what the agent calls it there."""

    handle: str
    files: tuple[FileCopy, ...]  # none: the agent has it already
    intake: tuple[str, ...] = ()  # the agent's own command that takes such a file in, where it keeps a database


@runtime_checkable
class Resume(Protocol):
    """An agent that can go on with a Run."""

    @property
    def by_folder(self) -> bool:
        """Whether it finds a Run only in the folder that it belongs to."""
        ...

    @property
    def chain(self) -> tuple[str, str]:
        """The fields by which a record names itself and the one before it; ("", "") where none does."""
        ...

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        """What goes on with a Run, in its folder; the prompt is what the person says first, if its agent takes one."""
        ...

    def begin(self, prompt: str) -> tuple[str, ...]:
        """What begins a new Run with this prompt, for a person to go on with."""
        ...

    def place(self, run: RunCopy, around: Surroundings) -> Placement: ...


def behind(path: PurePath, folders: Collection[str], recognise: Recognise) -> tuple[str, ...]:
    """The parts of a path behind the agent's own folder, wherever that was; () for a copy without it."""
    for n, part in enumerate(path.parts):
        rest = path.parts[n + 1 :]
        if part in folders and rest and recognise(PurePath(*rest)) is not None:
            return rest
    return ()


def placed(run: RunCopy, handle: str, where: Callable[[FileCopy], Path | None]) -> Placement:
    """The transcript and what lies beside it, each where it belongs; a file without a place there stays away."""
    found = ((where(file), file) for file in (run.transcript, *run.others))
    return Placement(handle, tuple(FileCopy(path, file.data) for path, file in found if path is not None))


def spoken(prompt: str) -> tuple[str, ...]:
    """A prompt as the last argument; one that looks like an option is none."""
    return (f" {prompt}" if prompt.startswith("-") else prompt,) if prompt else ()
