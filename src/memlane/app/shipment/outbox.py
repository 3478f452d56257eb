"""What this machine has that Central has not, without what must not leave: as it is, or masked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from memlane import archive, capture
from memlane.app.control.rules import must_be_masked, never_captured
from memlane.app.home import Home
from memlane.app.home.place import masked_layout
from memlane.app.shipment.receipts import ShipState
from memlane.archive import Metadata, OutgoingRun, RunReceipt, ShipFrame
from memlane.domain.journal import TOMBSTONE


@dataclass(frozen=True, slots=True)
class Behind:
    """What Central does not have yet."""

    runs: int
    bytes: int
    lines: int


@dataclass(frozen=True)
class Outbox:
    """What this archive has beyond the receipts, without what must not leave. `only_runs`: so this machine joined."""

    home: Home
    state: ShipState
    only_runs: bool = False

    @cached_property
    def masks(self) -> bool:
        return must_be_masked(self.home)

    def behind(self) -> Behind:
        runs = {one.metadata.run: one for one in (*self.runs(), *(self.uncopied() if self.masks else ()))}
        left = [
            one.left(self.state.runs.get(run, RunReceipt()))
            for run, one in runs.items()
            if run not in self.state.kept_back
        ]
        return Behind(len(left), sum(left), sum(len(one.data) for one in self.lines()))

    def lines(self) -> Iterator[ShipFrame]:
        """Of all machines: if Central was put back, one that holds another's lines brings them back."""
        if self.only_runs:
            return iter(())
        return archive.journal_frames(self.home.disk, self.home.layout, self.state.journals)

    def runs(self) -> Iterator[OutgoingRun]:
        """As they are sent: masked, where they must be."""
        home = self.home
        layout = masked_layout(home) if self.masks else home.layout
        return archive.outgoing(home.disk, layout, self.state.runs, self._leave())

    def uncopied(self) -> Iterator[OutgoingRun]:
        """Runs that changed since they were masked."""
        home = self.home
        copied = {
            run: RunReceipt(seen=seen) for run, seen in archive.copied_from(home.disk, masked_layout(home)).items()
        }
        return archive.outgoing(home.disk, home.layout, copied, self._leave())

    def _leave(self) -> Callable[[Metadata], str]:
        home = self.home
        barred = home.storage().bars.barred(home.reader) if home.engine.serving() else dict[str, str]()
        exclude = never_captured(home)

        def leave(metadata: Metadata) -> str:
            if metadata.user != home.config.user:
                return "of somebody else"
            if barred.get(metadata.run) == TOMBSTONE:
                return "forgotten"
            path = metadata.newest.source_path
            return capture.excluded(exclude, path=path, agent=metadata.agent, cwd=metadata.cwd)

        return leave
