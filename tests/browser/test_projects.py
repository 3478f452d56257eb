"""Projects with their names: joined, renamed and taken apart on one page, each with an undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.site import Site, barriers, let_in, served, until, watched
from tests.flow.dreams import a_home

TIDES, MOVED = Path("/home/x/code/tides"), Path("/home/y/src/tides")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with a_home(tmp_path) as lane:
        lane.memories.remember("Harbour times are shown in UTC", TIDES)
        lane.memories.remember("Deploys go through make ship", MOVED)
    (tmp_path / "home" / ".memlane").symlink_to(tmp_path / "lane")
    (tmp_path / "lane" / "config.toml").write_text('user = "ann"\nmachine = "desk"\n')
    with served(tmp_path / "home") as opened:
        yield opened


def names(site: Site) -> list[tuple[str, int]]:
    with site.lane() as lane:
        return sorted((row.project.name, len(row.keys)) for row in lane.projects.all())


def test_a_proposal_is_joined_renamed_and_taken_apart_again(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/projects")
        assert barriers(page) == []
        assert "nothing else agrees" in page.locator("main").inner_text()
        page.get_by_role("button", name="Join", exact=True).first.click()
        assert until(page, lambda: names(site) == [("tides", 2)])
        seen.go("/projects")
        assert "by you" in page.locator("main").inner_text()
        page.locator("summary", has_text="Rename").click()
        page.get_by_label("New name").fill("Tide tables")
        page.locator("form[data-form='/projects/rename'] button").click()
        assert until(page, lambda: names(site) == [("Tide tables", 2)])
        seen.go("/projects")
        page.get_by_role("button", name="Split", exact=True).click()
        assert until(page, lambda: names(site) == [("Tide tables", 1), ("tides", 1)])
        page.locator("#toasts").get_by_role("button", name="Undo").last.click()
        assert until(page, lambda: names(site) == [("Tide tables", 2)])
        assert seen.wrong == []


def test_a_proposal_that_is_declined_does_not_come_back(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go("/projects")
        seen.page.get_by_role("button", name="Keep apart").click()

        def declined() -> bool:
            with site.lane() as lane:
                return not lane.projects.proposals()

        assert until(seen.page, declined)
        seen.go("/projects")
        assert seen.page.get_by_role("button", name="Keep apart").count() == 0
        assert seen.wrong == []
