"""One writer at a time: the lock's part of row A22 of the failure model."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from memlane.errors import BusyError
from memlane.work import WriteLock, take

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


def test_a22_a_name_left_in_the_file_by_a_dead_process_means_nothing(tmp_path: Path) -> None:
    path = tmp_path / "write.lock"
    path.write_text(f"pid {os.getpid()}")
    os.close(take(path, patience=0))


def test_who_holds_it_may_take_it_again_and_gives_it_back_once(tmp_path: Path) -> None:
    lock, other = WriteLock(tmp_path / "lock"), WriteLock(tmp_path / "lock")
    with lock.held():
        with lock.held():
            pass
        with pytest.raises(BusyError), other.held(patience=0):
            pass
    with other.held(patience=0):
        pass


def test_it_is_given_back_when_the_work_fails(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path / "lock")
    with pytest.raises(ZeroDivisionError), lock.held():
        _ = 1 / 0
    with WriteLock(tmp_path / "lock").held(patience=0):
        pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP])
def test_on_a_mount_without_locks_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(_descriptor: int, _how: int) -> None:
        raise OSError(number, "no locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with WriteLock(tmp_path / "lock").held(patience=0):
        pass


def test_any_other_failure_to_lock_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(_descriptor: int, _how: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OSError, match="broken"):
        take(tmp_path / "lock", patience=0)


def test_a_full_disk_neither_stops_nor_keeps_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pwrite(_descriptor: int, _data: bytes, _offset: int) -> int:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "pwrite", pwrite)
    for _ in range(2):
        with WriteLock(tmp_path / "lock").held(patience=0):
            pass
