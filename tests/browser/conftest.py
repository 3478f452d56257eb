"""A real Chromium, once for all tests here, and the two homes every page is looked at in."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.site import Site, demo_home, empty_home, served
from tools.browser import axe, chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None or axe() is None:
        pytest.skip("no Chromium or no axe-core: python -m tools.browser")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(found), args=["--no-sandbox"] if _is_root() else [])
        yield running
        running.close()


def _is_root() -> bool:
    return os.geteuid() == 0


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("d"))) as site:
        yield site


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(empty_home(tmp_path_factory.mktemp("e"))) as site:
        yield site
