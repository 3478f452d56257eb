"""What may a guest see of somebody's index? Only what their Loan names, the same over every engine.

Each method a guest may use is written out in `runs`, `chunks` and `memories`; any other is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NoReturn, cast

from memlane.domain import Reader
from memlane.errors import NotAllowedError
from memlane.storage.guest.chunks import GuestChunks, GuestVectors
from memlane.storage.guest.memories import GuestMemories
from memlane.storage.guest.runs import GuestRuns, GuestTouches
from memlane.storage.guest.view import GuestView
from memlane.storage.ports import (
    BarStore,
    CatchStore,
    CheckpointStore,
    ChunkStore,
    EntityStore,
    MemoryStore,
    NoteStore,
    OutcomeStore,
    ProjectStore,
    PromptStore,
    RecallStore,
    RunStore,
    Storage,
    TouchStore,
    VectorStore,
    WorkStore,
)

__all__ = ["MODEL_IN_USE", "GuestStorage"]

MODEL_IN_USE = "meaning"  # the note that names the model whose vectors answer


class GuestStorage:
    """One opened index, for one guest."""

    def __init__(self, inner: Storage, reader: Reader) -> None:
        self._inner, self.reader = inner, reader
        # Each has the methods a guest may use and refuses the others, so it is less than the port it stands for.
        self.runs = cast(RunStore, GuestRuns(inner, reader))
        self.chunks = cast(ChunkStore, GuestChunks(inner, reader))
        self.vectors = cast(VectorStore, GuestVectors(inner, reader))
        self.touches = cast(TouchStore, GuestTouches(inner, reader))
        self.memories = cast(MemoryStore, GuestMemories(inner, reader))
        self.projects = cast(ProjectStore, NoProjects())
        self.notes = cast(NoteStore, GuestNotes(inner, reader))

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def read_only(self) -> bool:
        return self._inner.read_only

    def gaps(self) -> Sequence[str]:
        return self._inner.gaps()

    def close(self) -> None:
        self._inner.close()

    # -- the rest is the owner's alone -------------------------------------------------------------------------------

    @property
    def prompts(self) -> PromptStore:
        refuse()

    @property
    def catches(self) -> CatchStore:
        refuse()

    @property
    def entities(self) -> EntityStore:
        refuse()

    @property
    def results(self) -> OutcomeStore:
        refuse()

    @property
    def recalls(self) -> RecallStore:
        refuse()

    @property
    def work(self) -> WorkStore:
        refuse()

    @property
    def checkpoints(self) -> CheckpointStore:
        refuse()

    @property
    def bars(self) -> BarStore:
        refuse()

    def transaction(self) -> AbstractContextManager[None]:
        refuse()

    def settle(self) -> None:
        refuse()

    def damaged(self) -> Sequence[str]:
        refuse()

    def mend(self) -> Sequence[str]:
        refuse()

    def scrub(self) -> None:
        refuse()


class NoProjects:
    """Which keys an owner joined is theirs: to a guest, each project is the one that a run says."""

    def joins(self, reader: Reader) -> Sequence[object]:  # noqa: ARG002 - there is none for anybody
        return []


class GuestNotes(GuestView):
    """Which model answers here, so that a guest's question is understood by it; no other note."""

    def get(self, name: str) -> str:
        if name != MODEL_IN_USE:
            refuse()
        return self._inner.notes.get(name)


def refuse() -> NoReturn:
    raise NotAllowedError("this is not shared", hint="its owner can see it")
