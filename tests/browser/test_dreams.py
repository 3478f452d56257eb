"""Reports of dreams: what was done and why, each step taken back on its own, and what is left to a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.domain import Dream, State
from tests.browser.site import Site, barriers, let_in, served, until, watched
from tests.flow.dreams import a_home, caught, dreaming, known

OLD = caught("Deploy on Fridays is fine", days_ago=80)
NEW = caught("Never deploy on Fridays", days_ago=2, runs=("r_a", "r_b", "r_c"))
NOTES = (
    caught("Release notes are short and without emoji", runs=("r_a",), days_ago=9),
    caught("Keep release notes short, without emoji", runs=("r_b",), days_ago=6),
    caught("Short release notes without emoji", runs=("r_c",), days_ago=3),
)
MINE = caught("Tabs are used for indenting", days_ago=80, maker="person")
AGAINST = caught("Tabs are never used for indenting", days_ago=2, runs=("r_a", "r_b"))


@pytest.fixture
def night(tmp_path: Path) -> Iterator[tuple[Site, Dream]]:
    with a_home(tmp_path) as lane:
        known(lane, OLD, NEW, *NOTES, MINE, AGAINST)
        dream = dreaming(lane).run()
    assert dream.done
    (tmp_path / "home" / ".memlane").symlink_to(tmp_path / "lane")
    (tmp_path / "lane" / "config.toml").write_text('user = "ann"\nmachine = "desk"\n')
    with served(tmp_path / "home") as site:
        yield site, dream


def states(site: Site) -> dict[str, State]:
    with site.lane() as lane:
        return {memory.id: memory.state for memory in lane.memories.all(list(State))}


def test_a_report_says_what_was_done_and_each_step_can_be_taken_back(
    browser: Browser, night: tuple[Site, Dream]
) -> None:
    site, dream = night
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/dreams")
        assert barriers(page) == []
        page.locator(".row-item .title").first.click()
        page.wait_for_url(f"**/dreams/{dream.id}")
        assert barriers(page) == []
        shown = page.locator("main").inner_text()
        assert all(one.because in shown for one in dream.done)
        assert states(site)[OLD.id] is State.SUPERSEDED
        page.locator(".dreamt", has_text=OLD.title).get_by_role("button", name="Undo").click()
        assert until(page, lambda: states(site)[OLD.id] is State.ACTIVE)
        assert any(states(site)[one.id] is State.SUPERSEDED for one in NOTES), "the rest of the night holds"
        page.get_by_role("button", name="Undo all of it").click()
        page.get_by_role("button", name="Yes").click()
        assert until(page, lambda: all(states(site)[one.id] is State.ACTIVE for one in (OLD, NEW, *NOTES)))
        assert seen.wrong == []


def test_what_could_both_be_true_is_decided_with_one_button(browser: Browser, night: tuple[Site, Dream]) -> None:
    site, dream = night
    assert dream.doubts
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go(f"/dreams/{dream.id}")
        one = page.locator(".side-of", has_text=MINE.title)
        one.get_by_role("button", name="Keep this").click()
        assert until(page, lambda: states(site)[AGAINST.id] is State.FORGOTTEN)
        assert states(site)[MINE.id] is State.ACTIVE
        assert seen.wrong == []


def test_a_dream_is_begun_from_the_page_and_its_report_appears_by_itself(browser: Browser, tmp_path: Path) -> None:
    with a_home(tmp_path) as lane:
        known(lane, OLD, NEW, *NOTES)
    (tmp_path / "home" / ".memlane").symlink_to(tmp_path / "lane")
    (tmp_path / "lane" / "config.toml").write_text('user = "ann"\nmachine = "desk"\n')
    with served(tmp_path / "home") as site, let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/dreams")
        assert page.locator("#dreams .rows li").count() == 0
        page.get_by_role("button", name="Dream now").click()
        assert until(page, lambda: "Dreaming now" in page.locator("#now").inner_text())
        assert until(page, lambda: page.locator("#dreams .rows li").count() == 1, tries=900)
        assert until(page, lambda: page.get_by_role("button", name="Dream now").count() == 1)
        with site.lane() as lane:
            (report,) = lane.dream.reports()
            assert report.dream.done
        assert barriers(page) == []
        assert seen.wrong == []
