"""A real Chromium, once for all tests here, and the two homes every page is looked at in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.site import Site, demo_home, empty_home, served
from tests.chromium import chromium_running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium_running() as running:
        yield running


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("d"))) as site:
        yield site


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(empty_home(tmp_path_factory.mktemp("e"))) as site:
        yield site
