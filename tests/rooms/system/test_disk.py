"""The verbs all file work is made of."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from campaigns.disks import CountingDisk, FailingDisk
from memlane.system import disk as disk_module
from memlane.system.disk import Disk, advice_for, message_of


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    Disk().replace(path, b"old")
    n = 0
    while True:
        disk = FailingDisk(n, lambda: OSError(errno.ENOSPC, "full"))
        try:
            disk.replace(path, b"the new content")
        except OSError:
            assert path.read_bytes() in (b"old", b"the new content")
            n += 1
        else:
            break
    assert path.read_bytes() == b"the new content"
    assert n == 6, "open, truncate, write, sync, rename, sync of the folder"


def test_what_is_made_is_the_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        disk = Disk()
        disk.make_folders(tmp_path / "a" / "b")
        disk.replace(tmp_path / "a" / "b" / "file", b"x")
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a/b", tmp_path / "a/b/file")]
    assert modes == [0o700, 0o700, 0o600]


def test_folders_somebody_else_made_are_synced_once_before_anything_is_built_in_them(tmp_path: Path) -> None:
    (tmp_path / "base" / "user" / "run").mkdir(parents=True)
    disk = CountingDisk()
    disk.make_folders(tmp_path / "base" / "user" / "run", tmp_path / "base")
    assert sum(step.startswith("sync") for step in disk.steps) == 3
    disk.steps.clear()
    disk.make_folders(tmp_path / "base" / "user" / "run", tmp_path / "base")
    assert disk.steps == []


def test_a_folder_that_went_away_is_made_again(tmp_path: Path) -> None:
    disk = Disk()
    disk.make_folders(tmp_path / "base" / "run", tmp_path)
    (tmp_path / "base" / "run").rmdir()
    disk.make_folders(tmp_path / "base" / "run", tmp_path)
    assert (tmp_path / "base" / "run").is_dir()


def test_a_link_is_neither_read_nor_written_through(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for verb in (Disk().open_to_read, Disk().open_to_write):
        with pytest.raises(OSError, match="symbolic links"):
            verb(tmp_path / "link")


def test_a_pipe_does_not_make_us_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    disk = Disk()
    descriptor = disk.open_to_read(tmp_path / "pipe")
    assert not disk.stat(descriptor).regular
    disk.close(descriptor)


@pytest.mark.parametrize("ignored", [errno.EINVAL, errno.ENOTSUP])
def test_a_mount_that_cannot_sync_folders_is_lived_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ignored: int
) -> None:
    def fsync(_descriptor: int) -> None:
        raise OSError(ignored, "not here")

    monkeypatch.setattr(os, "fsync", fsync)
    Disk().sync_folder(tmp_path)


def test_any_other_failure_to_sync_a_folder_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(_descriptor: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="broken"):
        Disk().sync_folder(tmp_path)


def test_the_signature_changes_with_every_write_also_when_the_time_is_put_back(tmp_path: Path) -> None:
    path, disk = tmp_path / "file", Disk()
    path.write_bytes(b"one")
    before = path.stat()

    def signature() -> str:
        descriptor = disk.open_to_read(path)
        try:
            return disk.stat(descriptor).signature
        finally:
            disk.close(descriptor)

    first = signature()
    while signature() == first:  # until the clock of the file system has moved
        path.write_bytes(b"two")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.fault("A20")
@pytest.mark.parametrize("verb", ["fsync", "pwrite", "pread", "ftruncate"])
def test_an_error_names_its_file_also_where_the_kernel_knows_a_descriptor_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    def failing(*_given: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    disk, path = Disk(), tmp_path / "journal.jsonl"
    disk.replace(path, b"old")
    monkeypatch.setattr(disk_module.os, verb, failing)
    with pytest.raises(OSError, match="Input/output error") as raised:
        disk.read_whole(path) if verb == "pread" else disk.replace(path, b"new")
    monkeypatch.undo()
    named = path if verb == "pread" else tmp_path / "journal.jsonl.tmp"
    assert message_of(raised.value) == f"{named}: Input/output error"
    assert "lane archive verify" in advice_for(raised.value)
    assert path.read_bytes() == b"old"


def test_a_folder_that_cannot_be_synced_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(disk_module.os, "fsync", failing)
    with pytest.raises(OSError, match="Input/output error") as raised:
        Disk().sync_folder(tmp_path)
    assert message_of(raised.value) == f"{tmp_path}: Input/output error"
