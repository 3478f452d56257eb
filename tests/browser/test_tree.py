"""The tree of runs: what came out of what is folded and opened by keys, and read where there is no script."""

from __future__ import annotations

from playwright.sync_api import Browser

from memlane.domain import RunFilter
from tests.browser.site import Site, let_in, watched


def family(site: Site) -> tuple[str, str]:
    """A run, and one that came out of it."""
    with site.lane() as lane:
        child = next(run for run in lane.runs.select(RunFilter(limit=100)) if run.parent)
        return child.parent, child.id


def test_a_thread_is_opened_folded_and_read_by_keys(browser: Browser, demo: Site) -> None:
    parent, child = family(demo)
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go(f"/tree?run={parent}")
        row, below = page.locator(f"#{parent}"), page.locator(f"#{child}")
        assert (row.get_attribute("aria-level"), below.get_attribute("aria-level")) == ("1", "2")
        page.keyboard.press("j")
        page.keyboard.press("ArrowLeft")
        assert (row.get_attribute("aria-expanded"), below.is_visible()) == ("false", False)
        page.keyboard.press("ArrowRight")
        assert (row.get_attribute("aria-expanded"), below.is_visible()) == ("true", True)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/runs/{child}")
        assert seen.wrong == []


def test_subagents_nobody_talked_to_are_folded_until_one_asks(browser: Browser, demo: Site) -> None:
    parent, child = family(demo)
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        seen.go("/tree")
        assert not seen.page.locator(f"#{child}").is_visible()
        seen.page.locator(f"#{parent} button.fold").click()
        assert seen.page.locator(f"#{child}").is_visible()
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies(let_in(browser, demo).cookies())  # type: ignore[arg-type]
    with plain:
        page = plain.new_page()
        page.goto(f"{demo.base}/tree")
        assert page.locator(f"#{child}").is_visible()
