"""Somebody's `lane ui`, in a browser that they let in with its code."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.acceptance.command_line import Person
from tests.chromium import chromium_running


@dataclass(frozen=True, slots=True)
class OpenPages:
    """A tab of it."""

    page: Page
    base: str

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)


@contextmanager
def pages_of(person: Person) -> Generator[OpenPages]:
    """Their daemon answers until it is closed. A browser runs in this process: nothing is forked meanwhile."""
    person = replace(person, quick=False)
    assert person.lane("config", "set", "http.port", str(_free_port())).code == 0
    address = person.lane("ui", "--no-open", "--json").data["address"]
    base = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    try:
        with chromium_running() as browser:
            page = browser.new_page()
            page.goto(address)
            page.wait_for_url(f"{base}/")
            yield OpenPages(page, base)
    finally:
        person.lane("daemon", "stop")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]
