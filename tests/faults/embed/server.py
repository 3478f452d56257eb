"""A true endpoint on this computer that answers as Ollama and OpenAI do, and goes wrong on order."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = Callable[["Asked", list[list[float]]], None]
DIMENSION = 8


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """Something of its own for every text, the same every time."""
    return [1.0 + (hash_of(text) >> (3 * number)) % 7 for number in range(dimension)]


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[-8:].rjust(8, b"."), "big")


class Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers.get("Authorization", "")))
        rows = [vector_of(text, self.server.dimension) for text in body["input"]]
        with self.server.one_at_a_time:
            time.sleep(self.server.seconds)
            fault = self.server.faults.pop(0) if self.server.faults else answer
            fault(self, rows)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


class Endpoint(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.asked: list[tuple[str, dict[str, Any], str]] = []
        self.faults: list[Fault] = []
        self.dimension = DIMENSION
        self.seconds = 0.0
        self.one_at_a_time = threading.Lock()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def texts(self) -> list[list[str]]:
        return [body["input"] for _, body, _ in self.asked]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is nothing to print."""


def body_of(asked: Asked, rows: list[Any]) -> bytes:
    if asked.path.endswith("/api/embed"):
        return json.dumps({"embeddings": rows}).encode()
    items = [{"index": number, "embedding": row} for number, row in enumerate(rows)]
    return json.dumps({"object": "list", "data": items[::-1]}).encode()


def answer(asked: Asked, rows: list[list[float]]) -> None:
    asked.send(200, body_of(asked, rows))


def status(code: int, said: str = "no", **headers: str) -> Fault:
    return lambda asked, _rows: asked.send(code, json.dumps({"error": said}).encode(), **headers)


def changed(change: Callable[[list[list[float]]], Any]) -> Fault:
    return lambda asked, rows: asked.send(200, body_of(asked, change(rows)))


def cut(asked: Asked, rows: list[list[float]]) -> None:
    body = body_of(asked, rows)
    asked.send(200, body[: len(body) // 2])


def cut_on_the_way(asked: Asked, rows: list[list[float]]) -> None:
    asked.send(200, body_of(asked, rows)[:20], Content_Length="9999", Connection="close")
    asked.close_connection = True


def hang_up(asked: Asked, rows: list[list[float]]) -> None:
    asked.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    asked.close_connection = True
    asked.connection.close()
