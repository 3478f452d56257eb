"""A real Chromium for tests, if this machine has one."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

from tools.browser import axe, chromium


@contextmanager
def chromium_running() -> Generator[Browser]:
    found = chromium()
    if found is None or axe() is None:
        pytest.skip("no Chromium or no axe-core: python -m tools.browser")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(found), args=["--no-sandbox"] if _is_root() else [])
        yield running
        running.close()


def _is_root() -> bool:
    return os.geteuid() == 0
