"""What storage can do, in the words of the domain. Every read of Runs, Chunks, Memories and Recalls names its Reader.

An engine implements these; `tests/conformance/` is what they mean. Nothing here is the truth: all of it can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from memlane.storage.ports.memories import CatchStore, EntityStore, MemoryStore, OutcomeStore, RecallStore
from memlane.storage.ports.projects import ProjectStore
from memlane.storage.ports.runs import ChunkStore, PromptStore, RunStore, TouchStore, VectorStore
from memlane.storage.ports.work import BarStore, CheckpointStore, NoteStore, WorkStore

__all__ = [
    "BarStore",
    "CatchStore",
    "CheckpointStore",
    "ChunkStore",
    "Engine",
    "EntityStore",
    "MemoryStore",
    "NoteStore",
    "OutcomeStore",
    "ProjectStore",
    "PromptStore",
    "RecallStore",
    "RunStore",
    "Storage",
    "TouchStore",
    "VectorStore",
    "WorkStore",
]


class Storage(Protocol):
    """One opened index."""

    @property
    def name(self) -> str:
        """Which of the engine's indexes this is."""
        ...

    @property
    def read_only(self) -> bool:
        """Its disk let us read it and no more; opened again later, it may be different."""
        ...

    @property
    def runs(self) -> RunStore: ...
    @property
    def chunks(self) -> ChunkStore: ...
    @property
    def vectors(self) -> VectorStore: ...
    @property
    def touches(self) -> TouchStore: ...
    @property
    def prompts(self) -> PromptStore: ...
    @property
    def memories(self) -> MemoryStore: ...
    @property
    def catches(self) -> CatchStore: ...
    @property
    def entities(self) -> EntityStore: ...
    @property
    def results(self) -> OutcomeStore: ...
    @property
    def recalls(self) -> RecallStore: ...
    @property
    def work(self) -> WorkStore: ...
    @property
    def checkpoints(self) -> CheckpointStore: ...
    @property
    def bars(self) -> BarStore: ...
    @property
    def notes(self) -> NoteStore: ...
    @property
    def projects(self) -> ProjectStore: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All of it or none."""
        ...

    def settle(self) -> None:
        """After a piece of work: what searching needs is brought up to date, all of it is on the disk."""
        ...

    def damaged(self) -> Sequence[str]:
        """All of it looked at: what cannot be read or is not as it was written. A rebuild makes it whole."""
        ...

    def gaps(self) -> Sequence[str]:
        """What a look at the names and sizes of its files shows to be missing, and what the questions asked through
        this object have met. A few calls of `stat`: cheap enough for every search."""
        ...

    def mend(self) -> Sequence[str]:
        """What is damaged and can be made again from what is not: terms from their rows, vectors from their texts
        (which wait for the model again). Damaged files are moved aside; they are named. All of it is looked at."""
        ...

    def scrub(self) -> None:
        """Nothing that was dropped can be found in the files any more."""
        ...

    def close(self) -> None: ...


class Engine(Protocol):
    """Where indexes rest: one serves, another may be built beside it and take its place in one instant."""

    def serving(self) -> str | None:
        """The name of the index that serves, if there is one this version can read."""
        ...

    def open(self) -> Storage:
        """The one that serves."""
        ...

    def open_to_read(self) -> Storage:
        """The one that serves, for whoever must not change anything: every write to it fails."""
        ...

    def begin(self) -> Storage:
        """A fresh, empty one beside whatever serves."""
        ...

    def swap(self, fresh: Storage) -> None:
        """From now on this one serves. Whoever reads the old one finishes with it."""
        ...

    def clear(self) -> list[str]:
        """What builders that are gone left unfinished is removed; its names. Nobody else writes meanwhile."""
        ...

    def claim(self) -> AbstractContextManager[None]:
        """All work for this owner, one worker's until it leaves or dies. BusyError: another has it."""
        ...
