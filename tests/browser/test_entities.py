"""Who is meant: the queue of names, answered by one key or the mouse; and what a person does to an entity."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.site import Site, barriers, empty_home, let_in, served, until, watched


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Two of the same first name, and memories that name only that."""
    with served(empty_home(tmp_path)) as running:
        with running.lane() as lane:
            for name in ("Adam King", "Adam Cole", "Beth Stone"):
                lane.entities.add(name, "person")
            lane.memories.remember("Adam King and Beth Stone are told first when the ferry is late", tmp_path)
            lane.memories.remember("Ask Adam before touching the chart", tmp_path)
            lane.memories.remember("Never ask Beth on a Friday", tmp_path)
        yield running


def meant(site: Site) -> dict[str, str]:
    with site.lane() as lane:
        return {answer.raw: answer.entity for answer in lane.entities.answers()}


def test_a_name_is_answered_with_one_key_and_the_next_takes_its_place(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/entities")
        page.get_by_role("link", name="Review").click()
        before = page.locator("#names .card").count()
        assert page.locator("#names .card h2").first.inner_text().startswith("“Adam”")
        assert barriers(page) == []
        choices = page.locator("#names .card").first.locator(".choice b").all_inner_texts()
        assert choices == ["Adam King", "Adam Cole"], "the one that is named more often comes first"
        page.keyboard.press("2")
        assert until(page, lambda: page.locator("#names .card").count() == before - 1)
        assert meant(site) == {"Adam": "person:cole-adam"}
        assert seen.wrong == []


def test_a_word_that_is_no_name_is_said_so_by_mouse_in_every_project(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/entities/review")
        card = page.locator("#names .card").first
        if card.locator(".everywhere").count():
            card.locator(".everywhere").check()
        card.get_by_role("button", name="not a name").click()
        assert until(page, lambda: meant(site) == {"Adam": ""})
        with site.lane() as lane:
            assert [answer.project_key for answer in lane.entities.answers()] == [""]
        assert seen.wrong == []


def test_two_that_are_one_are_merged_and_taken_apart_again(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/entity?of=person:cole-adam")
        page.locator("#merge summary").click()
        page.get_by_label("It is the same as").fill("person:king-adam")
        page.locator("#merge").get_by_role("button", name="Merge").click()
        page.wait_for_url("**/entity?of=person%3Aking-adam")
        assert page.locator("h1").inner_text() == "Adam King"
        page.get_by_role("button", name="Undo merge").click()
        assert until(page, lambda: page.get_by_role("button", name="Undo merge").count() == 0)
        with site.lane() as lane:
            assert lane.entities.entity("person:cole-adam").name == "Adam Cole"
        assert seen.wrong == []


def test_a_new_name_is_taken_back_with_a_key(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/entity?of=person:stone-beth")
        page.locator("#rename summary").click()
        page.get_by_label("New name").fill("Elizabeth Stone")
        page.locator("#rename").get_by_role("button", name="Rename").click()
        assert until(page, lambda: page.locator("h1").inner_text() == "Elizabeth Stone")
        page.keyboard.press("Escape")
        page.keyboard.press("z")
        assert until(page, lambda: page.locator("h1").inner_text() == "Beth Stone")
        assert seen.wrong == []
