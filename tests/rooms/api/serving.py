"""A home behind HTTP, in this process: raw bytes in, raw bytes out, so that nothing tidies a request up on the way."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlane.lane import Lane
from memlane.surfaces.api import Place, Serving, table
from memlane.surfaces.daemon.http import by_mcp
from tests.flow.homes import a_lane

TOKEN = "7" * 64
A_RUN = "r_abcdefgh23456"
A_MEMORY = "m_abcdefgh23456"


@dataclass(frozen=True, slots=True)
class Told:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Http:
    """Whoever asks: with the right Host and token, unless a test says otherwise."""

    port: int
    lane: Lane | None = None
    log: list[str] = field(default_factory=list[str])

    def send(self, raw: bytes) -> Told:
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.settimeout(20)
            line.sendall(raw)
            got = b""
            while piece := line.recv(1 << 16):
                got += piece
        head, _, body = got.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (one.split(": ", 1) for one in lines)}
        return Told(int(first.split()[1]), headers, body)

    def usual(self, body: bytes = b"") -> dict[str, str]:
        known = {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {TOKEN}"}
        if body:
            known |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        return known

    def ask(self, method: str, path: str, body: object = None, **headers: str | None) -> Told:
        """A header that is None is left out."""
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-").title(): value for name, value in headers.items()}
        whole = {**self.usual(sent), **named}
        lines = [f"{name}: {value}" for name, value in whole.items() if value is not None]
        return self.send("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + sent)


@contextmanager
def served(folder: Path) -> Generator[Http, None, None]:
    """By a Lane that the answering thread alone opens."""
    log: list[str] = []
    opened: list[Lane] = []

    def lane() -> Lane:
        if not opened:
            opened.append(a_lane(folder))
        return opened[0]

    serving = Serving(Place(0, TOKEN), table(by_mcp), lane, lambda level, text: log.append(f"{level} {text}"))
    try:
        yield Http(serving.place.port, None, log)
    finally:
        serving.close()
