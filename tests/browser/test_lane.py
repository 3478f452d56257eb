"""A recall says all there is to say about it: what, how near, by which words, in which run, why, or why not."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from memlane.domain import Recall, RunFilter, RunSummary, Scope
from tests.browser.site import Site, demo_home, let_in, served, until, watched

FITTING = "the worker crashloops since I added a package to the Dockerfile COPY list"
STRANGE = "how do I bake bread"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(demo_home(tmp_path_factory.mktemp("c"))) as running:
        yield running


@pytest.fixture(scope="module")
def run(site: Site) -> RunSummary:
    with site.lane() as lane:
        return next(run for run in lane.runs.select(RunFilter(limit=100)) if run.agent == "claude-code")


def asked_in(site: Site, run: RunSummary, words: str) -> Recall:
    """As its agent's hook asks."""
    given = {"session_id": run.native_id, "cwd": str(site.home / "code" / "ferry-api"), "prompt": words}
    with site.lane() as lane:
        found = lane.recall.hooked(run.agent, "UserPromptSubmit", given).recall
        assert found is not None
        lane.recall.keep(found)
    return found


def test_what_was_told_is_shown_with_its_reasons_and_its_run(browser: Browser, site: Site, run: RunSummary) -> None:
    told, silent = asked_in(site, run, FITTING), asked_in(site, run, STRANGE)
    assert (bool(told.shown), bool(silent.shown)) == (True, False)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/lane?run={run.id}")
        shown = seen.page.locator(f"#{told.id}")
        assert shown.locator(".asked").inner_text() == FITTING
        assert shown.locator(".in-run").get_attribute("href") == f"/runs/{run.id}"
        card = shown.locator(".card").first
        assert re.fullmatch(r"meaning \d+%|mentioned|this file", card.locator(".fits").first.inner_text())
        card.locator("summary").click()
        parts = [float(text) for text in card.locator(".parts tbody .number").all_inner_texts()]
        assert float(card.locator(".parts tfoot .number").inner_text()) == pytest.approx(sum(parts), abs=0.05)
        assert "nothing recalled" in seen.page.locator(f"#{silent.id} .silence").inner_text()
        seen.page.locator("select[name=only]").select_option("silent")
        assert until(seen.page, lambda: shown.count() == 0)
        assert seen.page.locator(f"#{silent.id}").count() == 1
        assert "run=" in seen.page.url
        assert seen.wrong == []


def test_a_memory_is_paused_from_its_card_and_that_is_taken_back(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        told = next(one for one in lane.recall.newest(100) if one.shown)
        memory = told.shown[0].memory.id
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/lane?recall={told.id}")
        for key in ("j", "w", "p"):
            seen.page.keyboard.press(key)
        seen.page.locator(".toast").wait_for()
        with site.lane() as lane:
            assert lane.memories.get(memory).state == "paused"
        seen.page.keyboard.press("z")
        seen.page.get_by_text("Undone").wait_for()
        with site.lane() as lane:
            assert lane.memories.get(memory).state == "active"
        assert seen.wrong == []


@pytest.mark.parametrize("keys", ["Control+Enter", "Meta+Enter"])
def test_a_prompt_is_tried_over_all_projects_and_sent_by_a_key(browser: Browser, site: Site, keys: str) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/lane/try")
        assert seen.page.locator("select[name=project]").input_value() == ""  # any
        seen.page.locator("#prompt").fill(FITTING)
        seen.page.keyboard.press(keys)
        seen.page.wait_for_url("**prompt=*")
        assert seen.page.locator(".tried .where").inner_text() == "any project"
        assert seen.page.locator(".tried .card").count() > 0
        with site.lane() as lane:
            held = [lane.memories.get(one) for one in ids_in(seen.page)]
        assert any(memory.scope is Scope.PROJECT for memory in held)
        assert seen.wrong == []


def ids_in(page: Page) -> list[str]:
    links = page.locator(".tried .card .title a").evaluate_all("links => links.map(link => link.pathname)")
    return [path.removeprefix("/m/") for path in links]
