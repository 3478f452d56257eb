"""A true model server on this computer: speaks as Anthropic's and OpenAI's do, and goes wrong on order."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Asked"], None]


class Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        self.raw = self.rfile.read(int(self.headers["Content-Length"]))
        self.body: dict[str, Any] = json.loads(self.raw)
        self.server.asked.append(self)
        behaviour = self.server.behaviours.pop(0) if self.server.behaviours else self.server.usual
        behaviour(self)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Length": str(len(body)), **named}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    @property
    def is_anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def question(self) -> str:
        return next(m["content"] for m in self.body["messages"] if m["role"] == "user")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


class Model(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.asked: list[Asked] = []
        self.behaviours: list[Behaviour] = []
        self.usual: Behaviour = says({"memories": []})
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is nothing to print."""

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


# -- what it may do ----------------------------------------------------------------------------------------------------


def says(answer: object, *, tokens: tuple[int, int] = (1000, 100), stop: str = "") -> Behaviour:
    """An answer of the right shape, as either of them gives it."""

    def behaviour(asked: Asked) -> None:
        asked.send(200, body_of(asked, answer, tokens, stop))

    return behaviour


def body_of(asked: Asked, answer: object, tokens: tuple[int, int] = (1000, 100), stop: str = "") -> bytes:
    if asked.is_anthropic:
        block = {"type": "tool_use", "id": "toolu_1", "name": "memories", "input": answer}
        return anthropic([block], tokens, stop or "tool_use")
    return openai(json.dumps(answer), tokens, stop or "stop")


def prose(text: str, *, tokens: tuple[int, int] = (1000, 100), stop: str = "") -> Behaviour:
    def behaviour(asked: Asked) -> None:
        if asked.is_anthropic:
            asked.send(200, anthropic([{"type": "text", "text": text}], tokens, stop or "end_turn"))
        else:
            asked.send(200, openai(text, tokens, stop or "stop"))

    return behaviour


def anthropic(content: Sequence[Mapping[str, object]], tokens: tuple[int, int], stop: str) -> bytes:
    usage = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return json.dumps({"model": "m", "content": content, "stop_reason": stop, "usage": usage}).encode()


def openai(text: str, tokens: tuple[int, int], stop: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": stop}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return json.dumps({"model": "m", "choices": [choice], "usage": usage}).encode()


def refuses(asked: Asked) -> None:
    prose("I cannot help with that.", stop="refusal" if asked.is_anthropic else "content_filter")(asked)


def runs_out(text: str) -> Behaviour:
    """Of tokens, in the middle of its answer."""
    return lambda asked: prose(text, stop="max_tokens" if asked.is_anthropic else "length")(asked)


def status(code: int, said: str = "no", **headers: str) -> Behaviour:
    return lambda asked: asked.send(code, json.dumps({"error": {"message": said}}).encode(), **headers)


def raw(body: bytes, code: int = 200) -> Behaviour:
    return lambda asked: asked.send(code, body)


def cut_json(asked: Asked) -> None:
    """What it said is whole; the JSON in it is not."""
    prose('{"memories": [{"type": "correction", "title": "Amy')(asked)


def cut_body(asked: Asked) -> None:
    body = body_of(asked, {"memories": []})
    asked.send(200, body[: len(body) // 2])


def cut_on_the_way(asked: Asked) -> None:
    asked.send(200, b'{"content": [', Content_Length="99999", Connection="close")
    asked.close_connection = True


def hangs_up(asked: Asked) -> None:
    asked.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    asked.close_connection = True
    asked.connection.close()


def sleeps(seconds: float) -> Behaviour:
    def behaviour(asked: Asked) -> None:
        time.sleep(seconds)
        hangs_up(asked)

    return behaviour


def drips(asked: Asked) -> None:
    """A byte now and then: no single wait is long, and it never ends."""
    asked.send_response(200)
    asked.send_header("Content-Length", "100000")
    asked.end_headers()
    for _ in range(2000):
        try:
            asked.wfile.write(b" ")
            asked.wfile.flush()
        except OSError:
            return
        time.sleep(0.02)


def ten_megabytes(asked: Asked) -> None:
    prose("x" * 10_000_000)(asked)
