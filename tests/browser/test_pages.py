"""Every page there is, in every theme, on a full home and on an empty one: whole, quiet, and without barriers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser

from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.surfaces.web.routes import PAGES
from tests.browser.site import NARROW, THEMES, WIDE, Site, barriers, let_in, sideways, watched

PARTS_OF_PAGES = {  # they stand in a page, not alone
    *("/runs/{run}/steps", "/runs/{run}/inside", "/m/{memory}/near", "/map/near", "/map/said", "/river/week"),
    *("/search/quick", "/insights/work", "/health/look", "/settings/preview"),
    *("/recap/runs", "/runs/{run}/summary", "/story/turns"),
    *("/machines/list", "/people/list", "/audit/list", "/shares/list", "/shares/receipt", "/tree/there"),
}
NEED_IDS = {
    "/memories/merge": "?ids={two}",
    "/entity": "?of={entity}",
    "/recap": "?day={day}&span=week",
    "/story": "?tree={run}",
    "/shares/preview": "?what={memory}&whom=jo",
}
PATHS = [page.path for page in PAGES if page.path not in PARTS_OF_PAGES]


def places(lane: Lane) -> dict[str, str]:
    """Something for each name in a path: the richest run, a memory, two of them."""
    runs = sorted(lane.runs.select(RunFilter(limit=100)), key=lambda run: (run.errors, run.steps))
    memories = lane.memories.all()
    found = {"{run}": runs[-1].id if runs else "", "{memory}": memories[0].id if memories else ""}
    known, dreams = lane.entities.entities(), lane.dream.reports()
    found |= {"{entity}": known[0].entity.key if known else "", "{dream}": dreams[0].dream.id if dreams else ""}
    found["{day}"] = (runs[-1].ended if runs and runs[-1].ended else datetime.now(UTC)).date().isoformat()
    return {**found, "{two}": ",".join(memory.id for memory in memories[:2])}


def addresses(site: Site) -> Iterator[str]:
    with site.lane() as lane:
        there = places(lane)
    for path in PATHS:
        address = path + NEED_IDS.get(path, "")
        needed = [name for name in there if name in address]
        if all(there[name] for name in needed):
            for name in needed:
                address = address.replace(name, there[name])
            yield address


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("home", ["demo", "empty"])
def test_every_page_is_whole_quiet_and_without_barriers(
    browser: Browser, request: pytest.FixtureRequest, home: str, theme: str
) -> None:
    site: Site = request.getfixturevalue(home)
    with let_in(browser, site, theme) as context:
        seen, found = watched(context, site), dict[str, Sequence[str]]()
        for address in addresses(site):
            seen.go(address)
            assert seen.page.locator("h1").count() == 1, address
            assert seen.page.locator("html").get_attribute("data-theme") == theme
            assert not sideways(seen.page), address
            found[address] = barriers(seen.page)
        assert {address: wrong for address, wrong in found.items() if wrong} == {}
        assert seen.wrong == []
        assert site.log == []


@pytest.mark.parametrize("home", ["demo", "empty"])
def test_every_page_fits_a_phone_and_four_times_its_size(
    browser: Browser, request: pytest.FixtureRequest, home: str
) -> None:
    site: Site = request.getfixturevalue(home)
    for size in (NARROW, (WIDE[0] // 4, WIDE[1] // 4)):  # 400 % zoom is a window a quarter as wide
        with let_in(browser, site, "light", size) as context:
            seen = watched(context, site)
            for address in addresses(site):
                seen.go(address)
                assert not sideways(seen.page), (address, size)
            assert seen.wrong == []


def test_a_page_is_read_without_any_script(browser: Browser, demo: Site) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(let_in(browser, demo).cookies())  # type: ignore[arg-type]
    with context:
        page = context.new_page()
        for address, there in (("/lane", ".card"), ("/runs", ".row-item"), ("/memories", ".row-item")):
            page.goto(demo.base + address)
            assert page.locator(there).count() > 0, address
        page.locator(".row-item .title").first.click()
        assert page.locator("#memory h1").count() == 1


def test_who_was_not_let_in_is_told_how(browser: Browser, demo: Site) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        answer = page.goto(demo.base + "/runs")
        assert answer is not None
        assert answer.status == 401
        assert "lane ui" in page.locator("main").inner_text()


def test_a_code_opens_once(browser: Browser, demo: Site) -> None:
    with demo.lane() as lane:
        code = lane.access.code()
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{demo.base}/enter#{code}")
        page.wait_for_url(f"{demo.base}/")
        assert page.locator("h1").inner_text() == "Lane"
        (kept,) = [cookie for cookie in context.cookies() if cookie["name"] == "lane"]
        assert (kept["httpOnly"], kept["sameSite"]) == (True, "Strict")  # type: ignore[typeddict-item]
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{demo.base}/enter#{code}")
        page.get_by_text("expired or wrong").wait_for()
        assert [cookie for cookie in context.cookies() if cookie["name"] == "lane"] == []
