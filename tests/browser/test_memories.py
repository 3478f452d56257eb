"""Memories by hand: several at once with one undo, held ones by one key, each change in the history with its undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.app.home.journal import memory_line
from memlane.domain import State, Type
from tests.browser.site import Site, barriers, empty_home, let_in, served, until, watched

KNOWN = ("Deploys go out on Mondays", "Releases are tagged", "The linter is ruff", "Never mock the clock")
HELD = ("Tabs are four wide", "The chart has no addresses", "Ask before a rebase")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Some that are active, some that are held."""
    with served(empty_home(tmp_path)) as running:
        with running.lane() as lane:
            for title in (*KNOWN, *HELD):
                made = lane.memories.remember(title, Path("/"), type=Type.DECISION)
                if title in HELD:
                    lane.acts.writer.write([memory_line(replace(made, state=State.HELD))])
        yield running


def states(site: Site) -> dict[str, State]:
    with site.lane() as lane:
        return {memory.title: memory.state for memory in lane.memories.all(list(State))}


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_several_are_paused_at_once_and_one_undo_takes_it_back(browser: Browser, site: Site, by: str) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories?state=active")
        page.get_by_label("Select all on this page").check()
        page.get_by_label("Select: Releases are tagged").uncheck()
        assert page.locator("#picked-count").inner_text() == "3 selected"
        assert barriers(page) == []
        if by == "mouse":
            page.locator("#picked").get_by_role("button", name="Pause").click()
        else:
            page.keyboard.press("p")
        assert until(page, lambda: sorted(states(site).values()).count(State.PAUSED) == 3)
        assert until(page, lambda: page.locator(".row-item .title").count() == 1)
        page.keyboard.press("Escape")
        page.keyboard.press("z")
        assert until(page, lambda: State.PAUSED not in states(site).values())
        assert seen.wrong == []


def test_when_the_last_one_of_a_filter_is_gone_the_page_says_so_and_clears_it(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories?q=linter")
        page.keyboard.press("j")
        page.keyboard.press("X")
        page.get_by_text("No matching memories").wait_for()
        assert states(site)["The linter is ruff"] is State.FORGOTTEN
        assert barriers(page) == []
        page.get_by_role("link", name="Clear the filters").click()
        assert page.locator(".row-item .title").count() == len(KNOWN) + len(HELD) - 1
        assert seen.wrong == []


def test_held_ones_are_answered_by_one_key_each(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories/review")
        for left, key in ((2, "y"), (1, "n"), (0, "p")):
            page.keyboard.press("j")
            page.keyboard.press(key)
            assert until(page, lambda left=left: page.locator("article.card").count() == left)  # type: ignore[misc]
        page.get_by_text("Nothing to review").wait_for()
        assert sorted(states(site)[title] for title in HELD) == [State.ACTIVE, State.FORGOTTEN, State.PAUSED]
        assert seen.wrong == []


def test_every_change_is_a_line_of_its_history_with_an_undo_that_outlives_a_restart(
    browser: Browser, site: Site
) -> None:
    with site.lane() as lane:
        memory = next(one for one in lane.memories.all() if one.title == "Releases are tagged")
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go(f"/m/{memory.id}")
        page.keyboard.press("e")
        page.locator("select[name=type]").select_option("learning")
        page.get_by_label("Title").fill("Releases are signed and tagged")
        page.get_by_role("button", name="Save").click()
        assert until(page, lambda: page.locator("h1").inner_text() == "Releases are signed and tagged")
        page.locator("#memory").get_by_role("button", name="Pause").click()
        page.get_by_text("it is kept but not recalled").wait_for()
        page.locator("#memory").get_by_role("button", name="Forget").click()
        page.locator("#memory").get_by_role("button", name="Restore").click()
        assert until(page, lambda: page.locator(".history .button", has_text="Undo").count() >= 3)
        assert page.locator(".history ins").first.inner_text().strip() != ""
        assert until(page, lambda: page.locator("[aria-busy=true]").count() == 0)
        assert barriers(page) == []
        site.stop()
        site.start()
        page.reload()
        edited = page.locator(".history li", has_text="signed and")
        edited.get_by_role("button", name="Undo").click()
        assert until(page, lambda: page.locator("h1").inner_text() == "Releases are tagged")
        with site.lane() as lane:
            assert lane.memories.get(memory.id).type is Type.DECISION


def test_a_part_of_a_page_that_is_opened_by_itself_is_a_page(browser: Browser, demo: Site) -> None:
    with demo.lane() as lane:
        (memory, *_rest) = lane.memories.all()
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        seen.go(f"/m/{memory.id}/near")
        assert seen.page.locator("h1").inner_text().startswith("Similar to ")
        assert seen.page.locator("nav.rail").count() == 1
        assert seen.page.evaluate("document.styleSheets.length") > 0
        assert barriers(seen.page) == []
        seen.go(f"/m/{memory.id}")
        seen.page.locator(".closest").first.wait_for()
        assert seen.page.locator("nav.rail").count() == 1, "the page it belongs to gets only the part"
        assert seen.wrong == []
