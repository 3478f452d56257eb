"""Three journeys through the pages, each by mouse and by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from memlane.domain import Memory, State
from memlane.lane import Proposal, RunFilter
from tests.browser.site import Site, demo_home, let_in, served, until, watched

HELD = "The staging database is emptied every night"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("j"))) as running:
        yield running


def memory_with_evidence(site: Site) -> Memory:
    with site.lane() as lane:
        return next(memory for memory in lane.remembering.memories() if memory.evidence)


def as_it_is(site: Site, memory: str) -> Memory:
    with site.lane() as lane:
        return lane.remembering.memory(memory)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# -- find an old run, read it, its memory, correct it, take it back ----------------------------------------------------


def test_from_an_old_run_to_its_memory_corrected_and_taken_back_by_mouse(browser: Browser, site: Site) -> None:
    memory = memory_with_evidence(site)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/")
        page.get_by_role("link", name="Runs").first.click()
        page.get_by_placeholder("Words, an error").fill(memory.title)
        page.keyboard.press("Enter")
        page.locator(".row-item .title").first.click()
        page.wait_for_url(f"**/runs/{memory.evidence[0].run}*")
        page.locator(f'.mark a[href="/m/{memory.id}"]').click()
        page.locator("#edit summary").click()
        page.get_by_label("Title").fill("Names in the chart, never addresses")
        page.get_by_role("button", name="Save").click()
        assert until(page, lambda: page.locator("h1").inner_text() == "Names in the chart, never addresses")
        page.locator("figcaption a").first.click()
        page.wait_for_url(f"**/runs/{memory.evidence[0].run}*")
        page.go_back()
        page.locator(".history").get_by_role("button", name="Undo").first.click()
        assert until(page, lambda: page.locator("h1").inner_text() == memory.title)
        assert as_it_is(site, memory.id).title == memory.title
        assert seen.wrong == []


def test_from_an_old_run_to_its_memory_corrected_and_taken_back_by_keys(browser: Browser, site: Site) -> None:
    memory = memory_with_evidence(site)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/")
        press(page, "g", "r")
        page.wait_for_url("**/runs")
        press(page, "/")
        page.keyboard.type(memory.title)
        press(page, "Enter")
        page.wait_for_url("**q=*")
        press(page, "j", "Enter")
        page.wait_for_url(f"**/runs/{memory.evidence[0].run}*")
        press(page, "Escape", "r", "o")
        page.wait_for_url(f"**/m/{memory.id}")
        press(page, "e", "Control+a")
        page.keyboard.type("Written with keys alone")
        press(page, "Enter")
        assert until(page, lambda: page.locator("h1").inner_text() == "Written with keys alone")
        press(page, "Escape", "z")
        assert until(page, lambda: page.locator("h1").inner_text() == memory.title)
        assert seen.wrong == []


def test_keys_lead_from_error_to_error_and_prompt_to_prompt(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        run = max(lane.reading.runs(RunFilter(limit=100)), key=lambda run: run.errors)
    assert run.errors >= 2
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go(f"/runs/{run.id}")
        found = list[str]()
        for key in ("e", "e", "E", "J", "K"):
            press(page, key)
            found.append(str(page.locator("[data-card].at").get_attribute("class")))
        assert ["failed" in found[n] for n in range(3)] == [True] * 3
        assert ["s-prompt" in found[n] for n in (3, 4)] == [True] * 2
        press(page, "t")
        press(page, "T")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert seen.wrong == []


# -- rate a recall -----------------------------------------------------------------------------------------------------


def test_a_recall_is_rated_and_unrated_by_keys(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/lane")
        press(page, "j", "d")
        assert until(page, lambda: page.locator(".card .said").count() == 1)
        assert page.locator(".card .said").inner_text() == "not useful: ranks 10% lower here"
        press(page, "w")
        assert page.locator(".card details[open]").count() == 1
        press(page, "z")
        assert until(page, lambda: page.locator(".card .said").count() == 0)
        assert page.locator(".card details[open]").count() == 1  # what was open stays so
        assert seen.wrong == []


# -- two that are one, and the queue -----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_two_memories_become_one_and_two_again(browser: Browser, site: Site, by: str) -> None:
    with site.lane() as lane:
        before = {memory.id for memory in lane.remembering.memories([State.ACTIVE])}
    assert len(before) >= 2
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories")
        if by == "mouse":
            page.locator(".pick").nth(0).check()
            page.locator(".pick").nth(1).check()
            page.get_by_role("button", name="Merge").click()
            page.locator(".card.after").get_by_role("button", name="Merge").click()
        else:
            press(page, "j", "x", "j", "x", "M")
            page.wait_for_url("**/merge*")
            press(page, "y")
        page.wait_for_url("**/m/m_*")
        with site.lane() as lane:
            assert len(lane.remembering.memories([State.ACTIVE])) == len(before) - 1
        if by == "mouse":
            page.locator("#toasts").get_by_role("button", name="Undo").click()
        else:
            press(page, "z")
        page.locator("#toasts").get_by_text("Taken back").wait_for()
        with site.lane() as lane:
            assert {memory.id for memory in lane.remembering.memories([State.ACTIVE])} == before
        assert seen.wrong == []


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_queue_is_answered_with_one_press_each(browser: Browser, site: Site, by: str) -> None:
    with site.lane() as lane:
        project = lane.reading.runs(RunFilter(limit=1))[0].project
        held = lane.proposing.remember(Proposal(f"{HELD}, {by}", project, by="codex")).memory
    assert held.state is State.HELD
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories/review")
        card = page.locator(f"#{held.id}")
        if by == "mouse":
            card.get_by_role("button", name="Keep").click()
        else:
            while not page.locator(f"#{held.id}.at").count():
                press(page, "j")
            press(page, "y")
        assert until(page, lambda: card.count() == 0)
        assert as_it_is(site, held.id).state is State.ACTIVE
        assert seen.wrong == []
