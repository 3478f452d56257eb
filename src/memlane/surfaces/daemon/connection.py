"""One hook on the line: its bytes as they come, until they are a whole request. Never waits for anybody."""

from __future__ import annotations

import os
import socket
import struct
import time
from dataclasses import replace

from memlane.surfaces.daemon.protocol import LARGEST_HEADER, Header, Refused, Request, read_header, reply

_AT_ONCE = 1 << 18
_NOTHING_YET = (BlockingIOError, InterruptedError)


class Connection:
    """Belongs to the loop that selects it."""

    def __init__(self, line: socket.socket, token: str) -> None:
        line.settimeout(0)
        self.line = line
        self.since = time.monotonic()
        self._token = token
        self._got = bytearray()
        self._header: Header | None = None

    def read(self) -> Request | Refused | None:
        """None: more has to come."""
        try:
            piece = self.line.recv(_AT_ONCE)
        except _NOTHING_YET:
            return None
        except OSError:
            piece = b""
        if not piece:
            return Refused("cut")
        self._got += piece
        if self._header is None:
            head, ended, rest = self._got.partition(b"\n")
            if not ended:
                return Refused("not understood") if len(self._got) > LARGEST_HEADER else None
            understood = read_header(bytes(head), self._token)
            if isinstance(understood, Refused):
                return understood
            self._header, self._got = understood, rest
        if len(self._got) < self._header.length:
            return None
        return replace(self._header.request, body=bytes(self._got[: self._header.length]))

    def answer(self, answer: bytes = b"") -> bool:
        """Whether it went out. A hook that has left, or does not read, is not waited for."""
        whole = reply(answer)
        try:
            return self.line.send(whole) == len(whole)
        except OSError:
            return False
        finally:
            self.close()

    def close(self) -> None:
        self.line.close()


def is_mine(line: socket.socket) -> bool:
    """Whether the other end runs as this user, where the system can tell; its folder and the token say so anyway."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _pid, user, _group = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return user == os.getuid()
