"""What `metadata.json` says about a Run and its generations. It commits: bytes it does not count are not there yet."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from memlane.archive.layout import METADATA
from memlane.domain import NO_PROJECT, Project
from memlane.domain.delta import ANCHOR, Generation, anchor_of
from memlane.errors import DamagedError
from memlane.system.disk import Disk

VERSION = "memlane-archive/1"
MIB = 1 << 20
REPAIR = "lane archive repair"


class UnreadableMetadataError(DamagedError):
    """`metadata.json` is unreadable. It can be rebuilt from the raw bytes beside it."""

    kind = "metadata-unreadable"


@dataclass(frozen=True, slots=True)
class SideCopy:
    """A file beside the transcript, kept in `files/`."""

    name: str
    size: int
    sha256: str
    source_path: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """One Run, as the archive knows it."""

    run: str
    user: str
    machine: str
    agent: str
    native_id: str
    started: str
    cwd: str = ""
    project: Project = NO_PROJECT
    parent_native_id: str = ""
    relation: str = ""
    generations: tuple[Generation, ...] = ()
    files: tuple[SideCopy, ...] = ()
    format: str = ""  # the Source whose records the newest generation is made of; often the agent's own
    version: str = VERSION

    @property
    def newest(self) -> Generation:
        return self.generations[-1]

    @property
    def bytes(self) -> int:
        return sum(g.size for g in self.generations)

    def with_generation(self, generation: Generation) -> Metadata:
        others = tuple(g for g in self.generations if g.n != generation.n)
        return replace(self, generations=tuple(sorted((*others, generation), key=lambda g: g.n)))

    def with_file(self, copy: SideCopy) -> Metadata:
        others = tuple(f for f in self.files if f.name != copy.name)
        return replace(self, files=tuple(sorted((*others, copy), key=lambda f: f.name)))


def encode(metadata: Metadata) -> bytes:
    return msgspec.json.format(msgspec.json.encode(metadata), indent=1) + b"\n"


def decode(data: bytes, path: Path) -> Metadata:
    try:
        metadata = msgspec.json.decode(data, type=Metadata)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableMetadataError(f"{path} cannot be read: {error}", hint=REPAIR) from error
    if metadata.version != VERSION:
        raise DamagedError(f"{path} has version {metadata.version}", hint="upgrade memlane, then try again")
    if not metadata.generations:
        raise UnreadableMetadataError(f"{path} counts no bytes", hint=REPAIR)
    if metadata.format in ("", VERSION):  # as it was first written: agents told in their own records only
        return replace(metadata, format=metadata.agent)
    return metadata


def load(disk: Disk, folder: Path) -> Metadata | None:
    """None while nothing of this Run is committed."""
    path = folder / METADATA
    try:
        data = disk.read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedError(
            f"{path} cannot be read: {error.strerror}", hint="check its owner and permissions"
        ) from error
    return decode(data, path)


class Digest:
    """The digests of a generation as its bytes go by. Until it is a MiB long, they are one."""

    def __init__(self) -> None:
        self.size = 0
        self.mib: list[str] = []
        self._whole = hashlib.sha256()
        self._current = self._whole
        self._tail = b""

    def add(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-ANCHOR:] if len(data) < ANCHOR else data[-ANCHOR:]
        view = memoryview(data)
        while view:
            room = MIB - self.size % MIB
            piece, view = view[:room], view[room:]
            self._whole.update(piece)
            if self._current is not self._whole:
                self._current.update(piece)
            self.size += len(piece)
            if self.size % MIB == 0:
                self.mib.append(self._current.hexdigest())
                self._current = hashlib.sha256()

    @property
    def all_mib(self) -> tuple[str, ...]:
        partial = (self._current.hexdigest(),) if self.size % MIB else ()
        return (*self.mib, *partial)

    @property
    def sha256(self) -> str:
        return self._whole.hexdigest()

    @property
    def anchor(self) -> str:
        return anchor_of(self._tail)
