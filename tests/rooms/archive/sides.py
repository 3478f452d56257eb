"""One archive of a test, and what may happen to it: on any disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from memlane import archive
from memlane.archive import FrameAnswer, Layout, Reception, RunReceipt, Sender, ShipFrame, journal
from memlane.domain import Entry, Level, Machine, Run, run_id
from memlane.domain.delta import Delta
from memlane.system.disk import Disk

NOW = datetime(2026, 11, 10, 9, tzinfo=UTC)
LAPTOP = Machine("noor", "laptop")


@dataclass
class Side:
    """One archive."""

    layout: Layout
    disk: Disk = field(default_factory=Disk)
    clock: datetime = NOW

    def run(self, name: str) -> Run:
        return Run(run_id(LAPTOP, "claude-code", name), "noor", "laptop", "claude-code", name)

    def capture(self, name: str, data: bytes, generation: int = 1, *, rewritten: bool = False) -> None:
        self.clock += timedelta(seconds=1)
        delta = Delta(self.run(name), generation, f"/x/{name}", [data], NOW, "/x", rewritten=rewritten)
        (archive.rewrite if rewritten else archive.append)(self.disk, self.layout, delta, self.clock)

    def side_file(self, name: str, data: bytes) -> None:
        archive.keep_side_file(self.disk, self.layout, self.run(name).id, "result.txt", "/x/result.txt", [data])

    def remember(self, name: str) -> None:
        self.clock += timedelta(seconds=1)
        entry = Entry("state", name, self.clock, "noor", "laptop", "person", {"memory": name})
        journal.write(self.disk, self.layout, LAPTOP, [entry])

    def frames(self, receipts: dict[str, RunReceipt] | None = None, held: object = None) -> list[ShipFrame]:
        known = receipts or {}
        found = [
            frame
            for run in archive.outgoing(self.disk, self.layout, known, lambda _metadata: "")
            for frame in archive.frames_of(self.disk, run, known.get(run.metadata.run, RunReceipt()))
        ]
        lines = archive.journal_frames(self.disk, self.layout, held or {})  # type: ignore[arg-type]
        return [*found, *lines]

    def take(self, frame: ShipFrame, sender: Sender | None = None) -> FrameAnswer:
        sender = sender or Sender("noor", "central")
        return Reception(self.disk, self.layout, sender, self.clock).take(frame).answer

    def files(self) -> dict[str, bytes]:
        """Runs and journals: a register is each side's own."""
        roots = (self.layout.runs, self.layout.journal)
        found = [path for root in roots for path in self.disk.files_below(root)]
        return {str(path.relative_to(self.layout.root)): self.disk.read_whole(path) for path in found}

    def wrong(self) -> list[str]:
        return [one.what for one in archive.verify(self.disk, self.layout) if one.level is Level.FAIL]
