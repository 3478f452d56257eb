"""Three journeys through the pages, each by mouse and by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from memlane.app.memories import MemoryProposal
from memlane.domain import Memory, RunFilter, State
from tests.browser.site import Site, demo_home, let_in, served, until, watched
from tests.flow.homes import answer, called, prompt, returned, said, write

CORRECTED = "Tests are started by uv run pytest"
HELD = "The staging database is emptied every night"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("j"))) as running:
        yield running


@pytest.fixture(scope="module")
def failure(site: Site) -> Memory:
    """An old run in which something failed, worked otherwise, and a person said what to do from then on."""
    path = site.home / ".claude" / "projects" / "-home-dev-billing" / "0b9d7e1a-5c1f-4c57-9a53-1f7f6d1f3c01.jsonl"
    path.parent.mkdir(parents=True)
    failed = returned("ModuleNotFoundError: No module named 'billing'", "c1", 3, error=True)
    records = [
        *(prompt("start the tests of the billing service", 1), answer([bash("pytest billing", "c1")], 2), failed),
        *(answer([bash("uv run pytest billing", "c2")], 4), returned("12 passed", "c2", 5)),
        *(answer([said("The tests pass.")], 6), prompt("No, never call pytest without uv run here. Always uv run.", 7)),
    ]
    for n, record in enumerate(records):
        record["uuid"] = f"00000000-0000-4000-8000-{n:012d}"
    write(path, records)
    with site.lane() as lane:
        lane.capture.sweep()
        memory = next(made for made in lane.catch.run().kept.made if "pytest" in made.title)
    return memory


def bash(command: str, call: str) -> dict[str, object]:
    return called("Bash", {"command": command}, call)


def as_it_is(site: Site, memory: str) -> Memory:
    with site.lane() as lane:
        return lane.memories.get(memory)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# -- find an old run, read it, jump to an error, its memory, correct it, take it back ----------------------------------


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_from_an_old_run_by_its_error_to_its_memory_corrected_and_taken_back(
    browser: Browser, site: Site, failure: Memory, by: str
) -> None:
    (evidence,) = failure.evidence
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/")
        (_find_by_mouse if by == "mouse" else _find_by_keys)(page)
        page.wait_for_url(f"**/runs/{evidence.run}*")
        (_to_its_memory_by_mouse if by == "mouse" else _to_its_memory_by_keys)(page)
        page.wait_for_url(f"**/m/{failure.id}")
        (_corrected_by_mouse if by == "mouse" else _corrected_by_keys)(page)
        assert until(page, lambda: page.locator("h1").inner_text() == CORRECTED)
        assert as_it_is(site, failure.id).title == CORRECTED
        if by == "mouse":
            page.locator("figcaption a").first.click()  # where it was said, and back
            page.wait_for_url(f"**/runs/{evidence.run}*")
            page.go_back()
            page.locator(".history").get_by_role("button", name="Undo").first.click()
        else:
            press(page, "Escape", "z")
        assert until(page, lambda: page.locator("h1").inner_text() == failure.title)
        assert as_it_is(site, failure.id).title == failure.title
        assert seen.wrong == []


def _find_by_mouse(page: Page) -> None:
    page.get_by_role("link", name="Runs").first.click()
    page.get_by_placeholder("Words, an error").fill("No module named billing")
    page.keyboard.press("Enter")
    page.locator(".row-item .title").first.click()


def _find_by_keys(page: Page) -> None:
    press(page, "g", "r")
    page.wait_for_url("**/runs")
    press(page, "/")
    page.keyboard.type("No module named billing")
    press(page, "Enter")
    page.wait_for_url("**q=*")
    press(page, "j", "Enter")


def _to_its_memory_by_mouse(page: Page) -> None:
    page.locator(".outline .m-error a").click()
    assert page.locator(".step.failed.here pre.result").inner_text().startswith("ModuleNotFoundError")
    page.locator(".mark a.memory-link").first.click()


def _to_its_memory_by_keys(page: Page) -> None:
    press(page, "Escape", "e")
    assert page.locator(".step.failed.at pre.result").inner_text().startswith("ModuleNotFoundError")
    press(page, "r", "o")


def _corrected_by_mouse(page: Page) -> None:
    page.locator("#edit summary").click()
    page.get_by_label("Title").fill(CORRECTED)
    page.get_by_role("button", name="Save").click()


def _corrected_by_keys(page: Page) -> None:
    press(page, "e", "Control+a")
    page.keyboard.type(CORRECTED)
    press(page, "Enter")


def test_keys_lead_from_error_to_error_and_prompt_to_prompt(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        run = max(lane.runs.select(RunFilter(limit=100)), key=lambda run: run.errors)
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
        before = {memory.id for memory in lane.memories.all([State.ACTIVE])}
    assert len(before) >= 2
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/memories")
        if by == "mouse":
            page.locator(".pick").nth(0).check()
            page.locator(".pick").nth(1).check()
            page.get_by_role("button", name="Merge").click()
            page.locator(".card.becomes-one").get_by_role("button", name="Merge").click()
        else:
            press(page, "j", "x", "j", "x", "M")
            page.wait_for_url("**/merge*")
            press(page, "y")
        page.wait_for_url("**/m/m_*")
        with site.lane() as lane:
            assert len(lane.memories.all([State.ACTIVE])) == len(before) - 1
        if by == "mouse":
            page.locator("#toasts").get_by_role("button", name="Undo").click()
        else:
            press(page, "z")
        page.locator("#toasts").get_by_text("Undone").wait_for()
        with site.lane() as lane:
            assert {memory.id for memory in lane.memories.all([State.ACTIVE])} == before
        assert seen.wrong == []


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_the_queue_is_answered_with_one_press_each(browser: Browser, site: Site, by: str) -> None:
    with site.lane() as lane:
        project = lane.runs.select(RunFilter(limit=1))[0].project
        held = lane.memories.proposals.remember(MemoryProposal(f"{HELD}, {by}", project, by="codex")).memory
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
