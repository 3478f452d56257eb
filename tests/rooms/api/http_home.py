"""A home behind HTTP, in this process: raw bytes in, raw bytes out, so that nothing tidies a request up on the way."""

from __future__ import annotations

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memlane.app import Lane
from memlane.surfaces.api import HttpAddress, HttpListener
from memlane.surfaces.api.rules import BrowserSign, issued
from memlane.surfaces.daemon.http import table
from memlane.surfaces.web import in_html
from tests.flow.homes import a_lane

TOKEN = "7" * 64
HOST = HttpAddress(0, TOKEN).host
A_RUN = "r_abcdefgh23456"
A_MEMORY = "m_abcdefgh23456"
PARTS = {"run": A_RUN, "memory": A_MEMORY, "recall": "l_abcdefgh23456", "act": "a_abcdefgh23456", "sha": "0a1b2c3d"}
PARTS |= {
    "file": "app.js",
    "type": "person",
    "slug": "adam",
    "dream": "d_abcdefgh23456",
    "agent": "pi",
    "event": "Stop",
}


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
    """Whoever asks: with the right Host, token and pass, unless a test says otherwise."""

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
        known = {"Host": f"{HOST}:{self.port}", "Authorization": f"Bearer {TOKEN}"}
        known |= {"Cookie": f"lane={issued(TOKEN, BrowserSign(HOST))}"}
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

    routes = table(TOKEN, lambda: a_lane(folder))
    serving = HttpListener(
        HttpAddress(0, TOKEN), routes, lane, lambda level, text: log.append(f"{level} {text}"), in_html
    )
    try:
        yield Http(serving.place.port, None, log)
    finally:
        serving.close()
