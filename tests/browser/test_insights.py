"""What was done when, and what came of it: each number leads to what it counts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser

from memlane.domain import Evidence, RunFilter
from tests.browser.site import Site, barriers, empty_home, let_in, served, until, watched
from tests.flow.dreams import caught, known
from tests.flow.homes import answer, called, prompt, returned, transcript, write


def test_a_day_of_the_calendar_leads_to_its_runs(browser: Browser, demo: Site) -> None:
    with demo.lane() as lane:
        runs = [run for run in lane.runs.select(RunFilter(limit=100)) if run.ended]
    last = max(run.ended for run in runs if run.ended).astimezone().date()
    there = [run for run in runs if run.ended and run.ended.astimezone().date() == last]
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go("/calendar?what=runs")
        page.locator(f'a.day-cell[href*="day={last.isoformat()}"]').click()
        page.wait_for_url("**#day")
        shown = {card.get_attribute("id") for card in page.locator("#calendar .row-item").all()}
        assert {run.id for run in there} <= shown
        assert barriers(page) == []
        assert seen.wrong == []


def test_what_failed_and_what_worked_is_counted_from_the_runs_and_leads_to_its_step(
    browser: Browser, demo: Site
) -> None:
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go("/insights")
        page.locator(".tools tbody tr").first.wait_for()
        assert until(page, lambda: page.locator("#work [data-again]").count() == 0), "all runs are read in the end"
        with demo.lane() as lane:
            runs = lane.runs.select(RunFilter(limit=100))
            calls = sum(run.tool_calls for run in runs)
            assert sum(sum(tally.calls.values()) for tally in lane.runs.tallies.of(runs, 60).values()) == calls
        shown = page.locator(".tools tbody tr td:nth-child(3)").all_inner_texts()
        assert sum(int(count.replace(",", "")) for count in shown) == calls
        assert barriers(page) == []
        if page.locator(".mended a.title").count():
            page.locator(".mended a.title").first.click()
            page.wait_for_url(re.compile(r".*/runs/r_\w+\?at=t\d+\.\d+#t\d+\.\d+"))
            assert page.locator(".step.here.failed").count() == 1
        assert seen.wrong == []


def test_what_fixed_an_error_is_remembered_from_the_page(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    empty_home(tmp_path / "home")
    failed = [
        answer([called("Bash", {"command": "gh pr diff 104 --stat"}, "a")], 2),
        returned("no --stat", "a", 3, error=True),
    ]
    worked = [answer([called("Bash", {"command": "gh pr diff 104 --name-only"}, "b")], 4), returned("a.py", "b", 5)]
    write(transcript(tmp_path), [prompt("what did it change? never use tabs", 1), *failed, *worked])
    with Site(tmp_path / "home").lane() as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select(RunFilter(limit=2))
        known(
            lane,
            replace(caught("Never use tabs"), evidence=(Evidence(run.id, 1, 1, f"{run.id}#t1.1", "never use tabs"),)),
        )
    with served(tmp_path / "home") as site, let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go("/insights")
        page.locator(".mended").wait_for()
        assert page.locator(".mended .memory-link").count() == 0, "a memory of the same turn is about something else"
        page.get_by_role("button", name="Remember it").click()
        assert "gh pr diff 104 --name-only works where" in page.locator("#asked").inner_text()
        page.get_by_role("button", name="Yes", exact=True).click()
        page.wait_for_url("**/m/m_*")
        made = page.url.rpartition("/")[2]
        seen.go("/insights")
        page.locator(".mended .memory-link").wait_for()
        assert page.locator(".mended .memory-link").get_attribute("href") == f"/m/{made}"
        page.go_back()
        assert seen.wrong == []
