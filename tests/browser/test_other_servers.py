"""Another server on this computer, in the same browser: what it gets to see, and what it can do with all of it."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.site import HOST, Site, demo_home, served

pytestmark = pytest.mark.fault("J10")
PLAIN = ("127.0.0.1", "localhost")


@dataclass(slots=True)
class OtherServer:
    """It writes down every header of every request and asks for more: a page, a picture, a request by a script."""

    port: int = 0
    seen: list[Mapping[str, str]] = field(default_factory=list[Mapping[str, str]])


@contextmanager
def another() -> Generator[OtherServer]:
    found = OtherServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.seen.append(dict(self.headers.items()))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>other</title><img src=/picture><script>fetch('/more')</script>")

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("h"))) as running:
        yield running


def entered(browser: Browser, site: Site) -> BrowserContext:
    """As a person comes in, with a code."""
    with site.lane() as lane:
        code = lane.access.code()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site.base}/enter#{code}")
    page.wait_for_url(f"{site.base}/")
    assert page.locator("#menu").is_visible()
    return context


def replayed(site: Site, headers: Mapping[str, str], host: str, path: str = "/memories") -> int:
    """With every header it saw, and the Host it would like to be."""
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
    line.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
    for name, value in {**headers, "Host": f"{host}:{site.port}", "Sec-Fetch-Site": "none"}.items():
        line.putheader(name, value)
    line.endheaders()
    try:
        return line.getresponse().status
    finally:
        line.close()


def test_no_other_server_is_sent_the_cookie_and_nothing_it_saw_opens_a_page(browser: Browser, site: Site) -> None:
    context = entered(browser, site)
    with another() as other:
        page = context.new_page()
        for host in PLAIN:
            page.goto(f"http://{host}:{other.port}/memories")
            page.wait_for_load_state("networkidle")
        assert len(other.seen) >= 2 * len(PLAIN)
        assert not any("lane=" in headers.get("Cookie", "") for headers in other.seen)
        answers = {replayed(site, headers, host) for headers in other.seen for host in (HOST, *PLAIN)}
    assert answers == {401}


def test_under_a_name_that_others_have_too_nobody_signs_in(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        code = lane.access.code()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{site.port}/enter#{code}")
    page.get_by_text("this address is shared with other servers").wait_for()
    assert context.cookies() == []


def test_pages_lead_nowhere_that_would_tell_the_name(browser: Browser, site: Site) -> None:
    """A link out of a page says neither where it came from nor who opened it."""
    context = entered(browser, site)
    with another() as other:
        page = context.new_page()
        answer = page.goto(f"{site.base}/memories")
        assert answer is not None
        assert answer.headers["referrer-policy"] == "no-referrer"
        page.evaluate("(to) => { location.href = to }", f"http://127.0.0.1:{other.port}/")
        page.wait_for_url(f"http://127.0.0.1:{other.port}/")
    assert not any(HOST in value for headers in other.seen for value in headers.values())
