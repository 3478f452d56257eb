"""What lets a daemon answer for a home: its lock, its socket and its token.

A hook waits until all three are there, so nothing is loaded for them but what every Python has loaded or is made of.
"""

from __future__ import annotations

import _socket
import fcntl
import os
import stat
import time

NAME = "daemon.lock"
PATIENCE = 3.0  # seconds: a daemon that is leaving has 2 to finish
_PAUSE = 0.02
_LENGTH = 160  # written over in place, so that it fits on a full disk


class DaemonClaim:
    """Held until `release` or the end of the process. An old pid in the file never matters: the kernel has the lock."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self.epoch = max(_epoch(descriptor) + 1, int(time.time()))  # grows even if the folder was emptied
        line = f'{{"epoch": {self.epoch}, "pid": {os.getpid()}, "since": {int(time.time())}}}'
        self._line = line.ljust(_LENGTH).encode()
        os.pwrite(descriptor, self._line, 0)

    def ours(self) -> bool:
        """Asked before every write: a process that was frozen for a day may not be the daemon any more."""
        try:
            now, mine = os.stat(self._path), os.fstat(self._descriptor)
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino) and self._reads() == self._line

    def _reads(self) -> bytes:
        return os.pread(self._descriptor, _LENGTH, 0)

    def release(self) -> None:
        os.close(self._descriptor)


def claim(folder: str, patience: float = PATIENCE) -> DaemonClaim | None:
    """None when another daemon answers for this home. One that is on its way out is waited for."""
    path, until = f"{folder}/{NAME}", time.monotonic() + patience
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


def _same(path: str, descriptor: int) -> bool:
    """Whether the file we locked is still the one of that name."""
    try:
        return os.stat(path).st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _epoch(descriptor: int) -> int:
    """0: nobody has written one, or not to its end."""
    found = os.pread(descriptor, _LENGTH, 0).partition(b'"epoch":')[2].partition(b",")[0].strip()
    return int(found) if found.isdigit() else 0


SOCKET = "daemon.sock"
TOKEN = "token"
BACKLOG = 128
STARTING = "starting"  # made by the hook that starts us, so that a hundred hooks start one daemon
_DIGITS = frozenset(b"0123456789abcdef")
_TOKEN_LENGTH = 64


def enter(folder: str) -> None:
    """Into the run folder for good: a socket's path may be 107 bytes, and no project's folder is kept busy."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        found = os.stat(folder)
        if found.st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to another user") from None
        if stat.S_IMODE(found.st_mode) & 0o077:
            os.chmod(folder, 0o700)
    os.chdir(folder)


def token() -> str:
    """The one that is there, else a new one: a restart on a full disk needs no room."""
    try:
        with open(TOKEN, "rb") as file:
            found = file.read(_TOKEN_LENGTH + 1)
    except FileNotFoundError:
        found = b""
    if len(found) == _TOKEN_LENGTH and _DIGITS.issuperset(found):
        return found.decode()
    fresh = os.urandom(_TOKEN_LENGTH // 2).hex()
    descriptor = os.open(f"{TOKEN}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(fresh.encode())
    os.replace(f"{TOKEN}.new", TOKEN)
    return fresh


def listen() -> _socket.socket:
    """Under its name only once it listens: nobody finds a socket that refuses."""
    fresh = f"{SOCKET}.new"
    remove(fresh)
    listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    listener.bind(fresh)
    os.chmod(fresh, 0o600)
    listener.listen(BACKLOG)
    listener.settimeout(0)
    os.replace(fresh, SOCKET)
    return listener


def answered() -> bool:
    """Whether somebody listens here already."""
    probe = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        probe.connect(SOCKET)
    except OSError:
        return False
    finally:
        probe.close()
    return True


def remove(name: str) -> None:
    try:
        os.unlink(name)
    except FileNotFoundError:
        return
