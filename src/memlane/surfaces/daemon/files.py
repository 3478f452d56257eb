"""The daemon's own files in a home: the lock that lets it answer, its socket and token, its log."""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import socket
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

NAME = "daemon.lock"
PATIENCE = 3.0  # seconds: a daemon that is leaving has 2 to finish
_PAUSE = 0.02
_LENGTH = 160  # written over in place, so that it fits on a full disk


class DaemonClaim:
    """Held until `release` or the end of the process. An old pid in the file never matters: the kernel has the lock."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self.epoch = max(_epoch(descriptor) + 1, int(time.time()))  # grows even if the folder was emptied
        line = json.dumps({"epoch": self.epoch, "pid": os.getpid(), "since": int(time.time())})
        self._line = line.ljust(_LENGTH).encode()
        os.pwrite(descriptor, self._line, 0)

    def ours(self) -> bool:
        """Asked before every write: a process that was frozen for a day may not be the daemon any more."""
        try:
            now, mine = self._path.stat(), os.fstat(self._descriptor)
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino) and self._reads() == self._line

    def _reads(self) -> bytes:
        return os.pread(self._descriptor, _LENGTH, 0)

    def release(self) -> None:
        os.close(self._descriptor)


def claim(folder: Path, answered: Callable[[], bool], patience: float = PATIENCE) -> DaemonClaim | None:
    """None when another daemon answers for this home. One that is on its way out is waited for."""
    path, until = folder / NAME, time.monotonic() + patience
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if _lock(descriptor) and _same(path, descriptor):
            return DaemonClaim(path, descriptor)
        os.close(descriptor)
        if answered() or time.monotonic() >= until:
            return None
        time.sleep(_PAUSE)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Whether the file we locked is still the one of that name."""
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _epoch(descriptor: int) -> int:
    try:
        return int(json.loads(os.pread(descriptor, _LENGTH, 0))["epoch"])
    except (KeyError, TypeError, ValueError):
        return 0


SOCKET = "daemon.sock"
TOKEN = "token"
BACKLOG = 128
STARTING = "starting"  # made by the hook that starts us, so that a hundred hooks start one daemon
_A_TOKEN = re.compile(r"[0-9a-f]{64}")


def enter(folder: Path) -> None:
    """Into the run folder for good: a socket's path may be 107 bytes, and no project's folder is kept busy."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
    os.chdir(folder)


def token() -> str:
    """The one that is there, else a new one: a restart on a full disk needs no room."""
    path = Path(TOKEN)
    try:
        found = path.read_text(errors="replace")
    except FileNotFoundError:
        found = ""
    if _A_TOKEN.fullmatch(found):
        return found
    fresh = secrets.token_hex(32)
    descriptor = os.open(f"{TOKEN}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(fresh)
    Path(f"{TOKEN}.new").replace(TOKEN)
    return fresh


def listen() -> socket.socket:
    """Under its name only once it listens: nobody finds a socket that refuses."""
    fresh = Path(f"{SOCKET}.new")
    fresh.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(fresh))
    fresh.chmod(0o600)
    listener.listen(BACKLOG)
    listener.settimeout(0)
    fresh.replace(SOCKET)
    return listener


def answered() -> bool:
    """Whether somebody listens here already."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(SOCKET)
        except OSError:
            return False
    return True


LARGEST = 1_000_000  # bytes; then it is put aside
KEPT = 2
LONGEST_LINE = 500


class LogFile:
    def __init__(self, home: Path) -> None:
        self._path = home / "log" / "daemon.log"

    def write(self, level: str, text: str) -> None:
        """A disk that takes no line must not stop the work the line is about."""
        from memlane.domain.door import one_line  # noqa: PLC0415 - a thin machine's daemon starts without it

        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = f"{at} {level} {one_line(text)[:LONGEST_LINE]}\n"
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, line.encode("utf-8", "replace"))
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
            if size > LARGEST:
                self._put_aside()

    def _put_aside(self) -> None:
        for number in range(KEPT, 1, -1):
            with suppress(FileNotFoundError):
                self._path.with_suffix(f".{number - 1}.log").replace(self._path.with_suffix(f".{number}.log"))
        self._path.replace(self._path.with_suffix(".1.log"))
