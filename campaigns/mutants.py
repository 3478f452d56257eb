"""Deliberately broken variants of the product. The campaigns must catch each of them, or they prove nothing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from campaigns.disks import kind_of
from campaigns.power import RecordingDisk
from memlane import archive
from memlane.archive import Register, journal
from memlane.archive.layout import METADATA, Layout, raw_name
from memlane.archive.metadata import Digest, Metadata, encode
from memlane.archive.presence import name_of
from memlane.archive.register_line import line_at
from memlane.domain import Entry, Machine
from memlane.domain.delta import Delta, Generation
from memlane.flow import capture
from memlane.flow.tools import Tools
from memlane.system.disk import Disk, stat_of

Breaking = Callable[[], AbstractContextManager[object]]


@contextmanager
def put_in_place_of(owner: object, name: str, broken: object) -> Generator[None, None, None]:
    whole = getattr(owner, name)
    setattr(owner, name, broken)
    try:
        yield
    finally:
        setattr(owner, name, whole)


# -- acknowledged before it is durable ---------------------------------------------------------------------------------


def acknowledge_before_fsync() -> AbstractContextManager[None]:
    return put_in_place_of(RecordingDisk, "sync", lambda _disk, _descriptor: None)


def no_folder_sync() -> AbstractContextManager[None]:
    return put_in_place_of(RecordingDisk, "sync_folder", lambda _disk, _path: None)


def register_unsynced() -> AbstractContextManager[None]:
    whole = RecordingDisk.sync

    def sync(disk: RecordingDisk, descriptor: int) -> None:
        if kind_of(disk.of(descriptor)) != "register":
            whole(disk, descriptor)

    return put_in_place_of(RecordingDisk, "sync", sync)


def acknowledge_unregistered() -> AbstractContextManager[None]:
    """It is there, and nothing says that it should be."""
    return put_in_place_of(Register, "add", lambda _register, *_lines: None)


# -- in the wrong order ------------------------------------------------------------------------------------------------


def checkpoint_on_read() -> AbstractContextManager[None]:
    """The file counts as looked at when its bytes are read, not when they are archived."""
    whole = capture.receive

    def receive(delta: Delta, tools: Tools) -> archive.AppendReceipt:
        signature = stat_of(Path(delta.source_path).stat()).signature
        tools.storage.checkpoints.save(delta.source_path, signature)
        return whole(delta, tools)

    return put_in_place_of(capture, "receive", receive)


def metadata_before_data() -> AbstractContextManager[None]:
    """Bytes are counted first and written afterwards."""

    def append(disk: Disk, layout: Layout, delta: Delta, now: datetime) -> archive.AppendReceipt:
        folder = layout.find(delta.run.id) or layout.run_folder(delta.started, delta.run.id)
        disk.make_folders(folder)
        run, before = delta.run, archive.load(disk, folder)
        known = before or Metadata(run.id, run.user, run.machine, run.agent, run.native_id, delta.started.isoformat())
        digest, raw = Digest(), folder / raw_name(delta.generation)
        old = raw.read_bytes() if raw.exists() else b""
        new = b"".join(delta.pieces)
        digest.add(old + new)
        at, path = now.isoformat(), delta.source_path
        grown = Generation(delta.generation, digest.size, digest.sha256, digest.all_mib, digest.anchor, path, at, at)
        metadata = known.with_generation(grown)
        disk.replace(folder / METADATA, encode(metadata))
        descriptor = disk.open_to_write(raw)
        disk.write(descriptor, new, len(old))
        disk.sync(descriptor)
        disk.close(descriptor)
        disk.sync_folder(folder)
        return archive.AppendReceipt(metadata, delta.generation, len(new))

    return put_in_place_of(archive, "append", append)


def register_before_the_line() -> AbstractContextManager[None]:
    """The register names a line of the journal that is not written yet."""
    whole = journal.write

    def write(disk: Disk, layout: Layout, machine: Machine, entries: Sequence[Entry], _behind: object = None) -> None:
        register, at = Register(disk, layout, machine.name), entries[0].at
        register.begin(at)
        name, lines = layout.journal_name(layout.journal_file(at, machine.name)), tuple(map(name_of, entries))
        register.add(line_at(at, journal=name, size=1 << 40, lines=lines))
        with put_in_place_of(Register, "add_lines", lambda *_given: None):
            whole(disk, layout, machine, entries)

    return put_in_place_of(journal, "write", write)


def delete_before_the_tombstone() -> AbstractContextManager[None]:
    """A run's bytes go before it is durable that they shall."""

    def begin(disk: Disk, layout: Layout, run: str, says: str = "") -> None:
        archive.forget_bytes(disk, layout, run)
        whole(disk, layout, run, says)

    whole = archive.begin_forgetting
    return put_in_place_of(archive, "begin_forgetting", begin)


def written_in_place() -> AbstractContextManager[None]:
    """No temporary file: the old content is gone before the new one is there."""

    def replace(disk: Disk, path: Path, data: bytes) -> None:
        descriptor = disk.open_to_write(path)
        disk.truncate(descriptor, 0)
        disk.write(descriptor, data, 0)
        disk.sync(descriptor)
        disk.close(descriptor)
        disk.sync_folder(path.parent)

    return put_in_place_of(Disk, "replace", replace)


@dataclass(frozen=True, slots=True)
class Mutant:
    """`caught_by`: kill or power."""

    breaking: Breaking
    caught_by: str

    @property
    def name(self) -> str:
        return getattr(self.breaking, "__name__", "")


MUTANTS = (
    Mutant(acknowledge_before_fsync, "power"),
    Mutant(no_folder_sync, "power"),
    Mutant(checkpoint_on_read, "kill"),
    Mutant(metadata_before_data, "kill"),
    Mutant(metadata_before_data, "power"),
    Mutant(delete_before_the_tombstone, "kill"),
    Mutant(written_in_place, "kill"),
    Mutant(register_before_the_line, "kill"),
    Mutant(acknowledge_unregistered, "kill"),
    Mutant(register_unsynced, "power"),
)
