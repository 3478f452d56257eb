"""Several runs as one story: chosen by a filter or by a file, each under a heading, words as wide as the page."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import Browser

from memlane.domain import RunFilter
from tests.browser.site import Site, barriers, let_in, watched


def test_runs_that_a_filter_leaves_are_told_as_one(browser: Browser, demo: Site) -> None:
    with demo.lane() as lane:
        runs = {run.id for run in lane.runs.select(RunFilter(agent="codex"))}
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go("/runs")
        assert page.get_by_role("link", name="told as one story").count() == 0, "all of them are no story"
        seen.go("/runs?agent=codex")
        page.get_by_role("link", name="told as one story").click()
        page.locator("#story h2 a").first.wait_for()
        told = {str(link.get_attribute("href")).rpartition("/")[2] for link in page.locator("#story h2 a").all()}
        assert len(told) > 1
        assert told <= runs
        widths = [page.evaluate("node => node.offsetWidth", one.element_handle())
                  for one in page.locator("#story blockquote, #story .prose, #story .row-item").all()]  # fmt: skip
        assert min(widths) > max(widths) * 0.9, "nothing is squeezed beside something else"
        assert barriers(page) == []
        assert seen.wrong == []


def test_a_file_of_a_run_leads_to_the_story_of_its_changes(browser: Browser, demo: Site) -> None:
    with demo.lane() as lane:
        changed = [
            (run, path)
            for run in lane.runs.select(RunFilter())
            for path in run.files
            if lane.runs.edits(path, RunFilter())
        ]
    run, path = changed[0]
    with let_in(browser, demo) as context:
        seen = watched(context, demo)
        page = seen.page
        seen.go(f"/runs/{run.id}")
        page.locator("#files summary").click()
        page.locator(f'#files a[href="/runs?touched={quote(path, safe="/")}"]').click()
        page.get_by_role("link", name="told as one story").click()
        page.locator(f'#story h2 a[href="/runs/{run.id}"]').first.wait_for()
        assert path in page.locator("#story").inner_text()
        assert seen.wrong == []
