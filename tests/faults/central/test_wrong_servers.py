"""Something else answers at Central's address: nothing counts as sent, and the token goes no further."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.acceptance.central import Central, archived, machine, serving
from tests.acceptance.command_line import Person

PAGE = b"<html><title>Welcome to the hotel</title></html>"


@dataclass
class Stranger:
    """Says the same to everybody, and remembers what it was told."""

    status: int
    body: bytes = PAGE
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    heard: list[str] = field(default_factory=list[str])
    url: str = ""


def quiet(*_said: object) -> None:
    """Nobody reads a log here."""


@contextmanager
def listening(stranger: Stranger) -> Generator[Stranger]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            stranger.heard.append(str(self.headers))
            self.send_response(stranger.status)
            for name, value in stranger.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(stranger.body)))
            self.end_headers()
            self.wfile.write(stranger.body)

        do_GET = do_POST = _answer  # noqa: N815 - as http.server calls them
        log_message = quiet

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stranger.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield stranger
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def central(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    with serving(tmp_path_factory.mktemp("central")) as one:
        yield one


@pytest.fixture
def laptop(central: Central, tmp_path: Path) -> Person:
    """It has joined, and has something to send."""
    name = tmp_path.name.replace("_", "-")[:40]
    person = machine(tmp_path / "home", name, "noor")
    assert person.lane("join", central.url, "--code", central.invite("noor")).code == 0
    person.claude_run(name, "what is sent must arrive")
    assert person.lane("capture").code == 0
    return person


def moved(person: Person, url: str) -> None:
    """The name leads to another server now."""
    path = person.lane_home / "central.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "url": url}))


def waits(person: Person) -> int:
    return person.lane("ship", "--json").document["meta"]["behind"]["runs"]


def check_nothing_is_sent_and_everything_later(person: Person, central: Central, url: str) -> str:
    moved(person, url)
    refused = person.lane("ship", "--now", "--json")
    assert refused.code in (1, 4, 5, 7), refused
    assert waits(person) == 1
    moved(person, central.url)
    assert len(person.lane("ship", "--now", "--json").data["runs"]) == 1
    assert archived(person, "noor").items() <= central.archive("noor").items()
    return refused.error["message"]


@pytest.mark.fault("B6", "B8")
@pytest.mark.parametrize(
    "stranger",
    [
        Stranger(404),
        Stranger(200),
        Stranger(200, b'{"data": {}}'),
        Stranger(200, b'{"data": [{"answer": "taken"}]}'),
        Stranger(511),
        Stranger(413, b'{"error": {"kind": "too-large", "message": "the request is too large"}}'),
        Stranger(429, b'{"error": {"kind": "busy", "message": "too many requests"}}', {"Retry-After": "1"}),
        Stranger(503, b'{"error": {"kind": "busy", "message": "starting"}}', {"Retry-After": "1"}),
    ],
    ids=["404", "a page", "another document", "an answer too few", "a portal", "413", "429", "503"],
)
def test_what_is_not_an_answer_of_central_acknowledges_nothing(
    stranger: Stranger, laptop: Person, central: Central
) -> None:
    with listening(stranger):
        check_nothing_is_sent_and_everything_later(laptop, central, stranger.url)
    assert stranger.heard


@pytest.mark.fault("B9")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_with_the_token(status: int, laptop: Person, central: Central) -> None:
    with listening(Stranger(200)) as other, listening(Stranger(status)) as stranger:
        stranger.headers = {"Location": f"{other.url}/api/ship"}
        check_nothing_is_sent_and_everything_later(laptop, central, stranger.url)
    assert other.heard == []


@pytest.mark.fault("B9")
def test_a_name_that_leads_nowhere_is_said(laptop: Person, central: Central) -> None:
    said = check_nothing_is_sent_and_everything_later(laptop, central, "http://central.invalid:8788")
    assert "does not answer" in said
