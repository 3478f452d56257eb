"""River and map: read by keys as by mouse, leading to what they show, with a table or a list beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from memlane.app.home.journal import memory_line
from memlane.domain import Type
from memlane.flow.journal import understand
from memlane.surfaces.web.pages.map import DOT
from tests.browser.site import Site, barriers, empty_home, let_in, served, until, watched
from tests.flow.dreams import caught

SAID = {
    Type.DECISION: ("Deploys go out on Mondays", "Deploys are announced an hour before", "Releases are tagged"),
    Type.CORRECTION: ("Tests run with xdist off", "The linter is ruff", "Never mock the clock", "Tests are sentences"),
    Type.LEARNING: ("Postgres sorts text by locale", "SQLite locks the whole file"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Memories of three types, a week apart."""
    home = empty_home(tmp_path_factory.mktemp("p"))
    with served(home) as running:
        with running.lane() as lane:
            for n, (type_, titles) in enumerate(SAID.items()):
                for title in titles:
                    made = lane.memories.remember(title, Path("/"), type=type_)
                    lane.acts.writer.write(
                        [memory_line(replace(made, formed_at=made.formed_at - timedelta(weeks=3 * n)))]
                    )
        yield running


def test_the_river_is_read_by_keys_and_leads_to_the_memories_of_a_week(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/river")
        assert barriers(page) == []
        assert until(page, lambda: page.locator("#flowed .title").count() == 3), "what came last is there at once"
        page.locator("#scrub").focus()
        page.keyboard.press("Home")
        assert page.locator("#week").inner_text().endswith("nothing")
        page.keyboard.press("End")
        assert page.locator("#week").inner_text().endswith("3 decision")
        for _ in range(6):
            page.keyboard.press("ArrowLeft")
        assert page.locator("#week").inner_text().endswith("2 learning")
        assert page.locator("#scrub").get_attribute("aria-valuetext") == page.locator("#week").inner_text()
        assert until(page, lambda: page.locator("#flowed .title").count() == 2)
        assert barriers(page) == []
        page.reload()
        assert until(page, lambda: page.locator("#week").inner_text().endswith("2 learning")), (
            "its address has the time"
        )
        assert until(page, lambda: page.locator("#flowed .title").count() == 2)
        page.locator("#scrub").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/memories?after=*")
        assert page.locator(".row-item .title").count() == 2
        page.go_back()
        page.locator("#table summary").click()
        shown = page.locator("#table tbody td").all_inner_texts()
        assert sum(int(count) for count in shown if count) == sum(map(len, SAID.values()))
        assert seen.wrong == []


THICK = """() => {
    const river = document.querySelector("#river");
    const told = JSON.parse(document.querySelector("#drawn").dataset.river);
    const inks = told.inks.map((name) => inkOf(name).match(/\\d+/g).map(Number));
    const data = river.getContext("2d").getImageData(0, 0, river.width, river.height).data;
    const [step, dense] = [river.width / told.counts.length, window.devicePixelRatio];
    const near = (one, two) => one.every((value, n) => Math.abs(value - two[n]) < 12);
    return told.counts.map((_, n) => {
        const found = inks.map(() => 0);
        for (let y = 0; y < river.height; y += 1) {
            const at = 4 * (y * river.width + Math.floor((n + 0.2) * step));
            const ink = inks.findIndex((one) => near(one, [...data.slice(at, at + 3)]) && data[at + 3] > 200);
            if (ink >= 0) found[ink] += 1 / dense;
        }
        return found;
    });
}"""


def test_the_river_is_as_thick_in_each_week_as_its_numbers_say(browser: Browser, tmp_path: Path) -> None:
    """Many memories of one day are that day's: nothing flows before them."""
    with served(empty_home(tmp_path)) as site, let_in(browser, site) as context:
        with site.lane() as lane:
            now = lane.home.clock()
            many = [caught(f"Rule {n:03d}", id=f"m_rule{n:09d}", owner="ann", formed_at=now) for n in range(164)]
            old = caught("An old rule", owner="ann", type=Type.LEARNING, formed_at=now - timedelta(weeks=5))
            lane.acts.writer.write([memory_line(one) for one in (*many, old)])
        seen = watched(context, site)
        page = seen.page
        seen.go("/river")
        told = json.loads(page.locator("#drawn").get_attribute("data-river") or "")
        counts, thick = told["counts"], page.evaluate(THICK)
        assert sum(map(sum, counts)) == 165
        assert sum(counts[-1]) == 164
        tallest = max(map(sum, thick))
        for week, (numbers, pixels) in enumerate(zip(counts, thick, strict=True)):
            page.locator("#scrub").fill(str(week))
            for name, count, tall in zip(told["names"], numbers, pixels, strict=True):
                assert (f"{count} {name}" in page.locator("#week").inner_text()) == (count > 0)
                assert (tall > 0) == (count > 0), f"{name} in week {week}: {count} memories, {tall} pixels"
                assert abs(tall - count * tallest / 164) < 4
        assert seen.wrong == []


def test_a_click_on_a_band_leads_to_its_memories(browser: Browser, site: Site) -> None:
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/river")
        box = page.locator("#river").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
        assert until(page, lambda: page.locator("#week").inner_text().endswith("3 decision"))
        page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
        page.wait_for_url(re.compile(r"/memories\?.*type=decision"))
        assert page.locator(".row-item .title").count() == 3
        assert seen.wrong == []


def test_a_click_on_the_map_shows_the_closest_and_keys_go_from_one_to_the_next(browser: Browser, site: Site) -> None:
    with site.lane() as lane:
        understand(lane.dream_tools())
        lane.map.give()
        placed = lane.map.look()
        assert len(placed.at) == sum(map(len, SAID.values()))
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/map")
        assert until(page, lambda: page.locator("#map").get_attribute("data-dots") == str(len(placed.at)))
        assert barriers(page) == []
        page.locator("#map").focus()
        page.keyboard.press("ArrowRight")
        page.locator("#near h2.title").wait_for()
        first = page.locator("#near h2.title").inner_text()
        assert page.locator("#near [data-near]").count() == len(placed.at) - 1
        page.locator("#near [data-to]").first.click()
        assert until(page, lambda: page.locator("#near h2.title").inner_text() != first)
        assert barriers(page) == []
        page.go_back()
        assert until(page, lambda: page.locator("#near h2.title").inner_text() == first), (
            "its address has the one in the middle"
        )
        page.reload()
        assert until(
            page,
            lambda: page.locator("#near h2.title").count() and page.locator("#near h2.title").inner_text() == first,
        )
        box = page.locator("#map").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert until(page, lambda: first in page.locator("#bubble").inner_text()), "what a dot says, under the pointer"
        page.locator("#map").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/m/m_*")
        assert seen.wrong == []
    with site.lane() as lane:
        lane.memories.remember("Migrations run before the deploy", Path("/"), type=Type.DECISION)
        understand(lane.dream_tools())
        lane.map.give()
        after = lane.map.look().at
        assert {name: after[name] for name in placed.at} == dict(placed.at), "nobody was moved"
        assert len(after) == len(placed.at) + 1


def test_on_the_first_visit_the_map_says_what_happens_and_fills_itself(browser: Browser, tmp_path: Path) -> None:
    """No memory was read for its meaning yet, and none has a place."""
    every = [title for titles in SAID.values() for title in titles]
    with served(empty_home(tmp_path)) as site, let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/map")
        assert "No memories yet" in page.locator("main").inner_text()
        with site.lane() as lane:
            made = [caught(title, owner="ann") for title in every]
            lane.acts.writer.write([memory_line(one) for one in made])
            assert not (lane.config.home / "map.json").exists()
        seen.go("/map")
        assert f"{len(every)} memories are being read and placed" in page.locator("#placing").inner_text()
        assert until(page, lambda: page.locator("#map").get_attribute("data-dots") == str(len(every)), tries=600)
        assert until(page, lambda: page.locator("#placing").inner_text() == "")
        assert page.locator("#counted").inner_text() == f"{len(every)} memories, grouped by similarity"
        assert page.locator("#kinds").inner_text().split() == ["decision", str(len(every))]
        assert page.evaluate(PAINTED) > 0
        assert barriers(page) == []
        assert seen.wrong == []


PAINTED = """() => {
    const map = document.querySelector("#map");
    const data = map.getContext("2d").getImageData(0, 0, map.width, map.height).data;
    return data.filter((value, n) => n % 4 === 3 && value > 0).length;
}"""


def test_a_hundred_thousand_dots_are_one_bitmap_and_at_most_two_thousand_live_ones(
    browser: Browser, site: Site
) -> None:
    random = Random(7)
    dots = b"".join(
        DOT.pack(random.randrange(65_536), random.randrange(65_536), n % 10, n % 7, f"{n:013d}".encode())
        for n in range(100_000)
    )
    with let_in(browser, site, still=False) as context:
        context.route("**/map/dots", lambda route: route.fulfill(body=dots, content_type="application/octet-stream"))
        seen = watched(context, site)
        seen.go("/map")
        assert until(seen.page, lambda: seen.page.locator("#map").get_attribute("data-dots") == "100000")
        assert int(seen.page.locator("#map").get_attribute("data-live") or "0") <= 2000
        seen.page.locator("#map").click(position={"x": 300, "y": 300})
        assert until(seen.page, lambda: "could not be loaded" in seen.page.locator("#near").inner_text())


@pytest.mark.parametrize("still", [True, False])
def test_only_what_was_told_lately_twinkles_and_nothing_where_motion_is_unwanted(
    browser: Browser, site: Site, still: bool
) -> None:
    """Frames are asked for as long as something moves: counted before the page's own script begins."""
    counting = """window.frames_asked = 0; const ask = requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (then) => { window.frames_asked += 1; return ask(then); };"""

    def asked_in_a_while(warm: int) -> int:
        dots = b"".join(DOT.pack(9000 * n, 7000 * n, n, warm, f"{n:013d}".encode()) for n in range(1, 6))
        with let_in(browser, site, still=still) as context:
            context.add_init_script(counting)
            context.route("**/map/dots", lambda route: route.fulfill(body=dots))
            seen = watched(context, site)
            seen.go("/map")
            assert until(seen.page, lambda: seen.page.locator("#map").get_attribute("data-dots") == "5")
            seen.page.wait_for_timeout(500)
            before = int(seen.page.evaluate("window.frames_asked"))
            seen.page.wait_for_timeout(700)
            return int(seen.page.evaluate("window.frames_asked")) - before

    assert asked_in_a_while(warm=0) == 0
    assert (asked_in_a_while(warm=255) == 0) is still


def test_a_new_memory_flows_into_the_river_and_onto_the_map_while_they_are_looked_at(
    browser: Browser, tmp_path: Path
) -> None:
    with served(empty_home(tmp_path)) as site:
        with site.lane() as lane:
            lane.memories.remember("Deploys go out on Mondays", Path("/"), type=Type.DECISION)
            understand(lane.dream_tools())
            lane.map.give()
        with let_in(browser, site, still=False) as context:
            river, map_ = watched(context, site), watched(context, site)
            river.go("/river")
            map_.go("/map")
            assert until(map_.page, lambda: map_.page.locator("#map").get_attribute("data-dots") == "1")
            assert until(map_.page, lambda: "live" in (map_.page.locator("#live").inner_text()))
            with site.lane() as lane:
                lane.memories.remember("Releases are tagged", Path("/"), type=Type.LEARNING)
                understand(lane.dream_tools())
                lane.map.give()
            map_.page.bring_to_front()
            assert until(map_.page, lambda: map_.page.locator("#map").get_attribute("data-dots") == "2")
            river.page.bring_to_front()
            assert until(river.page, lambda: river.page.locator("#counted").inner_text().startswith("2 memories"))
            river.page.locator("#scrub").focus()
            assert "1 learning" in river.page.locator("#week").inner_text()
            assert (river.wrong, map_.wrong) == ([], [])
