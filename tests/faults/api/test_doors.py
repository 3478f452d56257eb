"""Who stands in the door: slow ones, crowds, those who ask for what no route is, and what even a refusal must say."""

from __future__ import annotations

import os
import resource
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from memlane.surfaces.api.listener import MOST_CONNECTIONS
from tests.rooms.api.http_home import TOKEN, Http

NO_ROUTES = (
    ("GET", "/nothing"),
    ("POST", "/nothing"),
    ("OPTIONS", "*"),
    ("OPTIONS", "/"),
    ("TRACE", "/"),
    ("HEAD", "/"),
)


@contextmanager
def crowd(http: Http, size: int, say: bytes) -> Generator[list[socket.socket], None, None]:
    lines = [socket.create_connection(("127.0.0.1", http.port)) for _ in range(size)]
    try:
        for line in lines:
            line.sendall(say)
        yield lines
    finally:
        for line in lines:
            line.close()


def open_still(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


# -- who takes their time ---------------------------------------------------------------------------------------------


def test_who_sends_byte_by_byte_holds_up_nobody(http: Http) -> None:
    with crowd(http, MOST_CONNECTIONS // 2, b"GET /api/runs HT") as slow:
        for piece in (b"T", b"P", b"/"):
            for line in slow:
                line.sendall(piece)
            assert http.ask("GET", "/api/openapi.json").status == 200
        assert all(open_still(line) for line in slow)  # they have their time, and nobody else's


def test_a_full_house_of_slow_ones_makes_room_for_who_says_what_they_want(http: Http) -> None:
    with crowd(http, 2 * MOST_CONNECTIONS, b"GET /api/runs HTTP/1.1\r\nHost: ") as slow:
        for _ in range(MOST_CONNECTIONS):
            assert http.ask("GET", "/api/openapi.json").status == 200
        assert sum(open_still(line) for line in slow) <= MOST_CONNECTIONS


def test_a_moment_without_room_for_one_more_file_passes(http: Http) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket() as first, socket.socket() as second:
        second.settimeout(20)
        os.close(lowest := os.dup(second.fileno()))
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
        try:
            for line in (first, second):  # a number is set aside for the first already
                line.connect(("127.0.0.1", http.port))
            time.sleep(0.1)  # until it was tried; what is asked below does not depend on it
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        second.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert second.recv(64).startswith(b"HTTP/1.1 421 ")
    assert http.ask("GET", "/api/openapi.json").status == 200


# -- who asks for what is no route ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "path"), NO_ROUTES)
def test_what_is_no_route_asks_for_the_same_of_everybody(http: Http, method: str, path: str) -> None:
    known = http.ask(method, path).status
    assert known in ((400,) if path == "*" else (404, 405))
    if path != "*":
        assert http.ask(method, path, host="evil.example").status == 421
        assert http.ask(method, path, origin="http://evil.example").status == 403
        assert http.ask(method, path, sec_fetch_site="cross-site").status == 403
        assert http.ask(method, path, authorization=None, cookie=None).status == 401


def test_head_is_answered_without_a_body(http: Http) -> None:
    for path in ("/runs", "/api/runs", "/static/0a1b2c3d/app.js", "/nothing"):
        told = http.ask("HEAD", path)
        assert (told.body, told.headers["content-length"]) == (b"", "0"), path


# -- what even a refusal says -----------------------------------------------------------------------------------------


def refusals(http: Http) -> dict[int, bytes]:
    door = f"Host: 127.0.0.1:{http.port}\r\n"
    known = f"{door}Authorization: Bearer {TOKEN}\r\n"
    post = f"POST /api/search HTTP/1.1\r\n{known}Content-Type: application/json\r\n"
    return {
        400: b"GET / HTTP/2.0\r\n\r\n",
        401: f"GET / HTTP/1.1\r\n{door}\r\n".encode(),
        403: f"GET / HTTP/1.1\r\n{known}Origin: null\r\n\r\n".encode(),
        404: f"GET /nothing HTTP/1.1\r\n{known}\r\n".encode(),
        405: f"DELETE /api/runs HTTP/1.1\r\n{known}\r\n".encode(),
        411: f"{post}\r\n".encode(),
        413: f"{post}Content-Length: 999999999\r\n\r\n".encode(),
        415: f"POST /api/search HTTP/1.1\r\n{known}Content-Length: 2\r\n\r\n{{}}".encode(),
        421: b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        431: b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
    }


def test_a_refusal_is_as_closed_as_an_answer(http: Http) -> None:
    for status, raw in refusals(http).items():
        for accept in (b"", b"Accept: text/html\r\n"):
            told = http.send(raw.replace(b"\r\n\r\n", b"\r\n" + accept + b"\r\n", 1))
            assert told.status == status
            assert "frame-ancestors 'none'" in told.headers["content-security-policy"]
            assert (told.headers["cache-control"], told.headers["connection"]) == ("no-store", "close")
            assert told.headers["x-content-type-options"] == "nosniff"
            assert told.headers["referrer-policy"] == "no-referrer"
            assert "set-cookie" not in told.headers
            assert not [name for name in told.headers if name.startswith("access-control")]


def test_a_refusal_repeats_nothing_that_was_asked(http: Http) -> None:
    for raw in (b"GET /<script>x</script> HTTP/1.1\r\nHost: <script>x\r\n\r\n", b"GET /?<script>=1 HTTP/1.1\r\n\r\n"):
        assert b"<script>" not in http.send(raw).body
    told = http.ask("GET", "/nothing/%3Cscript%3E?q=%3Cscript%3E", accept="text/html")
    assert (told.status, b"<script>" in told.body) == (404, False)
