"""A scripted, streaming model API on loopback, for real clients in tests: `with fake_model() as model:`.

By hand: `python -m tests.clients.fake_model --port 8099 [--log FILE]`. It answers in whatever API it is asked in
(the script is in the prompt, see script.py), records every request, and refuses, by name, whatever lies outside.
"""

from __future__ import annotations

import argparse
import gzip
import json
import signal
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

from tests.clients.dialects import ANTHROPIC, CHAT, GEMINI, RESPONSES, Body, Dialect, Reply
from tests.clients.script import marks, next_reply

MODELS = ("fake-model", "claude-sonnet-4-5", "gpt-5")
BYTES_PER_TOKEN = 4  # near enough for a client that only wants a number


@dataclass(frozen=True)
class Request:
    """One request as it came. `text` is all of it, for asking whether something reached the model."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes = b""

    @cached_property
    def text(self) -> str:
        return self.raw.decode("utf-8", "replace")

    @cached_property
    def body(self) -> Body:
        decoded: object = json.loads(self.raw or b"{}")
        return cast(Body, decoded) if isinstance(decoded, dict) else {}

    @property
    def is_turn(self) -> bool:
        """A turn of an agent, with its tools in hand: not a title, a count or a list of models."""
        return dialect_of(self.path) is not None and bool(self.body.get("tools"))

    def holds(self, words: str) -> bool:
        """Whether these words are in it, as they are or as JSON writes them."""
        return words in self.text or json.dumps(words)[1:-1] in self.text

    @property
    def marks(self) -> Sequence[str]:
        return marks(self.text)


@dataclass(frozen=True, slots=True)
class Failure:
    """What a model that will not answer says instead, in whatever API it is asked."""

    status: int
    body: Mapping[str, object]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass
class FakeModel:
    """The running fake. `requests` is every request in order; `refused` is what a client tried to reach outside.

    While `failure` is set, every question gets it for an answer; until `released` is set, none gets any.
    """

    url: str = ""
    failure: Failure | None = None
    released: threading.Event = field(default_factory=_set)
    requests: list[Request] = field(default_factory=list[Request])
    refused: list[str] = field(default_factory=list[str])
    log: Path | None = None

    @property
    def turns(self) -> Sequence[Request]:
        return [request for request in self.requests if request.is_turn]

    @property
    def questions(self) -> Sequence[Request]:
        """What it was asked in any API, with tools or without."""
        return [request for request in self.requests if dialect_of(request.path) is not None]

    def saw(self, words: str) -> bool:
        """Whether these words were in any request so far."""
        return any(request.holds(words) for request in self.requests)

    def record(self, request: Request) -> None:
        self.requests.append(request)
        if self.log:
            line = {"method": request.method, "path": request.path, "body": request.body}
            with self.log.open("a") as stream:
                stream.write(json.dumps(line) + "\n")


def dialect_of(path: str) -> Dialect | None:
    """Which API a path belongs to."""
    path = path.partition("?")[0]
    if path.endswith((":streamGenerateContent", ":generateContent")):
        return GEMINI
    endings = {"/messages": ANTHROPIC, "/responses": RESPONSES, "/chat/completions": CHAT}
    return next((dialect for ending, dialect in endings.items() if path.endswith(ending)), None)


def tokens(request: Request) -> int:
    return max(1, len(request.raw) // BYTES_PER_TOKEN)


def plain_answer(request: Request) -> Mapping[str, object]:
    """To everything that is not a turn: a count, the list of models, or an empty object."""
    path = request.path.partition("?")[0]
    if path.endswith("/count_tokens"):
        return {"input_tokens": tokens(request)}
    if path.endswith(":countTokens"):
        return {"totalTokens": tokens(request)}
    if path.endswith("/models"):
        return {"object": "list", "data": [{"id": name, "object": "model", "type": "model"} for name in MODELS]}
    return {}


class _Server(ThreadingHTTPServer):
    def __init__(self, port: int, model: FakeModel) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def model(self) -> FakeModel:
        return cast(_Server, self.server).model  # the only server that makes these

    def log_message(self, format: str, *args: object) -> None:
        """Silent: what was asked is in `requests`."""

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:  # a client that is killed, or has what it wanted, hangs up
            self.close_connection = True

    def do_CONNECT(self) -> None:
        self._refuse()

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        if not self.path.startswith("/"):  # an absolute address: we are being used as a proxy
            return self._refuse()
        request = Request(self.command, self.path, dict(self.headers), self._read())
        self.model.record(request)
        dialect = dialect_of(self.path)
        if dialect is None or self.command != "POST":
            return self._send_json(plain_answer(request))
        self.model.released.wait()
        if (failure := self.model.failure) is not None:
            return self._send_json(failure.body, failure.status, failure.headers)
        content = next_reply(dialect.read(request.body), request.text)
        reply = Reply(content, request.body, tokens(request))
        if request.body.get("stream") or ":stream" in self.path:
            return self._send_stream(dialect.stream(reply))
        return self._send_json(dialect.whole(reply))

    def _read(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            raw = b"".join(self._chunks())
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _refuse(self) -> None:
        self.model.refused.append(self.path)
        self.close_connection = True
        self.send_error(HTTPStatus.FORBIDDEN, "nothing but loopback")

    def _send_json(
        self, answer: Mapping[str, object], status: int = HTTPStatus.OK, headers: Mapping[str, str] | None = None
    ) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_stream(self, events: Iterator[str]) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in events:
            data = piece.encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")


@contextmanager
def fake_model(port: int = 0, log: Path | None = None) -> Generator[FakeModel]:
    """A model that lives as long as the block; port 0 means any free one."""
    model = FakeModel(log=log)
    with _Server(port, model) as server:
        model.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.clients.fake_model", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--log", type=Path, help="append every request to this file, one JSON line each")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with fake_model(options.port, options.log) as model, suppress(KeyboardInterrupt):
        print(model.url, flush=True)  # noqa: T201 - this is what its caller reads
        threading.Event().wait()


if __name__ == "__main__":
    main()
