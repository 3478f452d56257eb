"""The Health page says green only for what works, and each fix is a button that does what its command does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.site import Site, barriers, demo_home, let_in, served, until, watched


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Site]:
    """A home of its own: Claude Code is here and calls nothing of ours."""
    with served(demo_home(tmp_path)) as site:
        yield site


def test_an_agent_without_hooks_is_no_green_and_a_button_puts_them_in(browser: Browser, broken: Site) -> None:
    with let_in(browser, broken) as context:
        seen = watched(context, broken)
        page = seen.page
        seen.go("/health")
        page.locator(".verdict").wait_for()
        assert "Everything works" not in page.locator(".verdict").inner_text()
        assert "recall reaches no agent" in page.locator("#status").inner_text()
        assert barriers(page) == []
        page.get_by_role("button", name="Install the hooks").first.click()
        assert "settings.json" in page.locator("#asked").inner_text(), "the change is shown first"
        page.get_by_role("button", name="Yes").click()
        settings = broken.home / ".claude" / "settings.json"
        assert until(page, lambda: settings.exists() and "client.py" in settings.read_text())
        page.wait_for_url("**/health?fixed=hooks")
        page.locator(".verdict").wait_for()
        assert "recall on in Claude Code" in page.locator("#status").inner_text()
        assert page.get_by_role("button", name="Install the hooks").count() == 0
        assert seen.wrong == []


def test_damaged_vectors_are_a_problem_and_a_button_makes_them_again(browser: Browser, broken: Site) -> None:
    vectors = broken.home / ".memlane" / "vectors"
    shutil.rmtree(vectors)
    with let_in(browser, broken) as context:
        seen = watched(context, broken)
        page = seen.page
        seen.go("/health")
        page.locator(".verdict.wrong").wait_for()
        page.get_by_role("button", name="Catch up now").first.click()
        page.get_by_role("button", name="Yes").click()
        page.wait_for_url("**/health?fixed=tick")
        page.locator(".verdict").wait_for()
        assert list(vectors.rglob("rows"))
        assert page.locator(".verdict.wrong").count() == 0
        assert seen.wrong == []


def test_an_index_no_page_can_read_has_its_button_on_the_error_page(browser: Browser, broken: Site) -> None:
    (index,) = broken.home.glob(".memlane/index/*.db")
    index.write_bytes(b"no database at all" * 1000)
    broken.stop()
    broken.start()  # nobody has it open
    with let_in(browser, broken) as context:
        page = context.new_page()
        page.goto(broken.base + "/health")
        page.get_by_role("button", name="Rebuild the index").click()
        page.get_by_role("button", name="Yes").click()
        page.wait_for_url("**/health?fixed=rebuild")
        page.locator(".verdict").wait_for()
        assert page.locator(".verdict.wrong").count() == 0
