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


def test_an_answer_is_undone_on_the_page_and_every_counter_follows(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        for name in ("Carl Wood", "Carl Reed"):
            lane.entities.add(name, "person")
        lane.memories.remember("Carl counts the till", site.home)
        waiting = len(lane.entities.waiting())
        assert waiting > 1
    with let_in(browser, site) as context:
        seen, list_ = watched(context, site), watched(context, site)
        list_.go("/entities")
        page = seen.page
        seen.go("/entities/review")
        menu = page.locator("#menu a[href='/entities'] .count")
        head = page.locator("#counted")
        assert menu.inner_text().split()[1] == str(waiting)
        assert head.inner_text().startswith(f"{waiting} name")
        page.keyboard.press("2")
        assert until(page, lambda: meant(site) == {"Adam": "person:cole-adam"})
        assert until(page, lambda: head.inner_text().startswith(f"{waiting - 1} name"))
        assert until(page, lambda: menu.inner_text().split()[1] == str(waiting - 1))
        list_.page.bring_to_front()
        review = list_.page.locator("#counted")
        assert until(list_.page, lambda: review.inner_text() == f"Review {waiting - 1}"), "news reach the other page"
        page.bring_to_front()
        page.reload()
        page.locator("#names .rows li").get_by_role("button", name="Undo").click()
        assert until(page, lambda: meant(site) == {})
        assert until(page, lambda: head.inner_text().startswith(f"{waiting} name"))
        assert page.locator("#names .card h2").first.inner_text().startswith("“Adam”")
        assert barriers(page) == []
        assert (seen.wrong, list_.wrong) == ([], [])


def test_the_menu_counts_on_pages_that_are_about_something_else(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/settings")
        assert until(page, lambda: page.locator("#live.on").count() == 1)
        foot = page.locator("#status a[href='/memories']")
        before = int(foot.inner_text().split()[0])
        page.wait_for_timeout(1200)  # the first look is what everything is compared with
        with site.lane() as lane:
            lane.memories.remember("The ferry leaves at nine", site.home)
        assert until(page, lambda: foot.inner_text() == f"{before + 1} memories")
        assert seen.wrong == []
