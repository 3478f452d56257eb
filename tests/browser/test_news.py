"""What happens is on the page a moment later, nothing of it is missed, and nobody is disturbed by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from memlane.domain import Recall, RunFilter
from tests.browser.site import Site, demo_home, empty_home, let_in, served, shifted, until, watch_shifts, watched
from tests.flow.homes import answer, prompt, said, transcript, write

TABS = 12
FITTING = "the worker crashloops since I added a package to the Dockerfile COPY list"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("l"))) as running:
        yield running


def recalled(site: Site, words: str = FITTING) -> Recall:
    """As an agent's hook brings it about."""
    with site.lane() as lane:
        found = lane.recall.asked(words, site.home / "code" / "ferry-api", "claude-code")
        lane.recall.keep(found)
    return found


def has(page: Page, recall: Recall) -> bool:
    return page.locator(f"#{recall.id}").count() == 1


def is_live(page: Page) -> bool:
    return page.locator("#live.on").count() == 1


def test_a_recall_arrives_by_itself_and_is_rated_there(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/lane")
        assert until(seen.page, lambda: is_live(seen.page))
        recall = recalled(site)
        assert until(seen.page, lambda: has(seen.page, recall))
        assert seen.page.locator(".recall").first.get_attribute("id") == recall.id
        card = seen.page.locator(f"#{recall.id} .card").first
        card.get_by_title("Useful (u)").click()
        seen.page.get_by_text("Useful: it ranks 10% higher").wait_for()
        assert card.locator(".said").inner_text() == "useful: ranks 10% higher here"
        seen.page.get_by_role("button", name="Undo").click()
        assert until(seen.page, lambda: card.locator(".said").count() == 0)
        assert seen.wrong == []


def test_twelve_pages_are_one_stream_and_a_restart_loses_no_recall(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        tabs = [watched(context, site) for _ in range(TABS)]
        for tab in tabs:
            tab.go("/lane")
        assert all(until(tab.page, lambda tab=tab: is_live(tab.page)) for tab in tabs)
        first = recalled(site)
        for tab in tabs:
            tab.page.bring_to_front()
            assert until(tab.page, lambda tab=tab: has(tab.page, first) or tab.page.locator("#fresh").is_visible())
        site.stop()
        tabs[0].page.bring_to_front()
        assert until(tabs[0].page, lambda: tabs[0].page.locator("#live.off").count() == 1)
        meanwhile = [recalled(site), recalled(site, "how do I bake bread")]
        site.start()
        for tab in tabs:
            tab.page.bring_to_front()
            if tab.page.locator("#fresh").is_visible():
                tab.page.locator("#fresh").click()
            for recall in meanwhile:
                assert until(tab.page, lambda tab=tab, recall=recall: _shows(tab.page, recall)), recall.why
        streams = [request for tab in tabs for request in tab.requests if "/events" in request.url]
        assert streams == []  # none of a page's own


def _shows(page: Page, recall: Recall) -> bool:
    if page.locator("#fresh").is_visible():
        page.locator("#fresh").click()
    return has(page, recall)


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_recall_arrives_while_one_types_elsewhere_and_is_rated_when_one_likes(
    browser: Browser, site: Site, by: str
) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/lane")
        assert until(page, lambda: is_live(page))
        page.keyboard.press("Control+k")
        page.keyboard.type("half a qu")
        watch_shifts(page)
        recall = recalled(site)
        page.locator("#fresh").wait_for()
        page.keyboard.type("ery")
        assert page.locator("#everything").input_value() == "half a query"
        assert not has(page, recall)
        assert shifted(page) == 0
        card = page.locator(f"#{recall.id} .card").first
        if by == "mouse":
            page.locator("#fresh").click()
            card.get_by_title("Useful (u)").click()
        else:
            for key in ("Escape", "Escape", "Tab"):
                page.keyboard.press(key)
            page.locator("#fresh").focus()
            page.keyboard.press("Enter")
            assert until(page, lambda: has(page, recall))
            page.keyboard.press("Escape")
            for key in ("j", "u"):
                page.keyboard.press(key)
        assert until(page, lambda: card.locator(".said").count() == 1)
        assert card.locator(".said").inner_text().startswith("useful: ranks")
        with site.lane() as lane:
            assert [one.up for one in lane.recall.feedback.on(recall)] == [True]
        page.get_by_role("button", name="Undo").click()
        assert until(page, lambda: card.locator(".said").count() == 0)
        assert seen.wrong == []


@pytest.mark.parametrize("still", [True, False])
def test_a_recall_that_arrives_by_itself_moves_nothing_under_ones_eyes(
    browser: Browser, site: Site, still: bool
) -> None:
    recalled(site)  # there is something to be looked at
    with let_in(browser, site, still=still) as context:
        seen = watched(context, site)
        seen.go("/lane")
        assert until(seen.page, lambda: is_live(seen.page))
        watch_shifts(seen.page)
        recall = recalled(site)
        assert until(seen.page, lambda: has(seen.page, recall))
        seen.page.wait_for_timeout(1000)
        assert (shifted(seen.page), seen.page.evaluate("scrollY")) == (0, 0)
        assert seen.page.locator(".recall").first.get_attribute("id") == recall.id
        assert seen.wrong == []


def test_who_reads_or_types_is_not_disturbed(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/lane")
        assert until(seen.page, lambda: is_live(seen.page))
        name = seen.page.locator(".card details").first.get_attribute("id")
        fold = seen.page.locator(f"#{name}")
        fold.locator("summary").click()
        seen.page.locator("#everything").fill("half a que")
        recall = recalled(site)
        seen.page.locator("#fresh").wait_for()
        assert not has(seen.page, recall)
        assert seen.page.locator("#everything").input_value() == "half a que"
        assert seen.page.evaluate("document.activeElement.id") == "everything"
        seen.page.locator("#fresh").click()
        assert until(seen.page, lambda: has(seen.page, recall))
        assert fold.evaluate("fold => fold.open")
        assert seen.page.locator("#everything").input_value() == "half a que"
        assert seen.wrong == []


def test_a_memory_keeps_what_is_typed_while_it_changes_elsewhere(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        (memory, *_rest) = lane.memories.all()
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/m/{memory.id}")
        assert until(seen.page, lambda: is_live(seen.page))
        seen.page.locator("#edit summary").click()
        seen.page.locator("#e-title").fill("Half a thou")
        with site.lane() as lane:
            lane.memories.pause([memory.id])
        seen.page.locator("#fresh").wait_for()
        assert seen.page.locator("#e-title").input_value() == "Half a thou"
        seen.page.locator("#e-title").press("End")
        seen.page.locator("#e-title").type("ght")
        seen.page.get_by_role("button", name="Save").click()
        assert until(seen.page, lambda: seen.page.locator("h1").inner_text() == "Half a thought")
        assert seen.page.locator("#memory .notice").inner_text().startswith("Paused")
        assert seen.wrong == []


def test_a_run_that_goes_on_is_followed_and_the_reader_stays_where_they_are(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("f")
    (folder / "home").mkdir()
    empty_home(folder / "home")
    path = transcript(folder)
    write(
        path, [record for n in range(40) for record in (prompt(f"part {n}", 2 * n), answer([said("done")], 2 * n + 1))]
    )
    with served(folder / "home") as site, let_in(browser, site) as context:
        with site.lane() as lane:
            lane.capture.sweep()
            (run,) = lane.runs.select(RunFilter(limit=2))
        seen = watched(context, site)
        seen.go(f"/runs/{run.id}")
        assert until(seen.page, lambda: is_live(seen.page))
        steps = seen.page.locator(".step")
        before = steps.count()
        seen.page.wait_for_timeout(1200)  # the first look is what everything is compared with
        _grow(site, path, 200)
        seen.page.locator("#fresh").wait_for()  # the reader is at the top, and stays there
        assert (steps.count(), seen.page.evaluate("scrollY")) == (before + 2, 0)
        seen.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        _grow(site, path, 300)
        assert until(seen.page, lambda: steps.count() == before + 4)
        assert seen.page.evaluate("innerHeight + scrollY > document.documentElement.scrollHeight - 200")
        assert seen.wrong == []


def _grow(site: Site, path: Path, n: int) -> None:
    write(path, [prompt(f"and {n}", n), answer([said(f"done with {n}")], n + 1)])
    with site.lane() as lane:
        lane.capture.sweep()
