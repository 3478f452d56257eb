"""Switches: who is captured and told, what is left out; and what no browser may change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.config import Config
from tests.browser.site import NARROW, Site, barriers, demo_home, let_in, served, sideways, until, watched


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with served(demo_home(tmp_path)) as running:
        yield running


def settings(site: Site) -> Config:
    with site.lane() as lane:
        return lane.config


def test_an_agent_is_left_out_and_taken_in_again(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/settings")
        switch = page.get_by_role("switch", name="Codex is captured")
        switch.click()
        assert until(page, lambda: settings(site).names("capture.exclude") == ("agent:codex",))
        assert until(page, lambda: switch.get_attribute("aria-checked") == "false")
        switch.press("Enter")
        assert until(page, lambda: settings(site).names("capture.exclude") == ())
        assert seen.wrong == []


def test_a_folder_and_a_project_are_left_out_and_a_number_goes_back_to_its_default(
    browser: Browser, site: Site
) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/settings")
        page.get_by_label("Leave out").fill("~/secret-project")
        page.get_by_role("button", name="Never capture").click()
        assert until(page, lambda: settings(site).names("capture.exclude") == ("~/secret-project",))
        page.get_by_label("Not in").select_option("quillmoor/ferry-api")
        page.get_by_role("button", name="No recall there").click()
        assert until(page, lambda: len(settings(site).names("recall.off_in")) > 0)
        page.locator("summary", has_text="Recall").click()
        page.get_by_label("recall.per_prompt").fill("2")
        page.get_by_label("recall.per_prompt").press("Enter")
        assert until(page, lambda: settings(site).count("recall.per_prompt") == 2)
        page.locator("summary", has_text="Recall").click()
        page.get_by_role("button", name="Back to 3").click()
        assert until(page, lambda: settings(site).count("recall.per_prompt") == 3)
        assert barriers(page) == []
        assert seen.wrong == []


SETS = """async (name) => (await fetch("/settings/set", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, value: "1" }),
})).status"""


def test_what_names_a_program_or_an_address_is_not_changed_by_a_browser(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/settings")
        for name in ("catch.command", "catch.url", "storage.url", "user", "http.port", "archive.base"):
            assert seen.page.evaluate(SETS, name) == 400, name
        assert settings(site).origins["catch.command"] == "default"


def test_the_doctor_is_heard_and_an_act_is_taken_back(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        memory = lane.memories.all()[0]
        lane.memories.pause([memory.id])
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/health")
        page.locator("#fine summary").wait_for()
        page.locator("#fine summary").click()
        assert "every checksum matches" in page.locator("#fine").inner_text()
        assert barriers(page) == []
        page.locator("#acts").get_by_role("button", name="Undo").first.click()

        def active() -> bool:
            with site.lane() as lane:
                return lane.memories.get(memory.id).state == "active"

        assert until(page, active)
        assert seen.wrong == []


def test_what_an_agent_would_be_told_is_shown_for_a_prompt(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/settings?prompt=add+a+new+package+to+the+worker+and+the+Dockerfile")
        page.locator("#preview pre, #preview .notice").wait_for()
        assert barriers(page) == []
        assert seen.wrong == []


def test_hooks_are_put_into_an_agent_after_the_change_was_shown(browser: Browser, site: Site) -> None:
    (site.home / ".claude").mkdir(exist_ok=True)
    (site.home / ".claude" / "settings.json").write_text('{"model": "opus"}')
    with site.lane() as lane:
        assert not lane.setup.hooked("claude-code")
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/settings")
        button = page.get_by_role("button", name="Add hooks to Claude Code")
        button.click()
        asked = page.locator("#asked").inner_text()
        assert "~/.claude/settings.json" in asked
        page.get_by_role("button", name="No", exact=True).click()
        assert "hooks" not in json.loads((site.home / ".claude" / "settings.json").read_text())
        button.click()
        page.get_by_role("button", name="Yes", exact=True).click()
        page.get_by_text("hooks are in place").wait_for()
        kept = json.loads((site.home / ".claude" / "settings.json").read_text())
        assert kept["model"] == "opus"
        assert "UserPromptSubmit" in kept["hooks"]
        assert until(page, lambda: button.count() == 0)
        assert page.get_by_role("switch", name="Claude Code is told what is remembered").count() == 1
        assert seen.wrong == []


def test_a_pause_is_ended_from_the_page(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        lane.capture.start_pause(None)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/settings")
        seen.page.get_by_role("button", name="Resume capture").click()
        assert until(seen.page, lambda: seen.page.get_by_text("Capture is paused").count() == 0)
        with site.lane() as lane:
            assert lane.capture.pause() is None
        assert seen.wrong == []


TORN = """() => {
    const words = (node) => [...node.data.matchAll(/\\S+/g)].map((word) => {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        return range;
    });
    const lines = (range) => new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    return [...document.querySelectorAll("main :is(th, time, .number, .count, .button)")]
        .filter((one) => one.offsetParent && [...one.childNodes].filter((node) => node.nodeType === 3)
            .flatMap(words).some((word) => lines(word) > 1))
        .map((one) => one.textContent);
}"""


@pytest.mark.parametrize("path", ["/settings", "/insights", "/tree", "/memories", "/entities", "/calendar", "/runs"])
def test_no_short_word_or_number_is_torn_on_a_phone(browser: Browser, demo: Site, path: str) -> None:
    with let_in(browser, demo, size=NARROW) as context:
        seen = watched(context, demo)
        seen.go(path)
        assert until(seen.page, lambda: seen.page.locator("main [aria-busy=true]").count() == 0)
        assert seen.page.evaluate(TORN) == []
        assert not sideways(seen.page)
