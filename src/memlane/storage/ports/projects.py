"""Which keys mean one Project. Rows keep the key they were filed under; what they answer with is the joined Project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memlane.domain import FiledProject, Project, ProjectJoin, Reader, RunSummary


class ProjectStore(Protocol):
    def put(self, join: ProjectJoin, owner: str) -> None:
        """The newest about a key holds. Runs and Memories that it concerns belong elsewhere from now on."""
        ...

    def joins(self, reader: Reader) -> Sequence[ProjectJoin]: ...

    def of(self, project: Project, reader: Reader) -> Project:
        """The one it belongs to: itself where nothing else is known. One row, by its key: a hook asks."""
        ...

    def filed(self, reader: Reader) -> Sequence[FiledProject]:
        """Every Project as it was written down, before any join, in the order of keys."""
        ...

    def filed_as(self, memory: str, runs: Sequence[str], reader: Reader) -> Project | None:
        """Where a Memory was filed; one that is not known yet: where the first of these Runs is."""
        ...

    def holds(self, key: str, reader: Reader) -> bool:
        """Whether an active Memory belongs to the Project of this key, and to no other by a join."""
        ...

    def runs(self, key: str, reader: Reader, limit: int | None = None) -> Sequence[RunSummary]:
        """Runs that were filed under this key, the newest first."""
        ...
