"""The archive, as far as capture may look into it: what is held of a Run, and whether it is still whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memlane.archive import read
from memlane.archive.held import held
from memlane.archive.layout import Layout
from memlane.archive.metadata import Metadata
from memlane.disk import Disk
from memlane.domain.delta import Generation, Holding
from memlane.errors import DamagedError


@dataclass(frozen=True, slots=True)
class Shelf:
    disk: Disk
    layout: Layout

    def holding(self, run: str) -> Holding:
        kept = held(self.disk, self.layout.find(run))
        known = kept.metadata
        if known is None:
            return Holding(kept.generations, settled=kept.settled)
        started = datetime.fromisoformat(known.started)
        return Holding(kept.generations, started, known.cwd, known.project, kept.settled)

    def pieces(self, run: str, generation: Generation) -> Iterator[bytes]:
        folder, metadata = self._folder(run)
        return read.pieces(self.disk, folder, metadata, generation)

    def tail(self, run: str, generation: Generation, end: int) -> bytes:
        folder, metadata = self._folder(run)
        return read.tail(self.disk, folder, metadata, generation, end)

    def intact(self, run: str, generation: Generation) -> bool:
        folder, metadata = self._folder(run)
        return read.intact(self.disk, folder, metadata, generation)

    def _folder(self, run: str) -> tuple[Path, Metadata | None]:
        folder = self.layout.find(run)
        if folder is None:
            raise DamagedError(f"{run} has just gone from the archive")
        return folder, held(self.disk, folder).metadata
