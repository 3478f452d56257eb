"""Runs for a guest, and the files they touched: those of the Loan."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import Project, Reader, RunFilter, RunSummary, Touch
from memlane.storage.guest.view import GuestView

MOST_IDS = 10


class GuestRuns(GuestView):
    def get(self, run: str, reader: Reader) -> RunSummary | None:
        owner = self._owner(reader)
        found = self._inner.runs.get(run, owner) if run in self._loan.runs else None
        return self._shown(found) if found is not None else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = (run.id for run in self.listed(RunFilter(), reader) if run.id.startswith(prefix))
        return sorted(found)[:MOST_IDS]

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        return [self._shown(run) for run in self._inner.runs.listed(self._narrowed(which), self._owner(reader))]

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]:
        owner = self._owner(reader)
        if run not in self._loan.runs:
            return []
        found = self._inner.runs.children(run, owner)
        return [self._shown(child) for child in found if child.id in self._loan.runs]

    def projects(self, reader: Reader) -> Sequence[Project]:
        return list(dict.fromkeys(run.project for run in reversed(self.listed(RunFilter(), reader))))

    def count(self, reader: Reader) -> int:
        return len(self.listed(RunFilter(), reader))


class GuestTouches(GuestView):
    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        return self._inner.touches.of(path, self._narrowed(which), self._owner(reader), changed=changed)
