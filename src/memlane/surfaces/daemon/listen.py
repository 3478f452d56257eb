"""The socket, and the token every request must carry: files in the home's run folder, for its owner alone."""

from __future__ import annotations

import os
import re
import secrets
import socket
import stat
from pathlib import Path

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
        raise PermissionError(f"{folder} belongs to somebody else")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
    os.chdir(folder)


def token() -> str:
    """The one that is there, else a new one: a restart on a full disk needs no room."""
    path = Path(TOKEN)
    try:
        found = path.read_text()
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
