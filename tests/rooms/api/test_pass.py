"""A browser's pass: bound to its home, to the name it was given under and to its browser; short, and renewed in use."""

from __future__ import annotations

import re
import socket
import time

import pytest

from memlane.surfaces.api import HttpListener
from memlane.surfaces.api.rules import HOLDS, IDLE, RENEWED, BrowserSign, HttpAddress, holds, issued
from tests.rooms.api.http_home import TOKEN, Http
from tests.rooms.api.test_rules import http as http

HOST = HttpAddress(0, TOKEN).host
NAMED, PLAIN = BrowserSign(HOST, "Firefox/1"), BrowserSign("127.0.0.1", "Firefox/1")
NOW = 1_800_000_000.0


def has_newer_address() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def test_it_holds_for_its_home_its_name_and_its_browser_alone() -> None:
    given = issued(TOKEN, NAMED, NOW)
    assert holds(given, TOKEN, NAMED, NOW + 1)
    assert not holds(given, "8" * 64, NAMED, NOW + 1)
    assert not holds(given, TOKEN, PLAIN, NOW + 1)
    assert not holds(given, TOKEN, BrowserSign("localhost", "Firefox/1"), NOW + 1)
    assert not holds(given, TOKEN, BrowserSign(HOST, "curl/8"), NOW + 1)


def test_it_ends_a_day_after_it_was_last_used() -> None:
    given = issued(TOKEN, NAMED, NOW)
    assert holds(given, TOKEN, NAMED, NOW + 86_399)
    assert not holds(given, TOKEN, NAMED, NOW + 86_400)
    assert not holds(given, TOKEN, NAMED, NOW - 120)


def test_it_ends_a_month_after_the_person_signed_in_however_often_it_is_renewed() -> None:
    renewed = issued(TOKEN, NAMED, NOW + HOLDS - 10, entered=NOW)
    assert holds(renewed, TOKEN, NAMED, NOW + HOLDS - 1)
    assert not holds(renewed, TOKEN, NAMED, NOW + HOLDS)
    forged = re.sub(r"^\d+", str(int(NOW + 5)), renewed)
    assert not holds(forged, TOKEN, NAMED, NOW + HOLDS - 1)


def test_every_home_has_a_name_of_its_own() -> None:
    assert HttpAddress(0, "8" * 64).host != HOST
    assert re.fullmatch(r"lane-[0-9a-f]{20}\.localhost", HOST)


def asked(http: Http, given: str, host: str = HOST, agent: str = "Firefox/1") -> dict[str, str]:
    told = http.ask(
        "GET", "/runs", cookie=f"lane={given}", host=f"{host}:{http.port}", user_agent=agent, authorization=None
    )
    return {"status": str(told.status), **told.headers}


def test_a_page_renews_it_once_it_is_not_fresh_and_keeps_when_the_person_signed_in(http: Http) -> None:
    now = time.time()
    assert "set-cookie" not in asked(http, issued(TOKEN, NAMED, now - RENEWED + 60))
    told = asked(http, issued(TOKEN, NAMED, now - RENEWED - 1, entered=now - 9000))
    fresh = told["set-cookie"].partition(";")[0].removeprefix("lane=")
    assert told["status"] == "409"
    assert int(fresh.split(".")[0]) == int(now - 9000)
    assert holds(fresh, TOKEN, NAMED)
    assert f"Max-Age={IDLE}; HttpOnly; SameSite=Strict" in told["set-cookie"]
    assert "Domain" not in told["set-cookie"]


def test_one_that_does_not_hold_is_neither_renewed_nor_let_in(http: Http) -> None:
    now = time.time()
    for given, agent in ((issued(TOKEN, NAMED, now - IDLE), "Firefox/1"), (issued(TOKEN, NAMED, now - 5000), "curl/8")):
        told = asked(http, given, agent=agent)
        assert (told["status"], "set-cookie" in told) == ("401", False)
    for host in ("127.0.0.1", "localhost"):
        assert asked(http, issued(TOKEN, NAMED), host=host)["status"] == "401"
        assert asked(http, issued(TOKEN, BrowserSign(host, "Firefox/1")), host=host)["status"] == "401"
    assert asked(http, issued(TOKEN, NAMED))["status"] == "409"  # let in, to a home that is not set up


@pytest.mark.skipif(not has_newer_address(), reason="this machine has no ::1")
def test_it_answers_at_both_addresses_of_this_computer(http: Http) -> None:
    """A browser tries ::1 first for a name: whoever else had our port there would be told the code and the cookie."""
    with socket.create_connection(("::1", http.port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 421"


@pytest.mark.skipif(not has_newer_address(), reason="this machine has no ::1")
def test_a_port_that_somebody_has_at_one_of_them_is_not_ours() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
        place = HttpAddress(other.getsockname()[1], TOKEN)
        with pytest.raises(OSError, match="in use"):
            HttpListener(place, [], lambda: pytest.fail("nothing is asked"), lambda _level, _text: None)
