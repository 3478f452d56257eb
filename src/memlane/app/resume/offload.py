"""Transcripts taken out of their agent's folder: only what the archive holds byte for byte, and only when asked for.

Every byte is compared right before it goes. What went is written down first, so all of it can be put back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import msgspec

from memlane import archive
from memlane.app.home import Home
from memlane.app.resume.files import TEMPORARY, digest_of, put_new
from memlane.app.runs import Runs
from memlane.domain import RunFilter, RunSummary
from memlane.errors import DamagedError, NotFoundError
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

AT_REST = timedelta(days=1)  # an agent that still has a run open has written to it since


class GoneFile(msgspec.Struct):
    """A file that was taken out, and what puts it back: its bytes are in the archive under this name."""

    path: str
    size: int
    sha256: str
    modified_ns: int
    name: str = ""  # of a side file; "" is the transcript


class Offload(msgspec.Struct):
    """A Run that was taken out."""

    run: str
    at: float
    files: list[GoneFile]


class OffloadRecord(msgspec.Struct):
    """What is out, the newest last."""

    runs: list[Offload] = msgspec.field(default_factory=list[Offload])


@dataclass(frozen=True, slots=True)
class OffloadRow:
    """A Run that could go, with what goes; or why it stays."""

    run: RunSummary
    files: tuple[GoneFile, ...] = ()
    stays: str = ""

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)


class Offloads:
    def __init__(self, home: Home, runs: Runs, synced: Callable[[RunSummary], bool]) -> None:
        self._home, self._runs, self._synced = home, runs, synced

    def plan(self, which: RunFilter, larger: int = 0, only: Sequence[str] = ()) -> Sequence[OffloadRow]:
        """Runs of this machine whose files are still with their agent, the largest first. Every byte is compared."""
        chosen = [self._runs.get(one) for one in only] if only else self._runs.select(which)
        there = (run for run in chosen if only or Path(run.source_path).is_file())
        found = [self._candidate(run) for run in there if only or run.bytes >= larger]
        return sorted(found, key=lambda one: (bool(one.stays), -one.bytes, one.run.id))

    def take_out(self, candidates: Sequence[OffloadRow]) -> Sequence[OffloadRow]:
        """What went. A Run whose files changed since the plan stays as it is."""
        return [one for one in candidates if not one.stays and self._take_out(one)]

    def put_back(self, runs: Sequence[str] = ()) -> Sequence[Path]:
        """These Runs, or all that are out, where they were; what is there now stays."""
        ids = {self._runs.get(one).id for one in runs}
        out = [one for one in self._record.read().runs if not ids or one.run in ids]
        if not out:
            raise NotFoundError("no run is out", hint="lane offload out")
        written = [path for one in out for path in self._files_back(one)]
        back = {one.run for one in out}
        with self._record.changed() as record:
            record.runs = [one for one in record.runs if one.run not in back]
        return written

    def out(self) -> Sequence[Offload]:
        return self._record.read().runs

    # -- what may go -------------------------------------------------------------------------------------------------

    def _candidate(self, run: RunSummary) -> OffloadRow:
        if why := self._stays(run):
            return OffloadRow(run, stays=why)
        try:
            files = tuple(self._same_files(run))
        except (DamagedError, OSError) as error:
            return OffloadRow(run, stays=getattr(error, "message", str(error)))
        if not files:
            return OffloadRow(run, stays="its file is not what the archive holds: lane capture")
        return OffloadRow(run, files)

    def _stays(self, run: RunSummary) -> str:
        agent = self._home.agents.get(run.agent)
        path = Path(run.source_path)
        if run.machine != self._home.config.machine:
            return f"it is on {run.machine}"
        if agent is None or agent.resume is None:
            return "lane resume cannot bring it back for this agent"
        if not path.is_file() or path.suffix == ".db":
            return "its agent keeps it in a database" if path.suffix == ".db" else "its agent no longer has it"
        if run.pinned:
            return "it is pinned"
        if self._home.clock().timestamp() - path.stat().st_mtime < AT_REST.total_seconds():
            return "it was written to in the last day"
        return "" if self._synced(run) else "it is not synced yet: lane sync"

    def _same_files(self, run: RunSummary) -> Iterator[GoneFile]:
        """The transcript and what lies beside it, each compared with the archive, which is read and checked too."""
        folder, metadata = self._filed(run.id)
        newest, path = metadata.newest, Path(run.source_path)
        for _piece in archive.pieces(self._home.disk, folder, metadata, newest):
            pass
        if digest_of(self._home.disk, path) != (newest.size, newest.sha256):
            return
        yield GoneFile(str(path), newest.size, newest.sha256, path.stat().st_mtime_ns)
        for side in metadata.files:
            beside, kept = Path(side.source_path), folder / "files" / side.name
            if side.source_path and beside.is_file() and self._are(side.size, side.sha256, beside, kept):
                yield GoneFile(str(beside), side.size, side.sha256, beside.stat().st_mtime_ns, side.name)

    def _are(self, size: int, sha256: str, *paths: Path) -> bool:
        return all(digest_of(self._home.disk, path) == (size, sha256) for path in paths)

    def _filed(self, run: str) -> tuple[Path, archive.Metadata]:
        folder = self._home.layout.find(run)
        metadata = archive.load(self._home.disk, folder) if folder else None
        if folder is None or metadata is None:
            raise DamagedError(f"{run} is not in the archive", hint="lane doctor")
        return folder, metadata

    # -- out and back ------------------------------------------------------------------------------------------------

    def _take_out(self, one: OffloadRow) -> bool:
        with self._record.changed() as record:
            record.runs = [*record.runs, Offload(one.run.id, self._home.clock().timestamp(), list(one.files))]
        gone = [self._remove(file) for file in one.files]
        if not gone[0]:  # the transcript itself changed since: nothing is out
            self._files_back(self._record.read().runs[-1])
            with self._record.changed() as record:
                record.runs = record.runs[:-1]
        return gone[0]

    def _remove(self, file: GoneFile) -> bool:
        """Moved aside, compared once more, then gone: whoever writes to its path meanwhile writes another file."""
        path, disk = Path(file.path), self._home.disk
        aside = path.with_name(f".{path.name}{TEMPORARY}")
        try:
            disk.rename(path, aside)
        except FileNotFoundError:
            return False
        if digest_of(disk, aside) != (file.size, file.sha256):
            if not path.exists():
                disk.rename(aside, path)
            return False
        disk.unlink(aside)
        disk.sync_folder(path.parent)
        return True

    def _files_back(self, one: Offload) -> list[Path]:
        folder, metadata = self._filed(one.run)
        written = list[Path]()
        for file in one.files:
            generation = next((each for each in metadata.generations if each.sha256 == file.sha256), metadata.newest)
            pieces = partial(archive.pieces, self._home.disk, folder, metadata, generation)
            side = partial(_read, folder / "files" / file.name)
            placed = put_new(self._home.disk, Path(file.path), side if file.name else pieces)
            if placed.written:
                os.utime(file.path, ns=(file.modified_ns, file.modified_ns))  # agents list their runs by this
                written.append(placed.path)
        return written

    @property
    def _record(self) -> JsonFile[OffloadRecord]:
        lock = partial(WriteLock.held, WriteLock(self._home.run_folder / "offload.lock"))
        return JsonFile(self._home.config.home / "offload.json", OffloadRecord, self._home.disk, lock)


def _read(path: Path) -> Iterator[bytes]:
    yield path.read_bytes()
