"""What storage can do, in the words of the domain. Every read of Runs, Chunks, Memories and Recalls names its Reader.

An engine implements these; `tests/conformance/` is what they mean. Nothing here is the truth: all of it can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from memlane.storage.ports.memories import Catches, Entities, Memories, Recalls, Results
from memlane.storage.ports.runs import Chunks, Prompts, Runs, Touches, Vectors
from memlane.storage.ports.work import Bars, Checkpoints, Notes, Work

__all__ = [
    "Bars",
    "Catches",
    "Checkpoints",
    "Chunks",
    "Engine",
    "Entities",
    "Memories",
    "Notes",
    "Prompts",
    "Recalls",
    "Results",
    "Runs",
    "Storage",
    "Touches",
    "Vectors",
    "Work",
]


class Storage(Protocol):
    """One opened index."""

    @property
    def name(self) -> str:
        """Which of the engine's indexes this is."""
        ...

    @property
    def runs(self) -> Runs: ...
    @property
    def chunks(self) -> Chunks: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def touches(self) -> Touches: ...
    @property
    def prompts(self) -> Prompts: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def catches(self) -> Catches: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def results(self) -> Results: ...
    @property
    def recalls(self) -> Recalls: ...
    @property
    def work(self) -> Work: ...
    @property
    def checkpoints(self) -> Checkpoints: ...
    @property
    def bars(self) -> Bars: ...
    @property
    def notes(self) -> Notes: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All of it or none."""
        ...

    def settle(self) -> None:
        """After a piece of work: what searching needs is brought up to date, all of it is on the disk."""
        ...

    def damaged(self) -> Sequence[str]:
        """All of it looked at: what cannot be read or is not as it was written. A rebuild makes it whole."""
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
