"""How far reading has come: how many Windows were read by somebody who writes, and how many are left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from memlane import __version__
from memlane.app.catch.claims import Claims, OpenCount
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.catch import IDLE
from memlane.domain import RunFilter, RunSummary
from memlane.flow.catch import SURER

LOOKED = 4.0  # seconds spent on counting; what was counted is kept


@dataclass(frozen=True, slots=True)
class CatchProgress:
    """`whole`: every Run was counted."""

    read: int
    left: int
    whole: bool = True

    def of(self, number: int) -> str:
        """`12 of 55`: the so-manieth of those that are left."""
        total = f"{self.read + self.left}" if self.whole else f"at least {self.read + self.left}"
        return f"{self.read + number} of {total}"


class OpenWindows:
    """Counts, run by run: a Run that looks as it did when it was counted is not read again."""

    def __init__(self, home: Home, catch: CatchWindows, claims: Claims) -> None:
        self._home, self._catch, self._claims = home, catch, claims

    def progress(self, runs: Sequence[str] = ()) -> CatchProgress:
        began, known = time.monotonic(), self._claims.read().counts
        fresh, read, left, whole = dict[str, OpenCount](), 0, 0, True
        for summary in self._home.storage().runs.listed(RunFilter(), self._home.reader):
            if runs and summary.id not in runs:
                continue
            done, mark = self._read(summary.id), self.mark(summary.id)
            count, read = known.get(summary.id), read + done
            if count is None or count.mark != mark:
                if time.monotonic() - began > LOOKED:
                    whole = False
                    continue
                count = OpenCount(mark, sum(1 for _ in self._catch.open_windows("agent", [summary.id])))
                fresh |= {summary.id: count} if self.settled(summary) else {}
            left += count.windows
        self.note(fresh)
        return CatchProgress(read, left, whole)

    def note(self, counts: dict[str, OpenCount]) -> None:
        if counts:
            with self._claims.changed() as claims:
                claims.counts |= counts

    def mark(self, run: str) -> str:
        """Another one when something was said in the Run, or read of it."""
        return f"{__version__} {self._home.storage().work.indexed(run)} {self._read(run)}"

    def settled(self, summary: RunSummary) -> bool:
        """No more of its Windows close by waiting."""
        return summary.ended is not None and self._home.clock() - summary.ended > IDLE

    def _read(self, run: str) -> int:
        read = self._home.storage().catches.read(run, self._home.reader)
        return sum(bool(by & SURER) for by in read.values())
