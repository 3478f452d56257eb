"""A model that answers over HTTP as Ollama does, one request at a time, each as slow as it is told: for benchmarks."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSION = 256


class Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Slow

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.one_at_a_time:
            time.sleep(self.server.seconds)
        row = [1.0 / (number + 1) for number in range(DIMENSION)]
        body = json.dumps({"embeddings": [row for _ in given["input"]]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


class Slow(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.seconds = seconds
        self.one_at_a_time = threading.Lock()

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, address


@contextmanager
def slow_endpoint(seconds: float) -> Iterator[str]:
    """Its address, in a process of its own that ends with the block."""
    command = [sys.executable, "-m", "benchmarks.slow_endpoint", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


def main() -> None:
    server = Slow(float(sys.argv[1]))
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
