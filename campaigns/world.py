"""A world of its own for one trial: a person's home with Plain transcripts, and a Lane that looks after it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from campaigns.plain import BESIDE, ENDING, PLACES, Plain
from memlane import archive
from memlane.app import Lane
from memlane.archive import journal
from memlane.config import load
from memlane.domain import NO_PROJECT, Chunk, Level, Machine, RunFilter, State, run_id
from memlane.domain.tokenizer import terms
from memlane.flow import capture
from memlane.gate import Gate
from memlane.system.disk import Disk

USER, MACHINE = "noor", "laptop"
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def memory() -> Path | None:
    """Where files are kept in memory, if this machine has such a place: thousands of trials sync often."""
    place = Path("/dev/shm")
    return place if place.is_dir() and os.access(place, os.W_OK) else None


def scratch() -> Path:
    """A folder for one trial."""
    return Path(tempfile.mkdtemp(prefix="lane-", dir=memory()))


@cache
def gate() -> Gate:
    return Gate()


class SteppingClock:
    """A second later each time it is asked."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@dataclass(frozen=True, slots=True)
class World:
    folder: Path
    elsewhere: Path | None = None  # another world's home, looked after from here

    @property
    def home(self) -> Path:
        return self.elsewhere or self.folder / "home"

    @property
    def lane_home(self) -> Path:
        return self.folder / "lane"

    @property
    def index(self) -> Path:
        return self.lane_home / "index"

    @property
    def layout(self) -> archive.Layout:
        return archive.Layout(self.lane_home / "archive", USER, self.lane_home / "register.json")

    def prepare(self) -> World:
        for place in PLACES:
            (self.home / place).mkdir(parents=True, exist_ok=True)
        return self

    def lane(self, disk: Disk | None = None, **settings: str) -> Lane:
        config = load(
            {
                "HOME": str(self.home),
                "LANE_HOME": str(self.lane_home),
                "LANE_USER": USER,
                "LANE_MACHINE": MACHINE,
                **settings,
            }
        )
        lane = Lane(config, SteppingClock(), disk or Disk())
        lane.home.sources = {"plain": Plain()}  # nothing of the agents on this computer
        lane.home.gate = gate()
        return lane

    def path(self, name: str, place: str = PLACES[0]) -> Path:
        return self.home / place / f"{name}{ENDING}"

    def grow(self, name: str, data: bytes, place: str = PLACES[0]) -> None:
        with self.path(name, place).open("ab") as file:
            file.write(data)

    def side_path(self, name: str, file: str, place: str = PLACES[0]) -> Path:
        folder = self.home / place / f"{name}{BESIDE}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / file

    def run(self, name: str) -> str:
        return run_id(Machine(USER, MACHINE), "plain", name)

    def run_folder(self, name: str) -> Path:
        found = self.layout.find(self.run(name))
        assert found is not None, f"{name} is not in the archive"
        return found

    def archived(self, name: str) -> list[bytes]:
        """Its generations, checked, oldest first."""
        folder = self.layout.find(self.run(name))
        metadata = archive.load(Disk(), folder) if folder else None
        if folder is None or metadata is None:
            return []
        return [b"".join(archive.pieces(Disk(), folder, metadata, g)) for g in metadata.generations]

    def side_files(self, name: str) -> dict[str, bytes]:
        folder = self.layout.find(self.run(name))
        metadata = archive.load(Disk(), folder) if folder else None
        if folder is None or metadata is None:
            return {}
        return {f.name: (folder / "files" / f.name).read_bytes()[: f.size] for f in metadata.files}

    def journaled(self) -> list[str]:
        """The ids of all good lines, in order."""
        lines = journal.read(Disk(), self.layout, {})
        return [line.entry.id for line in lines if isinstance(line, journal.PlacedEntry)]

    def complaints(self) -> Sequence[str]:
        """What `archive verify` finds that is not as it should be."""
        return [f"{f.kind}: {f.what}" for f in archive.verify(Disk(), self.layout) if f.level is Level.FAIL]

    def lose_index(self) -> None:
        shutil.rmtree(self.index, ignore_errors=True)

    def copy_to(self, folder: Path) -> World:
        shutil.copytree(self.folder, folder)
        return World(folder)


def sweep_of(lane: Lane) -> capture.Sweep:
    """The parts of a sweep, for those who take them one by one."""
    lane.home.begin()
    places, machine = lane.capture.places(), lane.home.machine
    return capture.Sweep(places, machine, (), lambda _peek: NO_PROJECT, lambda _run, _peek: "")


FOUND = 100_000  # more Chunks than a home of this campaign has
WORDS = ("hello", "line", "second", "more", "secret", "a b c")


def everything(lane: Lane) -> dict[str, object]:
    """All that storage answers with: two indexes that agree on it are the same."""
    storage, reader = lane.home.storage(), lane.home.reader
    lane.vectors.follow()
    lane.entities.name_runs()
    runs = storage.runs.listed(RunFilter(), reader)
    return {
        "runs": runs,
        "chunks": sorted(_chunks(lane), key=lambda c: (c.run, c.turn, c.step, c.part)),
        "count": storage.chunks.count(reader),
        "terms": storage.chunks.statistics(WORDS, reader),
        "children": [storage.runs.children(run.id, reader) for run in runs],
        "memories": storage.memories.listed(list(State), reader),
        "recalls": storage.recalls.newest(1000, reader),
        "bars": storage.bars.barred(reader),
        "found": [lane.search.find(words, RunFilter(), 10) for words in WORDS],
    }


def _chunks(lane: Lane) -> Iterator[Chunk]:
    """By every word the archive has, so that none is missed that could be found."""
    layout, disk = lane.home.layout, Disk()
    words = {"text"}
    for folder in layout.run_folders():
        metadata = archive.load(disk, folder)
        for generation in metadata.generations if metadata else ():
            raw = b"".join(archive.pieces(disk, folder, metadata, generation))
            words.update(terms(raw.decode("utf-8", "replace")))
    listed = sorted(words)
    seen = dict[tuple[str, int, int, int], Chunk]()
    for start in range(0, len(listed), 60):
        some = listed[start : start + 60]
        for found in lane.home.storage().chunks.matching(some, RunFilter(), lane.home.reader, FOUND):
            seen[found.chunk.run, found.chunk.turn, found.chunk.step, found.chunk.part] = found.chunk
    yield from seen.values()
