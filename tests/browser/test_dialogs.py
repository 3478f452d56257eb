"""Pages with things opened on them: folds, dialogs, the box at the top, the menu of a phone. Still without barriers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from memlane.domain import RunFilter
from tests.browser.site import NARROW, THEMES, Site, barriers, let_in, sideways, until, watched

UNFOLD = "for (const fold of document.querySelectorAll('main details')) fold.open = true"


def offers(page: Page, words: str) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    page.locator("#offers .offer.all").wait_for()


def caller(site: Site) -> str:
    """A run that called a subagent."""
    with site.lane() as lane:
        child = next(run for run in lane.runs.select(RunFilter(limit=100)) if run.relation == "subagent")
    return child.parent


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_opened_has_no_barriers_either(browser: Browser, demo: Site, theme: str) -> None:
    run = caller(demo)
    with let_in(browser, demo, theme) as context:
        seen = watched(context, demo)
        page, found = seen.page, dict[str, object]()
        for address in ("/lane", f"/runs/{run}", "/runs?q=worker", "/tree"):
            seen.go(address)
            page.evaluate(UNFOLD)
            assert until(page, lambda: page.locator("[aria-busy=true]").count() == 0)
            found[address] = barriers(page)
        page.keyboard.press("?")
        page.locator("#keys[open]").wait_for()
        found["keys"] = barriers(page)
        page.keyboard.press("Escape")
        offers(page, "worker")
        page.keyboard.press("ArrowDown")
        found["offers"] = barriers(page)
        assert {name: wrong for name, wrong in found.items() if wrong} == {}
        assert seen.wrong == []


def test_the_box_at_the_top_leads_anywhere_by_arrows(browser: Browser, demo: Site) -> None:
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go("/lane")
        offers(page, "settings")
        page.keyboard.press("ArrowDown")
        chosen = page.locator('#offers [aria-selected="true"]')
        assert page.locator("#everything").get_attribute("aria-activedescendant") == chosen.get_attribute("id")
        page.keyboard.press("Enter")
        page.wait_for_url("**/settings")
        offers(page, "smoke test")
        assert page.locator("#offers .offer").first.get_attribute("href").startswith("/runs/")  # type: ignore[union-attr]
        page.keyboard.press("Escape")
        assert page.locator("#offers").is_hidden()
        assert page.locator("#everything").input_value() == "smoke test"
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=smoke+test")
        assert seen.wrong == []


def test_a_subagent_opens_where_it_was_called(browser: Browser, demo: Site) -> None:
    run = caller(demo)
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        seen.go(f"/runs/{run}")
        child = seen.page.locator("details.child")
        assert child.count() == 1
        assert child.locator("xpath=ancestor::article").get_attribute("class").count("s-tool_call") == 1  # type: ignore[union-attr]
        child.locator("summary").click()
        child.locator(".in-said").first.wait_for()
        child.get_by_role("link").click()
        seen.page.wait_for_url("**/runs/r_*")
        assert seen.page.locator(".crumbs a").last.get_attribute("href") == f"/runs/{run}"
        assert seen.wrong == []


def test_a_phone_has_four_pages_at_hand_and_all_of_them_behind_one_button(browser: Browser, demo: Site) -> None:
    with let_in(browser, demo, "dark", NARROW) as context:
        seen = watched(context, demo)
        seen.go("/lane")
        entries = seen.page.locator("#menu li a")
        assert [entries.nth(n).is_visible() for n in (0, 3, 4, 12)] == [True, True, False, False]
        seen.page.locator("#all-pages").click()
        assert entries.last.is_visible()
        assert (sideways(seen.page), list(barriers(seen.page))) == (False, [])
        entries.last.click()
        seen.page.wait_for_url("**/settings")
        assert seen.wrong == []
