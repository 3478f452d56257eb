"""A run of thousands of steps opens at any of them by loading one part of it, and reads on in both directions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from memlane.domain import RunFilter
from memlane.surfaces.web.pages.transcript import PART
from tests.browser.site import Site, empty_home, let_in, served, until, watched
from tests.flow.homes import answer, called, prompt, returned, said, transcript, write

TURNS, CALLS = 200, 39  # a prompt, an answer and so many calls each
STEPS = TURNS * (CALLS + 2)
ASKED = f"t{TURNS - 1}.{CALLS - 5}"
MOST_BYTES = 250_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("long")
    (folder / "home").mkdir()
    empty_home(folder / "home")
    records: list[dict[str, object]] = []
    for turn in range(TURNS):
        records += [prompt(f"part {turn}: go on", turn), answer([said(f"I go on with part {turn}")], turn)]
        for n in range(CALLS):
            call = f"c{turn}x{n}"
            records += [answer([called("Bash", {"command": f"make part-{turn}-{n}"}, call)], turn)]
            records += [returned(f"made part {turn} {n}\n" * 5, call, turn, error=(turn, n) == (150, 3))]
    for n, record in enumerate(records):
        record["uuid"] = f"00000000-0000-4000-8000-{n:012d}"
        if record["type"] == "assistant":
            record["message"]["id"] = f"msg_{n}"  # type: ignore[index]
    write(transcript(folder), records)
    found = Site(folder / "home")
    with found.lane() as lane:
        lane.capture.sweep()
    with served(folder / "home") as running:
        yield running


@pytest.mark.fault("E17", "L2")
def test_it_opens_far_down_by_one_part_and_reads_on_both_ways(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        (run,) = lane.runs.select(RunFilter(limit=2))
    assert run.steps == STEPS
    with let_in(browser, site) as context:
        seen = watched(context, site)
        sizes = dict[str, int]()
        seen.page.on(
            "response",
            lambda answer: sizes.update({answer.url: len(answer.body())}) if "/runs/" in answer.url else None,
        )
        seen.go(f"/runs/{run.id}?at={ASKED}#{ASKED}")
        step = seen.page.locator(f'[id="{ASKED}"]')
        assert step.is_visible()
        seen.page.wait_for_timeout(300)
        pages = [url for url in sizes if "/steps" not in url]
        assert len(pages) == 1
        assert sizes[pages[0]] < MOST_BYTES
        assert seen.page.locator(".step").count() <= 2 * PART + 1
        box = step.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= 200  # under the header, where the reader looks
        for _ in range(3):
            before = seen.page.locator(".step").count()
            seen.page.evaluate("scrollTo(0, 0)")
            assert until(seen.page, lambda before=before: seen.page.locator(".step").count() > before)
        places = seen.page.locator(".step").evaluate_all("steps => steps.map(step => Number(step.dataset.place))")
        assert places == list(range(places[0], places[0] + len(places)))  # none twice, none missing
        seen.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert until(seen.page, lambda: seen.page.locator(f'.step[data-place="{STEPS - 1}"]').count() == 1)
        assert seen.wrong == []


def test_a_bare_address_of_a_step_leads_there_too(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        (run,) = lane.runs.select(RunFilter(limit=2))
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/runs/{run.id}#{ASKED}")
        seen.page.wait_for_url(f"**?at={ASKED}#{ASKED}")
        assert seen.page.locator(f'[id="{ASKED}"]').is_visible()


def test_words_are_found_in_steps_that_are_not_on_the_page(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        (run,) = lane.runs.select(RunFilter(limit=2))
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/runs/{run.id}")
        seen.page.keyboard.press("/")
        seen.page.keyboard.type("part-180-7")
        seen.page.keyboard.press("Enter")
        seen.page.locator(".found a[href*='at=t181.']").first.click()
        seen.page.wait_for_url("**at=t181.*")
        assert seen.page.locator(".step.here").count() == 1
        assert seen.wrong == []
