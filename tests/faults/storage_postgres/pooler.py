"""PgBouncer where it is installed, and a small connection pooler of our own where it is not.

Clients are greeted by it and lent one of its sessions. It refuses startup parameters it does not know. In transaction
mode a session is lent until its transaction ends.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KNOWN = {"user", "database", "application_name", "client_encoding"}
NOBODY = struct.pack("!iii", 12, 4_000_000, 42)  # no process of the server has this number
GREETING = b"R" + struct.pack("!ii", 8, 0) + b"K" + NOBODY + b"Z" + struct.pack("!i", 5) + b"I"


class _Wire:
    """Messages of PostgreSQL's protocol on one socket."""

    def __init__(self, raw: socket.socket) -> None:
        self._raw = raw

    def exactly(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            piece = self._raw.recv(count - len(found))
            if not piece:
                raise ConnectionError("hung up")
            found += piece
        return found

    def some(self) -> bytes:
        return self._raw.recv(1 << 16)

    def message(self) -> tuple[bytes, bytes]:
        kind, length = self.exactly(1), self.exactly(4)
        body = self.exactly(struct.unpack("!i", length)[0] - 4)
        return kind, kind + length + body

    def startup(self) -> dict[str, str]:
        length, code = struct.unpack("!ii", self.exactly(8))
        body = self.exactly(length - 8)
        if code != 196608:  # SSL and the like: no
            self.send(b"N")
            return self.startup()
        parts = body.rstrip(b"\0").decode().split("\0")
        return dict(zip(parts[::2], parts[1::2], strict=True))

    def send(self, data: bytes) -> None:
        self._raw.sendall(data)

    def close(self) -> None:
        with suppress(OSError):
            self._raw.shutdown(socket.SHUT_RDWR)
        self._raw.close()


class Pooler:
    def __init__(self, folder: Path, server: Path, *, by_transaction: bool) -> None:
        self.folder = folder
        self._server = server / ".s.PGSQL.5432"
        self._by_transaction = by_transaction
        self._idle: list[_Wire] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"postgresql://lane@/postgres?host={self.folder}"

    def close(self) -> None:
        self._listener.close()
        for session in self._idle:
            session.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = _Wire(self._listener.accept()[0])
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: _Wire) -> None:
        held: _Wire | None = None
        with suppress(OSError):
            asked = client.startup()
            if unknown := set(asked) - KNOWN:
                said = f"unsupported startup parameter: {unknown.pop()}"
                fields = b"SFATAL\0C08P01\0M" + said.encode() + b"\0\0"
                client.send(b"E" + struct.pack("!i", len(fields) + 4) + fields)
                return
            client.send(GREETING)
            if not self._by_transaction:
                self._lend_for_good(client)
                return
            while True:
                kind, data = client.message()
                if kind == b"X":
                    break
                if held is None:
                    held = self._session()
                held.send(data)
                if kind in (b"Q", b"S", b"c", b"f") and self._answered(client, held) == b"I":
                    self._give_back(held)
                    held = None
        if held is not None:
            self._give_back(held)
        client.close()

    def _answered(self, client: _Wire, session: _Wire) -> bytes:
        while True:
            kind, data = session.message()
            client.send(data)
            if kind == b"Z":
                return data[-1:]
            if kind == b"G":  # it waits for what is copied in
                return b""

    def _lend_for_good(self, client: _Wire) -> None:
        session = self._session()
        threading.Thread(target=_carry, args=(session, client), daemon=True).start()
        _carry(client, session)
        session.close()

    def _session(self) -> _Wire:
        """The one given back last, as PgBouncer does, or a new one."""
        if self._idle:
            return self._idle.pop()
        raw = socket.socket(socket.AF_UNIX)
        raw.connect(str(self._server))
        session = _Wire(raw)
        body = struct.pack("!i", 196608) + b"user\0lane\0database\0postgres\0client_encoding\0UTF8\0\0"
        session.send(struct.pack("!i", len(body) + 4) + body)
        while session.message()[0] != b"Z":
            pass
        return session

    def _give_back(self, session: _Wire) -> None:
        self._idle.append(session)


def _carry(one: _Wire, other: _Wire) -> None:
    with suppress(OSError):
        while piece := one.some():
            other.send(piece)
    other.close()


@contextmanager
def pooler(folder: Path, server: Path, *, by_transaction: bool) -> Iterator[Pooler]:
    made = Pooler(folder, server, by_transaction=by_transaction)
    try:
        yield made
    finally:
        made.close()


SETTINGS = """
[databases]
postgres = host={server} dbname=postgres user=lane
[pgbouncer]
listen_addr =
unix_socket_dir = {folder}
auth_type = any
pool_mode = {mode}
default_pool_size = {sessions}
logfile = {folder}/log
server_login_retry = 1
"""


@contextmanager
def pgbouncer(folder: Path, server: Path, mode: str) -> Iterator[str]:
    """The real one, with few sessions; its address. It refuses to run as root."""
    user = pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None
    sessions = 2 if mode == "transaction" else 20
    (folder / "ini").write_text(SETTINGS.format(server=server, folder=folder, mode=mode, sessions=sessions))
    folder.chmod(0o755)
    if user:
        shutil.chown(folder, user)
    run = subprocess.Popen(["pgbouncer", folder / "ini"], user=user, stderr=subprocess.DEVNULL, cwd="/")
    try:
        while not (folder / ".s.PGSQL.6432").exists():
            assert run.poll() is None, (folder / "log").read_text()
            time.sleep(0.02)
        yield f"postgresql://lane@:6432/postgres?host={folder}"
    finally:
        run.terminate()
        run.wait()
